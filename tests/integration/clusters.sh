#!/bin/bash
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The collectd-jolokia authors
# Clusters of two nodes as collectd records them: two URLs that are one broker
# are told and counted once; a split pair is told, and that it is over; sums are
# those of the brokers' own values. Then a node is away for ten seconds: one
# notification that it is down, one that it is up, values within two intervals.
# shellcheck disable=SC2154 # what the sourced files set
set -u
# shellcheck source=tests/support/wait.sh
. "${top_srcdir:?}/tests/support/wait.sh"
# shellcheck source=tests/support/simnode.sh
. "$top_srcdir/tests/support/simnode.sh"
# shellcheck source=tests/support/collectd.sh
. "$top_srcdir/tests/support/collectd.sh"
make_test_dir

count=gauge-MessageCount
queue=artemis-queue-sim.queue.00001

# broker NAME MESSAGES OPTION...: with so many in its first queue; sets ${port}
# and ${pid}.
broker() {
  simnode_name=$1
  simnode_start --name "$1" --queues 2 --set "sim.queue.00001.MessageCount=$2" "${@:3}"
  port=$sim_port pid=$sim_pid
}
url() { echo "http://127.0.0.1:$1/console/jolokia"; }
# west: it comes back as it was.
west=$(free_ports 1)
west() { broker west 500 --set 'sim.queue.00002.MessageCount=4' --port "$west"; }

broker one 9 --ports 2 --one-broker
one=("${sim_ports[@]}")
broker left 1 --set 'broker.NodeID="n-split"'
left=$port
broker right 2 --set 'broker.NodeID="n-split"'
right=$port pid_right=$pid
broker east 70 --set 'sim.queue.00002.MessageCount=3'
east=$port
west
pid_west=$pid

collectd_setup 1
collectd_jolokia <<END
  <Cluster "alias">
    Node "first" "$(url "${one[0]}")"
    Node "second" "$(url "${one[1]}")"
  </Cluster>
  <Cluster "split">
    Node "left" "$(url "$left")"
    Node "right" "$(url "$right")"
  </Cluster>
  <Cluster "orders">
    Node "east" "$(url "$east")"
    Node "west" "$(url "$west")"
  </Cluster>
END

# notices [TYPE-INSTANCE]: "HOST TYPE-INSTANCE SEVERITY" a line, as they came.
notices() {
  sed -nE 's/.*Notification: severity = ([A-Z]+), host = ([a-z]+), .*type_instance = ([a-z]+).*/\2 \3 \1/p' "$collectd_log" |
    grep -E "^[a-z]+ $1 "
}
has_notices() { # TYPE-INSTANCE LINE...: those, and no other of that kind
  [ "$(notices "$1" | sort)" = "$(printf '%s\n' "${@:2}" | sort)" ]
}
wait_for_notices() {
  wait_until 30 has_notices "$@" || { collectd_show; fail "notifications: $(notices "$1"), expected ${*:2}"; }
}

is_split() {
  split=$(notices pair)
  [[ $split =~ ^(left|right)\ pair\ FAILURE$ ]]
}
finds() {
  collectd_wait_for 30 "orders/$queue/$count" 570
  collectd_wait_for 30 orders/artemis-queue-sim.queue.00002/$count 7
  collectd_wait_for 30 "east/$queue/$count" 70
  collectd_wait_for 30 "west/$queue/$count" 500
  collectd_wait_for 30 orders/jolokia-orders/gauge-nodes 2
  collectd_wait_for 30 orders/jolokia-orders/gauge-nodes_answered 2
  pass "sums of two nodes"
  wait_for_notices alias "second alias WARNING"
  # Until it was known for one broker its messages counted twice.
  collectd_wait_for 30 "alias/$queue/$count" 9
  collectd_wait_for 30 "second/$queue/$count" 9
  collectd_wait_for 30 alias/jolokia-alias/gauge-nodes_answered 2
  pass "two URLs, one broker"
  wait_until 30 grep -q 'active at once, with one NodeID (n-split)' "$collectd_log" ||
    { collectd_show; fail "the split pair is not told"; }
  # Its notification goes out with the next read.
  wait_until 30 is_split || { collectd_show; fail "the split pair: $split"; }
  pass "a split pair"
}

# A node of each is away for ten seconds.
loses() {
  end_process "$pid_west" || fail "the stand-in had to be killed"
  end_process "$pid_right" || fail "the stand-in had to be killed"
  sleep 5
  wait_for_notices node "west node FAILURE" "right node FAILURE"
  wait_for_notices pair "$split" "${split/FAILURE/OKAY}"
  collectd_wait_for 30 orders/jolokia-orders/gauge-nodes_answered 1
  collectd_wait_for 30 orders/jolokia-orders/gauge-nodes 2
  local sums east_values
  sums=$(collectd_count "orders/$queue/$count")
  east_values=$(collectd_count "east/$queue/$count")
  sleep 5
  [ "$(collectd_count "orders/$queue/$count")" = "$sums" ] || fail "there are sums without one of the nodes"
  [ "$(collectd_count "east/$queue/$count")" -gt "$east_values" ] || fail "the other node's values have stopped"
  pass "away: no sum, one of two answers"
}

# first_since ID SINCE VALUE: when the first of that value was read after it.
first_since() {
  collectd_lines "$1" | awk -F, -v since="$2" -v value="$3" '$1 > since && $2 == value { print $1; exit }'
}
wait_for_first() {
  wait_until 30 has_first "$@" || { collectd_show; fail "$1 does not go on"; }
}
has_first() { [ -n "$(first_since "$@")" ]; }

# Two intervals, as the node sees them: one request asks whether it answers, the
# next round reads its queues.
returns() {
  local back rounds
  west
  back=$EPOCHREALTIME
  wait_for_first "west/$queue/$count" "$back" 500
  wait_for_first "orders/$queue/$count" "$back" 570
  wait_for_first orders/jolokia-orders/gauge-nodes_answered "$back" 2
  rounds=$(awk '$4 == "operations" { n++ } /exec:listQueues/ { print n; exit }' "$sim_log")
  [ "$rounds" -le 2 ] || fail "its queues were read by the request $rounds: $(head -n 20 "$sim_log")"
  wait_for_notices node "west node FAILURE" "right node FAILURE" "west node OKAY"
  [ -z "$(notices cluster)" ] || fail "of the clusters: $(notices cluster)"
  pass "back: values after $(first_since "west/$queue/$count" "$back" 500 | awk -v back="$back" '{ printf "%.1f", $1 - back }') s"
}

collectd_start
finds
loses
returns
collectd_stop
