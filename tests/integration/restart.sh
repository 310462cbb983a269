#!/bin/bash
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The collectd-jolokia authors
# A broker restarts, and its counters begin anew: one at 0, one at the number of
# messages that were loaded. No rate that collectd makes of them has a spike,
# and no value a time that was invented.
# shellcheck disable=SC2119,SC2154 # what the sourced files set
set -u
# shellcheck source=tests/support/wait.sh
. "${top_srcdir:?}/tests/support/wait.sh"
# shellcheck source=tests/support/simnode.sh
. "$top_srcdir/tests/support/simnode.sh"
# shellcheck source=tests/support/collectd.sh
. "$top_srcdir/tests/support/collectd.sh"
make_test_dir

port=$(free_ports 1)
simnode_start --queues 3 --port "$port"
first=$sim_pid
collectd_setup 1
sed -i 's/StoreRates false/StoreRates true/' "$collectd_conf"
collectd_jolokia <<END
  AddressInterval 1
  <Cluster "c">
    Node "broker" "http://127.0.0.1:$port/console/jolokia"
  </Cluster>
END
began=$(date +%s)
collectd_start
added=broker/artemis-queue-sim.queue.00002/derive-MessagesAdded
depth=broker/artemis-queue-sim.queue.00002/gauge-MessageCount
has() { [ "$(collectd_count "$1")" -ge "$2" ]; }
wait_until 30 has "$added" 5 || { collectd_show; fail "no rates"; }
before=$(collectd_count "$added") depth_before=$(collectd_count "$depth")

# Another process on the same port: up for a second, with half a million
# messages from its journal.
end_process "$first" || fail "simnode had to be killed"
simnode_name=again simnode_start --port "$port" --queues 3 --set broker.UptimeMillis=1000 \
  --set sim.queue.00002.MessagesAdded=500000
wait_until 30 has "$depth" $((depth_before + 2)) || { collectd_show; fail "no gauges after the restart"; }
wait_until 30 has "$added" $((before + 3)) || { collectd_show; fail "no rates after the restart"; }
collectd_stop
ended=$(date +%s)

# rates ID: each value with its time; none may be above 60 a second (three
# requests of 10 messages each, and one more for luck), below 0, or at a time
# that is not its own.
rates() {
  collectd_lines "$1" | awk -F, -v from="$began" -v to="$ended" -v id="$1" '
    $1 < from - 1 || $1 > to + 1 { print id ": at " $1 ", not from " from " to " to; exit 1 }
    NR > 1 && $1 - last < 0.5 { print id ": at " $1 ", and at " last " before"; exit 1 }
    tolower($2) != "nan" && ($2 < 0 || $2 > 60) { print id ": " $2 " at " $1; exit 1 }
    { last = $1 } END { if (NR < 3) { print id ": " NR " values only"; exit 1 } }' || fail "a rate that never was"
}
n=0
while IFS= read -r id; do
  rates "$id"
  n=$((n + 1))
done < <(collectd_ids 'broker/artemis-*/derive-*')
[ "$n" -ge 12 ] || fail "$n counters only"
pass "$n counters: no spike, no time that was invented"
gap() { collectd_lines "$1" | awk -F, 'NR > 1 && $1 - last > most { most = $1 - last } { last = $1 } END { print int(most + 0.5) }'; }
[ "$(gap "$added")" -ge $(($(gap "$depth") + 2)) ] ||
  fail "the counters were away for $(gap "$added") s, the gauges for $(gap "$depth") s"
pass "counters wait until the old value is forgotten, gauges do not"
