#!/bin/bash
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The collectd-jolokia authors
# `collectd -T` tells the truth about the configuration and the nodes: status 0
# where all is well, 1 where a node fails or the settings have a mistake; soon,
# also with a node that never answers.
# shellcheck disable=SC2154 # what the sourced files set
set -u
# shellcheck source=tests/support/wait.sh
. "${top_srcdir:?}/tests/support/wait.sh"
# shellcheck source=tests/support/simnode.sh
. "$top_srcdir/tests/support/simnode.sh"
# shellcheck source=tests/support/collectd.sh
. "$top_srcdir/tests/support/collectd.sh"
make_test_dir
simnode_start --ports 3 --queues 2 --hazard 2:hang --hazard 3:backup

# try STATUS TEXT: collectd -T with standard input inside <Plugin jolokia>.
try() {
  local status=0 began=$SECONDS
  collectd_setup 1
  collectd_jolokia
  collectd_test || status=$?
  [ "$status" -eq "$1" ] || { collectd_show; fail "$2: status $status, expected $1"; }
  [ $((SECONDS - began)) -le 60 ] || fail "$2: it took $((SECONDS - began)) s"
  pass "$2: status $status"
}
well="Node \"node-well\" \"http://127.0.0.1:${sim_ports[0]}/console/jolokia\""

try 0 "a node that is well" <<<"<Cluster \"a\">
  $well
</Cluster>"
grep -q 'node node-well (cluster a) is active: Artemis 2.40.0, [1-9][0-9]* values' "$collectd_log" ||
  fail "the log does not say what it found"

try 0 "a backup is well" <<<"<Cluster \"a\">
  Node \"node-b\" \"http://127.0.0.1:${sim_ports[2]}/console/jolokia\"
</Cluster>"

try 1 "a node that never answers" <<<"<Cluster \"a\">
  $well
  <Node \"node-hung\">
    URL \"http://127.0.0.1:${sim_ports[1]}/console/jolokia\"
    Timeout 1
  </Node>
</Cluster>"
grep -q 'node node-hung (cluster a) failed: timeout: ' "$collectd_log" ||
  fail "the log does not name the node that failed"
grep -q 'node node-well (cluster a) is active' "$collectd_log" ||
  fail "the log does not say that the other is well"

try 1 "a mistake in the settings" <<<"<Cluster \"a\">
  $well
</Cluster>
<Cluster \"b\">
  Colour \"red\"
</Cluster>"
