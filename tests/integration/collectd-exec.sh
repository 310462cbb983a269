#!/bin/bash
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The collectd-jolokia authors
# `jolokiactl exec` below the distribution's exec plugin: collectd takes every
# line, odd names too, and records the same identifiers and values as with the
# module.
# shellcheck disable=SC2119,SC2154 # what the sourced files set
set -u
# shellcheck source=tests/support/wait.sh
. "${top_srcdir:?}/tests/support/wait.sh"
# shellcheck source=tests/support/simnode.sh
. "$top_srcdir/tests/support/simnode.sh"
# shellcheck source=tests/support/collectd.sh
. "$top_srcdir/tests/support/collectd.sh"
make_test_dir

# The exec plugin runs nothing as root.
user=$(id -un)
if [ "$(id -u)" -eq 0 ]; then
  user=nobody
  need setpriv
  setpriv --reuid=nobody --clear-groups test -x "${top_builddir:?}/jolokiactl" 2>/dev/null ||
    skip "nobody may not run $top_builddir/jolokiactl"
fi

simnode_start --queues 2 --nasty --internal --set sim.queue.00001.MessageCount=7
settings() {
  cat <<END
  SelfMetrics "full"
  AddressInterval 2
  SlowInterval 2
  <Cluster "or\\"d\\\\ers">
    Node "bro ker" "http://127.0.0.1:$sim_port/console/jolokia"
  </Cluster>
END
}
node='bro ker'
cluster='or"d\ers'

# wait_for_all: what comes last has come, and some ticks more.
wait_for_all() {
  collectd_wait_for 30 "$node/artemis-queue-sim.queue.00001/gauge-MessageCount" 7
  collectd_wait_for 30 "$node/artemis-broker/gauge-GlobalMaxSize"
  collectd_wait_for 30 "$node/artemis-address-sim.queue.00002/gauge-AddressSize"
  collectd_wait_for 30 "$node/jolokia-$cluster/bool-up" 1
  collectd_wait_for 30 "$node/jolokia-$cluster/response_time-scrape"
  collectd_wait_for 30 agent/jolokia/bool-config_current 1
  wait_until 60 has_ticks 5 || { collectd_show; fail "the ticks do not go on"; }
}
has_ticks() { [ "$(collectd_count "$node/artemis-queue-sim.queue.00001/gauge-MessageCount")" -ge "$1" ]; }

collectd_setup 1
settings | collectd_jolokia
collectd_start
wait_for_all
collectd_ids >"$test_dir/module.ids"
collectd_stop

collectd_setup 1
mkdir "$test_dir/state"
[ "$user" = "$(id -un)" ] || chown "$user" "$test_dir/state"
{
  echo '<Plugin jolokia>'
  echo "  StateDir \"$test_dir/state\""
  settings
  echo '</Plugin>'
} >"$test_dir/exec.conf"
collectd_config <<END
LoadPlugin exec
<Plugin exec>
  Exec "$user" "$top_builddir/jolokiactl" "--config" "$test_dir/exec.conf" "exec"
</Plugin>
END
collectd_start
wait_for_all
is_same() {
  collectd_ids >"$test_dir/exec.ids"
  cmp -s "$test_dir/module.ids" "$test_dir/exec.ids"
}
wait_until 30 is_same || {
  diff "$test_dir/module.ids" "$test_dir/exec.ids"
  fail "not the same identifiers"
}
[ "$(wc -l <"$test_dir/exec.ids")" -gt 100 ] || fail "too few identifiers to tell"
grep -q 'queue-.*"' "$test_dir/exec.ids" || fail "no odd name among them"
pass "$(wc -l <"$test_dir/exec.ids") identifiers, the same as the module's"

# One value a second and series.
collectd_on_grid "$node/artemis-queue-sim.queue.00001/gauge-MessageCount" 5 \
  "$(collectd_value "$node/jolokia-$cluster/total_events-scrape_skipped")" ||
  fail "the values are not one interval apart"
! grep -iE 'putval|exec plugin.*(error|fail)|too old|unknown type' "$collectd_log" || fail "collectd did not like a line"
pass "one interval apart, and nothing in the log"

simnode_stop
# shellcheck disable=SC1003 # a backslash
wait_until 30 grep -qF 'Notification: severity = FAILURE, host = bro ker, plugin = jolokia, plugin_instance = or"d\ers, type = state, type_instance = node, message = node down: connect: ' "$collectd_log" ||
  { collectd_show; fail "no notification of the node that is down"; }
pass "its notifications are collectd's"

program=$(pgrep -P "$collectd_pid" jolokiactl)
[ -n "$program" ] || fail "the program does not run below collectd"
collectd_stop
wait_until 30 is_gone "$program" || fail "the program outlives collectd"
pass "it ends with collectd"
