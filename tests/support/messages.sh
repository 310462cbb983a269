# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The collectd-jolokia authors
# shellcheck shell=bash disable=SC2034,SC2154 # shared with who sources it
# `jolokiactl messages` at simnode: source wait.sh, simnode.sh, ctl.sh first.

queue=sim.queue.00001

# messages_node N [OPTION...]: a simnode whose first queue has N messages, with
# ids from 1000 on; settings in ${conf} with ceilings that hold nothing up.
messages_node() {
  simnode_start --queues 3 --internal --messages "$@"
  conf=$test_dir/messages.conf
  cat >"$conf" <<CONF
<Plugin jolokia>
  StateDir "$test_dir/state"
  <Ceiling>
    RequestsPerSecond 1000
    Burst 100
    ChangesPerSecond 100000
    BytesPerSecond 1000000000
    HandlingShare 60
  </Ceiling>
  <Cluster "orders">
    <Operator>
      Login "same"
    </Operator>
    Node "${node:-a}" "http://127.0.0.1:$sim_port/console/jolokia"
  </Cluster>
</Plugin>
CONF
}

# executed [ANSWER]: how many messages the log says were changed, or asked to be.
executed() { grep -cE " executed [0-9]+ ${1:-.*}\$" "$sim_log"; }

# counts DONE ABSENT FAILED UNKNOWN TEXT: what jolokiactl has said last.
counts() {
  has "^done $1, absent $2, failed $3, unknown $4\$" "$5"
}
