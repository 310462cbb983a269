#!/bin/bash
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The collectd-jolokia authors
# Alone: it measures time.
# jolokiactl register and nodes: what a URL is, and what is wrong with it; a
# cluster file, and what it does not write over; the login goes to no host that
# nobody allowed; what a person at a terminal is asked; ten at once on one URL
# that nobody registered obey its ceiling; Ctrl-C at a question writes nothing.
# shellcheck disable=SC2154 # what the sourced files set
set -u
# shellcheck source=tests/support/wait.sh
. "${top_srcdir:?}/tests/support/wait.sh"
# shellcheck source=tests/support/simnode.sh
. "$top_srcdir/tests/support/simnode.sh"
# shellcheck source=tests/support/ctl.sh
. "$top_srcdir/tests/support/ctl.sh"
need awk python3
make_test_dir
ctl_setup
has_err() { grep -qE -- "$1" "$err" || { show; fail "$2: no '$1' on standard error"; }; }

conf=$test_dir/collectd.conf
mkdir "$test_dir/jolokia.d"
cat >"$conf" <<END
LoadPlugin jolokia
<Plugin jolokia>
  StateDir "$test_dir/state"
  ClusterFiles "$test_dir/jolokia.d/*.conf"
</Plugin>
END
password=$test_dir/password
(umask 077 && echo secret >"$password")
login=(--user monitor --password-file "$password")

topology=$test_dir/topology
member() { echo "{\"nodeID\":\"$1\",\"live\":\"$2\",\"primary\":\"$2\"}"; }
simnode_name=a
simnode_start --name a --queues 1 --hazard auth=monitor:secret \
  --set 'broker.NodeID="n-a"' --topology "@$topology"
port=$sim_port log=$sim_log
url=http://127.0.0.1:$port/console/jolokia
# On the same port, so that the URL's template leads to them.
beside() {
  simnode_name=$1
  simnode_start --name "$1" --queues 1 --hazard auth=monitor:secret \
    --set "broker.NodeID=\"n-$1\"" --listen "$2" --port "$port"
}
beside b 127.0.0.3
log_b=$sim_log
beside evil 127.0.0.9
log_evil=$sim_log
echo "[$(member n-a 10.0.0.1:61616),$(member n-b 127.0.0.3:61616),$(member n-evil 127.0.0.9:61616)]" >"$topology"

# expect_conclusion HAZARDS CONCLUSION CODE [OPTION...]
expect_conclusion() {
  ctl register --json "http://127.0.0.1:$port/$1/console/jolokia" "${login[@]}" "${@:4}"
  expect_code "$3" "$1"
  has "\"conclusion\":\"$2\"" "$1"
}

concludes() {
  ctl register "$url"
  expect_code 6 "no login"
  has_err 'no_login: .*it wants a login.* --user NAME' "no login"
  expect_conclusion node=1+403 bad_login 6
  expect_conclusion node=2+429 throttled 6
  expect_conclusion node=3+redirect wrong_path 1
  expect_conclusion node=4+html200 wrong_path 1
  expect_conclusion node=5+no-broker no_broker 1
  expect_conclusion node=6+two-brokers many_brokers 2
  expect_conclusion node=7+policy=read read_refused 6
  expect_conclusion node=8+hang unreachable 5 --timeout 0.3
  ctl register --json "http://127.0.0.1:$port/node=9+viewer/console/jolokia" "${login[@]}"
  has '"may_search":"yes","may_list":"yes","may_change_by_id":"no"' "a viewer"
  ctl register "http://127.0.0.1:$port/node=10+denied-exec/console/jolokia" "${login[@]}"
  expect_code 1 "members that cannot be read"
  has_err 'the members of its cluster cannot be read' "members that cannot be read"
  simnode_name=picky
  simnode_start --hazard origin=http://localhost
  ctl register "http://127.0.0.1:$sim_port/console/jolokia"
  has_err 'is refused; trying the usual other one' "another Origin"
  has '^  Origin "http://localhost"$' "another Origin"
  ctl register 'http://monitor:secret@127.0.0.1/console/jolokia'
  expect_code 2 "a password in the URL"
  ! grep -q secret "$out" "$err" || fail "the password is shown"
}

writes() {
  local file=$test_dir/jolokia.d/orders.conf
  ctl register "$url" "${login[@]}" --name orders --write "$file" --allow-host 127.0.0.3
  expect_code 1 "one member is left out"
  has_err 'member 127.0.0.9:61616: its host was named by a broker alone: --allow-host "127.0.0.9"' register
  has_err '^  LoadPlugin jolokia$' "the line that collectd.conf needs"
  [ "$(stat -c %a "$file")" = 640 ] || fail "its mode is $(stat -c %a "$file")"
  [ "$(ls "$test_dir/jolokia.d")" = orders.conf ] || fail "something else is left in the folder"
  ! grep -qE 'secret|Exec' "$file" || fail "a secret is in the file"
  ! grep -q . "$log_evil" || fail "evil saw: $(head -n 3 "$log_evil")"
  [ "$(awk '$4 == "request"' "$log_b" | wc -l)" = 1 ] || fail "b was asked more than once"
  ctl check orders
  expect_code 0 "check of the file"
  has '^orders/a ' "check of the file"
  has '^orders/b ' "check of the file"
  local before
  before=$(cat "$file")
  ctl register "$url" "${login[@]}" --write "$file"
  expect_code 2 "the file is there"
  has_err 'never written over' "the file is there"
  [ "$(cat "$file")" = "$before" ] || fail "the file was changed"
}

# Without a ClusterFiles line the default is read, which such a line would end.
keeps_the_default() {
  local before=$conf
  conf=$test_dir/plain.conf
  printf 'LoadPlugin jolokia\n<Plugin jolokia>\n  StateDir "%s"\n</Plugin>\n' "$test_dir/state" >"$conf"
  ctl register "$url" "${login[@]}" --write "$test_dir/elsewhere.conf"
  has_err '^  ClusterFiles "/etc/collectd/jolokia.d/\*.conf" "/.*/elsewhere.conf"$' "a file that is not read"
  conf=$before
}

# Where the file goes follows from ClusterFiles; the default, where nothing does.
advises() { # CLUSTERFILES PATH LINE
  local before=$conf
  conf=$test_dir/advice.conf
  printf 'LoadPlugin jolokia\n<Plugin jolokia>\n  StateDir "%s"\n  %s\n</Plugin>\n' "$test_dir/state" "$1" >"$conf"
  ctl register "$url" "${login[@]}" --name bills
  has_err "^Save this as $2; collectd.conf needs" "$1"
  has_err "^  $3\$" "$1"
  conf=$before
}

shows_nodes() {
  cat >"$test_dir/jolokia.d/found.conf" <<END
<Cluster "found">
  Username "monitor"
  PasswordFile "$password"
  Node "first" "$url"
  Discover true
  DiscoverHosts "127.0.0.3"
  URLTemplate "https://{host}:$port/console/jolokia"
  NodeURL "127.0.0.3:61616" "http://127.0.0.3:$port/console/jolokia"
</Cluster>
END
  rm "$test_dir/jolokia.d/orders.conf"
  ctl nodes found
  expect_code 0 nodes
  has '^found +first +active .* n-a ' nodes
  has "^found +b +active .* n-b .* http://127.0.0.3:$port/console/jolokia  \(discovered\)" nodes
  has '^found +127.0.0.9:61616 +refused .* n-evil' nodes
  has 'denied: .*DiscoverHosts "127.0.0.9"' nodes
  ctl check found
  expect_code 0 "check of what discovery finds"
  has '^found/first ' check
  has "^found/b http://127.0.0.3:$port/console/jolokia \(discovered\): answers" check
  has '^found +127.0.0.9:61616 +refused .* n-evil' check
  ctl check --json found/first
  expect_code 0 "check of one node"
  ! grep -q '"discovered":true\|"member"' "$out" || { show; fail "one node's check tells of others"; }
  ctl nodes --json found/first
  expect_code 0 "one node"
  [ "$(wc -l <"$out")" = 1 ] || { show; fail "another node is shown"; }
  python3 -m json.tool <"$out" >/dev/null || fail "no JSON"
  ! grep -q . "$log_evil" || fail "evil saw: $(head -n 3 "$log_evil")"
}

# A member that the settings refuse costs itself alone, and is not asked.
leaves_out() {
  local before
  before=$(cat "$topology")
  echo "[$(member n-a 10.0.0.1:61616),$(member n-far 192.0.2.1:61616),$(member n-b 127.0.0.3:61616)]" >"$topology"
  ctl register "$url" "${login[@]}" --allow-host '*'
  expect_code 1 "a member beyond loopback"
  has_err 'member 192.0.2.1:61616: the password would cross the network' "a member beyond loopback"
  has '# not in here: 192.0.2.1:61616: the password would cross' "a member beyond loopback"
  has '^  Node "b" ' "the member after it"
  echo "$before" >"$topology"
}

# interrupted QUESTION [OPTION...]: Ctrl-C there ends it, and nothing is written.
interrupted() {
  local file=$test_dir/jolokia.d/never.conf
  python3 - "$1" "$top_builddir/jolokiactl" --config "$conf" register "$url" --write "$file" \
    "${@:2}" >"$out" 2>"$err" <<'END' || { show; fail "Ctrl-C at $1"; }
import os, pty, signal, sys
signal.alarm(60)
words, argv = sys.argv[1].encode(), sys.argv[2:]
pid, fd = pty.fork()
if pid == 0:
    os.execv(argv[0], argv)
seen = b""
while words not in seen:
    seen += os.read(fd, 4096)
os.write(fd, b"\x03")
try:
    while os.read(fd, 4096):
        pass
except OSError:
    pass
_, status = os.waitpid(pid, 0)
sys.exit(os.waitstatus_to_exitcode(status) != 130)
END
  [ ! -e "$file" ] || fail "Ctrl-C at $1: the file is written"
}

interrupts() {
  interrupted 'User (of the monitor): '
  interrupted 'Password of monitor: ' --user monitor
  interrupted 'Member 127.0.0.3:61616: ' "${login[@]}"
  interrupted 'Name of the cluster' "${login[@]}" --allow-host '127.*'
}

# A person who answers: user, password, the cluster's name.
asks() {
  python3 - "$top_builddir/jolokiactl" "$conf" "$url" >"$out" 2>"$err" <<'END' || { show; fail "a terminal's answers"; }
import os, pty, signal, sys
signal.alarm(60)
program, conf, url = sys.argv[1:]
pid, fd = pty.fork()
if pid == 0:
    os.execv(program, [program, "--config", conf, "register", url])
seen = b""
def await_(words):
    global seen
    while words not in seen:
        seen += os.read(fd, 4096)
    seen = seen[seen.index(words) + len(words):]
def answer(words, text):
    await_(words)
    os.write(fd, text + b"\n")
answer(b"User (of the monitor): ", b"monitor")
answer(b"Password of monitor: ", b"secret")
answer(b"Member 127.0.0.3:61616: ", b"")
answer(b"Member 127.0.0.9:61616: ", b"-")
answer(b"Name of the cluster", b"bills")
await_(b'<Cluster "bills">')
await_(b"Node \"b\" ")
await_(b"LoadPlugin jolokia")
_, status = os.waitpid(pid, 0)
sys.exit(os.waitstatus_to_exitcode(status) != 1)
END
  ! grep -q . "$log_evil" || fail "evil saw: $(head -n 3 "$log_evil")"
}

# within SLACK-NS LOG: every pair of arrivals obeys 20 a second, Burst 1.
within() {
  awk -v path="$3" -v slack="$1" '
    $4 == "request" && $7 == path { at[++n] = $1 - (n ? first : 0); if (n == 1) { first = $1; at[1] = 0 } }
    END {
      worst = -1e18
      for (a = 1; a <= n; a++)
        for (b = a; b <= n; b++) {
          excess = (b - a) * 50e6 - (at[b] - at[a])
          if (excess > worst) worst = excess
        }
      printf "%d requests, %.1f ms over the ceiling at the worst\n", n, worst / 1e6
      exit n != 20 || worst > slack
    }' "$2"
}

# Two requests each: the probe and the topology.
obeys() { # TRY
  local fresh=/node=fresh$1/console/jolokia pids=() i
  for i in 1 2 3 4 5 6 7 8 9 10; do
    timeout 60 "$top_builddir/jolokiactl" --config "$conf" register "http://127.0.0.1:$port$fresh" \
      "${login[@]}" >"$test_dir/ten.$i" 2>&1 &
    pids+=($!)
  done
  for i in "${pids[@]}"; do
    wait "$i"
    [ $? = 1 ] || { cat "$test_dir"/ten.*; fail "one of ten has failed"; }
  done
  # A program that the machine stops between its permit and its sending is late,
  # and what follows is not. With a ceiling each they would all be 450 ms early.
  within 150000000 "$log" "$fresh"
}

concludes
writes
keeps_the_default
advises '' /etc/collectd/jolokia.d/bills.conf 'LoadPlugin jolokia'
advises "ClusterFiles \"$test_dir/one.conf\" \"$test_dir/our-*.cluster\"" \
  "$test_dir/our-bills.cluster" 'LoadPlugin jolokia'
advises "ClusterFiles \"$test_dir/one.conf\" \"$test_dir/*/*.conf\"" \
  /etc/collectd/jolokia.d/bills.conf 'ClusterFiles "/etc/collectd/jolokia.d/bills.conf"'
shows_nodes
leaves_out
asks
interrupts
for try in 1 2 3; do
  obeys $try && break
  [ $try -lt 3 ] || fail "the ceiling was not kept three times"
done
