#!/bin/bash
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The collectd-jolokia authors
# Alone: it measures time.
# The ceiling under saturation by 64 jobs: exact on the client's own log of
# grants; from the server's arrivals, over every pair, count <= burst + rate x
# (time + 10 ms). And a node beside a saturated one is as fast as alone.
# shellcheck disable=SC2154 # what the sourced files set
set -u
# shellcheck source=tests/support/wait.sh
. "${top_srcdir:?}/tests/support/wait.sh"
# shellcheck source=tests/support/simnode.sh
. "$top_srcdir/tests/support/simnode.sh"
need awk sort
make_test_dir

drive() { "${top_builddir:?}/tests/support/drive" "$@"; }

# within RATE BURST SLACK-NS FILE: over every pair of FILE's instants (ns, in
# order), count <= BURST + RATE x (time + SLACK). RATE is in thousandths, and the
# numbers are whole, below 2^53: exact in awk. Prints the largest excess over
# BURST + RATE x time, in thousandths of a request.
within() {
  awk -v rate="$1" -v burst="$2" -v slack="$3" '
    { at[NR] = $1 - (NR > 1 ? first : 0); if (NR == 1) { first = $1; at[1] = 0 } }
    END {
      worst = -1e18
      for (a = 1; a <= NR; a++)
        for (b = a; b <= NR; b++) {
          # in 10^-12 requests
          excess = (b - a + 1 - burst) * 1e12 - rate * (at[b] - at[a])
          if (excess > worst) worst = excess
          if (excess > rate * slack) bad++
        }
      printf "%d\n", worst / 1e9
      exit bad > 0
    }' "$4"
}

# saturate RATE BURST JOBS OPTION... A client that the machine stops between its
# permit and its sending is late, and what follows is not: what is too much each
# of three times is the ceiling's fault.
saturate() {
  local _
  for _ in 1 2 3; do
    saturate_once "$@" && return
  done
  fail "rate $1/1000 burst $2: arrivals exceed the ceiling three times"
}
saturate_once() {
  local rate=$1 burst=$2 jobs=$3 excess
  shift 3
  simnode_name=s$rate-$burst simnode_start --hazard slow=3
  drive --jobs "$jobs" --at-once 64 --max-waiting 64 --rate "$rate" --burst "$burst" \
    --grants "$test_dir/grants" "$@" "http://127.0.0.1:$sim_port/console/jolokia" \
    >"$test_dir/told" 2>"$test_dir/err" || fail "drive: $(cat "$test_dir/told" "$test_dir/err")"
  simnode_stop
  grep -q " ok=$jobs " "$test_dir/told" || fail "not all were well: $(cat "$test_dir/told")"
  awk '{ print $1 }' "$test_dir/grants" >"$test_dir/granted"
  [ "$(wc -l <"$test_dir/granted")" -eq "$jobs" ] || fail "$(wc -l <"$test_dir/granted") grants"
  excess=$(within "$rate" "$burst" 0 "$test_dir/granted") ||
    fail "rate $rate/1000 burst $burst: grants exceed the ceiling by $excess/1000"
  pass "rate $rate/1000, burst $burst: $jobs grants, every pair within (worst $excess/1000)"
  awk '$4 == "request" { print $1 }' "$sim_log" >"$test_dir/arrived"
  [ "$(wc -l <"$test_dir/arrived")" -eq "$jobs" ] || fail "$(wc -l <"$test_dir/arrived") arrivals"
  excess=$(within "$rate" "$burst" 10000000 "$test_dir/arrived") || return
  pass "rate $rate/1000, burst $burst: every pair of arrivals within (worst $excess/1000)"
}

# p99 INDEX FILE: of drive's latencies, in ns.
p99() {
  awk -v index_="$1" '$2 == index_ { print $1 }' "$2" | sort -n |
    awk '{ at[NR] = $1 } END { n = int(NR * 0.99 + 0.999999); print at[n < 1 ? 1 : n] }'
}

# By itself, one job every 60 ms finds its permit ready at 20/s.
beside() {
  local alone together stalled
  simnode_start --ports 2
  local other="http://127.0.0.1:${sim_ports[0]}/console/jolokia"
  local busy="http://127.0.0.1:${sim_ports[1]}/console/jolokia"
  stalled=$(stalled_ms)
  drive --jobs 150 --every 60 --latencies "$test_dir/alone" "$other" >"$test_dir/told" 2>&1 ||
    fail "alone: $(cat "$test_dir/told")"
  alone=$(p99 0 "$test_dir/alone")
  drive --jobs 150 --every 60 --saturate --latencies "$test_dir/together" \
    "$other" "$busy" >"$test_dir/told" 2>&1 || fail "together: $(cat "$test_dir/told")"
  sed -n 2p "$test_dir/told" | grep -q ' ok=1[0-9][0-9] ' ||
    fail "the second node was not saturated: $(cat "$test_dir/told")"
  together=$(p99 0 "$test_dir/together")
  stalled=$(($(stalled_ms) - stalled)) # what two of the 150 may have of it
  [ $((together - alone)) -le $((10000000 + 1000000 * stalled / 20)) ] ||
    fail "p99 beside a saturated node $together ns, alone $alone ns"
  pass "p99 alone $((alone / 1000)) us, beside a saturated node $((together / 1000)) us"
}

saturate 20000 1 128
saturate 100000 1 300
saturate 50000 5 200
saturate 333 1 3 --permit-timeout 20000
beside
