#!/bin/bash
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The collectd-jolokia authors
# Alone: it measures time.
# One host, one ceiling: collectd and four programs that always have work share a
# node's ceiling; one of them is killed 200 times, one is stopped. What the
# server sees obeys the ceiling, the others have equal shares, nothing is torn,
# and what is reported for the host is what the server has counted.
# shellcheck disable=SC2119,SC2154 # simnode's arguments; what the sourced files set
set -u
# shellcheck source=tests/support/wait.sh
. "${top_srcdir:?}/tests/support/wait.sh"
# shellcheck source=tests/support/simnode.sh
. "$top_srcdir/tests/support/simnode.sh"
# shellcheck source=tests/support/collectd.sh
. "$top_srcdir/tests/support/collectd.sh"
need awk od
make_test_dir

rate=100 # permits a second
kills=200
seconds=30 # that the two work which are neither killed nor stopped
state=$test_dir/state

# work NAME SECONDS: sets ${work_pid}.
work() {
  "${top_builddir:?}/tests/support/drive" --state "$state" --rate $((rate * 1000)) \
    --owner scrape --jobs 1000000 --at-once 2 --seconds "$2" --grants "$test_dir/$1.grants" \
    "http://127.0.0.1:$sim_port/console/jolokia" >"$test_dir/$1.told" 2>>"$test_dir/$1.err" &
  work_pid=$!
}

# granted NAME: how many, of the time in which all worked.
granted() { wc -l <"$test_dir/$1.grants"; }

# reported: requests of all owners, in the node's record.
reported() {
  od -A n -v -t u8 -w40 -j 192 -N 200 "$state"/* | awk '{ sum += $1 } END { print sum + 0 }'
}

# within SLACK-NS LOG: as in ceiling.sh, over every pair of its instants.
within() {
  awk -v rate=$((rate * 1000)) -v slack="$1" '
    $4 == "request" { at[++n] = $1 - (n ? first : 0); if (n == 1) { first = $1; at[1] = 0 } }
    END {
      worst = -1e18
      for (a = 1; a <= n; a++)
        for (b = a; b <= n; b++) {
          excess = (b - a) * 1e12 - rate * (at[b] - at[a])
          if (excess > worst) worst = excess
        }
      printf "%d us over the ceiling at the worst, of %d\n", worst / rate / 1e3, n
      exit worst > rate * slack
    }' "$2"
}

# granted_within: over every pair of grants of all the programs (collectd's are
# not logged), with the 2 ms for which a permit may be used.
granted_within() {
  cat "$test_dir"/*.grants | sort -n | awk '{ print $1, 0, 0, "request" }' >"$test_dir/grants"
  within 2000000 "$test_dir/grants" || fail 'more is granted than the ceiling gives'
}

# share_alike NAME NAME: within a tenth.
share_alike() {
  awk -v a="$(granted "$1")" -v b="$(granted "$2")" \
    'BEGIN { exit a + b < 1000 || a > 1.1 * b || b > 1.1 * a }'
}

# start_simnode: where we may, it runs before everything else: what arrives is
# read when it arrives, however busy the machine is.
start_simnode() {
  simnode_start
  chrt -a -f -p 1 "$sim_pid" 2>/dev/null || true
}

# settle: what was asked for in the last instant has been read.
has_read() { [ "$(simnode_requests)" -ge "$1" ]; }
settle() { wait_until 30 has_read "$1" || fail "$1 requests sent, $(simnode_requests) read"; }

# All end by themselves: not one request is reported that was not read.
exact() {
  local pids=() name
  start_simnode
  for name in a b c d; do
    work "$name" 3
    pids+=("$work_pid")
  done
  wait "${pids[@]}"
  settle "$(reported)"
  [ "$(reported)" = "$(simnode_requests)" ] ||
    fail "$(reported) requests reported for the host, $(simnode_requests) read"
  pass "$(reported) requests of four programs, all reported"
  simnode_stop
  rm -rf "$state"
  granted_within
  within 10000000 "$sim_log"
}

# alone RATE TEXT OPTION...: with a StateDir that is a file: that rate, of 100/s;
# TEXT is in what it says, once.
alone() {
  local most=$1 text=$2 stalled
  shift 2
  stalled=$(stalled_ms)
  simnode_name=alone$most start_simnode
  echo 'no folder' >"$test_dir/file"
  "${top_builddir:?}/tests/support/drive" --state "$test_dir/file" --rate $((rate * 1000)) \
    --jobs 1000 --at-once 2 --seconds 2 "$@" "http://127.0.0.1:$sim_port/console/jolokia" \
    >"$test_dir/told" 2>"$test_dir/err"
  simnode_stop
  stalled=$(($(stalled_ms) - stalled))
  if [ "$(simnode_requests)" -gt $((2 * most + 1)) ] ||
    [ "$(simnode_requests)" -lt $(((2000 - stalled) * most * 8 / 10000)) ]; then
    fail "alone: $(simnode_requests) requests in 2 s, not $most/s: $(cat "$test_dir/told")"
  fi
  [ "$(grep -c "file.*it is a file or a link, not a folder.*$text" "$test_dir/err")" = 1 ] ||
    fail "alone: not said once: $(cat "$test_dir/err")"
  pass "alone: $most/s"
}

killed() {
  local pids=() stopped i sum stalled
  start_simnode
  collectd_setup 1
  state=$collectd_dir/state
  collectd_jolokia <<END
  <Ceiling>
    RequestsPerSecond $rate
  </Ceiling>
  <Cluster "c">
    Node "n" "http://127.0.0.1:$sim_port/console/jolokia"
  </Cluster>
END
  collectd_start
  collectd_wait_for 30 n/jolokia-c/bool-shared 1
  work stopped 100
  stopped=$work_pid
  stalled=$(stalled_ms)
  sleep 0.5
  kill -STOP "$stopped"
  for i in a b; do
    work $i $seconds
    pids+=("$work_pid")
  done
  for ((i = 0; i < kills; i++)); do
    work "victim$i" 100
    sleep "0.0$((RANDOM % 80 + 10))"
    kill -KILL "$work_pid"
    wait "$work_pid" 2>/dev/null
    [ "$(stat -c %s "$state"/*)" = 512 ] || fail "the record is torn"
  done
  wait "${pids[@]}"
  kill -KILL "$stopped"
  wait "$stopped" 2>/dev/null
  ! grep -h 'begins anew' "$test_dir"/*.err "$collectd_log" || fail "the record was torn"
  pass "nothing is torn by $kills kills"
  # Who wakes more than 2 ms late has lost its permit: a busy machine costs some.
  stalled=$(($(stalled_ms) - stalled))
  [ $(($(simnode_requests) + kills)) -ge $((rate * (seconds - stalled / 1000) / 2)) ] ||
    fail "$(simnode_requests) requests in $seconds s with $kills kills: permits are lost"
  pass "$(granted a) and $(granted b) grants of the two that went on"
  collectd_stop
  settle "$(($(reported) - kills - 3))"
  sum=$(simnode_requests)
  if [ "$(reported)" -lt "$sum" ] || [ "$(reported)" -gt $((sum + kills + 3)) ]; then
    fail "$(reported) requests reported for the host, $sum read, $kills killed"
  fi
  pass "$(reported) requests reported for the host, $sum read, $kills killed"
  sum=$(collectd_value n/jolokia-c/total_requests-scrape)
  awk -v sum="$sum" -v most="$(($(granted a) + $(granted b)))" 'BEGIN { exit sum < most }' ||
    fail "collectd reports $sum requests: not those of the others"
  pass "collectd reports those of all: $sum"
  simnode_stop
  granted_within
  share_alike a b || { echo "unequal shares: $(granted a) and $(granted b) grants"; return 1; }
  within 10000000 "$sim_log"
}

alone 50 'half of it$' --daemon
alone 10 'a tenth of it and changes nothing'
# 5 changes at once, and 5 a second.
alone 7 'a tenth of it$' --change --owner bulk --unshared
alone 0 'a tenth of it and changes nothing' --change --owner bulk
grep -q ' held=1000 ' "$test_dir/told" || fail "changes without a record: $(cat "$test_dir/told")"
pass 'changes are refused without a record'

# A machine that keeps simnode from running for 20 ms bunches what arrives, and
# who wakes late has less than its share: what is wrong each time is the
# ceiling's fault.
for part in exact killed; do
  for try in 1 2 3; do
    simnode_name=$part$try
    rm -f "$test_dir"/*.grants
    $part && break
    [ "$try" -lt 3 ] || fail "$part: past the ceiling, or unequal shares, three times"
  done
  pass "$part: every pair of arrivals within"
done
