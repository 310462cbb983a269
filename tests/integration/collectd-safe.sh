#!/bin/bash
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The collectd-jolokia authors
# Alone: it measures time.
# The agent is safe: beside six nodes that are well one accepts and never
# answers, one refuses, one answers garbage, and one's name never resolves (a
# silent name server in a network namespace of the test's own). The six report at
# each tick, another plugin keeps its interval, the log stays short, and the
# daemon ends at once.
# shellcheck disable=SC2154 # what the sourced files set
set -u
# shellcheck source=tests/support/wait.sh
. "${top_srcdir:?}/tests/support/wait.sh"
# shellcheck source=tests/support/simnode.sh
. "$top_srcdir/tests/support/simnode.sh"
# shellcheck source=tests/support/collectd.sh
. "$top_srcdir/tests/support/collectd.sh"
# shellcheck source=tests/support/namespace.sh
. "$top_srcdir/tests/support/namespace.sh"
enter_namespace
make_test_dir
silence_names

seconds=${SAFE_SECONDS:-20}
simnode_start --ports 9 --queues 20 --hazard 7:hang --hazard 8:refuse --hazard 9:garbage
collectd_setup 1
# One thread for all reads: a read of ours that waits would hold the other up.
collectd_config <<'END'
ReadThreads 1
LoadPlugin "load"
END
{
  echo '<Cluster "orders">'
  echo '  Timeout 1' # as long as the interval: one that hangs is asked at each tick
  for i in 0 1 2 3 4 5 6 7 8; do
    echo "  Node \"node-$i\" \"http://127.0.0.1:${sim_ports[i]}/console/jolokia\""
  done
  echo '  Node "node-9" "http://dead.example:8161/console/jolokia"'
  echo '</Cluster>'
} | collectd_jolokia
collectd_start
for i in 0 1 2 3 4 5; do
  collectd_wait_for 30 "node-$i/artemis-queue-sim.queue.00020/gauge-MessageCount"
done
sleep "$seconds"

every_tick() { collectd_on_grid "$1" $((seconds - 2)) "${2:-0}"; }
for i in 0 1 2 3 4 5; do
  every_tick "node-$i/artemis-queue-sim.queue.00020/gauge-MessageCount" \
    "$(collectd_value "node-$i/jolokia-orders/total_events-scrape_skipped")" ||
    fail "node-$i does not report at each tick"
  every_tick "node-$i/jolokia-orders/total_requests-scrape" ||
    fail "node-$i: the values about ourselves do not come at each tick"
done
pass "the six report at each tick"
for i in 6 7 8 9; do
  every_tick "node-$i/jolokia-orders/total_requests-scrape" ||
    fail "node-$i: the values about ourselves do not come at each tick"
done
pass "so do the values about ourselves, of the sick nodes too"
every_tick agent/load/load || fail "another plugin does not keep its interval"
pass "another plugin keeps its interval"

collectd_wait_for 30 node-7/jolokia-orders/gauge-state 4
collectd_wait_for 30 node-8/jolokia-orders/gauge-state 4
collectd_wait_for 30 node-6/jolokia-orders/gauge-state 4
collectd_wait_for 30 node-9/jolokia-orders/gauge-state 4
for i in 6 7 8 9; do
  lines=$(grep -c "node node-$i " "$collectd_log")
  case $lines in
  [1-3]) ;;
  *) fail "node-$i has $lines lines in the log" ;;
  esac
done
pass "each sick node has one to three lines in the log"

# A failed node is asked once an interval, no more; and no less, but where a
# timeout that ended late on a busy machine made it skip one, at worst every
# other.
for i in 6 8; do
  simnode_lines "${sim_ports[i]}" request | awk '
    NR == 1 { first = $1 } { last = $1 }
    END { ticks = (last - first) / 1e9; exit !(NR - 1 >= ticks / 2 - 1 && NR - 1 <= ticks + 1) }' ||
    fail "node-$i is not asked once an interval: $(simnode_requests "${sim_ports[i]}") requests"
done
pass "a failed node is asked once an interval"

stalled=$(stalled_ms)
collectd_stop
# collectd itself waits for its read threads; on its own it takes well under 1 s.
[ "$collectd_stop_ms" -le $((2000 + $(stalled_ms) - stalled)) ] || fail "collectd took $collectd_stop_ms ms to end"
pass "ended in $collectd_stop_ms ms"
