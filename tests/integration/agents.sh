#!/bin/bash
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The collectd-jolokia authors
# Real agents, side by side: Artemis 2.18.0 and 2.40.0, Jolokia's JVM agents of
# 1.x and 2.x on a plain Java program, ActiveMQ Classic. Every value is what curl
# gets of the same agent: as it was before, or after, or between, in one of some
# rounds. One table.
# shellcheck disable=SC2154 # what the sourced files set
set -u
# shellcheck source=tests/support/wait.sh
. "${top_srcdir:?}/tests/support/wait.sh"
# shellcheck source=tests/support/simnode.sh
. "$top_srcdir/tests/support/simnode.sh"
# shellcheck source=tests/support/artemis.sh
. "$top_srcdir/tests/support/artemis.sh"
# shellcheck source=tests/support/agent.sh
. "$top_srcdir/tests/support/agent.sh"
need curl java javac python3
[ -f /usr/share/activemq/bin/activemq.jar ] || skip "no ActiveMQ Classic (package activemq)"
for version in 2.18.0 2.40.0; do
  artemis_fetch $version || skip "$artemis_why"
done
for version in 1.7.2 2.1.2; do
  agent_fetch $version || skip "$artemis_why"
done
make_test_dir
conf=$test_dir/jolokia.conf
values=$test_dir/values
agents=$top_srcdir/tests/support/agents.py
"${top_builddir:?}/tests/support/print-attributes" --list >"$values" || fail "no list of values"

# of_sets SET...: their values, of the table.
of_sets() {
  local set
  for set in "$@"; do grep "^$set"$'\t' "$values"; done
}
row() { local IFS=$'\t'; echo "block${*:+$'\t'}$*"; }

# -- They start, all at once --

classic_start() {
  mkdir -p "$1"
  cat >"$1/activemq.xml" <<EOF
<beans xmlns="http://www.springframework.org/schema/beans"
  xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"
  xsi:schemaLocation="http://www.springframework.org/schema/beans http://www.springframework.org/schema/beans/spring-beans-2.0.xsd
  http://activemq.apache.org/schema/core http://activemq.apache.org/schema/core/activemq-core.xsd">
  <broker xmlns="http://activemq.apache.org/schema/core" useJmx="true"
    brokerName="classic" persistent="false" dataDirectory="$1/data">
    <managementContext><managementContext createConnector="false"/></managementContext>
  </broker>
</beans>
EOF
  agent_start "$1" 1.7.2 -Dactivemq.home=/usr/share/activemq "-Dactivemq.base=$1" \
    "-Dactivemq.conf=$1" -jar /usr/share/activemq/bin/activemq.jar start "xbean:file:$1/activemq.xml"
}

# Room for the rubbish of several rounds: what is used then grows most of the time.
roomy_run() {
  sed -i 's/-Xms64M/-Xms300M -Xmn240M/' "$1/etc/artemis.profile"
  artemis_run "$1"
}

classic_start "$test_dir/classic"
javac -d "$test_dir" "$top_srcdir/tests/support/Beans.java" || fail "Beans.java does not compile"
agent_start "$test_dir/jvm-1" 1.7.2 -cp "$test_dir" Beans
agent_start "$test_dir/jvm-2" 2.1.2 -cp "$test_dir" Beans
artemis_create 2.18.0 "$test_dir/a218" & creating=$!
artemis_create 2.40.0 "$test_dir/a240" || fail "$artemis_why"
roomy_run "$test_dir/a240"
wait $creating || fail "no Artemis 2.18.0: $(tail -n 3 "$test_dir/a218.create")"
roomy_run "$test_dir/a218"

# -- What they are asked --

printf '%s\n' "$artemis_password" >"$test_dir/password"
chmod 600 "$test_dir/password"

node() { # NAME URL LINE...
  printf '<Node "%s">\nURL "%s"\n' "$1" "$2"
  printf '%s\n' "${@:3}" '</Node>'
}
{
  echo '<Plugin jolokia>'
  echo "StateDir \"$test_dir/state\""
  cat <<'EOF'
<Set "kinds">
  <MBean "test:type=Kinds">
    Prefix "kinds"
    Attribute "Huge" "huge" "derive"
    Attribute "Odd" "odd" "derive"
    Attribute "Negative" "negative"
    Attribute "Fraction" "fraction"
    Attribute "Nan" "nan"
    Attribute "Infinite" "infinite"
    Attribute "Started" "started"
    <Attribute "State">
      TypeInstance "state"
      Map "STARTED" 1
    </Attribute>
    <Attribute "Other">
      TypeInstance "other"
      Map "STARTED" 1
    </Attribute>
    Attribute "NumberAsText" "text"
    Attribute "NoNumber" "no_number"
    Attribute "Nothing" "nothing"
    Attribute "Broken" "broken"
    Attribute "Absent" "absent"
    Attribute "x.y" "dotted"
    Attribute "a!/b" "slashed"
    Attribute "Usage/used" "used" "bytes"
    Attribute "Table/a!/b/used" "of_table" "bytes"
    <Attribute "In" "Out">
      TypeInstance "net"
      Type "if_octets"
    </Attribute>
    <Attribute "Odd">
      TypeInstance "scaled"
      Scale 0.001
    </Attribute>
  </MBean>
  <MBean "test:type=Kinds">
    Prefix "each"
    Attribute "Table/*/used" "used" "bytes"
  </MBean>
  <MBean "test:type=Named,name=*">
    Prefix "named"
    Attribute "Odd" "odd" "derive"
    Attribute "Nan" "nan"
  </MBean>
</Set>
<Cluster "agents">
  Origin "http://localhost"
EOF
  for name in a218 a240; do
    node "$name" "$(artemis_url "$test_dir/$name")" 'Set "artemis-detail" "jvm"' \
      'Username "admin"' "PasswordFile \"$test_dir/password\""
  done
  node jvm-1 "$(agent_url "$test_dir/jvm-1")" 'Set "jvm" "kinds"'
  node jvm-2 "$(agent_url "$test_dir/jvm-2")" 'Set "jvm" "kinds"'
  printf '</Cluster>\n</Plugin>\n'
} >"$conf"
# The sample, at the port that is free here.
{
  echo "StateDir \"$test_dir/state\""
  sed "s,http://127.0.0.1:8778/jolokia/,$(agent_url "$test_dir/classic")," \
    "$top_srcdir/contrib/collectd/classic.conf"
} >"$test_dir/classic.conf"

kinds=test:type=Kinds
of_sets artemis artemis-detail jvm >"$test_dir/artemis.table"
{
  of_sets jvm
  for value in huge:derive:Huge:1:1 odd:derive:Odd:1:1 negative:gauge:Negative:1:0 \
    fraction:gauge:Fraction:1:0 nan:gauge:Nan:1:0 infinite:gauge:Infinite:1:0 \
    started:gauge:Started:1:0 state:gauge:=STARTED=1=State:1:0 \
    other:gauge:=STARTED=1=Other:1:0 text:gauge:NumberAsText:1:0 \
    no_number:gauge:NoNumber:1:0 nothing:gauge:Nothing:1:0 broken:gauge:Broken:1:0 \
    absent:gauge:Absent:1:0 dotted:gauge:x.y:1:0 'slashed:gauge:a!/b:1:0' \
    used:bytes:Usage/used:1:0 'of_table:bytes:Table/a!/b/used:1:0' \
    net:if_octets:In+Out:1:1 scaled:gauge:Odd:0.001:0; do
    IFS=: read -r label type path scale derive <<<"$value"
    row $kinds jmx kinds '' "$type" "$label" "$path" "$scale" "$derive" 0 0
  done
  row $kinds jmx each '' bytes used-first Table/first/used 1 0 0 0
  row $kinds jmx each '' bytes 'used-with space' 'Table/with space/used' 1 0 0 0
  row $kinds jmx each '' bytes 'used-{a/b}' 'Table/a!/b/used' 1 0 0 0
  row 'test:type=Named,name=*' jmx named name derive odd Odd 1 1 0 0
  row 'test:type=Named,name=*' jmx named name gauge nan Nan 1 0 0 0
} >"$test_dir/jvm.table"
queues='org.apache.activemq:type=Broker,brokerName=*,destinationType=Queue,destinationName=*'
{
  of_sets classic jvm | grep -v destinationType=Topic
  row "$queues" jmx queue brokerName+destinationName duration AverageEnqueueTime AverageEnqueueTime 0.001 0 0 0
} >"$test_dir/classic.table"

# -- They have something to tell --

broker=org.apache.activemq:type=Broker,brokerName=classic
agent_wait "$test_dir/jvm-1" '{"type":"version"}' '"agent"'
agent_wait "$test_dir/jvm-2" '{"type":"version"}' '"agent"'
agent_wait "$test_dir/classic" "{\"type\":\"exec\",\"mbean\":\"$broker\",\"operation\":\"addQueue(java.lang.String)\",\"arguments\":[\"ORDERS/x\"]}" '"status":200'
agent_jolokia "$test_dir/classic" "{\"type\":\"exec\",\"mbean\":\"$broker,destinationType=Queue,destinationName=ORDERS/x\",\"operation\":\"sendTextMessage(java.lang.String)\",\"arguments\":[\"hello\"]}" | grep -q '"status":200' ||
  fail "ActiveMQ Classic takes no message"
artemis_wait "$test_dir/a218" '"Active":true'
artemis_wait "$test_dir/a240" '"Active":true'
for name in a218 a240; do
  artemis_jolokia "$test_dir/$name" "[{\"type\":\"exec\",\"mbean\":\"$(artemis_mbean_json "$test_dir/$name")\",\"operation\":\"createQueue(java.lang.String,java.lang.String,java.lang.String)\",\"arguments\":[\"ORDERS\",\"ORDERS\",\"ANYCAST\"]},{\"type\":\"exec\",\"mbean\":\"$(artemis_mbean_json "$test_dir/$name"),component=addresses,address=\\\"ORDERS\\\",subcomponent=queues,routing-type=\\\"anycast\\\",queue=\\\"ORDERS\\\"\",\"operation\":\"sendMessage(java.util.Map,int,java.lang.String,boolean,java.lang.String,java.lang.String)\",\"arguments\":[{},3,\"hello\",true,\"admin\",\"$artemis_password\"]}]" |
    grep -q '"status":200.*"status":200' || fail "$name takes no message"
done

# -- And the table --

ask() { # FUNCTION FOLDER REQUEST FILE
  "$1" "$2" "$(cat "$3")" >"$4" || fail "no reply from $2"
}
# look NAME FUNCTION TABLE BROKER CONF NODE FAILURES: in rounds, as some values
# move, and not one way alone: until each was well once, for so long at most. So
# many values of the node are wrong, and told so.
look_rounds=40 look_seconds=120
look() {
  local name=$1 ask=$2 table=$3 folder=$test_dir/$1.seen i end=$((SECONDS + look_seconds))
  mkdir -p "$folder"
  python3 "$agents" request "$table" "$4" >"$folder/request" || return 1
  ask "$ask" "$test_dir/$name" "$folder/request" "$folder/agent.0.json" || return 1
  for ((i = 1; i <= look_rounds && SECONDS < end; i++)); do
    timeout 60 "$top_builddir/jolokiactl" --config "$5" poll --json "$6" >"$folder/values.$i.json"
    ask "$ask" "$test_dir/$name" "$folder/request" "$folder/agent.$i.json" || return 1
    if ! grep -q '"state":"active"' "$folder/values.$i.json"; then
      echo "round $i: $(tail -n 1 "$folder/values.$i.json")" >&2
    elif ! grep -q "\"failures\":$7," "$folder/values.$i.json"; then
      echo "not $7 failures: $(tail -n 1 "$folder/values.$i.json")" >&2
      return 1
    fi
    python3 "$agents" compare "$name" "$table" "$4" "$folder" >"$folder/table" && return
  done
  return 1
}
pids=()
for name in a218 a240; do
  look $name artemis_jolokia "$test_dir/artemis.table" "$(artemis_mbean "$test_dir/$name")" "$conf" agents/$name 0 &
  pids+=($!)
done
for name in jvm-1 jvm-2; do
  look $name agent_jolokia "$test_dir/jvm.table" '' "$conf" agents/$name 4 &
  pids+=($!)
done
look classic agent_jolokia "$test_dir/classic.table" '' "$test_dir/classic.conf" classic/classic-a 0 &
pids+=($!)
failed=0
for pid in "${pids[@]}"; do wait "$pid" || failed=1; done
printf '%-16s %-44s %-44s %20s %20s %20s\n' AGENT OBJECT TYPE-ATTRIBUTE VALUE BEFORE AFTER
cat "$test_dir"/*.seen/table
[ $failed = 0 ] || fail "values differ"
for name in a218 a240 jvm-1 jvm-2 classic; do
  grep -q "^# $name: [1-9][0-9]* values well, 0 not" "$test_dir/$name.seen/table" || fail "nothing of $name"
done
pass "five agents, every value as curl has it"
