#!/bin/bash
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The collectd-jolokia authors
# The distribution's collectd under valgrind, with nodes that are well and sick:
# no error and no leak, from the start to the end, and in collectd -T.
# shellcheck disable=SC2154 # what the sourced files set
set -u
# shellcheck source=tests/support/wait.sh
. "${top_srcdir:?}/tests/support/wait.sh"
# shellcheck source=tests/support/simnode.sh
. "$top_srcdir/tests/support/simnode.sh"
# shellcheck source=tests/support/collectd.sh
. "$top_srcdir/tests/support/collectd.sh"
[ "${SANITIZERS:-none}" = none ] || skip "the sanitizers are at work"
need valgrind
make_test_dir
VALGRIND=1
simnode_start --ports 4 --queues 50 --hazard 2:hang --hazard 3:refuse --hazard 4:garbage

collectd_setup 3
collectd_config <<<'WriteThreads 5' # as users have it
collectd_jolokia <<END
SelfMetrics "full"
AddressInterval 3
SlowInterval 3
<Cluster "orders">
  Username "monitor"
  Password "s3cret"
  Node "node-0" "http://127.0.0.1:${sim_ports[0]}/console/jolokia"
  Node "node-1" "http://127.0.0.1:${sim_ports[1]}/console/jolokia"
  Node "node-2" "http://127.0.0.1:${sim_ports[2]}/console/jolokia"
  Node "node-3" "http://127.0.0.1:${sim_ports[3]}/console/jolokia"
</Cluster>
<Cluster "bad">
  Colour "red"
</Cluster>
END
collectd_start
collectd_wait_for 120 node-0/artemis-queue-sim.queue.00050/gauge-MessageCount
collectd_wait_for 120 node-0/artemis-address-sim.queue.00050/gauge-AddressSize
collectd_wait_for 120 node-1/jolokia-orders/gauge-state 4
collectd_wait_for 120 node-3/jolokia-orders/gauge-state 4
collectd_stop 120
pass "nothing found in a daemon's life"

collectd_test || [ $? -eq 1 ] || { collectd_show; fail "collectd -T"; }
[ ! -s "$collectd_dir/valgrind" ] || { collectd_show; fail "valgrind found something"; }
pass "nothing found in collectd -T"
