#!/bin/bash
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The collectd-jolokia authors
# A folder of cluster files that is empty for 30 s, as while it is mounted anew,
# changes nothing: its nodes are asked on, through the same connections, and
# every sample comes. The last file of another folder is removed for good: it
# counts for 60 s more. Both in one collectd, which mostly waits.
# shellcheck disable=SC2154 # what the sourced files set
set -u
# shellcheck source=tests/support/wait.sh
. "${top_srcdir:?}/tests/support/wait.sh"
# shellcheck source=tests/support/simnode.sh
. "$top_srcdir/tests/support/simnode.sh"
# shellcheck source=tests/support/collectd.sh
. "$top_srcdir/tests/support/collectd.sh"
make_test_dir
mounted=$test_dir/mounted last=$test_dir/last
mkdir "$mounted" "$last" "$test_dir/away"
simnode_start --ports 3 --queues 2
names=(a b last)

# cluster FOLDER I: node number I in a file and a cluster of its own.
cluster() {
  printf '<Cluster "%s">\n  Node "node-%s" "http://127.0.0.1:%s/console/jolokia"\n</Cluster>\n' \
    "${names[$2]}" "${names[$2]}" "${sim_ports[$2]}" >"$1/${names[$2]}.conf"
}
requests() { simnode_requests "${sim_ports[$1]}"; }
samples() { collectd_count "node-${names[$1]}/artemis-queue-sim.queue.00001/gauge-MessageCount"; }
opened() { simnode_lines "${sim_ports[$1]}" open | wc -l; }
is_shut() { ! ss -Htn state established "dport = :${sim_ports[$1]}" | grep -q .; }
said() { grep -v ' Notification: ' "$collectd_log" | grep -c "$1"; }
# told_s TEXT: when that was told.
told_s() { date -d "$(grep "$1" "$collectd_log" | sed -nE '1s/^\[([^]]*)\].*/\1/p')" +%s; }
has_gone() { [ "$(said '1 node went (node-last)')" = 1 ]; }

# note: what there is by now.
note() {
  local i
  for i in 0 1 2; do
    requests[i]=$(requests "$i") samples[i]=$(samples "$i")
  done
}
# asked_on LEAST I...: so many requests and samples of each since the last
# note, and no connection more than at the beginning.
asked_on() {
  local least=$1 i n
  shift
  for i in "$@"; do
    n=$(($(requests "$i") - requests[i]))
    [ "$n" -ge "$least" ] || { collectd_show; fail "node-${names[i]}: $n requests, expected $least"; }
    n=$(($(samples "$i") - samples[i]))
    [ "$n" -ge "$least" ] || { collectd_show; fail "node-${names[i]}: $n samples, expected $least"; }
    [ "$(opened "$i")" = "${connections[i]}" ] || fail "node-${names[i]}: its connections were opened anew"
  done
}
# wait_to SECOND: of those since the folders are empty.
wait_to() {
  local left=$((emptied + $1 - SECONDS))
  [ "$left" -le 0 ] || sleep "$left"
}

cluster "$mounted" 0
cluster "$mounted" 1
cluster "$last" 2
collectd_setup 1
collectd_jolokia <<END
  ClusterFiles "$mounted/*.conf" "$last/*.conf"
  AddressInterval 600 # which would open a connection more
  SlowInterval 600
END
collectd_start
for i in 0 1 2; do collectd_wait_for 30 "node-${names[i]}/jolokia-${names[i]}/gauge-state" 1; done
sleep 2 # the slower tiers' connections
for i in 0 1 2; do connections[i]=$(opened "$i"); done

# -- empty: samples in each third of the time --
emptied=$SECONDS
mv "$mounted"/*.conf "$test_dir/away"
rm "$last/last.conf"
for second in 10 20 30; do
  note
  wait_to $second
  asked_on 5 0 1 2
done
[ "$(said 'were gone at once')" = 2 ] || { collectd_show; fail "it was not said once a folder that all are gone"; }
mv "$test_dir"/away/*.conf "$mounted"
note
wait_to 40
asked_on 5 0 1 2
[ "$(said 'settings were read again')" = "$(said 'read again: no node has changed')" ] ||
  { collectd_show; fail "something has changed"; }
collectd_has agent/jolokia/gauge-nodes 3 || fail "a node has gone"
pass "a folder that is empty for 30 s changes nothing"

# -- the one that does not come back --
note
wait_to 57
asked_on 8 0 1 2
wait_until 60 has_gone || { collectd_show; fail "the last file counts for ever"; }
counted=$(($(told_s '1 node went (node-last)') - $(told_s "last/.* were gone at once")))
[ "$counted" -ge 59 ] || { collectd_show; fail "the last file counted for $counted s"; }
collectd_wait_for 30 agent/jolokia/gauge-nodes 2
wait_until 30 is_shut 2 || fail "a connection to the removed node is open"
note
sleep 3
[ "$(requests 2)" = "${requests[2]}" ] || fail "the removed node is asked"
[ "$(samples 2)" = "${samples[2]}" ] || fail "the removed node has a sample"
asked_on 1 0 1
pass "the last file of a folder counts for 60 s more"
collectd_stop
