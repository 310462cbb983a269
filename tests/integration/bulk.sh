#!/bin/bash
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The collectd-jolokia authors
# Alone: it measures time, for minutes.
# A thousand messages removed by their ids, at the default ceiling: twenty
# requests, twenty permits, about twenty seconds; and neither starves the other
# where a scrape of eight requests a second goes on beside it, in one process or
# in two that share the host's ceiling.
# shellcheck disable=SC2154 # what the sourced files set
set -u
# shellcheck source=tests/support/wait.sh
. "${top_srcdir:?}/tests/support/wait.sh"
# shellcheck source=tests/support/simnode.sh
. "$top_srcdir/tests/support/simnode.sh"
make_test_dir

# ride NAME OPTION...: drive at the last simnode, in the background, for a minute
# at most: its lines in NAME.told.
declare -A riders
ride() {
  local name=$1
  shift
  "${top_builddir:?}/tests/support/drive" --timeout 10000 "$@" \
    "http://127.0.0.1:$sim_port/console/jolokia" >"$test_dir/$name.told" 2>"$test_dir/$name.err" &
  riders[$name]=$!
  end_with_test $!
}
bulk=(--remove --operations 1000 --owner bulk)

# told NAME WORD: WORD=number of that ride.
told() { grep -oE "(^| )$2=[0-9]+" "$test_dir/$1.told" | head -1 | grep -oE '[0-9]+$' || echo 0; }
# between LOW VALUE HIGH TEXT: milliseconds; HIGH, and what the machine held up.
between() {
  if [ "$2" -lt "$1" ] || [ "$2" -gt $(($3 + stalled)) ]; then
    fail "$4: $2 is not $1 to $3, with $stalled ms of stalls"
  fi
}
arrived() { grep -c ' request ' "$test_dir/$1.log"; }

stalled=$(stalled_ms)
simnode_name=alone simnode_start --queues 1
ride alone "${bulk[@]}"
simnode_name=beside simnode_start --queues 1
ride beside "${bulk[@]}" --scrape-every 1000
mkdir "$test_dir/state"
simnode_name=apart simnode_start --queues 1
ride apart "${bulk[@]}" --state "$test_dir/state"
ride scrape --operations 400 --jobs 18 --every 1000 --owner scrape \
  --state "$test_dir/state" --latencies "$test_dir/latencies"
for name in alone beside apart scrape; do
  wait "${riders[$name]}" || fail "$name: $(cat "$test_dir/$name.told" "$test_dir/$name.err")"
done
stalled=$(($(stalled_ms) - stalled))

[ "$(told alone item.ok) $(told alone requests) $(told alone granted) $(arrived alone)" = "1000 20 20 20" ] ||
  fail "alone: $(cat "$test_dir/alone.told"), $(arrived alone) arrived"
between 19000 "$(told alone elapsed_ms)" 22000 'the bulk alone, ms'
pass "alone: 1000 ids, 20 requests, 20 permits, $(told alone elapsed_ms) ms"

[ "$(told beside item.ok) $(told beside scrapes_failed)" = "1000 0" ] &&
  [ "$(told beside scrapes_skipped)" -le $((stalled / 1000)) ] ||
  fail "beside: $(cat "$test_dir/beside.told")"
n=$(told beside scrapes)
[ "$n" -ge 15 ] && [ "$n" -le $((25 + stalled / 1000)) ] || fail "$n scrapes beside the bulk"
between 0 "$(told beside scrape_wait_max_ms)" 600 'the longest wait of a scrape, ms'
between 17100 "$(told beside elapsed_ms)" 20900 'the bulk beside a scrape, ms'
[ "$(arrived beside)" = "$(told beside requests)" ] || fail "beside: $(arrived beside) arrived"
pass "beside a scrape: $(told beside elapsed_ms) ms, a scrape waits $(told beside scrape_wait_max_ms) ms at most"

longest=$(sort -n "$test_dir/latencies" | awk 'END { print int($1 / 1e6) }')
[ "$(told apart item.ok) $(told scrape ok) $(told scrape requests)" = "1000 18 144" ] ||
  fail "apart: $(cat "$test_dir/apart.told" "$test_dir/scrape.told")"
between 0 "$longest" 600 'the longest scrape of another process, ms'
between 17100 "$(told apart elapsed_ms)" 20900 'the bulk beside a scrape of another process, ms'
[ "$(arrived apart)" = 164 ] || fail "apart: $(arrived apart) arrived"
pass "beside another process's scrape: $(told apart elapsed_ms) ms, a scrape takes $longest ms at most"
