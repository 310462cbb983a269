#!/bin/bash
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The collectd-jolokia authors
# jolokiactl check --why names each reason for which a series is missing.
# shellcheck disable=SC2154 # what the sourced files set
set -u
# shellcheck source=tests/support/wait.sh
. "${top_srcdir:?}/tests/support/wait.sh"
# shellcheck source=tests/support/simnode.sh
. "$top_srcdir/tests/support/simnode.sh"
# shellcheck source=tests/support/ctl.sh
. "$top_srcdir/tests/support/ctl.sh"
need jq
make_test_dir
ctl_setup
conf=$test_dir/conf

# A broker of many hazards, each under a path of its own; and an old one.
simnode_start --queues 3 --internal --hazard 2:auth=monitor:right --ports 2 \
  --set sim.queue.00003.MessagesAdded=-5 --set broker.DiskStoreUsage=-1 \
  --set broker.AddressMemoryUsagePercentage=true --set broker.GlobalMaxSize='"much"' \
  --set broker.PendingMirrorAcks='"ERROR: java.lang.NullPointerException (class java.lang.NullPointerException)"' \
  --set broker.MaxDiskUsage=null
new=http://127.0.0.1:$sim_port login=http://127.0.0.1:${sim_ports[1]}
simnode_name=old simnode_start --version 2.18.0
old=http://127.0.0.1:$sim_port
simnode_name=young simnode_start --set broker.UptimeMillis=5000
young=http://127.0.0.1:$sim_port
nobody=http://127.0.0.1:$(free_ports 1)

queues_pattern='org.apache.activemq.artemis:broker="sim",component=addresses,address=*,subcomponent=queues,routing-type=*,queue=*'
node() { printf '    Node "%s" "%s/console/jolokia"\n' "$1" "$2"; }
(umask 077 && echo wrong >"$test_dir/password")
{
  echo 'WriteQueueLimitHigh 1000000'
  echo '<Plugin jolokia>'
  echo "  StateDir \"$test_dir/state\""
  echo '  <Set "broker">'
  echo '    <MBean "org.apache.activemq.artemis:broker=\"sim\"">'
  echo '      Prefix "b"'
  for attribute in GlobalMaxSize MaxDiskUsage PendingMirrorAcks ConnectionCount ConectionCount; do
    echo "      Attribute \"$attribute\""
  done
  echo '      Attribute "DiskStoreUsage" "Disk" "derive"'
  echo '    </MBean>'
  echo '    <MBean "org.apache.activemq.artemis:broker=\"simm\"">'
  echo '      Prefix "other"'
  echo '      Attribute "ConnectionCount"'
  echo '    </MBean>'
  echo "    <MBean \"${queues_pattern//\"/\\\"}\">"
  echo '      Prefix "q"'
  echo '      Instance "%{queue}"'
  echo '      Attribute "MessageCount"'
  echo '      Attribute "MesageCount"'
  echo '    </MBean>'
  echo '    <MBean "org.apache.activemq.artemis:broker=*">'
  echo '      Prefix "slow"'
  echo '      Tier "slow"'
  echo '      Attribute "ConnectionCount"'
  echo '    </MBean>'
  echo '  </Set>'
  echo '  <Set "alike">'
  for pattern in 'java.lang:type=MemoryPool,name=*' "$queues_pattern"; do
    echo "    <MBean \"${pattern//\"/\\\"}\">"
    echo '      Prefix "n"'
    case $pattern in *queue=*) echo '      Instance "%{queue}"' ;; esac
    echo '      Attribute "MessageCount"'
    echo '    </MBean>'
  done
  echo '  </Set>'
  echo '  <Cluster "c">'
  echo '    Set "artemis" "broker"'
  node plain "$new"
  for hazard in backup not-started no-broker nulls text-number denied-exec; do
    node "$hazard" "$new/$hazard"
  done
  node policy "$new/policy=read"
  node fault "$new/fault=ConnectionCount"
  node origin "$new/origin=other"
  node hide "$new/hide=sim.queue.00002"
  node old "$old"
  node young "$young"
  node nobody "$nobody"
  echo '  </Cluster>'
  echo '  <Cluster "filtered">'
  node filtered "$new/node=filtered"
  echo '    <Queues>'
  echo '      Exclude "other" "*.00001"'
  echo '      Exclude "/[.]0+2$/"'
  echo '    </Queues>'
  echo '    <Addresses>'
  echo '      Include "sim.*3"'
  echo '    </Addresses>'
  echo '  </Cluster>'
  echo '  <Cluster "addressed">'
  node addressed "$new/node=addressed"
  echo '    <Queues>'
  echo '      ExcludeAddress "*.0000[1]"'
  echo '    </Queues>'
  echo '  </Cluster>'
  echo '  <Cluster "capped">'
  node capped "$new/node=capped"
  echo '    <Queues>'
  echo '      MaxQueues 2'
  echo '    </Queues>'
  echo '  </Cluster>'
  echo '  <Cluster "nosums">'
  node nosums "$new/node=nosums"
  echo '    <Queues>'
  echo '      Keep "vital"'
  echo '    </Queues>'
  echo '  </Cluster>'
  echo '  <Cluster "listed">'
  node listed "$new/denied-exec+node=listed"
  echo '    <Queues>'
  echo '      Source "list"'
  echo '    </Queues>'
  echo '  </Cluster>'
  echo '  <Cluster "read">'
  node reader "$new/hide=sim.queue.00002+node=read"
  echo '    <Queues>'
  echo '      Source "read"'
  echo '    </Queues>'
  echo '  </Cluster>'
  echo '  <Cluster "cut">'
  echo '    Set "broker"'
  echo '    <Queues>'
  echo '      MaxQueues 2'
  echo '    </Queues>'
  node cut "$new/node=cut"
  echo '  </Cluster>'
  echo '  <Cluster "merged">'
  echo "    <MBean \"${queues_pattern//\"/\\\"}\">"
  echo '      Prefix "m"'
  echo '      Instance "all"'
  echo '      Attribute "MessageCount"'
  echo '    </MBean>'
  node merged "$new/node=merged"
  echo '  </Cluster>'
  echo '  <Cluster "alike">'
  echo '    Set "alike"'
  node alike "$new/node=alike"
  echo '  </Cluster>'
  echo '  <Cluster "slow">'
  node slow "$new/node=slow"
  echo '    <Ceiling>'
  echo '      RequestsPerSecond 0.001'
  echo '    </Ceiling>'
  echo '  </Cluster>'
  echo '  <Cluster "login">'
  echo '    Username "monitor"'
  echo "    PasswordFile \"$test_dir/password\""
  for number in 1 2 3 4; do node "login-$number" "$login/node=$number"; done
  echo '  </Cluster>'
  echo '</Plugin>'
} >"$conf"

# why NODE SERIES REASON TEXT [REMEDY]: REASON - if there is none.
seen=()
why() {
  local expected=1
  [ "$3" != - ] || expected=0
  ctl check --json --why "$1/$2"
  expect_code $expected "$1/$2"
  [ "$(jq -r '.reason // "-"' "$out")" = "$3" ] || { show; fail "$1/$2: not $3"; }
  jq -e --arg text "$4" '.text | contains($text)' "$out" >/dev/null || { show; fail "$1/$2: not said: $4"; }
  jq -e --arg text "${5:-}" '(.remedy // "") | contains($text)' "$out" >/dev/null ||
    { show; fail "$1/$2: no remedy: $5"; }
  [ "$(jq .requests "$out")" -le 3 ] || fail "$1/$2: more than three requests"
  seen+=("$3")
}
queue() { echo "artemis-queue-sim.queue.0000$1/${2:-gauge-MessageCount}"; }

why plain "$(queue 1)" - 'every 10 s'
[ "$(jq -c '[.value, .unit, .requests]' "$out")" = '[0,"messages",2]' ] || { show; fail "the value is not shown"; }
why plain "artemis-queue-sim.queue.001" no_mbean 'near to it are queue-sim.queue.00001, queue-sim.queue.00002' names
why plain "$(queue 1 gauge-MessageCoun)" no_attribute 'near to it is MessageCount' '<MBean>'
why plain "$(queue 1 count-MessageCount)" other_type 'the series is gauge-MessageCount'
why plain "$(queue 3 derive-MessagesAdded)" negative 'is a counter, and the broker says -5'
why plain artemis-broker/percent-DiskStoreUsage unknown 'does not know'
why plain artemis-broker/gauge-AddressMemoryUsagePercentage wrong_type 'due as a number'
why plain artemis-broker/gauge-GlobalMaxSize text '"much"'
why plain artemis-broker/gauge-MaxDiskUsage null 'says null'
why plain artemis-broker/gauge-PendingMirrorAcks fault 'NullPointerException'
why plain artemis-queue-0f3a52b1-7a1c-4a55-9d27-0c5e5a0d3f11 excluded 'internal or temporary' Keep
why plain artemis-address-0f3a52b1-7a1c-4a55-9d27-0c5e5a0d3f11 excluded 'nobody chose' Keep
why plain artemis-broker/gauge-ExpiredMessages - 'gives it'
why nosums artemis-broker/gauge-DeadLetterMessages no_mbean 'Keep names no queue' Keep
why backup "$(queue 1)" backup 'the node is' 'is active'
why backup artemis-broker/bool-Active - 'gives it'
why not-started "$(queue 1)" not_started 'not started' wait
why no-broker "$(queue 1)" no_broker ''
why nulls "$(queue 1)" null 'says null'
why text-number "$(queue 1)" text '"12 messages"'
why policy "$(queue 1)" refused_by_policy 'is forbidden' jolokia-access.xml
why origin "$(queue 1)" refused_by_policy 'Origin' Origin
why fault artemis-broker/current_connections-ConnectionCount refused_by_role 'not authorized' role
why listed "$(queue 1)" refused_by_role 'not authorized' role
why denied-exec "$(queue 1)" - 'gives it'
why hide artemis-address-sim.queue.00002 hidden_by_role 'does not show its MBean' permission
why hide "$(queue 2)" - 'gives it'
why reader "$(queue 2)" hidden_by_role 'does not show its MBean' permission
why reader artemis-queue-sim.queue.00009 no_mbean 'near to it'
why filtered "$(queue 1)" excluded "Exclude \"*.00001\" ($conf:$(grep -n '00001"' "$conf" | cut -d: -f1))" 'remove that pattern'
why filtered "$(queue 2)" excluded 'Exclude "/[.]0+2$/"' 'remove that pattern'
why filtered artemis-address-sim.queue.00001 excluded 'Include "sim.*3"' 'add a pattern'
why filtered artemis-address-sim.queue.00003 - ''
why addressed "$(queue 1)" excluded 'by its address: ExcludeAddress "*.0000[1]"' 'remove that pattern'
why addressed "$(queue 2)" - 'gives it'
why capped "$(queue 3)" over_cap 'MaxQueues is 2, and 3 are wanted: a collectd that starts now would leave this one out' 'raise MaxQueues'
why capped "$(queue 1)" over_cap 'would take this one; one that runs keeps the names that it knew before, and may leave it out' 'raise MaxQueues'
[ "$(jq .value "$out")" = 0 ] || { show; fail "over_cap: not the value that there may be"; }
why capped artemis-queue-DLQ - ''
ctl check capped
has 'left out +by MaxQueues, if it were chosen now: queue-sim' "check of a cap"
why old artemis-broker/current_sessions-SessionCount older_version 'came with Artemis 2.40, and this broker is 2.18.0' upgrade
why young "$(queue 1 derive-MessagesAdded)" held_back 'started 5' wait
why young "$(queue 1)" - 'gives it'
why nobody "$(queue 1)" node_down 'connect' check
why login-1 artemis-broker/bool-Active login_refused '' Password
why slow artemis-broker/bool-Active no_permit '' limits
why elsewhere artemis-broker/bool-Active no_node 'no node of the settings is named elsewhere'
why plain jolokia-c/total_requests-scrape no_series 'is no series' artemis-queue-NAME
pass "each reason is named"

# Of MBeans.
jmx() { why "$1" "jmx-$2" "${@:3}"; }
jmx plain b/gauge-ConnectionCount - 'gives it'
[ "$(jq -c '[.value, .series, .requests]' "$out")" = '[7,"jmx-b/gauge-ConnectionCount",1]' ] || { show; fail "the value of an MBean"; }
jmx plain b/gauge-GlobalMaxSize text '"much"' Map
jmx plain b/gauge-MaxDiskUsage null 'says null'
jmx plain b/gauge-PendingMirrorAcks fault 'NullPointerException'
jmx plain b/derive-Disk negative 'is a counter'
jmx plain b/gauge-Disk other_type 'the series is derive-Disk'
jmx plain b/gauge-ConectionCount no_attribute 'near to it are ConnectionCount' 'MBean'
jmx plain b/gauge-GlobalMaxSise no_attribute 'near to it are GlobalMaxSize' 'name it'
jmx plain other no_mbean 'near to it are org.apache.activemq.artemis:broker="sim"' 'mend'
jmx plain q-sim.queue.00001 - 'gives it'
jmx plain q-sim.queue.0001 no_mbean 'near to it are q-sim.queue.00001'
jmx plain q-sim.queue.00001/gauge-MesageCount no_attribute 'near to it are MessageCount'
jmx plain none no_series 'no <MBean> block' '<MBean>'
jmx hide q-sim.queue.00002 no_mbean 'near to it are' 'may view it'
jmx policy b/gauge-ConnectionCount refused_by_policy 'is forbidden' jolokia-access.xml
jmx fault b/gauge-ConnectionCount refused_by_role 'not authorized' role
jmx cut q-sim.queue.00003 over_cap 'would leave this one out' MaxQueues
jmx cut q-sim.queue.00001 over_cap 'may leave it out' MaxQueues
ctl check cut
has 'left out +by MaxQueues, if it were chosen now: q-' "check of a cap of MBeans"
ctl check --json cut
has '"over_mbeans":\["q-' "check --json of a cap of MBeans"
jmx merged m-all - 'gives it'
ctl check merged
has 'left out +by name_taken.*: org.apache' "check of a name that is taken"
ctl check --json merged
has '"name_taken":\["org.apache' "check --json of a name that is taken"
why plain jvm-memory no_attribute 'the set jvm' Set
ctl check --json --why "queue-$(head -c 100000 /dev/zero | tr '\0' x)" c/plain
expect_code 1 "a very long series"
has '"reason":"no_series"' "a very long series"
pass "MBeans' series, too"

# By their object names, and by a pattern of them.
ctl check --json --why 'java.lang:type=Memory/HeapMemoryUsage' c/plain
has '"reason":"no_series"' "an MBean that no block reads"
ctl check --json --why 'org.apache.activemq.artemis:broker=*,component=addresses,address=*,subcomponent=queues,routing-type=*,queue=*/MessageCount' c/plain
expect_code 0 "a pattern"
[ "$(jq -r .series "$out" | head -n 4 | sort | tr '\n' ' ')" = "$(printf '%s-sim.queue.0000%d/gauge-MessageCount ' artemis-queue 1 artemis-queue 2 jmx-q 1 jmx-q 2)" ] ||
  { show; fail "a pattern: other series"; }
[ "$(jq -r .series "$out" | grep -c '^artemis')" = 5 ] || { show; fail "a pattern: not of the first five"; }
ctl check --json --why 'java.lang:*' c/plain
has '"reason":"no_mbean"' "a pattern of no MBean"
ctl check --json --why artemis-broker/bool-Active login
[ "$(jq -r .reason "$out" | tr '\n' ' ')" = 'login_refused login_refused login_refused login_held ' ] || { show; fail "a held login"; }
pass "object names, patterns of them, a held login"

ctl hold c/plain --for 1m
expect_code 0 "hold"
why plain "$(queue 1)" node_held '' release
ctl release c/plain
expect_code 0 "release"

# By its object name, with and without an attribute.
ctl check --json --why 'org.apache.activemq.artemis:broker="sim",queue="sim.queue.00002",component=addresses,address="sim.queue.00002",subcomponent=queues,routing-type="anycast"/MessagesAdded' c/plain
expect_code 0 "an object name"
[ "$(jq -r .series "$out")" = artemis-queue-sim.queue.00002/derive-MessagesAdded ] || { show; fail "an object name: another series"; }
pass "series and object names are taken"

# An object name is looked for in all that may read it, and whose it is is said.
mbean='org.apache.activemq.artemis:queue="sim.queue.00002",address="sim.queue.00002",broker="sim",component=addresses,subcomponent=queues,routing-type="anycast"'
by_name() { # NODE OBJECT-NAME EXPECTED
  ctl check --json --why "$2" "$1"
  [ "$(jq -r '"\(.series) \(.source) \(.reason)"' "$out" | tr '\n' ' ')" = "$3 " ] || { show; fail "$1 $2: not $3"; }
}
block="<MBean \"${queues_pattern}\">"
by_name c/plain "$mbean" "artemis-queue-sim.queue.00002/gauge-MessageCount Set \"artemis\" null jmx-q-sim.queue.00002/gauge-MessageCount $block null"
by_name c/plain "$mbean/MesageCount" "jmx-q-sim.queue.00002/gauge-MesageCount $block no_attribute"
by_name c/plain "$mbean/MessageCoun" "$mbean null no_attribute"
by_name cut/cut "$mbean" "jmx-q-sim.queue.00002/gauge-MessageCount $block over_cap"
by_name read/reader "$mbean/MesageCount" "$mbean null no_attribute"
by_name merged/merged "$mbean" "artemis-queue-sim.queue.00002/gauge-MessageCount Set \"artemis\" null jmx-m-all/gauge-MessageCount $block name_taken"
by_name cut/cut "${mbean/artemis:/other:}" "${mbean/artemis:/other:} null no_series"
by_name c/plain 'com.example:type=Endpoint,address=sim.queue.00002' 'com.example:type=Endpoint,address=sim.queue.00002 null no_series'
by_name c/plain 'org.apache.activemq.artemis:broker="sim"/Active' 'artemis-broker/bool-Active Set "artemis" null'
# Blocks whose series begin alike.
why alike jmx-n-sim.queue.00003 - 'gives it'
[ "$(jq -r .source "$out")" = "$block" ] || { show; fail "blocks alike: another one's"; }
why alike jmx-n-sim.queue.00009 no_mbean 'and of 1 other blocks'
pass "whose a series is"

# MBeans both ways: by a series, by an object name in any order of its keys.
ctl names --json c/plain plain/jmx-b/gauge-ConnectionCount artemis-broker/bool-Active "$mbean"
expect_code 0 "names of MBeans"
[ "$(jq -r '"\(.object) \(.series)"' "$out" | sort | tr '\n' ' ')" = 'broker plain/artemis-broker mbean plain/jmx-b mbean plain/jmx-q-sim.queue.00002 queue plain/artemis-queue-sim.queue.00002 ' ] ||
  { show; fail "names of MBeans: others"; }
[ "$(jq -r 'select(.instance == "b").name' "$out")" = 'org.apache.activemq.artemis:broker="sim"' ] ||
  { show; fail "names: a series leads to another MBean"; }
ctl names --json --offline c/plain "$mbean"
[ "$(jq -r .series "$out" | tr '\n' ' ')" = 'plain/artemis-queue-sim.queue.00002 plain/jmx-q-sim.queue.00002 ' ] ||
  { show; fail "names --offline of an MBean"; }
# A node whose sets have no queues has no series of them.
ctl names --json cut sim.queue.00002 "$mbean" queue-sim.queue.00001
expect_code 1 "names of a node without queues"
[ "$(jq -r .series "$out")" = cut/jmx-q-sim.queue.00002 ] || { show; fail "names: series that are not read"; }
ctl names --json --offline cut sim.queue.00002
expect_code 1 "names --offline of a node without queues"
[ ! -s "$out" ] || { show; fail "names --offline: series that are not read"; }
ctl names c/plain jmx-q-sim.queue.00009
expect_code 1 "a series that no MBean has"
pass "names tells of MBeans, both ways"

# collectd's own queue: fewer places than a round has values.
sed -i 's/^WriteQueueLimitHigh .*/WriteQueueLimitHigh 40/' "$conf"
why plain "$(queue 1)" write_queue 'WriteQueueLimitHigh is 40' 'raise WriteQueueLimitHigh'
sed -i '/^WriteQueueLimitHigh/d' "$conf"

# A broker that was not started when it was scraped: its addresses are not due.
port=$(free_ports 1)
simnode_name=late simnode_start --hazard not-started --port "$port"
late=$sim_pid
sed -i "s,\"$nobody/,\"http://127.0.0.1:$port/," "$conf"
ctl poll c/nobody
end_process "$late" || fail "simnode had to be killed"
simnode_name=later simnode_start --port "$port"
why nobody artemis-address-sim.queue.00001 not_due 'every 60 s' wait
why nobody jmx-slow-sim not_due 'every 300 s' SlowInterval
ctl poll c/nobody
why nobody artemis-address-sim.queue.00001 - 'the last time about'
why nobody jmx-slow-sim - 'the last time about'
pass "what collectd does with it is told, too"

# The other command, and people.
ctl names --why "plain/$(queue 1)" c
expect_code 0 "names --why"
has '^c/plain artemis-queue-sim.queue.00001/gauge-MessageCount$' "names --why"
has '^  value    0 messages$' "names --why"
ctl check --why "plain/artemis-queue-sim.queue.001"
has '^  reason   no_mbean: ' "check --why"
has '^  remedy   ' "check --why"
