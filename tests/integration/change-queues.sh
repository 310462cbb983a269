#!/bin/bash
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The collectd-jolokia authors
# Captures and deleted queues on real brokers, old and new, side by side: what
# is asked and when; copies that arrive and consumers that get all of theirs;
# twice the same; a failure at each step, a kill and Ctrl-C leave nothing
# behind; what --dry-run and a missing login send.
# ARTEMIS_VERSIONS="2.28.0" runs one of them alone.
# shellcheck disable=SC2034,SC2154 # what the sourced files set and use
set -u
# shellcheck source=tests/support/wait.sh
. "${top_srcdir:?}/tests/support/wait.sh"
# shellcheck source=tests/support/simnode.sh
. "$top_srcdir/tests/support/simnode.sh"
# shellcheck source=tests/support/artemis.sh
. "$top_srcdir/tests/support/artemis.sh"
# shellcheck source=tests/support/ctl.sh
. "$top_srcdir/tests/support/ctl.sh"
need curl python3
make_test_dir
ctl_setup

# -- What the broker says --

exec_on() { # MBEAN-TAIL OPERATION ARGUMENTS: the value
  artemis_jolokia "$broker" "[{\"type\":\"exec\",\"mbean\":\"$(artemis_mbean_json "$broker")$1\",\"operation\":\"$2\",\"arguments\":[$3],\"config\":{\"includeRequest\":false}}]"
}
create() { # QUEUE ADDRESS, as they stand in JSON within JSON
  exec_on "" 'createQueue(java.lang.String)' \
    "\"{\\\"name\\\":\\\"$1\\\",\\\"address\\\":\\\"$2\\\",\\\"routing-type\\\":\\\"ANYCAST\\\"}\"" |
    grep -q '"status":200' || fail "no queue $1"
}
send() { # ADDRESS N: over the management interface, with the diverts
  local one body=
  one="{\"type\":\"exec\",\"mbean\":\"$(artemis_mbean_json "$broker"),component=addresses,address=\\\"$1\\\"\",\"operation\":\"sendMessage(java.util.Map,int,java.lang.String,boolean,java.lang.String,java.lang.String)\",\"arguments\":[{},3,\"x\",true,\"admin\",\"$artemis_password\"]}"
  for ((i = 0; i < $2; i++)); do body+=,$one; done
  printf '[%s]' "${body#,}" >"$work/body"
  artemis_jolokia "$broker" "@$work/body" >"$work/sent" || fail "nothing was sent to $1"
}
search() { # PATTERN-TAIL: the names; fails without any
  artemis_jolokia "$broker" "{\"type\":\"search\",\"mbean\":\"$(artemis_mbean_json "$broker")$1\"}" |
    python3 -c 'import json, sys
names = json.load(sys.stdin)["value"]
print("\n".join(names))
sys.exit(not names)'
}
own_settings() { # the settings of NAME are not those of any other
  local one other
  one=$(exec_on "" 'getAddressSettingsAsJSON(java.lang.String)' "\"jolokia.capture.$1\"" | grep -o '"value".*}"')
  other=$(exec_on "" 'getAddressSettingsAsJSON(java.lang.String)' '"jolokia.capture.-"' | grep -o '"value".*}"')
  [ "$one" != "$other" ] && echo settings
  one=$(exec_on "" 'getRolesAsJSON(java.lang.String)' "\"jolokia.capture.$1\"" | grep -o '"value".*]"')
  other=$(exec_on "" 'getRolesAsJSON(java.lang.String)' '"jolokia.capture.-"' | grep -o '"value".*]"')
  [ "$one" != "$other" ] && echo security
}
# nothing_left TEXT: no MBean of a capture, no settings.
nothing_left() {
  local left
  left=$(search ',component=addresses,*' | grep jolokia)
  left+=$(own_settings ORDERS)
  [ -z "$left" ] || fail "$version, $1: left behind: $left"
}

# -- The stand between --

meddled() { awk '{print $3}' "$log" | tr '\n' ' '; }
plan() { echo "$*" >"$work/plan"; }
settings() { # RATE
  conf=$work/rate-$1.conf
  cat >"$conf" <<END
<Plugin jolokia>
  StateDir "$work/state-$1"
  Origin "http://localhost"
  <Ceiling>
    RequestsPerSecond $1
  </Ceiling>
  <Cluster "c">
    Node "n" "http://127.0.0.1:$(cat "$work/port")/console/jolokia"
  </Cluster>
</Plugin>
END
}
change() { # COMMAND...: as the operator
  : >"$log"
  ctl "$@" --user admin --password-file "$work/password" --yes
}
expect_result() { # RESULT CODE TEXT
  expect_code "$2" "$version, $3"
  has "\"result\":\"$1\"" "$version, $3"
}

# -- Captures --

# The requests of an installation: nine. Each has waited for its permit: from
# the first's on, 50 ms each. A stall of the machine bunches or delays them at
# this end (and the broker is asked once more whether it is active, where that
# was a second ago), so one of some tries must show it.
is_spaced() {
  awk -v least=48 'NR > 1 && ($1 - last) / 1e6 < least { exit 1 } { last = $1 }' "$log"
}
# What the requests took beyond the 50 ms until the next one's permit, in ms:
# all of the last one's.
beyond() {
  grep -o '"took_ms":\[[^]]*' "$out" | cut -d'[' -f2 | tr ',' '\n' |
    awk '{ last = $1; if (last > 50) over += last - 50 } END { printf "%d\n", over + (last > 50 ? 50 : last) }'
}
# No more than they must: the rest is ours, from the start of the program to
# its end.
is_prompt() { [ "$took" -le $((50 * (n - 1) + over + 200 + stalled)) ]; }
paces() {
  local try began took n over stalled
  for ((try = 1; try <= 20; try++)); do
    stalled=$(stalled_ms)
    began=$(date +%s%N)
    change capture install c ORDERS --json
    took=$((($(date +%s%N) - began) / 1000000))
    stalled=$(($(stalled_ms) - stalled))
    expect_result installed 0 "install"
    n=$(wc -l <"$log")
    over=$(beyond)
    has "\"requests\":$n,\"took_ms\":" "$version, what each request took"
    [ "$took" -ge $((50 * (n - 1))) ] || fail "$version: $n requests in $took ms"
    [ "$n" -gt 9 ] || ! is_spaced || ! is_prompt || break
    [ "$try" -lt 20 ] || fail "$version: not nine requests 50 ms apart, or slower than that: $took ms, $(cat "$out" "$log")"
    change capture remove c ORDERS
  done
  pass "$version: $n requests, 50 ms apart, in $took ms, of which $over for replies"
}

copies() {
  change capture install c ORDERS --ring 100 --json
  expect_result installed 0 "install"
  send ORDERS 20
  wait_until 30 ctl_counts 20 || fail "$version: the copies do not arrive: $(cat "$out")"
  artemis_consume "$broker" ORDERS 20
  [ "$(artemis_queue "$broker" ORDERS MessageCount)" = 0 ] || fail "$version: the consumer did not get all"
  [ "$(artemis_queue "$broker" jolokia.capture.ORDERS MessageCount)" = 20 ] || fail "$version: the copies are gone"
  send ORDERS 200
  wait_until 30 ctl_counts 100 || fail "$version: the ring does not keep 100: $(cat "$out")"
  pass "$version: copies arrive, the consumer got all of its own, the ring keeps its number"
}
ctl_counts() {
  ctl capture list c --json --user admin --password-file "$work/password"
  grep -q "\"whole\":true,\"address\":\"ORDERS\",\"filter\":null,\"messages\":$1," "$out"
}

twice() {
  change capture install c ORDERS --ring 100 --json
  expect_result present 0 "installed twice"
  [ "$(grep -cE 'add|create|destroy|delete|remove' "$log")" = 0 ] || fail "$version: a second installation changed something: $(meddled)"
  change capture install c ORDERS --ring 7 --json
  expect_result failed 1 "another ring"
  change capture remove c ORDERS --dry-run --json
  expect_result dry_run 0 "a dry run"
  change capture remove c ORDERS --json
  expect_result removed 0 "removed"
  nothing_left "removed"
  change capture remove c ORDERS --json
  expect_result absent 0 "removed twice"
  change capture install c ORDERS --dry-run --json
  expect_result dry_run 0 "a dry run"
  [ "$(grep -cE 'add|create|destroy|delete|remove' "$log")" = 0 ] || fail "$version: a dry run changed something: $(meddled)"
  nothing_left "a dry run"
  : >"$log"
  ctl capture install c ORDERS --yes
  expect_code 6 "$version, without a login"
  ctl capture install c ORDERS --user admin --password-file "$work/password" </dev/null
  expect_code 7 "$version, without --yes"
  [ "$(wc -l <"$log")" -eq 2 ] || fail "$version: without a login something was sent: $(meddled)"
  pass "$version: twice is once; a dry run and who may not change nothing"
}

# one_failure MODE WORD SKIP RESULT CODE
one_failure() {
  plan "$1" "$2" "$3"
  change capture install c ORDERS --json
  [ ! -e "$work/plan" ] || fail "$version: nothing was asked that has $2"
  expect_result "$4" "$5" "$1 at $2"
  if [ "$4" = installed ]; then
    change capture remove c ORDERS --json
    expect_result removed 0 "$1 at $2"
  fi
  nothing_left "$1 at $2"
}
failures() {
  local word
  for word in addAddressSettings addSecuritySettings createAddress createQueue createDivert; do
    # A reply that does not come, of a change that was made: it is looked for.
    one_failure cut "$word" 0 installed 0
    one_failure drop "$word" 0 undone 5
  done
  one_failure refuse addAddressSettings 0 failed 1
  one_failure refuse addSecuritySettings 0 undone 1
  one_failure refuse createQueue 0 undone 1
  one_failure refuse createDivert 0 undone 1
  # Both looks after the first: the queue's, and the divert's. A read whose
  # connection ends is sent once more.
  one_failure refuse getRolesAsJSON 1 undone 1
  one_failure refuse getRolesAsJSON 2 undone 1
  pass "$version: a failure at each step leaves nothing behind"
}

# start_slow WORD: an installation that hangs there.
start_slow() {
  plan slow "$1" 0
  : >"$log"
  "$top_builddir/jolokiactl" --config "$conf" capture install c ORDERS --json --yes \
    --user admin --password-file "$work/password" >"$out" 2>"$err" &
  slow_pid=$!
  wait_until 30 test ! -e "$work/plan" || fail "$version: nothing was asked that has $1"
}
interruptions() {
  rm -f "$work/plan"
  start_slow createQueue
  kill -INT "$slow_pid"
  wait "$slow_pid"
  code=$?
  expect_result undone 130 "Ctrl-C"
  grep -q 'interrupted: what was changed is undone' "$err" || fail "$version: Ctrl-C is not told of"
  nothing_left "Ctrl-C"
  start_slow createDivert
  kill -KILL "$slow_pid"
  wait "$slow_pid" 2>/dev/null
  search ',component=addresses,*' | grep jolokia >/dev/null || fail "$version: the killed run has left nothing to be found"
  wait_until 30 search ",component=addresses,address=\\\"ORDERS\\\",subcomponent=diverts,divert=\\\"jolokia.divert.ORDERS\\\"" ||
    fail "$version: what was sent before the kill was not done"
  exec_on "" 'destroyQueue(java.lang.String,boolean,boolean)' '"jolokia.capture.ORDERS",true,false' >/dev/null
  ctl capture list c --user admin --password-file "$work/password"
  has 'ORDERS: not whole \(divert, address is left\): remove it' "$version, what is left"
  change capture install c ORDERS --json
  expect_result installed 0 "over what a killed run has left"
  change capture remove c ORDERS --json
  expect_result removed 0 "what a killed run has left"
  nothing_left "what a killed run has left"
  pass "$version: Ctrl-C undoes; what a killed run has left is found"
}
# -- Queues --

deletes() {
  create 'odd,\\\"q' 'odd,\\\"a'
  create plain many
  create other many
  send many 1000
  exec_on "" 'createDivert(java.lang.String,java.lang.String,java.lang.String,java.lang.String,boolean,java.lang.String,java.lang.String,java.lang.String)' \
    '"feed","feed","ORDERS","many",false,null,null,"ANYCAST"' >/dev/null
  change queue delete c/n plain --json
  expect_result left 7 "with messages"
  change queue delete c/n plain --messages --dry-run
  expect_code 0 "$version, a dry run"
  has 'queue plain of address many \(anycast, durable\): [0-9]+ messages, 0 consumers, 1 other queue there' "$version"
  has 'diverts +feed \(from ORDERS\)' "$version"
  [ "$(grep -c destroyQueue "$log")" = 0 ] || fail "$version: a dry run has deleted"
  change queue delete c/n plain --messages --json
  expect_result deleted 0 "with messages"
  change queue delete c/n plain --json
  expect_result left 1 "a queue that is gone"
  has '"error":"not_found"' "$version"
  change queue delete c/n 'odd,"q' --json
  expect_result deleted 0 "an odd name"
  [ "$(grep -c destroyQueue "$log")" = 1 ] || fail "$version: $(meddled)"
  plan cut destroyQueue 0
  change queue delete c/n many::other --messages --json
  expect_result deleted 0 "a reply that does not come"
  [ "$(grep -c destroyQueue "$log")" = 1 ] || fail "$version: a change was sent twice"
  ! search ',component=addresses,*' | grep -E 'odd|other|plain' >/dev/null || fail "$version: queues are left"
  pass "$version: queues are deleted, with messages, diverts, odd names"
}

consumed() {
  create busy busy
  timeout 600 "$broker/bin/artemis" consumer --silent --url "tcp://127.0.0.1:$(cat "$broker/core-port")" \
    --user admin --password "$artemis_password" --destination queue://busy --message-count 1 \
    --receive-timeout 590000 >"$work/consumer" 2>&1 &
  local consumer=$!
  wait_until 300 has_consumer || fail "$version: no consumer: $(cat "$work/consumer")"
  change queue delete c/n busy --json
  expect_result left 7 "with a consumer"
  change queue delete c/n busy --consumers --json
  expect_result deleted 0 "with a consumer"
  end_process $consumer >/dev/null
  pass "$version: a queue with a consumer"
}
has_consumer() { [ "$(artemis_queue "$broker" busy ConsumerCount)" = 1 ]; }

# -- All of it --

one_version() {
  work=$test_dir/$version
  log=$work/log
  out=$work/out
  err=$work/err
  mkdir "$work"
  printf '%s' "$artemis_password" >"$work/password"
  chmod 600 "$work/password"
  python3 "$top_srcdir/tests/support/meddle.py" "$(cat "$broker/http-port")" "$work/port" "$log" "$work/plan" >"$work/meddler" 2>&1 &
  meddler=$!
  end_commands=("kill $meddler")
  trap run_end_commands EXIT
  wait_until 30 test -s "$work/port" || fail "nothing stands between"
  create ORDERS ORDERS
  # Its ceilings begin empty; that of handling is full when they are asked for.
  settings 20
  ctl capture list c --user admin --password-file "$work/password"
  settings 200
  copies
  twice
  failures
  interruptions
  deletes
  consumed
  settings 20
  paces
}

versions=${ARTEMIS_VERSIONS:-2.18.0 2.28.0 2.40.0}
for version in $versions; do
  artemis_create "$version" "$test_dir/broker-$version" || skip "$artemis_why"
  artemis_run "$test_dir/broker-$version"
done
runs=()
for version in $versions; do
  broker=$test_dir/broker-$version
  artemis_wait "$broker" '"Active":true'
  (one_version) &
  runs+=($!)
done
for run in "${runs[@]}"; do
  wait "$run" || failed=yes
done
[ -z "${failed:-}" ] || fail "of one version at least"
