#!/bin/bash
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The collectd-jolokia authors
# Alone: it measures time.
# Names that never resolve: a silent name server in a network namespace of the
# test's own. The node that is well is asked at each tick, at most 16 look-ups
# run at once (abandoned ones included), and the end waits for none of them.
# shellcheck disable=SC2154 # what the sourced files set
set -u
# shellcheck source=tests/support/wait.sh
. "${top_srcdir:?}/tests/support/wait.sh"
# shellcheck source=tests/support/simnode.sh
. "$top_srcdir/tests/support/simnode.sh"
# shellcheck source=tests/support/namespace.sh
. "$top_srcdir/tests/support/namespace.sh"
need awk
enter_namespace
make_test_dir
silence_names

# Each of its connections ends when it is idle, so that every tick connects.
simnode_start --hazard idle-close=20
stalled=$(stalled_ms)
urls=("http://127.0.0.1:$sim_port/console/jolokia")
for i in {1..30}; do urls+=("http://dead-$i.example:8161/console/jolokia"); done
"$top_builddir/tests/support/drive" --jobs 60 --every 100 --saturate --connect-timeout 500 \
  --permit-timeout 3000 --latencies "$test_dir/latencies" "${urls[@]}" \
  >"$test_dir/told" 2>"$test_dir/err" &
drive_pid=$!
most=0
while is_running "$drive_pid"; do
  threads=$(find "/proc/$drive_pid/task" -mindepth 1 -maxdepth 1 2>/dev/null | wc -l)
  [ "$threads" -le "$most" ] || most=$threads
  sleep 0.05
done
wait "$drive_pid" || fail "drive: $(cat "$test_dir/told" "$test_dir/err")"

head -1 "$test_dir/told" | grep -q ' ok=60 ' || fail "the one that is well: $(head -1 "$test_dir/told")"
# From one end to the next: what holds the engine up shows even where no job of
# its own was under way.
slowest=$(awk '$2 == 0 { if (last && $3 - last > most) most = $3 - last; last = $3 } END { printf "%.0f\n", most }' \
  "$test_dir/latencies")
stalled=$(($(stalled_ms) - stalled))
[ "$slowest" -le $((350000000 + 1000000 * stalled)) ] || fail "$slowest ns between two ticks of 100 ms"
pass "60 ticks of the node that is well, 100 ms apart, at most $((slowest / 1000)) us"

# The engine's own thread, and a thread for each look-up.
[ "$most" -gt 1 ] || fail "no name was looked up"
[ "$most" -le 17 ] || fail "$most threads"
pass "at most $((most - 1)) look-ups at once"

[ "$(tail -n +2 "$test_dir/told" | grep -c ' connect=')" -ge 8 ] ||
  fail "dead names that were tried: $(cat "$test_dir/told")"
[ "$(tail -n +2 "$test_dir/told" | grep -c '^requests=0 ')" -eq 30 ] || fail "something was sent to a dead name"
tail -n +2 "$test_dir/told" | grep -q 'permit_timeout=' || fail "none waited for its turn in vain"
pass "dead names end as connect or permit_timeout, with nothing sent"

took=$(sed -n 's/^drive: client_free took \([0-9]*\) us$/\1/p' "$test_dir/err")
[ "${took:-999999999}" -le $((100000 + 1000 * stalled)) ] || fail "client_free took ${took:-?} us"
pass "client_free took $took us with look-ups under way"
