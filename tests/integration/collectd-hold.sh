#!/bin/bash
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The collectd-jolokia authors
# `jolokiactl hold` and the daemon: it asks nothing, says once that the node is
# held, and not that it is down, even while it is; after the release it asks
# again. Its work is among what `jolokiactl limits` shows, and with `jolokiactl
# exec` beside it `nodes` says that both scrape the node.
# shellcheck disable=SC2154 # what the sourced files set
set -u
# shellcheck source=tests/support/wait.sh
. "${top_srcdir:?}/tests/support/wait.sh"
# shellcheck source=tests/support/simnode.sh
. "$top_srcdir/tests/support/simnode.sh"
# shellcheck source=tests/support/collectd.sh
. "$top_srcdir/tests/support/collectd.sh"
make_test_dir

ctl() { "${top_builddir:?}/jolokiactl" --config "$collectd_conf" "$@" >"$test_dir/out" 2>&1; }
state=broker-a/jolokia-orders/gauge-state

simnode_start --queues 3
collectd_setup 1
collectd_jolokia <<END
  <Cluster "orders">
    Node "broker-a" "http://127.0.0.1:$sim_port/console/jolokia"
  </Cluster>
END
collectd_start
collectd_wait_for 30 "$state" 1

# A busy machine may make the node slow for a while.
is_well() { ctl limits && grep -q '^  verdict    nothing wrong' "$test_dir/out"; }
wait_until 30 is_well || fail "limits: $(cat "$test_dir/out")"
grep -qE '^  scrape +[1-9]' "$test_dir/out" || fail "collectd's scrape is not there: $(cat "$test_dir/out")"

is_told() { ctl nodes && grep -qE "$1" "$test_dir/out"; }
is_alone() { ctl nodes && ! grep -q 'scraped by' "$test_dir/out"; }
is_alone || fail "collectd alone is told as two: $(cat "$test_dir/out")"
"$top_builddir/jolokiactl" --config "$collectd_conf" exec >/dev/null 2>&1 &
second=$!
wait_until 30 is_told "^  scraped by 2 processes of this host: collectd $collectd_pid, exec $second;" ||
  fail "collectd $collectd_pid and exec $second both scrape it: $(cat "$test_dir/out")"
kill -TERM "$second"
wait "$second" 2>/dev/null
is_alone || fail "exec has ended, and is told: $(cat "$test_dir/out")"
pass "collectd and exec: both are told, and one alone is well"

ctl hold --for 1m orders || fail "hold: $(cat "$test_dir/out")"
collectd_wait_for 30 "$state" 6
before=$(simnode_requests)
simnode_stop
sleep 4
ctl limits
grep -q '^  verdict    held by the operator for [1-5][0-9]\.[0-9] s more' "$test_dir/out" ||
  fail "limits: $(cat "$test_dir/out")"
[ "$(simnode_requests)" = "$before" ] || fail "a held node was asked"
collectd_wait_for 30 "$state" 6
[ "$(grep -c 'broker-a.* is held by the operator' "$collectd_log")" = 1 ] ||
  fail "it was not said once that it is held: $(grep broker-a "$collectd_log")"
! grep -qE 'broker-a.* is (still )?down' "$collectd_log" || fail "it was said to be down"
pass "held: $before requests before, none while it is, and not down"

ctl release orders/broker-a || fail "release: $(cat "$test_dir/out")"
collectd_wait_for 30 "$state" 4
pass "released: asked again, and down, as nothing listens any more"
collectd_stop
