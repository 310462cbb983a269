#!/bin/bash
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The collectd-jolokia authors
# Cluster files that come, go and change while collectd runs: a removed cluster
# is asked no more, though its node hangs, and nobody else notices; a folder that
# empties for a moment changes nothing; a bad file changes nothing; a password
# that was rotated is taken. Then the same with jolokiactl exec.
# shellcheck disable=SC2154 # what the sourced files set
set -u
# shellcheck source=tests/support/wait.sh
. "${top_srcdir:?}/tests/support/wait.sh"
# shellcheck source=tests/support/simnode.sh
. "$top_srcdir/tests/support/simnode.sh"
# shellcheck source=tests/support/collectd.sh
. "$top_srcdir/tests/support/collectd.sh"
make_test_dir
files=$test_dir/files
mkdir "$files" "$test_dir/away"

simnode_start --ports 6 --queues 2 --hazard 2:hang \
  --hazard 3:auth=u:new --hazard 4:auth=u:new --hazard 5:auth=u:new
steady=${sim_ports[0]} hung=${sim_ports[1]} other=${sim_ports[5]}

# cluster FILE NAME PORT [MORE]: one node, named as the cluster.
cluster() {
  printf '<Cluster "%s">\n  Node "node-%s" "http://127.0.0.1:%s/console/jolokia"\n%s\n</Cluster>\n' \
    "$2" "$2" "$3" "${4:-}" >"$files/$1"
}
mark() { wc -l <"$sim_log"; }
log_lines() { grep -v ' Notification: ' "$collectd_log" | grep -c "$1"; }
# requests_since MARK PORT: how many came.
requests_since() {
  awk -v since="$1" -v port="$2" 'NR > since && $2 == port && $4 == "request"' "$sim_log" | wc -l
}
is_asked() { [ "$(requests_since "$1" "$2")" -ge "$3" ]; } # MARK PORT N
opened() { simnode_lines "$1" open | wc -l; }
is_open() { ss -Htn state established "dport = :$1" | grep -q .; }
is_shut() { ! is_open "$1"; }
# longest_gap PORT MARK: between its arrivals, in ms.
longest_gap() {
  awk -v port="$1" -v since="$2" 'NR > since && $2 == port && $4 == "request" {
    if (last && $1 - last > gap) gap = $1 - last; last = $1 } END { print int(gap / 1e6) }' "$sim_log"
}
# reloads N: so many have been told.
reloads() { [ "$(log_lines 'settings were read again')" -ge "$1" ]; }

cluster 2-steady.conf steady "$steady"
cluster 1-hung.conf hung "$hung"
collectd_setup 1
collectd_jolokia <<END
  ClusterFiles "$files/*.conf"
END
collectd_start
collectd_wait_for 30 node-steady/jolokia-steady/gauge-state 1
collectd_wait_for 30 node-hung/jolokia-hung/gauge-state 0
collectd_wait_for 30 agent/jolokia/gauge-nodes 2
wait_until 30 is_open "$hung" || fail "nothing hangs"

# -- removed while it hangs --
began=$(mark)
stalled=$(stalled_ms)
rm "$files/1-hung.conf"
collectd_wait_for 30 agent/jolokia/gauge-nodes 1
gone=$(mark)
wait_until 30 is_shut "$hung" || fail "a connection to the removed node is open"
samples=$(collectd_count node-hung/jolokia-hung/gauge-state)
sleep 2
[ "$(requests_since "$gone" "$hung")" = 0 ] || fail "the removed node was asked"
[ "$(collectd_count node-hung/jolokia-hung/gauge-state)" = "$samples" ] ||
  fail "a sample of the removed node came"
gap=$(longest_gap "$steady" "$began")
[ "$gap" -lt $((1900 + $(stalled_ms) - stalled)) ] || fail "the other cluster was not asked for $gap ms"
[ "$(log_lines '1 node went (node-hung)')" = 1 ] || { collectd_show; fail "it was not said once what went"; }
pass "removed while it hangs: not asked, no sample, no connection; the other's longest gap is $gap ms"

# -- and back --
back=$(mark)
cluster 1-hung.conf hung "$hung"
wait_until 30 reloads 2 || { collectd_show; fail "the file that came back is not read"; }
wait_until 30 is_asked "$back" "$hung" 1 || fail "the node that came back is not asked"
sleep 2
n=$(requests_since "$back" "$hung")
[ "$n" -le 4 ] || fail "$n requests to the node that came back"
pass "back: $n requests in its first two seconds"

# -- a URL in two files --
cluster 3-shared.conf shared "$steady"
collectd_wait_for 30 node-shared/jolokia-shared/gauge-state 1
rm "$files/3-shared.conf"
wait_until 30 reloads 4 || fail "the second name of the URL does not go"
since=$(mark)
wait_until 30 is_asked "$since" "$steady" 2 || fail "the other name of the URL is not asked"
pass "a URL in two files outlives one of them"

# -- emptied, as while it is mounted anew --
opened_before=$(opened "$steady")
mv "$files"/*.conf "$test_dir/away"
wait_until 30 grep -q 'were gone at once' "$collectd_log" || fail "it was not said that all are gone"
since=$(mark)
wait_until 30 is_asked "$since" "$steady" 3 || fail "an empty folder stopped the requests"
mv "$test_dir"/away/*.conf "$files"
sleep 1
[ "$(opened "$steady")" = "$opened_before" ] || fail "its connections were opened anew"
[ "$(log_lines 'were gone at once')" = 1 ] || fail "it was said more than once"
pass "a folder that empties for a moment changes nothing"

# -- ways of saving: one reload each, of the whole --
cluster 4-edit.conf edit "$other" "AddressInterval 50"
collectd_wait_for 30 node-edit/jolokia-edit/gauge-state 1
mkdir "$test_dir/one"
ln -s one "$test_dir/data"
n=0
for way in rename truncate slowly moved link swap; do
  cluster new edit "$other" "AddressInterval $((51 + n))"
  before=$(log_lines 'settings were read again')
  case $way in
    rename) mv "$files/new" "$files/4-edit.conf" ;;
    truncate) cat "$files/new" >"$files/4-edit.conf" ;;
    slowly)
      {
        head -c 30 "$files/new"
        sleep 0.1
        tail -c +31 "$files/new"
      } >"$files/4-edit.conf"
      ;;
    moved)
      mv "$files/4-edit.conf" "$files/4-edit.conf~"
      mv "$files/new" "$files/4-edit.conf"
      ;;
    link)
      mv "$files/new" "$test_dir/one/edit"
      ln -sf "$test_dir/data/edit" "$files/4-edit.conf"
      ;;
    swap) # as Kubernetes does; seen by looking, as it is another folder
      mkdir "$test_dir/two"
      mv "$files/new" "$test_dir/two/edit"
      ln -s two "$test_dir/data.new"
      mv -T "$test_dir/data.new" "$test_dir/data"
      ;;
  esac
  wait_until 30 reloads $((before + 1)) || { collectd_show; fail "$way: no reload"; }
  sleep 0.5
  [ "$(log_lines 'settings were read again')" = $((before + 1)) ] || { collectd_show; fail "$way: more than one reload"; }
  grep 'settings were read again' "$collectd_log" | tail -n 1 | grep -q '1 node changed (node-edit)' ||
    { collectd_show; fail "$way: something else changed"; }
  n=$((n + 1))
done
pass "$n ways of saving: one reload each"

# -- what a file includes --
mkdir "$test_dir/parts"
echo "Include \"$test_dir/parts/*.part\"" >"$files/5-whole.conf"
before=$(log_lines 'settings were read again')
files=$test_dir/parts cluster part.part part "$other"
collectd_wait_for 30 node-part/jolokia-part/gauge-state 1
sleep 0.5
[ "$(log_lines 'settings were read again')" -le $((before + 2)) ] || { collectd_show; fail "what is included comes in many reloads"; }
files=$test_dir/parts cluster part.part part "$other" "AddressInterval 50"
changed() { grep -q 'read again: 1 node changed (node-part)' "$collectd_log"; }
wait_until 30 changed || { collectd_show; fail "a change of what is included is not seen"; }
rm "$files/5-whole.conf"
pass "what a file includes comes and changes as itself does"

# -- a bad file --
rm "$files/4-edit.conf"
cluster 4-edit.conf edit "$other" "Colour 1"
collectd_wait_for 30 agent/jolokia/bool-config_current 0
collectd_wait_for 30 agent/jolokia/total_events-reload_rejected 1
[ "$(log_lines '/4-edit.conf:3: Colour: unknown option')" = 1 ] || { collectd_show; fail "the mistake is not told once"; }
since=$(mark)
wait_until 30 is_asked "$since" "$other" 1 || fail "a bad file stopped what was good"
cluster 4-edit.conf edit "$other"
collectd_wait_for 30 agent/jolokia/bool-config_current 1
pass "a bad file changes nothing, is told once, and counted"

# -- a password that is rotated --
printf 'old\n' >"$files/password"
chmod 600 "$files/password"
for i in 2 3 4; do
  cluster "5-login$i.conf" "login$i" "${sim_ports[i]}" "Username \"u\"
PasswordFile \"$files/password\""
done
for i in 2 3 4; do collectd_wait_for 30 "node-login$i/jolokia-login$i/gauge-state" 5; done
sleep 2
refused=$(awk '$4 == "answered" && $6 == 403' "$sim_log" | wc -l)
((refused >= 1 && refused <= 3)) || fail "$refused refused logins"
printf 'new\n' >"$files/password.new"
chmod 600 "$files/password.new"
mv "$files/password.new" "$files/password"
for i in 2 3 4; do collectd_wait_for 30 "node-login$i/jolokia-login$i/gauge-state" 1; done
[ "$(awk '$4 == "answered" && $6 == 403' "$sim_log" | wc -l)" = "$refused" ] || fail "another login was refused"
! grep -qE 'old|new' <(grep -i password "$collectd_log" | grep -v "$files") || fail "a password is in the log"
pass "a rotated password: $refused refused logins, then all nodes are back"

# -- a node that is down goes: whoever was told of it is told that it is over --
ended() { grep "Notification: .*host = node-hung,.*type_instance = node" "$collectd_log" | grep -c "severity = $1.*$2"; }
collectd_wait_for 30 node-hung/jolokia-hung/gauge-state 4
down() { [ "$(ended FAILURE 'node down')" = 1 ]; }
wait_until 30 down || fail "no notification that it is down"
rm "$files/1-hung.conf"
no_longer() { [ "$(ended OKAY 'message = no longer configured')" = 1 ]; }
wait_until 30 no_longer || { collectd_show; fail "its notification is open for ever"; }
pass "a node that is down and goes: its notification is ended"
collectd_stop
pass "it ends in $collectd_stop_ms ms"

# -- jolokiactl exec --
rm "$files"/5-*
COLLECTD_INTERVAL=1 COLLECTD_HOSTNAME=agent "$top_builddir/jolokiactl" --config "$collectd_conf" \
  exec >"$test_dir/putval" 2>"$test_dir/exec.err" &
exec_pid=$!
end_with_test "$exec_pid"
wait_until 30 grep -q 'PUTVAL "node-edit/' "$test_dir/putval" || fail "exec: no values: $(cat "$test_dir/exec.err")"
rm "$files/4-edit.conf"
cluster 6-late.conf late "$other"
wait_until 30 grep -q 'PUTVAL "node-late/' "$test_dir/putval" || fail "exec: a file that came is not taken"
sleep 1
since=$(wc -l <"$test_dir/putval")
sleep 1.5
! tail -n "+$((since + 1))" "$test_dir/putval" | grep -q 'PUTVAL "node-edit/' || fail "exec: values of what went"
notified() { grep -q "^PUTNOTIF severity=$1 .*host=\"agent\" .*type_instance=\"config\" message=\"$2" "$test_dir/putval"; }
cluster 6-late.conf late "$other" "Colour 1"
wait_until 30 notified failure '.*/6-late.conf:3: Colour: unknown option' || fail "exec: no notification of a bad file"
cluster 6-late.conf late "$other"
wait_until 30 notified okay 'nothing is wrong any more' || fail "exec: no notification that it is mended"
end_process "$exec_pid" || fail "exec does not end"
pass "jolokiactl exec follows its files"
