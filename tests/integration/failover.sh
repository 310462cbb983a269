#!/bin/bash
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The collectd-jolokia authors
# A real replicated pair under collectd: the primary is killed in the middle of a
# scrape, returns, and so on. The backup's values flow within two intervals of
# its activation, no rate is negative or above twice the true one, no count is
# one that a broker shows while it activates, the notifications come in their
# order and no other does, and each URL's ceiling is kept throughout.
# FAILOVERS=10 ARTEMIS_VERSIONS="2.28.0 2.40.0" for longer.
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

FAILOVERS=${FAILOVERS:-2}
INTERVAL=2
RATE=10 # messages a second
CEILING=5

count=artemis-queue-ORDERS/gauge-MessageCount

collect() {
  collectd_setup "$INTERVAL"
  sed -i 's/StoreRates false/StoreRates true/' "$collectd_conf"
  printf '%s' "$artemis_password" >"$collectd_dir/password"
  chmod 600 "$collectd_dir/password"
  collectd_jolokia <<END
  AddressInterval $INTERVAL
  Origin "http://localhost"
  Timeout 30 # nor fails for it
  <Ceiling>
    RequestsPerSecond $CEILING
    HandlingShare 1 # a busy machine is slow; no scrape is put off for that
  </Ceiling>
  <Cluster "pair">
    Username "admin"
    PasswordFile "$collectd_dir/password"
    Node "primary" "$(artemis_url "$primary" | sed s/localhost/127.0.0.1/)"
    Node "backup" "$(artemis_url "$backup" | sed s/localhost/127.0.0.1/)"
  </Cluster>
END
  collectd_start
}

# notices: "HOST TYPE-INSTANCE SEVERITY" a line, as they came.
notices() {
  sed -nE 's/.*Notification: severity = ([A-Z]+), host = ([a-z]+), .*type_instance = ([a-z]+).*/\2 \3 \1/p' "$collectd_log"
}
has_notices() { # HOST LINE...: that host's, all of them
  local host=$1
  shift
  [ "$(notices | grep "^$host ")" = "$(printf "$host %s\n" "$@")" ]
}
expect_notices() {
  wait_until 30 has_notices "$@" || { collectd_show; fail "of $1: $(notices | tr '\n' ';')"; }
}

# last_s ID: when its last value was read; after_s ID S: the first after S.
last_s() { collectd_lines "$1" | tail -n 1 | cut -d, -f1; }
after_s() { collectd_lines "$1" | awk -F, -v s="$2" '$1 > s { print $1; exit }'; }
has_after() { [ -n "$(after_s "$1" "$2")" ]; }

# expect_rate HOST S: a rate of the producer's after S: it works, and so does
# the rate.
has_rate_after() {
  collectd_lines "$1/artemis-queue-ORDERS/derive-MessagesAdded" |
    awk -F, -v s="$2" '$1 > s && $2 > 0 { found = 1 } END { exit !found }'
}
expect_rate() {
  wait_until 40 has_rate_after "$1" "$2" && return
  collectd_show
  fail "no rate of $1 after $2"
}

# kill_in_scrape: when the next one has just begun.
kill_in_scrape() {
  local wait_s
  wait_s=$(awk -v last="$(last_s "primary/$count")" -v now="$EPOCHREALTIME" -v i=$INTERVAL \
    'BEGIN { t = last + i + 0.02; while (t < now) t += i; print t - now }')
  sleep "$wait_s"
  killed_s=$EPOCHREALTIME
  artemis_kill "$primary"
}

fail_over() {
  local active_s first_s
  kill_in_scrape
  artemis_wait "$backup" '"Active":true'
  active_s=$EPOCHREALTIME
  wait_until 30 has_after "backup/$count" "$killed_s" ||
    { collectd_show; fail "no value of the backup after it became active"; }
  first_s=$(after_s "backup/$count" "$killed_s")
  awk -v a="$active_s" -v f="$first_s" -v i=$INTERVAL 'BEGIN { exit !(f <= a + 2 * i) }' ||
    fail "active at $active_s, first value at $first_s"
  expect_rate backup "$active_s"
  pass "killed at $killed_s, active by $active_s, the first value is of $first_s"
}

fail_back() {
  local back_s
  artemis_start "$primary"
  back_s=$EPOCHREALTIME
  artemis_wait "$backup" '"ReplicaSync":true'
  expect_rate primary "$back_s"
}

# check_down KILLED: the last one was told after two rounds had failed.
check_down() {
  local killed=$1 down_s
  down_s=$(sed -nE 's/^\[([^]]*)\].*Notification: severity = FAILURE, host = primary, .*type_instance = node.*/\1/p' "$collectd_log" | tail -n 1)
  down_s=$(date -d "$down_s" +%s)
  awk -v k="$killed" -v d="$down_s" -v i=$INTERVAL 'BEGIN { exit !(d + 1 >= k + i / 2) }' ||
    fail "killed at $killed, down at $down_s: that is no two rounds"
}

# Over three intervals: the producer does not wait for the broker, which on a busy
# machine stands still for seconds and then takes all at once.
check_rates() {
  awk -F, -v most=$((2 * RATE)) '
    $2 ~ /nan/ { a = b = 0; next }
    $2 < 0 || a + b + $2 > 3 * most { print; bad = 1 }
    { a = b; b = $2 } END { exit bad }'
}

check_values() {
  local host id
  for host in primary backup; do
    while IFS= read -r id; do
      collectd_lines "$id" | check_rates ||
        fail "$version: a rate of $id is not between 0 and $((2 * RATE))"
    done < <(collectd_ids "$host/artemis-*/derive-*")
    collectd_lines "$host/$count" | awk -F, '$2 < 100 { exit 1 }' ||
      fail "$version: $host told a count of fewer than 100 messages"
  done
  [ -z "$(collectd_lines backup/jolokia-pair/gauge-state | awk -F, '$2 == 4')" ] ||
    fail "$version: the backup was called down"
  pass "$version: rates from 0 to $((2 * RATE)), no count that was not"
}

# What the host's record says was sent, in each interval, against the ceiling;
# and the broker's own log of arrivals, in any 1, 2, 5 and 10 s, with 0.3 s for
# what the way and the broker make of the times. 2.28.0 keeps its log back until
# it ends, and does not end when it is killed.
check_ceiling() { # FOLDER
  local host=${1##*/} id n
  while IFS= read -r id; do collectd_lines "$id"; done < <(collectd_ids "$host/jolokia-pair/total_requests-*") |
    awk -F, -v most="$CEILING" -v i=$INTERVAL '
      $2 !~ /nan/ { sum[$1] += $2; n++ }
      END { for (t in sum) if (sum[t] > 1.1 * most + 1 / i) { print t, sum[t]; bad = 1 }
            exit bad || n < 20 }' || fail "$version: past the ceiling of $host, by the record"
  artemis_requests "$1" collectd-jolokia >"$test_dir/arrivals"
  n=$(wc -l <"$test_dir/arrivals")
  [ "$n" -gt 10 ] || [ "$version" = 2.28.0 ] || fail "no log of requests in $1"
  awk -v rate=$CEILING 'BEGIN { n = split("1 2 5 10", w, " ") }
    { t[NR] = $1
      for (k = 1; k <= n; k++) {
        for (i = from[k] + 1; t[NR] - t[i] > w[k]; i++) ;
        from[k] = i - 1
        if (NR - i + 1 > 1 + rate * (w[k] + 0.3)) { print NR - i + 1, "in", w[k], "s at", t[i]; bad = 1 }
      } } END { exit bad }' "$test_dir/arrivals" || fail "$version: past the ceiling of $host, by its log"
  pass "$version: $host: within its ceiling, by the record and by $n arrivals"
}

# A change on a passive backup would be accepted there, and break the failover.
refuse_changes() {
  local words
  for words in "capture install pair/backup ORDERS" "queue delete pair/backup ORDERS --messages" \
    "messages remove pair/backup ORDERS 1" "messages move pair/backup ORDERS --to DLQ 1"; do
    # shellcheck disable=SC2086 # words
    "${top_builddir:?}/jolokiactl" --config "$collectd_conf" $words --json --yes --user admin \
      --password-file "$collectd_dir/password" >"$test_dir/refused" 2>&1 &&
      fail "$version: a backup was changed: $(cat "$test_dir/refused")"
    grep -qE '"error":"not_started"|the broker is not active' "$test_dir/refused" || fail "$version: $words: $(cat "$test_dir/refused")"
  done
  pass "$version: a backup is not changed"
}

one_version() {
  version=$1
  primary=$test_dir/$version/primary
  backup=$test_dir/$version/backup
  mkdir "$test_dir/$version"
  artemis_create_pair "$version" "$primary" "$backup" || skip "$artemis_why"
  artemis_request_log "$primary"
  artemis_request_log "$backup"
  artemis_start "$primary"
  artemis_start_backup "$backup"
  artemis_send "$primary" ORDERS 100
  artemis_produce "$primary" "$backup" ORDERS $((1000 / RATE))
  collect
  collectd_wait_for 30 "primary/$count"
  collectd_wait_for 30 backup/jolokia-pair/gauge-state 2
  expect_rate primary 0
  refuse_changes
  local i
  local -a of_primary=() of_backup=()
  for ((i = 1; i <= FAILOVERS; i++)); do
    fail_over
    of_primary+=('node FAILURE')
    of_backup+=('role WARNING')
    expect_notices primary "${of_primary[@]}"
    expect_notices backup "${of_backup[@]}"
    check_down "$killed_s"
    [ $i -lt "$FAILOVERS" ] || [ "$FAILOVERS" -eq 1 ] || break
    fail_back
    of_primary+=('node OKAY' 'role WARNING')
    expect_notices primary "${of_primary[@]}"
  done
  expect_notices backup "${of_backup[@]}"
  [ "$(notices | wc -l)" -eq $((${#of_primary[@]} + ${#of_backup[@]})) ] ||
    fail "$version: other notifications, too: $(notices | tr '\n' ';')"
  pass "$version: $FAILOVERS failovers, each told once"
  collectd_stop
  check_values
  check_ceiling "$primary"
  check_ceiling "$backup"
}

for version in ${ARTEMIS_VERSIONS:-2.40.0}; do
  one_version "$version"
done
