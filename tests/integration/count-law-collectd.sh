#!/bin/bash
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The collectd-jolokia authors
# The count law as the operator sees it: the requests that collectd records of a
# node, and those that jolokiactl tells of it meanwhile, are together the ones
# that the node has read. (count-law.sh has more ways to end a request.)
# shellcheck disable=SC2119,SC2154 # what the sourced files set
set -u
# shellcheck source=tests/support/wait.sh
. "${top_srcdir:?}/tests/support/wait.sh"
# shellcheck source=tests/support/simnode.sh
. "$top_srcdir/tests/support/simnode.sh"
# shellcheck source=tests/support/collectd.sh
. "$top_srcdir/tests/support/collectd.sh"
make_test_dir

hazards=(node=plain 403 redirect hang idle-close=300 fin-after-read reset-after-read "413=400" "429=1" too-few denied-exec)
simnode_start --queues 5
law=$test_dir/law.conf
{
  echo "StateDir \"$test_dir/state\""
  echo '<Cluster "law">'
  echo '  Timeout 0.3'
  for hazard in "${hazards[@]}"; do
    echo "  Node \"$hazard\" \"http://127.0.0.1:$sim_port/$hazard/console/jolokia\""
  done
  echo '</Cluster>'
} >"$law"
collectd_setup 1
{ echo 'AddressInterval 2'; grep -v StateDir "$law"; } | collectd_jolokia
collectd_start
collectd_wait_for 30 node=plain/artemis-queue-sim.queue.00005/gauge-MessageCount
for _ in 1 2 3; do
  "${top_builddir:?}/jolokiactl" --config "$law" --timeout 5 --json poll 2>>"$test_dir/err" |
    grep '"requests":' >>"$test_dir/polled"
done
wait_until 60 awk -v log_file="$sim_log" -v n="${#hazards[@]}" 'BEGIN {
  while ((getline line < log_file) > 0)
    if (split(line, word) > 6 && word[4] == "request" && ++count[word[7]] == 8) n--
  exit n > 0 }' || fail "not every node has had eight requests"
# Nothing more is sent, and nothing is cut off: a request that crossed the node's
# end would be reported and not read.
sed "s,$test_dir/state,$collectd_dir/state," "$law" >"$test_dir/hold.conf"
"$top_builddir/jolokiactl" --config "$test_dir/hold.conf" hold law >>"$test_dir/err" 2>&1 ||
  fail "the nodes cannot be held: $(cat "$test_dir/err")"

# told HAZARD: by jolokiactl, over its polls.
told() {
  grep -F "\"node\":\"$1\"," "$test_dir/polled" | grep -oE '"requests":[0-9]+' | awk -F: '{ n += $2 } END { print n + 0 }'
}
# recorded HAZARD: by collectd, over all owners.
recorded() {
  local owner
  for owner in scrape slow discovery command bulk; do
    collectd_value "$1/jolokia-law/total_requests-$owner"
  done | awk '{ n += $1 } END { if (NR == 5) print n + 0 }'
}
# The totals of the last requests go out with the next tick.
is_law() { # HAZARD
  collected=$(recorded "$1")
  read=$(simnode_requests "$sim_port" "/$1/console/jolokia")
  [ -n "$collected" ] && [ $((collected + polled)) -eq "$read" ]
}
for hazard in "${hazards[@]}"; do
  polled=$(told "$hazard")
  wait_until 30 is_law "$hazard"
  [ -n "$collected" ] || fail "$hazard: collectd has not recorded every owner"
  [ "$polled" -ge 1 ] || fail "$hazard: jolokiactl has sent nothing"
  [ $((collected + polled)) -eq "$read" ] ||
    fail "$hazard: $collected recorded, $polled told, $read read"
  pass "$hazard: $collected recorded and $polled told are the $read read"
done
collectd_stop
