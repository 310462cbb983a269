#!/bin/bash
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The collectd-jolokia authors
# Discovery against the stand-in: a member that a topology names is probed under
# its own URL and then watched; it is dropped when it is gone; a host that
# DiscoverHosts does not allow does not see one connection, and is named once.
# shellcheck disable=SC2154 # what the sourced files set
set -u
# shellcheck source=tests/support/wait.sh
. "${top_srcdir:?}/tests/support/wait.sh"
# shellcheck source=tests/support/simnode.sh
. "$top_srcdir/tests/support/simnode.sh"
# shellcheck source=tests/support/ctl.sh
. "$top_srcdir/tests/support/ctl.sh"
make_test_dir
ctl_setup

topology=$test_dir/topology
# name_members ENTRY...: what the brokers answer from now on, whole at once.
name_members() {
  local IFS=,
  echo "[$*]" >"$topology.new"
  mv "$topology.new" "$topology"
}
member() { echo "{\"nodeID\":\"$1\",\"live\":\"$2\",\"primary\":\"$2\"}"; }
# broker NAME OPTION...: sets ${port}, ${log}, ${pid}.
broker() {
  simnode_name=$1
  simnode_start --name "$1" --queues 1 --hazard auth=monitor:secret \
    --set "broker.NodeID=\"n-$1\"" --topology "@$topology" "${@:2}"
  port=$sim_port log=$sim_log pid=$sim_pid
}
series() { grep -c "^PUTVAL \"$1/artemis-broker/current_connections-ConnectionCount\"" "$out"; }
has_more() { [ "$(series "$1")" -gt "$2" ]; }

broker a
port_a=$port
broker b
port_b=$port log_b=$log pid_b=$pid
broker evil --listen 127.0.0.9
port_evil=$port log_evil=$log

conf=$test_dir/cluster.conf
cat >"$conf" <<END
<Plugin jolokia>
  StateDir "$test_dir/state"
  <Cluster "orders">
    Username "monitor"
    Password "secret"
    AllowPlaintext true
    Interval 1
    Node "a" "http://127.0.0.1:$port_a/console/jolokia"
    Discover true
    DiscoverHosts "127.0.0.1"
    URLTemplate "http://{host}:$port_evil/console/jolokia"
    NodeURL "b.core:61616" "http://127.0.0.1:$port_b/console/jolokia"
    DiscoverInterval 1
    ForgetAfter 2
  </Cluster>
</Plugin>
END
name_members "$(member n-a 10.0.0.1:61616)" "$(member n-b b.core:61616)" \
  "$(member n-evil 127.0.0.9:61616)" "$(member n-c null:null)" '{}'

finds() {
  "${top_builddir:?}/jolokiactl" --config "$conf" exec >"$out" 2>"$err" &
  exec_pid=$!
  end_with_test "$exec_pid"
  wait_until 30 has_more b 0 || { show; fail "b is not found"; }
  awk '$4 == "operations" { print $6, $7, $8, $9, $10, $11; exit }' "$log_b" |
    grep -q '^5 version search read exec:canInvoke exec:canInvoke$' ||
    fail "b was not probed first: $(grep -m 1 operations "$log_b")"
  [ "$(wc -l < <(awk '$4 == "answered" && $6 != 200' "$log_b"))" = 0 ] || fail "b refused a login"
}

refuses() {
  wait_until 30 grep -q '127.0.0.9:61616 is not watched: denied: .*DiscoverHosts "127.0.0.9"' "$err" ||
    { show; fail "the hostile host is not named"; }
  # Some discoveries later: still once, and not one byte.
  local before
  before=$(series b)
  wait_until 30 has_more b $((before + 3)) || fail "b's values have stopped"
  [ "$(grep -c '127.0.0.9' "$err")" = 1 ] || { show; fail "it is named more than once"; }
  ! grep -q . "$log_evil" || fail "it saw: $(head -n 3 "$log_evil")"
}

drops() {
  name_members "$(member n-a 10.0.0.1:61616)"
  end_process "$pid_b" || fail "the stand-in had to be killed"
  wait_until 30 grep -q 'node b is watched no longer' "$err" || { show; fail "b is not dropped"; }
  local before a
  a=$(series a)
  wait_until 30 has_more a "$a" || fail "a's values have stopped"
  before=$(grep -c '^PUTVAL "b/' "$out")
  a=$(series a)
  wait_until 30 has_more a $((a + 2)) || fail "a's values have stopped"
  [ "$(grep -c '^PUTVAL "b/' "$out")" = "$before" ] || fail "b has values after it was dropped"
}

finds
refuses
drops
