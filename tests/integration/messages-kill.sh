#!/bin/bash
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The collectd-jolokia authors
# Ten thousand messages removed by a program that is killed a hundred times at
# random moments, at a broker that now and then executes a request and resets
# the connection: resumed each time, every id is accounted for, none is sent
# again before it was looked at, and nothing is reported that is not so.
# shellcheck disable=SC2154 # what the sourced files set
set -u
# shellcheck source=tests/support/wait.sh
. "${top_srcdir:?}/tests/support/wait.sh"
# shellcheck source=tests/support/simnode.sh
. "$top_srcdir/tests/support/simnode.sh"
# shellcheck source=tests/support/ctl.sh
. "$top_srcdir/tests/support/ctl.sh"
# shellcheck source=tests/support/messages.sh
. "$top_srcdir/tests/support/messages.sh"
make_test_dir
ctl_setup
cd "$test_dir" || exit 1
kills=${KILLS:-100}

# Thirty seconds of work: a hundred times 0.18 s do not end it.
messages_node 10000 --hazard slow-exec=3 --hazard reset-after-exec=25
# A hundred ids that never were there, among the first and the last.
{ seq 1000 10999; seq 900 949; seq 20001 20050; } >ids
command=("$top_builddir/jolokiactl" --config "$conf" messages remove --json --yes
  --max 20000 --browse-limit 20000)

# The first one ends before it has a resume file, or has sent something.
start() { "${command[@]}" "$@" orders/a "$queue" </dev/null >>told 2>>err & pid=$!; }
start --ids-file ids
wait_until 30 test -s told || fail "it has not begun: $(cat err)"
file=$(sed -n 's/^{"resume_file":"\(.*\)"}$/\1/p' told)
killed=0
tries=0
while [ "$killed" -lt "$kills" ]; do
  tries=$((tries + 1))
  [ "$tries" -le $((2 * kills)) ] || fail "it was over, or has failed, after $killed kills: $(tail -n 3 err)"
  sleep "0.$(printf '%03d' $((30 + RANDOM % 300)))"
  kill -KILL "$pid" 2>/dev/null && killed=$((killed + 1))
  wait "$pid" 2>/dev/null
  [ "$killed" = "$kills" ] || start --resume "$file"
done
n_killed=$(executed true)
for _ in 1 2 3; do
  timeout 100 "${command[@]}" --resume "$file" orders/a "$queue" </dev/null >last 2>>err
  code=$?
  [ "$code" != 3 ] || grep -q '"not_sent":0' last || continue
  break
done
resets=$(grep -c ' close hazard' "$sim_log")

# What it says in the end, against what the broker has done.
grep -oE '"id":[0-9]+,"state":"[a-z]+"' last | tr -c '0-9a-z\n' ' ' | awk '{ print $2, $4 }' >states
[ "$(wc -l <states)" = 10100 ] || fail "$(wc -l <states) ids of 10100 are accounted for"
awk '$4 == "executed" { print $5, $6 }' "$sim_log" >changed
awk -v told=states '
  $2 == "true" { done[$1]++ }
  END {
    while ((getline line <told) > 0) {
      split(line, is, " ")
      n[is[2]]++
      if (done[is[1]] > 1) { print "twice done:", is[1]; bad = 1 }
      if (is[2] == "done" && !done[is[1]]) { print "said to be done:", is[1]; bad = 1 }
      if (is[2] == "absent" && done[is[1]]) { print "said to be absent:", is[1]; bad = 1 }
      if (is[2] == "failed") { print "said to have failed:", is[1]; bad = 1 }
    }
    print n["done"] + 0, "done,", n["absent"] + 0, "absent,", n["unknown"] + 0, "unknown" >"/dev/stderr"
    exit bad
  }' changed 2>sums || fail "what is said is not so: $(cat sums)"
# Sent again before it was looked at: an id that was there is executed once.
awk '$1 >= 1000 && $1 <= 10999 { if (n[$1]++) exit 1 }' changed ||
  fail 'an id that was done was sent again'
# Those that may end as unknown: a batch of the first run, before anything was
# looked at, and ids that never were there.
unknown=$(sed 's/.*, \([0-9]*\) unknown/\1/' sums)
[ "$unknown" -le 200 ] || fail "$unknown ids are unknown in the end"
[ "$code" = 1 ] || [ "$code" = 3 ] || fail "exit code $code"
pass "killed $killed times ($n_killed ids were done then), $resets resets: $(cat sums)"
