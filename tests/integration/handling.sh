#!/bin/bash
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The collectd-jolokia authors
# Alone: it measures time, for minutes.
# A broker that takes 20 ms over each id: HandlingShare keeps a bulk to a quarter
# of its time, by the server's own log; without it, to nothing. The scrape beside
# it never waits for the bulk's debt; one that costs more than its share itself
# is put off, said and counted.
# shellcheck disable=SC2154 # what the sourced files set
set -u
# shellcheck source=tests/support/wait.sh
. "${top_srcdir:?}/tests/support/wait.sh"
# shellcheck source=tests/support/simnode.sh
. "$top_srcdir/tests/support/simnode.sh"
make_test_dir

# bulk NAME OPTION...: a thousand ids, and a scrape each second, in the
# background, for two minutes at most: NAME.log, NAME.told.
declare -A riders
bulk() {
  local name=$1
  shift
  simnode_name=$name simnode_start --queues 1 --hazard slow-exec=20
  "${top_builddir:?}/tests/support/drive" --remove --operations 1000 --owner bulk \
    --timeout 10000 --seconds 120 --scrape-every 1000 --scrape-requests 2 "$@" \
    "http://127.0.0.1:$sim_port/console/jolokia" >"$test_dir/$name.told" 2>"$test_dir/$name.err" &
  riders[$name]=$!
  end_with_test $!
}
ended() {
  wait "${riders[$1]}" || fail "$1: $(cat "$test_dir/$1.told" "$test_dir/$1.err")"
  [ "$(told "$1" item.ok)" = 1000 ] || fail "$1: $(cat "$test_dir/$1.told")"
}
told() { grep -oE "(^| )$2=[0-9]+" "$test_dir/$1.told" | head -1 | grep -oE '[0-9]+$' || echo 0; }

# share NAME FROM TO: the part of the time between these seconds in which the
# server was at work on the bulk, in thousandths.
share() {
  awk -v from="$2" -v to="$3" '
    NR == 1 { start = $1; from = start + from * 1e9; to = start + to * 1e9 }
    $4 == "operations" && / exec:/ { since[$3] = $1 }
    $4 == "answered" && $3 in since {
      a = since[$3] > from ? since[$3] : from
      b = $1 < to ? $1 : to
      if (b > a) busy += b - a
      delete since[$3]
    }
    END { printf "%d\n", 1000 * busy / (to - from) }' "$test_dir/$1.log"
}
# is_kept NAME FROM TO [STALLED]: to a quarter, within a tenth of it; less where
# the machine held us up for so many milliseconds.
is_kept() {
  local share
  share=$(share "$1" "$2" "$3")
  [ "$share" -ge $((225 - 225 * ${4:-0} / (1000 * ($3 - $2)))) ] && [ "$share" -le 275 ]
}
stalled=$(stalled_ms)

bulk kept
bulk free --share 64000

# Each request takes 0.6 s: a round of one may come each 2.4 s, which is every
# other tick of 2 s.
simnode_name=dear simnode_start --queues 3 --hazard slow=600
cat >"$test_dir/dear.conf" <<END
<Plugin jolokia>
  StateDir "$test_dir/state"
  <Cluster "orders">
    Interval 2
    SelfMetrics "full"
    Node "dear" "http://127.0.0.1:$sim_port/console/jolokia"
  </Cluster>
</Plugin>
END
"$top_builddir/jolokiactl" --config "$test_dir/dear.conf" exec --interval 2 \
  >"$test_dir/values" 2>"$test_dir/said" &
exec_pid=$!
end_with_test "$exec_pid"
sleep 30
kill -INT "$exec_pid"
wait "$exec_pid" 2>/dev/null
stretched=$(grep 'total_events-scrape_stretched' "$test_dir/values" | tail -1 | grep -oE '[0-9]+$')
[ "${stretched:-0}" -ge 5 ] || fail "${stretched:-no} ticks of the dear scrape were put off"
grep -q 'dear.*HandlingShare' "$test_dir/said" || fail "it was not said: $(cat "$test_dir/said")"
listings=$(grep -c 'exec:listQueues' "$test_dir/dear.log")
if [ "$listings" -lt 5 ] || [ "$listings" -gt 9 ]; then fail "$listings rounds in 30 s"; fi
pass "a scrape that costs 0.6 s: $listings rounds in 30 s, $stretched ticks put off"

ended free
if is_kept free 5 15; then fail "HandlingShare is off, and the broker's time was kept all the same"; fi
[ "$(told free elapsed_ms)" -lt $((30000 + $(stalled_ms) - stalled)) ] || fail "the free bulk took $(told free elapsed_ms) ms"
pass "without HandlingShare: $(share free 5 15)/1000 of the broker's time, $(told free elapsed_ms) ms"

ended kept
stalled=$(($(stalled_ms) - stalled))
is_kept kept 10 70 $stalled || fail "$(share kept 10 70)/1000 of the broker's time"
# Twenty requests of 1 s each; each but the first waits until the last is paid
# back, 4 s after its start: one that is held up costs four times as much.
elapsed=$(told kept elapsed_ms)
if [ "$elapsed" -lt 69300 ] || [ "$elapsed" -gt $((84700 + 4 * stalled)) ]; then fail "the bulk took $elapsed ms, not 77 s"; fi
[ "$(told kept scrapes_failed)" = 0 ] && [ "$(told kept scrapes_skipped)" -le $((stalled / 1000)) ] || fail "scrapes failed: $(cat "$test_dir/kept.told")"
[ "$(told kept scrape_wait_max_ms)" -le $((600 + stalled)) ] ||
  fail "a scrape has waited for $(told kept scrape_wait_max_ms) ms"
pass "$(share kept 10 70)/1000 of the broker's time, $elapsed ms, a scrape waits $(told kept scrape_wait_max_ms) ms at most"
