#!/bin/bash
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The collectd-jolokia authors
# What is wrong with one value, row or item of a reply costs that alone: every
# other value of the node is delivered, odd names and all.
# shellcheck disable=SC2154 # what the sourced files set
set -u
# shellcheck source=tests/support/wait.sh
. "${top_srcdir:?}/tests/support/wait.sh"
# shellcheck source=tests/support/simnode.sh
. "$top_srcdir/tests/support/simnode.sh"
make_test_dir
simnode_start --queues 3 --nasty

# poll HAZARD: the values' names in ${test_dir}/names, the node's line in
# ${node}, the exit code in ${code}.
poll() {
  cat >"$test_dir/conf" <<END
StateDir "$test_dir/state"
<Cluster "c">
  Node "n" "http://127.0.0.1:$sim_port/$1/console/jolokia"
</Cluster>
END
  code=0
  "${top_builddir:?}/jolokiactl" --config "$test_dir/conf" --json poll >"$test_dir/out" 2>"$test_dir/err" || code=$?
  node=$(tail -n 1 "$test_dir/out")
  sed -n 's/.*"object":\(.*\),"type":.*/\1/p' "$test_dir/out" | sort >"$test_dir/names"
}

poll node=plain
[ "$code" -eq 0 ] || fail "$node $(cat "$test_dir/err")"
cp "$test_dir/names" "$test_dir/all"
[ "$(wc -l <"$test_dir/all")" -gt 300 ] || fail "too few values to tell"
for odd in '\\"' ',' '=' '\*' ' ' '[^ -~]' '~[0-9a-f]\{16\}"'; do
  grep -q "^\"queue-.*$odd.*\"MessageCount\"" "$test_dir/all" || fail "no queue's name with $odd"
done
pass "names with quotes, commas, =, *, spaces, other letters, and one too long"

# costs HAZARD CODE FAILURES [ATTRIBUTE...]: so many failures are told, and of
# the values only these are missing.
costs() {
  local hazard=$1 attribute
  poll "$hazard"
  [ "$code" -eq "$2" ] || fail "$hazard: exit code $code, expected $2: $node"
  grep -q "\"failures\":$3,\"error\":null" <<<"$node" || fail "$hazard: not $3 failures: $node"
  shift 3
  for attribute; do
    echo "\"${attribute%/*}\",\"attribute\":\"${attribute#*/}\""
  done | sort >"$test_dir/missing"
  diff "$test_dir/missing" <(comm -23 "$test_dir/all" "$test_dir/names") || fail "$hazard: these were to be missing"
  comm -13 "$test_dir/all" "$test_dir/names" | grep . && fail "$hazard: values that nobody has"
  pass "$hazard: $# values missing, $(wc -l <"$test_dir/names") delivered"
}

queue='queue-sim.queue.00001'
costs negative 0 0
costs text-number 1 1 $queue/MessageCount
costs nulls 0 0 $queue/{MessageCount,ConsumerCount,DeliveringCount,ScheduledCount} \
  $queue/{MessagesAdded,MessagesAcknowledged,MessagesExpired,MessagesKilled}
costs long-row=70000 1 1 $queue/{MessageCount,ConsumerCount,DeliveringCount,ScheduledCount} \
  $queue/{MessagesAdded,MessagesAcknowledged,MessagesExpired,MessagesKilled,Paused,Enabled}
costs fault=ConnectionCount 1 1 broker/ConnectionCount
costs fault-object=ConnectionCount 1 1 broker/ConnectionCount
costs npe-listing 0 0
costs npe-listing=2 0 0
costs count-differs 0 0
costs denied-exec 0 0
costs key-order 0 0
