#!/bin/bash
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The collectd-jolokia authors
# 5,000 temporary queues that come and go in a minute, as JMS clients make them
# for replies, on a real broker: no series for them, what was left out is
# counted right, and memory does not grow.
# shellcheck disable=SC2119,SC2154 # what the sourced files set
set -u
# shellcheck source=tests/support/wait.sh
. "${top_srcdir:?}/tests/support/wait.sh"
# shellcheck source=tests/support/simnode.sh
. "$top_srcdir/tests/support/simnode.sh"
# shellcheck source=tests/support/collectd.sh
. "$top_srcdir/tests/support/collectd.sh"
# shellcheck source=tests/support/artemis.sh
. "$top_srcdir/tests/support/artemis.sh"
# shellcheck source=tests/support/ctl.sh
. "$top_srcdir/tests/support/ctl.sh"
need curl jq python3
make_test_dir
ctl_setup
version=${ARTEMIS_VERSION:-2.40.0}
waves=10 wave=500

broker=$test_dir/broker
artemis_create "$version" "$broker" || skip "$artemis_why"
artemis_start "$broker" || fail "$artemis_why"
# bulks create|destroy WAVE: so many queues, in requests of a hundred. Of every
# two one has a name of its own on an address that is a UUID: only the broker
# tells that it is temporary.
bulks() {
  python3 - "$(artemis_mbean "$broker")" "$1" "$2" $wave "$test_dir" <<'END'
import json, sys, uuid
mbean, what, number, n, folder = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4]), sys.argv[5]
def operation(i):
    address = str(uuid.uuid5(uuid.NAMESPACE_OID, "%d.%d" % (number, i)))
    name = address if i % 2 else "reply.%d.%d" % (number, i)
    if what == "destroy":
        return {"type": "exec", "mbean": mbean, "operation": "destroyQueue(java.lang.String,boolean,boolean)",
                "arguments": [name, True, True]}
    settings = {"name": name, "address": address, "routing-type": "ANYCAST", "durable": False, "temporary": True,
                "auto-created": True, "auto-create-address": True}
    return {"type": "exec", "mbean": mbean, "operation": "createQueue(java.lang.String)", "arguments": [json.dumps(settings)]}
for k in range(0, n, 100):
    json.dump([operation(i) for i in range(k, k + 100)], open("%s/bulk.%03d" % (folder, k), "w"))
END
  local file
  for file in "$test_dir"/bulk.*; do
    artemis_jolokia "$broker" "@$file" >"$test_dir/answer"
    [ "$(jq '[.[] | select(.status == 200)] | length' "$test_dir/answer")" = 100 ] ||
      fail "$1: $(jq -c 'map(select(.status != 200))[0]' "$test_dir/answer")"
  done
}

collectd_setup 1
(umask 077 && printf '%s' "$artemis_password" >"$collectd_dir/password")
collectd_jolokia <<END
  AddressInterval 2
  SelfMetrics "full"
  Origin "http://localhost"
  <Ceiling>
    HandlingShare 4
    BytesPerSecond 100000000
  </Ceiling>
  <Cluster "temporary">
    Username "admin"
    PasswordFile "$collectd_dir/password"
    Node "broker" "$(artemis_url "$broker" | sed s/localhost/127.0.0.1/)"
  </Cluster>
END
conf=$collectd_conf
collectd_start
collectd_wait_for 30 broker/artemis-queue-DLQ/gauge-MessageCount 0
collectd_wait_for 30 broker/artemis-address-DLQ/gauge-AddressSize
ctl check --json temporary
own=$(tail -n 1 "$out" | jq .excluded) # what the broker has of its own
[ -n "$own" ] || { show; fail "no count"; }

rss() { awk '$1 == "VmRSS:" { print $2 }' "/proc/$collectd_pid/status"; }
rounds() { collectd_count broker/artemis-queue-DLQ/gauge-MessageCount; }
more_rounds() { [ "$(rounds)" -ge "$1" ]; }
began=$SECONDS first_rss=
for ((i = 1; i <= waves; i++)); do
  bulks create $i
  wait_until 100 more_rounds $(($(rounds) + 2)) || { collectd_show; fail "no rounds while there are temporary queues"; }
  if [ $i -eq 2 ]; then
    ctl check --json temporary
    [ "$(tail -n 1 "$out" | jq .excluded)" = $((2 * wave + own)) ] ||
      { show; fail "left out should be $wave queues, as many addresses, and $own of the broker's own"; }
    first_rss=$(rss)
  fi
  bulks destroy $i
done
echo "$((waves * wave)) temporary queues in $((SECONDS - began)) s"
last_rss=$(rss)
wait_until 100 more_rounds $(($(rounds) + 2)) || fail "no rounds when they are gone"
excluded=$(collectd_value broker/jolokia-temporary/total_events-excluded)
over=$(collectd_value broker/jolokia-temporary/total_events-over_cap)
collectd_stop

# A wave was seen whole by two rounds at least.
awk -v got="$excluded" -v least=$((2 * waves * wave)) 'BEGIN { exit !(got >= least) }' ||
  fail "$excluded left out, of $((2 * waves * wave)) at least"
same_number "$over" 0 || fail "$over are over the cap: they are none of those that are wanted"
pass "left out: $excluded"
ids=$(collectd_ids 'broker/artemis-*' | cut -d/ -f2 | sort -u)
odd=$(grep -vxE 'artemis-(broker|(queue|address)-(DLQ|ExpiryQueue|activemq\.notifications))' <<<"$ids")
[ -z "$odd" ] || fail "series of what came and went: $(head -n 5 <<<"$odd")"
pass "no series of them"
[ "${SANITIZERS:-none}" != none ] || [ $((last_rss - first_rss)) -lt 2048 ] ||
  fail "memory has grown from $first_rss to $last_rss KiB"
pass "memory: $first_rss KiB, $last_rss KiB at the end"
