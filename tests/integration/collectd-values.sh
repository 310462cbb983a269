#!/bin/bash
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The collectd-jolokia authors
# The distribution's collectd with the module: a node's values and the values
# about ourselves arrive, with true numbers; a node that ends is down, and comes
# back within two intervals.
# shellcheck disable=SC2154 # what the sourced files set
set -u
# shellcheck source=tests/support/wait.sh
. "${top_srcdir:?}/tests/support/wait.sh"
# shellcheck source=tests/support/simnode.sh
. "$top_srcdir/tests/support/simnode.sh"
# shellcheck source=tests/support/collectd.sh
. "$top_srcdir/tests/support/collectd.sh"
make_test_dir

port=$(free_ports 1)
simnode_start --queues 3 --set sim.queue.00001.MessageCount=7 \
  --set broker.ConnectionCount=9 --port "$port"
collectd_setup 1
collectd_jolokia <<END
  SelfMetrics "full"
  AddressInterval 2
  <Cluster "orders">
    Node "broker-a" "http://127.0.0.1:$sim_port/console/jolokia"
  </Cluster>
END
collectd_start

collectd_wait_for 30 broker-a/artemis-queue-sim.queue.00001/gauge-MessageCount 7
collectd_wait_for 30 broker-a/artemis-queue-sim.queue.00003/gauge-MessageCount
collectd_wait_for 30 broker-a/artemis-broker/current_connections-ConnectionCount 9
collectd_wait_for 30 broker-a/artemis-address-sim.queue.00001/gauge-AddressSize
pass "queues, broker and addresses"

collectd_wait_for 30 broker-a/jolokia-orders/gauge-state 1
collectd_wait_for 30 broker-a/jolokia-orders/bool-up 1
for id in total_requests-scrape total_requests-slow total_requests-bulk \
  total_time_in_ms-permit_wait_scrape response_time-permit_wait_max \
  total_events-permit_timeout percent-ceiling_requests gauge-ceiling_requests \
  errors-connection errors-item response_time-scrape \
  total_events-scrape_skipped total_events-scrape_stretched \
  total_time_in_ms-handling_listing percent-ceiling_handling \
  percent-ceiling_in_flight duration-debt_bytes total_events-blocked_requests \
  errors-timeout total_bytes-scrape current_connections total_events-excluded; do
  collectd_wait_for 30 "broker-a/jolokia-orders/$id"
done
collectd_wait_for 30 broker-a/jolokia-orders/gauge-ceiling_requests 20
collectd_wait_for 30 broker-a/jolokia-orders/gauge-ceiling_changes 50
collectd_wait_for 30 broker-a/jolokia-orders/gauge-ceiling_bytes 2097152
collectd_wait_for 30 broker-a/jolokia-orders/gauge-ceiling_handling 0.25
collectd_wait_for 30 broker-a/jolokia-orders/errors-connection 0
collectd_wait_for 30 agent/jolokia/bool-config_current 1
collectd_wait_for 30 agent/jolokia/bool-engine 1
collectd_wait_for 30 agent/jolokia/gauge-nodes 1
collectd_wait_for 30 agent/jolokia/response_time-engine_lag_max
pass "the values about ourselves"

# One value a second and series: on the grid, none twice.
depth=broker-a/artemis-queue-sim.queue.00001/gauge-MessageCount
has_values() { [ "$(collectd_count "$depth")" -ge "$1" ]; }
wait_until 30 has_values 6 || { collectd_show; fail "the values do not go on"; }
collectd_on_grid "$depth" 6 "$(collectd_value broker-a/jolokia-orders/total_events-scrape_skipped)" ||
  fail "the values are not one interval apart"
pass "one interval apart"

simnode_stop
collectd_wait_for 30 broker-a/jolokia-orders/gauge-state 4
collectd_wait_for 30 broker-a/jolokia-orders/bool-up 0
grep -q 'the size limits of [0-9]* nodes* reserve up to [0-9]* KiB here .* on a broker ' "$collectd_log" ||
  fail "no line says what the size limits reserve"
grep -q 'jolokia plugin: node broker-a (cluster orders) is down: connect: ' "$collectd_log" ||
  fail "no line says why it is down"
sleep 5
[ "$(grep -c 'broker-a (cluster orders) is' "$collectd_log")" -le 3 ] ||
  fail "the log is flooded"
before=$(collectd_count "$depth")
simnode_start --queues 3 --port "$port"
collectd_wait_for 30 broker-a/jolokia-orders/gauge-state 1
wait_until 30 has_values $((before + 1)) || { collectd_show; fail "its values do not come back"; }
# Two intervals, as the node sees them: one request asks whether it answers, the
# next reads its queues.
asked=$(awk '$4 == "operations" { n++ } /exec:listQueues/ { print n; exit }' "$sim_log")
[ "$asked" -le 2 ] || fail "its queues were read by the request $asked: $(head -n 20 "$sim_log")"
grep -q 'node broker-a (cluster orders) answers again: active' "$collectd_log" ||
  fail "no line says that it is back"
pass "down, and back"

collectd_stop
grep -E 'ERROR|\[error\]' "$collectd_log" | grep -v 'is down' &&
  fail "errors in the log"
pass "ended in $collectd_stop_ms ms"
