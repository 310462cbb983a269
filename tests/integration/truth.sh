#!/bin/bash
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The collectd-jolokia authors
# The truth, on real brokers, old and new: what was sent and consumed is what
# collectd records; both ways of reading the queues agree; queues that come and
# go, 20 a second, cost no other queue a tick.
# ARTEMIS_VERSIONS="2.28.0" runs one of them alone.
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
need curl
make_test_dir

SENT=${SENT:-120}
CONSUMED=${CONSUMED:-50}
CHURN_SECONDS=${CHURN_SECONDS:-20}
CHURN_RATE=${CHURN_RATE:-20}
# More queues: a listing takes a while, and meets what goes away. Not too many:
# where it fails, 2.18.0 needs 3 ms a queue for the pattern read, and a read
# that is longer than the interval costs a tick by itself.
FILLER=120
CHURN_INTERVAL=3

# The same broker as two nodes of one URL is refused, so each source has its
# own collectd.
collect() { # SOURCE INTERVAL
  collectd_setup "$2"
  printf '%s' "$artemis_password" >"$collectd_dir/password"
  chmod 600 "$collectd_dir/password"
  collectd_jolokia <<END
  AddressInterval 1
  Origin "http://localhost"
  <Cluster "truth">
    Username "admin"
    PasswordFile "$collectd_dir/password"
    Node "broker" "$(artemis_url "$broker" | sed s/localhost/127.0.0.1/)"
    <Queues>
      Source "$1"
      Exclude "filler.*"
    </Queues>
  </Cluster>
END
  collectd_start
}

expect_queue() { # QUEUE ATTRIBUTE TYPE VALUE
  local truth
  truth=$(artemis_queue "$broker" "$1" "$2")
  same_number "$truth" "$4" || fail "the broker says $2 of $1 is $truth, not $4"
  collectd_wait_for 30 "broker/artemis-queue-$1/$3-$2" "$4"
}

values() { # SOURCE
  collect "$1" 1
  expect_queue ORDERS MessageCount gauge $((SENT - CONSUMED))
  expect_queue ORDERS MessagesAdded derive "$SENT"
  expect_queue ORDERS MessagesAcknowledged derive "$CONSUMED"
  expect_queue ORDERS MessagesExpired derive 0
  expect_queue ORDERS ConsumerCount count 0
  expect_queue IDLE MessageCount gauge 0
  expect_queue DLQ MessageCount gauge 0
  collectd_wait_for 30 broker/artemis-broker/bool-Active 1
  collectd_wait_for 30 broker/artemis-broker/total_connections-TotalConnectionCount
  collectd_wait_for 30 broker/artemis-address-ORDERS/derive-RoutedMessageCount "$SENT"
  collectd_ids 'broker/artemis-queue-*' >"$test_dir/ids-$1"
  collectd_stop
  pass "$version, $1: what was sent and consumed is what is recorded"
}

# create_queue NAME, destroy_queue NAME: the operations.
create_queue() {
  printf '{"type":"exec","mbean":"%s","operation":"createQueue(java.lang.String)","arguments":["{\\"name\\":\\"%s\\",\\"address\\":\\"%s\\",\\"routing-type\\":\\"ANYCAST\\",\\"durable\\":false}"]}' \
    "$(artemis_mbean_json "$broker")" "$1" "$1"
}
destroy_queue() {
  printf '{"type":"exec","mbean":"%s","operation":"destroyQueue(java.lang.String,boolean,boolean)","arguments":["%s",true,true]}' \
    "$(artemis_mbean_json "$broker")" "$1"
}

fill() {
  local i body=
  for ((i = 1; i <= FILLER; i++)); do
    body+=,$(create_queue "filler.$i")
    [ $((i % 200)) -eq 0 ] || continue
    artemis_jolokia "$broker" "[${body#,}]" >/dev/null || fail "no queues to fill the listing with"
    body=
  done
}

# A curl configuration: each request creates a queue and deletes the one before.
churn_config() {
  local i body
  for ((i = 1; i <= CHURN_SECONDS * CHURN_RATE; i++)); do
    [ $i -eq 1 ] || echo next
    body="[$(create_queue "churn.$i"),$(destroy_queue "churn.$((i - 1))")]"
    body=${body//\\/\\\\}
    cat <<END
url = "$(artemis_url "$broker")"
user = "admin:$artemis_password"
header = "Content-Type: application/json"
header = "Origin: http://localhost"
output = "$test_dir/churn.out"
silent
rate = "$CHURN_RATE/s"
data = "${body//\"/\\\"}"
END
  done
}

has_ticks() { [ "$(collectd_count broker/artemis-queue-ORDERS/gauge-MessageCount)" -ge "$1" ]; }
churn() {
  local ticks began gaps stalled
  fill
  churn_config >"$test_dir/churn"
  collect auto $CHURN_INTERVAL
  collectd_wait_for 30 broker/artemis-queue-ORDERS/gauge-MessageCount
  began=$SECONDS stalled=$(stalled_ms)
  curl -K "$test_dir/churn" 2>"$test_dir/churn.err" || fail "churn: $(cat "$test_dir/churn.err")"
  stalled=$(($(stalled_ms) - stalled))
  [ $((SECONDS - began)) -le $((CHURN_SECONDS * 2 + stalled / 1000)) ] ||
    fail "the churn took $((SECONDS - began)) s: the broker is slower than the test"
  grep -q '"status":200' "$test_dir/churn.out" || fail "churn: $(cat "$test_dir/churn.out")"
  [ "$(artemis_queue "$broker" "churn.$((CHURN_SECONDS * CHURN_RATE))" MessageCount)" = 0 ] ||
    fail "the churn's queues were not created"
  wait_until 30 has_ticks $((CHURN_SECONDS / CHURN_INTERVAL))
  ticks=$(collectd_count broker/artemis-queue-ORDERS/gauge-MessageCount)
  [ "$ticks" -ge $((CHURN_SECONDS / CHURN_INTERVAL)) ] || { collectd_show; fail "$ticks ticks in over $CHURN_SECONDS s"; }
  for queue in ORDERS IDLE DLQ; do
    gaps=$(collectd_lines "broker/artemis-queue-$queue/gauge-MessageCount" |
      awk -F, -v most="$CHURN_INTERVAL" -v stalled=$stalled 'NR > 1 && $1 - last > 1.6 * most + stalled / 1000 { n++ } { last = $1 } END { print n + 0 }')
    [ "$gaps" -eq 0 ] || { collectd_show; fail "$gaps ticks of $queue went without a value"; }
  done
  collectd_stop
  pass "$version: queues that come and go cost the others no tick ($ticks ticks)"
}

one_version() {
  version=$1
  broker=$test_dir/broker-$version
  artemis_create "$version" "$broker" || skip "$artemis_why"
  artemis_start "$broker"
  artemis_send "$broker" ORDERS "$SENT"
  artemis_send "$broker" IDLE 1
  artemis_consume "$broker" IDLE 1
  artemis_consume "$broker" ORDERS "$CONSUMED"
  values list
  values read
  diff -u "$test_dir/ids-list" "$test_dir/ids-read" ||
    fail "the list and the read do not record the same"
  pass "$version: the list and the read record the same"
  churn
  artemis_stop "$broker"
}

for version in ${ARTEMIS_VERSIONS:-2.18.0 2.28.0 2.40.0}; do
  one_version "$version"
done
