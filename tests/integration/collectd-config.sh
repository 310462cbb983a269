#!/bin/bash
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The collectd-jolokia authors
# A mistake in the configuration costs its cluster: never collectd, nor the
# other clusters. Each is told with place, reason and remedy; no secret is.
# shellcheck disable=SC2154 # what the sourced files set
set -u
# shellcheck source=tests/support/wait.sh
. "${top_srcdir:?}/tests/support/wait.sh"
# shellcheck source=tests/support/simnode.sh
. "$top_srcdir/tests/support/simnode.sh"
# shellcheck source=tests/support/collectd.sh
. "$top_srcdir/tests/support/collectd.sh"
make_test_dir
simnode_start --queues 1

# run_with CURRENT [ID]: collectd with standard input inside <Plugin jolokia>,
# beside a cluster that is well and stands in a block of its own; the well one
# reports, so does ID, and collectd ends with status 0.
run_with() {
  collectd_setup 1
  collectd_jolokia <<END
  <Cluster "well">
    Node "node-well" "http://127.0.0.1:$sim_port/console/jolokia"
  </Cluster>
END
  { echo '<Plugin jolokia>'; cat; echo '</Plugin>'; } | collectd_config
  collectd_start
  collectd_wait_for 30 node-well/artemis-queue-sim.queue.00001/gauge-MessageCount
  collectd_wait_for 30 agent/jolokia/bool-config_current "$1"
  [ -z "${2:-}" ] || collectd_wait_for 30 "$2"
  collectd_stop
}

url="http://127.0.0.1:$sim_port/console/jolokia"
good="  <Cluster \"other\">
    Node \"node-other\" \"http://127.0.0.1:$sim_port/other/console/jolokia\"
  </Cluster>"

run_with 1 node-other/artemis-queue-sim.queue.00001/gauge-MessageCount <<<"$good"
pass "two <Plugin jolokia> blocks merge"

# Each line: what must stand in the log, and the mistaken cluster, "|" between;
# "~" stands for a new line.
n=0
while IFS='|' read -r expected cluster; do
  run_with 0 <<<"<Cluster \"bad\">
${cluster//\~/$'\n'}
</Cluster>"
  grep -E 'jolokia plugin: .*bad' "$collectd_log" | grep -qE "$expected" || {
    collectd_show
    fail "no line with '$expected' for: $cluster"
  }
  grep -q 's3cret' "$collectd_log" "$collectd_dir/stderr" && fail "a secret is in the log: $cluster"
  n=$((n + 1))
done <<END
Colour|Colour "red"
Interval|Interval -1
Interval|Interval "soon"
Username|Node "x" "http://user:s3cret@127.0.0.1/console/jolokia"
its name has a '/'|Node "http://user:s3cret@127.0.0.1/console/jolokia"
AllowPlaintext|Username "u"~Password "s3cret"~Node "x" "http://192.0.2.1/console/jolokia"
node-well|Node "node-well" "http://127.0.0.1:1/console/jolokia"
PasswordFile|Username "u"~PasswordFile "/nonexistent/s"~Node "x" "$url/x"
END
[ $n -ge 8 ] || fail "only $n mistakes tried"
pass "$n mistakes, each told, none fatal"

run_with 0 <<<'<Ceiling>
  RequestsPerSecond "many"
</Ceiling>'
pass "a mistake at the plugin's level"

run_with 0 <<<'MaxMemory 1048576
<Cluster "large">
  <Ceiling>
    MaxObjectBytes 16777216
  </Ceiling>
  Node "node-large" "http://127.0.0.1:1/console/jolokia"
</Cluster>'
grep -q 'MaxMemory 1048576' "$collectd_log" || fail "MaxMemory is not named"
pass "more than MaxMemory: refused by name"

# A file whose settings are as wrong as can be, and no node at all.
collectd_setup 1
collectd_jolokia <<<'<Cluster "">
  Node "only"
</Cluster>
<Cluster "x">
</Cluster>
Nonsense 1 "a" true'
collectd_start
collectd_wait_for 30 agent/jolokia/bool-config_current 0
collectd_wait_for 30 agent/jolokia/gauge-nodes 0
collectd_stop
pass "no node at all"
