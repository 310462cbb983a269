#!/bin/bash
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The collectd-jolokia authors
# Messages changed by their ids on real brokers, old and new, at the default
# ceiling and beside a running collectd: a thousand are twenty requests, and
# twenty seconds. What brokers were seen to do damage with is refused, and they
# are whole afterwards.
# Alone: it measures the twenty seconds.
# ARTEMIS_VERSIONS="2.28.0" runs one of them alone.
# shellcheck disable=SC2119,SC2030,SC2031,SC2154 # what the sourced files set; brokers in subshells
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
read -ra versions <<<"${ARTEMIS_VERSIONS:-2.18.0 2.28.0 2.40.0}"

# -- The brokers, all at once --

# setting MATCH LINES: an address-setting, before the one that matches all.
setting() {
  sed -i "s,<!--default for catch all-->,&<address-setting match=\"$1\">$2</address-setting>," \
    "$broker/etc/broker.xml"
}
begin_broker() {
  artemis_create "$1" "$broker" || skip "$artemis_why"
  # Small pages: a few messages of 2 kB are paged.
  setting PAGED '<max-size-bytes>40000</max-size-bytes><page-size-bytes>20000</page-size-bytes><address-full-policy>PAGE</address-full-policy>'
  setting FULLFAIL '<max-size-bytes>4000</max-size-bytes><address-full-policy>FAIL</address-full-policy>'
  setting FULLDROP '<max-size-bytes>4000</max-size-bytes><address-full-policy>DROP</address-full-policy>'
  setting NOWHERE '<dead-letter-address></dead-letter-address><expiry-address></expiry-address>'
  ! keeps_log || artemis_request_log "$broker"
  artemis_run "$broker"
}
# Whose log of requests names who asked.
keeps_log() { [ "$version" = 2.40.0 ]; }
for version in "${versions[@]}"; do
  broker=$test_dir/b$version
  begin_broker "$version"
done

collectd_setup 2
printf '%s' "$artemis_password" >"$collectd_dir/password"
chmod 600 "$collectd_dir/password"
{
  printf '  Origin "http://localhost"\n  <Cluster "real">\n    Username "admin"\n'
  printf '    PasswordFile "%s/password"\n    <Operator>\n      Login "same"\n    </Operator>\n' "$collectd_dir"
  for version in "${versions[@]}"; do
    printf '    Node "b%s" "%s"\n' "$version" "$(artemis_url "$test_dir/b$version" | sed s/localhost/127.0.0.1/)"
  done
  printf '  </Cluster>\n'
} | collectd_jolokia

# taker QUEUE [MEMBERS]: makes it, with more of JSON, as it stands in JSON.
taker() {
  artemis_jolokia "$broker" "{\"type\":\"exec\",\"mbean\":\"$(artemis_mbean_json "$broker")\",\"operation\":\"createQueue(java.lang.String)\",\"arguments\":[\"{\\\"name\\\":\\\"$1\\\",\\\"address\\\":\\\"$1\\\",\\\"routing-type\\\":\\\"ANYCAST\\\"${2:-}}\"]}" |
    grep -q '"status":200' || fail "$version: no queue $1"
}
# put QUEUE N [BYTES]: makes the queue and sends it so many messages, all in two
# requests: a Java program for each takes longer than all the rest.
put() {
  local body i operations=()
  taker "$1"
  body=$(printf '%*s' "${3:-64}" '')
  for ((i = 0; i < $2; i++)); do
    operations+=("{\"type\":\"exec\",\"mbean\":\"$(artemis_mbean_json "$broker"),component=addresses,address=\\\"$1\\\"\",\"operation\":\"sendMessage(java.util.Map,int,java.lang.String,boolean,java.lang.String,java.lang.String)\",\"arguments\":[{},3,\"$body\",false,\"admin\",\"$artemis_password\"]}")
  done
  (IFS=,; echo "[${operations[*]}]") >"$broker/put"
  artemis_jolokia "$broker" "@$broker/put" >"$broker/put.told"
  count_is "$1" "$2"
}
fill() {
  artemis_wait "$broker" '"Active":true'
  put ORDERS 1000
  put WORK 40
  put PAGED 60 2000
  put NOWHERE 2
  put FULLFAIL 1
  put FULLDROP 1
  put GONE 2
}

# -- What is done at each --

ctl() {
  timeout 300 "$top_builddir/jolokiactl" --config "$collectd_conf" "$@" </dev/null >"$broker/told" 2>"$broker/err"
  code=$?
}
change() { # OPERATION QUEUE ARGUMENT...
  local operation=$1 queue=$2
  shift 2
  (cd "$broker" && ctl messages "$operation" "real/b$version" "$queue" --yes "$@"; exit "$code")
  code=$?
}
show() { cat "$broker/told" "$broker/err" >&2; }
came_to() { # CODE REGEX TEXT
  [ "$code" = "$1" ] || { show; fail "$version: $3: exit code $code, not $1"; }
  grep -qE -- "$2" "$broker/told" "$broker/err" || { show; fail "$version: $3: no '$2'"; }
}
count_is() { # QUEUE N
  local n
  n=$(artemis_queue "$broker" "$1" MessageCount)
  [ "$n" = "$2" ] || fail "$version: $1 has $n messages, not $2"
}
# ids QUEUE [N]: of the first ones.
ids() {
  artemis_jolokia "$broker" "{\"type\":\"exec\",\"mbean\":\"$(artemis_mbean_json "$broker"),component=addresses,address=\\\"$1\\\",subcomponent=queues,routing-type=\\\"anycast\\\",queue=\\\"$1\\\"\",\"operation\":\"browse(int,int)\",\"arguments\":[1,${2:-2000}]}" |
    grep -oE '"messageID":"[0-9]+"' | tr -dc '0-9\n'
}
refused() { # CODE REGEX OPERATION QUEUE ARGUMENT...
  local regex=$2 expected=$1 before after
  shift 2
  before=$(artemis_queue "$broker" "$2" MessageCount)
  # shellcheck disable=SC2046 # ids are words
  change "$@" $(ids "$2" 2)
  came_to "$expected" "$regex" "$*"
  after=$(artemis_queue "$broker" "$2" MessageCount)
  [ "$before" = "$after" ] || fail "$version: $*: $before messages before, $after afterwards"
}

# asked OWNER WORD: of the host's totals.
asked() {
  ctl limits --json "real/b$version"
  grep -oE "\"$1\":\{\"requests\":[0-9]+,\"operations\":[0-9]+" "$broker/told" |
    grep -oE "\"$2\":[0-9]+" | tr -dc '0-9'
}

has_logged() { [ "$(grep -c ' jolokiactl/' "$broker/requests")" = "$1" ]; }

thousand() {
  local begin ms stalled
  ids ORDERS >"$broker/ids"
  stalled=$(stalled_ms)
  begin=$(date +%s%N)
  change remove ORDERS --ids-file "$broker/ids"
  ms=$((($(date +%s%N) - begin) / 1000000))
  came_to 0 '^done 1000, absent 0, failed 0, unknown 0$' 'a thousand'
  count_is ORDERS 0
  [ "$(asked bulk requests) $(asked bulk operations)" = "20 1000" ] ||
    fail "$version: a thousand were $(asked bulk requests) requests"
  [ "$(asked command requests)" -le 4 ] || fail "$version: $(asked command requests) other requests"
  ! keeps_log || wait_until 30 has_logged $((20 + $(asked command requests))) ||
    fail "$version: the server has read $(grep -c ' jolokiactl/' "$broker/requests") requests"
  # Twenty seconds; on a machine that is busy the broker takes its time, and the
  # handling ceiling four times that.
  stalled=$(($(stalled_ms) - stalled))
  if [ "$ms" -lt 19000 ] || [ "$ms" -gt $((22000 + 4 * stalled)) ]; then
    fail "$version: a thousand took $ms ms, not 19000 to 22000, with $stalled ms of stalls"
  fi
  echo "$ms" >"$broker/ms"
}

damage() {
  local first
  # A13: where they go, and where they came from.
  # shellcheck disable=SC2046 # ids are words
  change dead-letter WORK $(ids WORK 4)
  came_to 0 '^done 4,' 'dead-letter'
  count_is DLQ 4
  first=$(ids DLQ 1)
  change retry DLQ "$first"
  came_to 0 '^done 1,' 'retry'
  count_is WORK 37
  # shellcheck disable=SC2046 # ids are words
  change dead-letter GONE $(ids GONE)
  came_to 0 '^done 2,' 'dead-letter'
  artemis_jolokia "$broker" "{\"type\":\"exec\",\"mbean\":\"$(artemis_mbean_json "$broker")\",\"operation\":\"destroyQueue(java.lang.String)\",\"arguments\":[\"GONE\"]}" >/dev/null
  first=$(ids DLQ | tail -1)
  change retry DLQ "$first"
  came_to 1 'there is no queue GONE' 'retry where the queue is gone'
  count_is DLQ 5
  refused 1 'never was dead-lettered' retry WORK
  refused 7 'of its own dead-letter' dead-letter DLQ
  refused 7 'has no dead-letter address' dead-letter NOWHERE
  refused 7 'has no expiry address' expire NOWHERE
  # A14, A13 v
  refused 7 'policy is FAIL' move WORK --to FULLFAIL
  refused 7 'policy is DROP' move WORK --to FULLDROP
  # Queues that drop what they are sent
  taker OFF ',\"enabled\":false'
  refused 7 'OFF is disabled' move WORK --to OFF
  taker PURGED ',\"purge-on-no-consumers\":true'
  refused 7 'PURGED drops' move WORK --to PURGED
  taker RING ',\"ring-size\":1'
  refused 7 'RING keeps' move WORK --to RING
  refused 1 'no queue "MISSING"' move WORK --to MISSING
  # A12
  [ "$(artemis_queue "$broker" PAGED MessageCount)" = 60 ] || fail "$version: PAGED has not 60"
  refused 7 'PAGED is paging' dead-letter PAGED
  artemis_consume "$broker" PAGED 60
  count_is PAGED 0
  # What is well goes on.
  # shellcheck disable=SC2046 # ids are words
  change move WORK --to DLQ $(ids WORK 3) 7
  came_to 1 '^done 3, absent 1, failed 0, unknown 0$' 'move'
  # shellcheck disable=SC2046 # ids are words
  change expire WORK $(ids WORK 2)
  came_to 0 '^done 2,' 'expire'
  count_is ExpiryQueue 2
  count_is WORK 32
}

# A15: brokers answer false for a message that was just sent; all are found.
just_sent() {
  put FRESH 60
  grep -oE '"value":"[0-9]+"' "$broker/put.told" | tr -dc '0-9\n' >"$broker/fresh"
  [ "$(wc -l <"$broker/fresh")" = 60 ] || fail "$version: $(wc -l <"$broker/fresh") ids were told, not 60"
  change remove FRESH --ids-file "$broker/fresh"
  came_to 0 '^done 60, absent 0, failed 0, unknown 0$' 'just sent'
  count_is FRESH 0
}

# in_each COMMAND: at every broker, side by side.
in_each() {
  local pids=() pid
  for version in "${versions[@]}"; do
    broker=$test_dir/b$version
    ("$@") &
    pids+=($!)
  done
  for pid in "${pids[@]}"; do wait "$pid" || exit 1; done
}

in_each fill
collectd_start
stalled=$(stalled_ms)
in_each thousand
# A round that is held up for an interval skips the next.
most=$((($(stalled_ms) - stalled) / 2000))
for version in "${versions[@]}"; do
  broker=$test_dir/b$version
  collectd_value "b$version/jolokia-real/total_events-scrape_skipped" |
    awk -v most=$most '{ exit !($1 <= most) }' ||
    fail "$version: scrapes were skipped beside the thousand"
done
collectd_stop
in_each damage
in_each just_sent

for version in "${versions[@]}"; do
  broker=$test_dir/b$version
  kill -TERM "$(cat "$broker/pid")"
done
for version in "${versions[@]}"; do
  broker=$test_dir/b$version
  artemis_stop "$broker"
  pass "$version: 1000 ids in 20 requests, $(cat "$broker/ms") ms; what does damage is refused"
done
