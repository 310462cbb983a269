#!/bin/bash
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The collectd-jolokia authors
# jolokiactl: poll, check and exec against the stand-in; an exit code for each
# class of failure; JSON line by line; what a terminal sees and a pipe does not;
# what ends exec.
# shellcheck disable=SC2154 # what the sourced files set
set -u
# shellcheck source=tests/support/wait.sh
. "${top_srcdir:?}/tests/support/wait.sh"
# shellcheck source=tests/support/simnode.sh
. "$top_srcdir/tests/support/simnode.sh"
# shellcheck source=tests/support/ctl.sh
. "$top_srcdir/tests/support/ctl.sh"
need python3
make_test_dir
ctl_setup
has_err() { grep -qE -- "$1" "$err" || { show; fail "$2: no '$1' on standard error"; }; }
is_quiet() { [ ! -s "$err" ] || { show; fail "$1: something on standard error"; }; }
is_json() {
  while IFS= read -r line; do
    python3 -m json.tool <<<"$line" >/dev/null || fail "$1: no JSON: $line"
  done <"$out"
  [ -s "$out" ] || fail "$1: nothing was written"
}
# member NAME: of the last line.
member() { tail -n 1 "$out" | python3 -c 'import json, sys; print(json.load(sys.stdin)[sys.argv[1]])' "$1"; }

# cluster NAME [HAZARDS [LINE...]]: a cluster file with one node, whose replies
# are waited for ${timeout} s.
timeout=30
cluster() {
  local name=$1 path=${2:+/$2}
  conf=$test_dir/$name.conf
  {
    echo '<Plugin jolokia>'
    echo "StateDir \"$test_dir/state\""
    echo "<Cluster \"$name\">"
    echo "  Timeout $timeout"
    echo "  Node \"$name-1\" \"http://127.0.0.1:$sim_port$path/console/jolokia\""
    printf '  %s\n' "${@:3}"
    echo "</Cluster>"
    echo '</Plugin>'
  } >"$conf"
}

simnode_start --queues 3 --set sim.queue.00001.MessageCount=7

polls() {
  cluster orders node=polls
  ctl poll
  expect_code 0 poll
  is_quiet poll
  has '^OBJECT +ATTRIBUTE +VALUE +UNIT$' poll
  has '^queue-sim\.queue\.00001 +MessageCount +7 messages$' poll
  has '^orders/orders-1: active, Artemis 2\.40\.0, Jolokia [0-9.]+, [0-9]+ values, [0-9]+ requests, ' poll
  ! grep -q $'\033' "$out" || fail "colours in a pipe"

  cluster orders node=json
  ctl poll --json orders/orders-1
  expect_code 0 "poll --json"
  is_quiet "poll --json"
  is_json "poll --json"
  has '"node":"orders-1","object":"queue-sim.queue.00001","attribute":"MessageCount","type":"gauge","value":7,"unit":"messages"' json
  [ "$(member state) $(member version) $(member error)" = "active 2.40.0 None" ] || fail "the node's object is wrong"
  [ "$(member requests)" = "$(simnode_requests "$sim_port" /node=json/console/jolokia)" ] ||
    fail "$(member requests) requests reported, another number arrived"
  [ "$(member values)" = "$(($(wc -l <"$out") - 1))" ] || fail "values are not the lines"
}

polls_many() {
  conf=$test_dir/many.conf
  cat >"$conf" <<END
<Plugin jolokia>
  StateDir "$test_dir/state"
  <Cluster "b">
    Node "b-1" "http://127.0.0.1:$sim_port/node=b1/console/jolokia"
    Node "b-2" "http://127.0.0.1:$sim_port/node=b2/console/jolokia"
  </Cluster>
  <Cluster "a">
    Node "a-1" "http://127.0.0.1:$sim_port/403/console/jolokia"
  </Cluster>
</Plugin>
END
  ctl poll b
  expect_code 0 "a cluster"
  [ "$(grep -cE '^OBJECT' "$out")" = 2 ] || fail "not a table for each node"
  awk '/^b\/b-/ { n++ } /^OBJECT/ && n != tables++ { exit 1 } END { exit n != 2 }' "$out" ||
    fail "the nodes' tables are mixed"
  ctl poll
  expect_code 1 "some of many"
  has '^a/a-1: auth, ' "some of many"
  ctl poll b/b-2
  expect_code 0 "a node"
  ! grep -q b-1 "$out" || fail "another node was asked"
  ctl poll c
  expect_code 2 "an unknown target"
  has_err 'nothing is named c; write CLUSTER or CLUSTER/NODE \(clusters: b, a\)' "an unknown target"
  ctl poll b/x
  expect_code 2 "an unknown node"
  has_err 'nothing is named b/x; .*\(nodes of b: b-1, b-2\)' "an unknown node"
}

# expect_failure HAZARDS KIND CODE [LINE...]
expect_failure() {
  cluster sick "$1" "${@:4}"
  ctl poll --json
  expect_code "$3" "$1"
  is_json "$1"
  [ "$(member error)" = "$2" ] || { show; fail "$1: error is $(member error), expected $2"; }
  [ -n "$(member reason)" ] || fail "$1: no reason"
  ctl check
  expect_code "$3" "check of $1"
  has "^sick/sick-1 .*: $2$" "check of $1"
  has '^  reason     .{20}' "check of $1"
}

fails() {
  timeout=0.5 expect_failure 'hang' timeout 5
  expect_failure 'close-unread=2+fin-after-read=1' reset 5
  expect_failure '403' auth 6
  expect_failure '401' auth 6
  expect_failure '429=1' throttled 6
  expect_failure 'origin=http://other.example' denied 6
  expect_failure 'html200' not_jolokia 1
  expect_failure '404-html' http_status 1
  expect_failure 'not-started' not_started 1
  expect_failure 'node=permit' permit_timeout 4 \
    '<Ceiling>' '  RequestsPerSecond 0.001' '</Ceiling>'
  local port
  port=$(free_ports 1)
  sim_port=$port expect_failure 'node=none' connect 5
}

checks() {
  cluster orders node=check
  ctl check
  expect_code 0 check
  is_quiet check
  has '^settings: 0 mistakes, 1 cluster, 1 node,' check
  has '^orders/orders-1 http://127.0.0.1:[0-9]+/node=check/console/jolokia: answers$' check
  has '^  broker     sim, Artemis 2.40.0, Jolokia [0-9.]+, active$' check
  has '^  refused    nothing$' check
  has '^  affords    an Interval of [0-9]+ s or more$' check

  cluster orders denied-exec
  ctl check --json
  expect_code 0 "listing refused"
  is_json "listing refused"
  [ "$(member listing_refused) $(member errors_item_denied)" = "True 1" ] || fail "the refused listing is not told"
  ctl poll
  expect_code 0 "listing refused"
  cluster orders denied-read=3
  ctl check
  expect_code 1 "a read refused"
  has '^  refused    .*item_denied' "a read refused"
}

checks_settings() {
  local before secret=$test_dir/secret
  conf=$test_dir/wrong.conf
  echo hunter2hunter2 >"$secret"
  chmod 644 "$secret"
  cat >"$conf" <<END
LoadPlugin jolokia
<Plugin jolokia>
  Nonsense 1
  <Cluster "orders">
    Timeout "soon"
    Node "broker-a" "http://joe:hunter2hunter2@127.0.0.1:$sim_port/console/jolokia"
  </Cluster>
  <Cluster "well">
    Username "joe"
    PasswordFile "$secret"
    Node "broker-b" "http://127.0.0.1:$sim_port/node=offline/console/jolokia"
  </Cluster>
  StateDir "$test_dir/state"
</Plugin>
END
  chmod 666 "$conf"
  before=$(simnode_requests)
  ctl check --offline
  expect_code 2 offline
  has "^error $conf:3: Nonsense" offline
  has "^error $conf:5: Timeout" offline
  has "^error $conf:6: .*use Username and PasswordFile" offline
  has '^  cluster orders is left out$' offline
  has "^warning $conf:10: PasswordFile: everybody may read .*chmod o-r" offline
  has "^warning $conf:[0-9]+: everybody may write this file.*chmod o-w" offline
  has '^warning .*WriteQueueLimitHigh is not set' offline
  ctl check --offline --json
  expect_code 2 "offline --json"
  is_json "offline --json"
  has "\"severity\":\"error\",\"place\":\"$conf:3\",\"cluster\":null,\"problem\":\"Nonsense" "offline --json"
  [ "$(simnode_requests)" = "$before" ] || fail "--offline has sent something"

  ctl poll well
  expect_code 0 "a well cluster beside a wrong one"
  ctl poll
  expect_code 2 "settings with mistakes"
  ctl check --json
  for file in "$out" "$err"; do
    ! grep -q hunter2 "$file" || fail "a secret was shown"
  done

  sed -i '3,7d' "$conf"
  sed -i '1iWriteQueueLimitHigh 1000' "$conf"
  chmod 600 "$conf" "$secret"
  ctl check
  expect_code 0 "settings that are well"
  ! grep -q '^warning' "$out" || { show; fail "a warning of nothing"; }

  # What collectd would pass over. A file that loads nothing is a part of one.
  local loads='^warning .*add LoadPlugin jolokia above it$'
  sed -i 's/^LoadPlugin .*/LoadPlugin cpu/' "$conf"
  ctl check --offline
  expect_code 0 "a plugin that is not loaded"
  has "$loads" "a plugin that is not loaded"
  echo 'LoadPlugin jolokia' >>"$conf"
  ctl check --offline
  has "$loads" "a plugin that is loaded too late"
  sed -i '1i<LoadPlugin "Jolokia">\n</LoadPlugin>' "$conf"
  ctl check --offline
  ! grep -qE "$loads" "$out" || { show; fail "a block loads it"; }
  sed -i '1,2d; s/^WriteQueueLimitHigh/AutoLoadPlugin true\n&/' "$conf"
  ctl check --offline
  ! grep -qE "$loads" "$out" || { show; fail "AutoLoadPlugin loads it"; }
  sed -i '/LoadPlugin/d' "$conf"
  ctl check --offline
  ! grep -qE "$loads" "$out" || { show; fail "a part of a file loads nothing"; }
}

usage() {
  conf=$test_dir/orders.conf
  local words
  for words in 'frob' 'poll --frob' 'poll a b' 'exec orders' 'exec --json' 'poll --offline' \
    'poll --timeout 0' 'poll --timeout soon' 'poll --timeout' 'exec --interval -1' ''; do
    # shellcheck disable=SC2086 # words
    ctl $words
    expect_code 2 "'$words'"
    has_err 'jolokiactl' "'$words'"
    [ ! -s "$out" ] || fail "'$words': something on standard output"
  done
  conf=$test_dir/nonexistent ctl poll
  expect_code 2 "no such file"
  has_err "$test_dir/nonexistent: cannot be read" "no such file"
  COLLECTD_INTERVAL=soon ctl exec
  expect_code 2 COLLECTD_INTERVAL
  has_err 'COLLECTD_INTERVAL "soon" is no number' COLLECTD_INTERVAL
  for words in --help 'poll --help' 'check --help' 'exec --help' --version; do
    # shellcheck disable=SC2086
    ctl $words
    expect_code 0 "$words"
    is_quiet "$words"
    has '^(usage: jolokiactl|jolokiactl [0-9])' "$words"
  done
}

has_arrived() { [ "$(simnode_requests "$sim_port" /hang/console/jolokia)" -ge "$1" ]; }
interrupts() {
  cluster slow hang
  local pid before began=$SECONDS
  ctl poll --timeout 0.5 --json
  expect_code 5 --timeout
  [ $((SECONDS - began)) -le 20 ] || fail "--timeout 0.5 took $((SECONDS - began)) s"
  [ "$(member error)" = timeout ] || fail "--timeout: error is $(member error)"

  before=$(simnode_requests "$sim_port" /hang/console/jolokia)
  "$top_builddir/jolokiactl" --config "$conf" poll --json >"$out" 2>"$err" &
  pid=$!
  wait_until 30 has_arrived $((before + 1)) || fail "nothing was asked"
  began=${EPOCHREALTIME/[.,]/}
  kill -INT "$pid"
  wait "$pid"
  code=$?
  expect_code 130 "an interrupt"
  [ $((${EPOCHREALTIME/[.,]/} - began)) -lt 15000000 ] || fail "an interrupt waits for the reply"
  is_json "an interrupt"
  [ "$(member error)" = cancelled ] || fail "an interrupt: error is $(member error)"
}

# on_terminal COMMAND...: both outputs on a terminal of its own; into ${out}.
on_terminal() {
  python3 - "$out" "$@" <<'END'
import os, pty, sys
out = open(sys.argv[1], "wb")
def read(fd):
    data = os.read(fd, 4096)
    out.write(data)
    return b""
os.environ["TERM"] = "xterm"
pty.spawn(sys.argv[2:], read, lambda fd: b"")
END
}

terminal() {
  local began=$SECONDS
  timeout=0.5 cluster slow hang
  on_terminal "$top_builddir/jolokiactl" --config "$conf" poll </dev/null
  grep -q $'\033\\[31mtimeout\033\\[0m' "$out" || fail "no colour on a terminal"
  [ $((SECONDS - began)) -ge 2 ] || ! grep -q 'nodes have answered' "$out" || fail "progress within two seconds"
  NO_COLOR=1 on_terminal "$top_builddir/jolokiactl" --config "$conf" poll </dev/null
  ! grep -q $'\033' "$out" || fail "colours in spite of NO_COLOR"
  sed -i 's/Timeout 0.5$/Timeout 4/' "$conf"
  on_terminal "$top_builddir/jolokiactl" --config "$conf" poll </dev/null
  grep -q '0 of 1 nodes have answered' "$out" || fail "no progress after two seconds"
  ctl poll
  is_quiet "progress in a pipe"
}

# Nowhere to write to: said, and no success; a closed descriptor is no one's.
unwritable() {
  local command
  cluster unwritable
  for command in poll "poll --json" check "check --json" --help --version "exec --interval 0.5"; do
    # shellcheck disable=SC2086 # its words
    timeout 100 "${top_builddir:?}/jolokiactl" --config "$conf" $command >/dev/full 2>"$err"
    code=$?
    : >"$out"
    expect_code 1 "$command to a full disk"
    has_err "standard output: No space left" "$command to a full disk"
    # shellcheck disable=SC2086
    timeout 100 "$top_builddir/jolokiactl" --config "$conf" $command <&- >&- 2>"$err"
    code=$?
    expect_code 1 "$command to a closed output"
    has_err "standard output: Bad file descriptor" "$command to a closed output"
  done
}

# -- exec --

putval='^PUTVAL "[^"/ ]+/(artemis|jolokia)(-[^"/]+)?/[a-z_]+(-[^"/]+)?" interval=[0-9]+\.[0-9]{3} [0-9]+\.[0-9]{3}:(-?[0-9.]+(e[+-][0-9]+)?|U)$'

has_rounds() { [ "$(grep -c 'bool-up" ' "$out")" -ge "$1" ]; }
executes() {
  cluster orders node=exec
  COLLECTD_INTERVAL=1.000 COLLECTD_HOSTNAME=agent.example \
    "$top_builddir/jolokiactl" --config "$conf" exec >"$out" 2>"$err" &
  local pid=$!
  end_with_test "$pid"
  wait_until 30 grep -q 'bool-up" interval=1.000 [0-9.]*:1$' "$out" || { show; fail "exec prints nothing of the node"; }
  wait_until 30 has_rounds 2 || { show; fail "exec does not go on"; }
  end_process "$pid" || fail "SIGTERM does not end exec"
  [ "$end_status" -eq 0 ] || fail "exec ended with $end_status"
  ! grep -vE "$putval" "$out" || fail "a line that is no PUTVAL"
  has '^PUTVAL "orders-1/artemis-queue-sim.queue.00001/gauge-MessageCount" interval=1\.000 [0-9.]+:7$' exec
  has '^PUTVAL "orders-1/artemis-address-sim.queue.00001/gauge-AddressSize" interval=60\.000 ' exec
  has '^PUTVAL "agent.example/jolokia/bool-config_current" interval=1\.000 [0-9.]+:1$' exec
  has '^PUTVAL "agent.example/jolokia/gauge-nodes" interval=1\.000 [0-9.]+:1$' exec
  has '^PUTVAL "orders-1/jolokia-orders/total_requests-scrape" interval=1\.000 ' exec

  grep -v '^bool' /usr/share/collectd/types.db >"$test_dir/types.db" 2>/dev/null ||
    echo 'gauge value:GAUGE:U:U' >"$test_dir/types.db"
  "$top_builddir/jolokiactl" --config "$conf" exec --interval 0.5 \
    --types-db "$test_dir/types.db" >"$out" 2>"$err" &
  pid=$!
  end_with_test "$pid"
  wait_until 30 grep -q '/jolokia/gauge-config_current" interval=0\.500 ' "$out" || { show; fail "no bool in types.db"; }
  end_process "$pid"
  ! grep -q '/bool-' "$out" || fail "bool, which types.db has not"
}

ends() {
  cluster orders node=ends
  # Its reader goes.
  "$top_builddir/jolokiactl" --config "$conf" exec --interval 60 2>"$err" > >(head -n 1 >"$out") &
  local pid=$!
  end_with_test "$pid"
  wait_until 30 is_gone "$pid" || fail "exec goes on without a reader"
  # Its parent goes.
  bash -c '"$1" --config "$2" exec --interval 60 >"$4" 2>&1 & echo $! >"$3"
    until [ -s "$4" ]; do sleep 0.1; done' \
    bash "$top_builddir/jolokiactl" "$conf" "$test_dir/pid" "$test_dir/orphan"
  pid=$(cat "$test_dir/pid")
  end_with_test "$pid"
  wait_until 30 is_gone "$pid" || fail "exec goes on without its parent"
  # Mistakes in the settings do not end it.
  conf=$test_dir/wrong-too.conf
  echo 'Nonsense 1' >"$conf"
  "$top_builddir/jolokiactl" --config "$conf" exec --interval 0.5 >"$out" 2>"$err" &
  pid=$!
  end_with_test "$pid"
  wait_until 30 grep -q '/jolokia/bool-config_current" .*:0$' "$out" || { show; fail "mistakes in the settings"; }
  sleep 1
  is_running "$pid" || fail "mistakes in the settings end exec"
  end_process "$pid"
  has_err "$conf:1: Nonsense" "mistakes in the settings"
}

for part in ${PARTS:-polls polls_many fails checks checks_settings usage interrupts terminal unwritable executes ends}; do
  $part
  pass "$part"
done
