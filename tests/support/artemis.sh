# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The collectd-jolokia authors
# shellcheck shell=bash disable=SC2034,SC2154 # shared with who sources it
# Real Artemis brokers on loopback: source wait.sh and simnode.sh (for free
# ports) first. A broker is known by its folder.
#
#   artemis_create 2.40.0 "$test_dir/broker" && artemis_start "$test_dir/broker"
#   artemis_send "$test_dir/broker" ORDERS 100
#   artemis_jolokia "$test_dir/broker" '[{"type":"version"}]'
#   artemis_stop "$test_dir/broker"
#
#   artemis_create_pair 2.40.0 "$test_dir/primary" "$test_dir/backup"
#   artemis_start "$test_dir/primary" && artemis_start_backup "$test_dir/backup"
#   artemis_kill "$test_dir/primary"
#
# Login admin, password "secret"; Jolokia answers to Origin http://localhost.

artemis_cache=${XDG_CACHE_HOME:-$HOME/.cache}/collectd-jolokia
artemis_password=secret

# artemis_fetch VERSION: sets ${artemis_home}, the unpacked distribution, kept
# in the user's cache folder. False, with the reason in ${artemis_why}, where
# it cannot be had.
artemis_fetch() {
  local zip=$artemis_cache/apache-artemis-$1-bin.zip scratch
  artemis_home=$artemis_cache/apache-artemis-$1
  artemis_why=
  command -v java >/dev/null || { artemis_why="no java"; return 1; }
  [ ! -x "$artemis_home/bin/artemis" ] || return 0
  mkdir -p "$artemis_cache"
  if [ ! -f "$zip" ]; then
    command -v mvn >/dev/null || { artemis_why="no mvn to fetch Artemis with"; return 1; }
    scratch=$(mktemp -d "$artemis_cache/fetch.XXXXXX")
    if ! (cd "$scratch" && timeout 600 mvn -B -q -Dstyle.color=never dependency:copy \
      "-Dartifact=org.apache.activemq:apache-artemis:$1:zip:bin" \
      "-DoutputDirectory=$scratch") >"$scratch/mvn.log" 2>&1; then
      artemis_why="Maven does not fetch Artemis $1: $(grep -m 1 ERROR "$scratch/mvn.log" | cut -c1-200)"
      rm -rf "$scratch"
      return 1
    fi
    mv "$scratch"/apache-artemis-*.zip "$zip"
    rm -rf "$scratch"
  fi
  command -v unzip >/dev/null || { artemis_why="no unzip"; return 1; }
  scratch=$(mktemp -d "$artemis_cache/unpack.XXXXXX")
  unzip -q "$zip" -d "$scratch" ||
    { artemis_why="$zip does not unpack"; rm -rf "$scratch"; return 1; }
  mv -T "$scratch/apache-artemis-$1" "$artemis_home" 2>/dev/null ||
    [ -x "$artemis_home/bin/artemis" ] # another test was faster
  rm -rf "$scratch"
}

# artemis_create VERSION FOLDER [OPTION...]: a broker named as its folder; its
# ports are ${artemis_ports} (core, HTTP), or any that are free.
artemis_create() {
  local version=$1 folder=$2 ports
  shift 2
  artemis_fetch "$version" || return 1
  ports=("${artemis_ports[@]}")
  [ ${#ports[@]} -eq 2 ] || mapfile -t ports < <(free_ports 2)
  "$artemis_home/bin/artemis" create "$folder" --name "${folder##*/}" --silent \
    --user admin --password "$artemis_password" --require-login \
    --host 127.0.0.1 --default-port "${ports[0]}" \
    --http-host localhost --http-port "${ports[1]}" \
    --no-amqp-acceptor --no-hornetq-acceptor --no-mqtt-acceptor \
    --no-stomp-acceptor "$@" >"$folder.create" 2>&1 ||
    { artemis_why="artemis create failed: $(tail -n 3 "$folder.create")"; return 1; }
  # Small, and never blocked because the machine's own disk is nearly full.
  sed -i 's/-Xmx[0-9]*[GM]/-Xmx500M/; s/-Xms[0-9]*[GM]/-Xms64M/' "$folder/etc/artemis.profile"
  sed -i 's,<max-disk-usage>[0-9-]*<,<max-disk-usage>100<,' "$folder/etc/broker.xml"
  echo "${ports[0]}" >"$folder/core-port"
  echo "${ports[1]}" >"$folder/http-port"
}

# artemis_create_members VERSION FOLDER FOLDER [OPTION...]: two brokers that
# know each other by static connectors: a cluster.
artemis_create_members() {
  local version=$1 ports
  local -a folders=("$2" "$3")
  shift 3
  mapfile -t ports < <(free_ports 4)
  artemis_create_member "${folders[0]}" "${ports[0]}" "${ports[1]}" "${ports[2]}" "$@" &&
    artemis_create_member "${folders[1]}" "${ports[2]}" "${ports[3]}" "${ports[0]}" "$@"
}
artemis_create_member() { # FOLDER CORE HTTP PEER-CORE [OPTION...], of ${version}
  local folder=$1 peer=$4
  local -a artemis_ports=("$2" "$3")
  shift 4
  artemis_create "$version" "$folder" --clustered --cluster-user cluster \
    --cluster-password cluster --staticCluster "tcp://127.0.0.1:$peer" "$@" || return 1
  sed -i 's,<max-hops>0<,<max-hops>1<,' "$folder/etc/broker.xml"
}

# artemis_create_pair VERSION PRIMARY BACKUP: the second replicates the first,
# takes over when it dies, and gives back when it returns. 2.33 has changed the
# words of broker.xml.
artemis_create_pair() {
  local version=$1 primary=$2 backup=$3 ports
  local -a words=(primary backup check-for-active-server)
  artemis_create_members "$version" "$primary" "$backup" --replicated || return 1
  [ "$(printf '%s\n' 2.33.0 "$version" | sort -V | head -n 1)" = 2.33.0 ] ||
    words=(master slave check-for-live-server)
  artemis_ha_policy "$primary" "<${words[0]}><${words[2]}>true</${words[2]}><group-name>pair</group-name></${words[0]}>"
  artemis_ha_policy "$backup" "<${words[1]}><allow-failback>true</allow-failback><group-name>pair</group-name></${words[1]}>"
}
artemis_ha_policy() { # FOLDER REPLICATION
  sed -i -e '/<ha-policy>/,/<\/ha-policy>/d' \
    -e "s,</connectors>,</connectors><ha-policy><replication>$2</replication></ha-policy>," \
    "$1/etc/broker.xml"
}

# artemis_request_log FOLDER: before it starts: who asked its web server, when,
# one "SECONDS.MS USER-AGENT" a line, in FOLDER/requests.
artemis_request_log() {
  sed -i "s,</web>,<request-log filename=\"$1/requests\" append=\"true\" format=\"%{yyyy-MM-dd HH:mm:ss.SSS|UTC}t %{User-Agent}i\"/></web>," "$1/etc/bootstrap.xml"
}
# artemis_requests FOLDER AGENT: when that one asked, in order, as seconds.
artemis_requests() {
  grep " $2" "$1/requests" | tr -d '[]' | cut -c1-23 | sort | date -u -f - +%s.%3N
}

# artemis_start FOLDER: until Jolokia answers and the broker is active.
artemis_start() {
  artemis_run "$1"
  artemis_wait "$1" '"Active":true'
}

# artemis_start_backup FOLDER: until it has a replica of the active one.
artemis_start_backup() {
  artemis_run "$1"
  artemis_wait "$1" '"Backup":true' && artemis_wait "$1" '"ReplicaSync":true'
}

# artemis_run FOLDER, artemis_wait FOLDER TEXT: until its attributes have that.
artemis_run() {
  "$1/bin/artemis" run >>"$1/out" 2>&1 </dev/null &
  echo $! >"$1/pid"
  end_with_test $!
}
artemis_wait() {
  local pid
  pid=$(cat "$1/pid")
  wait_until 300 artemis_says "$1" "$pid" "$2" && is_running "$pid" && return
  tail -n 20 "$1/out" >&2
  fail "Artemis in $1 does not say $2"
}
artemis_says() {
  is_gone "$2" || artemis_jolokia "$1" \
    "[{\"type\":\"read\",\"mbean\":\"$(artemis_mbean_json "$1")\",\"attribute\":[\"Active\",\"Backup\",\"ReplicaSync\"]}]" |
    grep -q "$3"
}

# artemis_kill FOLDER: as when its machine dies.
artemis_kill() {
  local pid
  pid=$(cat "$1/pid")
  kill -KILL "$pid"
  wait "$pid" 2>/dev/null
}

# artemis_stop FOLDER: it must end by itself.
artemis_stop() {
  end_process "$(cat "$1/pid")" 120 || fail "Artemis in $1 had to be killed"
}

artemis_url() { echo "http://localhost:$(cat "$1/http-port")/console/jolokia"; }
artemis_mbean() { echo "org.apache.activemq.artemis:broker=\"${1##*/}\""; }
artemis_mbean_json() { artemis_mbean "$1" | sed 's/"/\\"/g'; }

# artemis_jolokia FOLDER JSON: the reply.
artemis_jolokia() {
  curl -sS --fail --max-time 100 -u "admin:$artemis_password" -H 'Content-Type: application/json' \
    -H 'Origin: http://localhost' -d "$2" "$(artemis_url "$1")"
}

# artemis_queue FOLDER QUEUE ATTRIBUTE: of the queue with its address' name, as
# Jolokia has it: the truth to compare with.
artemis_queue() {
  artemis_jolokia "$1" "{\"type\":\"read\",\"mbean\":\"$(artemis_mbean_json "$1"),component=addresses,address=\\\"$2\\\",subcomponent=queues,routing-type=\\\"anycast\\\",queue=\\\"$2\\\"\",\"attribute\":\"$3\"}" |
    sed -nE 's/.*"value":("[^"]*"|[^,}]*).*/\1/p'
}

# artemis_send FOLDER QUEUE N, artemis_consume FOLDER QUEUE N: messages of 64
# bytes; each starts a Java program, so better many at a time.
artemis_send() {
  artemis_client producer "$1" "$2" "$3" --message-size 64
}
artemis_consume() {
  artemis_client consumer "$1" "$2" "$3" --receive-timeout 100000
}
artemis_client() {
  local command=$1 folder=$2 queue=$3 n=$4
  shift 4
  timeout 300 "$folder/bin/artemis" "$command" --silent \
    --url "tcp://127.0.0.1:$(cat "$folder/core-port")" --user admin \
    --password "$artemis_password" --destination "queue://$queue" \
    --message-count "$n" --threads 1 "$@" >"$folder/$command.out" 2>&1 ||
    { cat "$folder/$command.out" >&2; fail "artemis $command failed"; }
}

# artemis_produce PRIMARY BACKUP QUEUE MS: a message every so many milliseconds,
# to whichever of the pair is active, in the background.
artemis_produce() {
  "$1/bin/artemis" producer --silent --user admin --password "$artemis_password" \
    --url "(tcp://127.0.0.1:$(cat "$1/core-port"),tcp://127.0.0.1:$(cat "$2/core-port"))?ha=true&reconnectAttempts=-1&retryInterval=100&blockOnDurableSend=false" \
    --destination "queue://$3" --message-count 1000000 --message-size 64 \
    --sleep "$4" --threads 1 >"$1/produce.out" 2>&1 </dev/null &
  end_with_test $!
  wait_until 120 artemis_has_more "$1" "$3" "$(artemis_queue "$1" "$3" MessagesAdded)" && return
  fail "no producer: $(tail -n 5 "$1/produce.out")"
}
artemis_has_more() { # FOLDER QUEUE N
  local n
  n=$(artemis_queue "$1" "$2" MessagesAdded)
  [ -n "$n" ] && [ "$n" -gt "${3:-0}" ]
}
