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

# artemis_create VERSION FOLDER [OPTION...]: a broker named as its folder.
artemis_create() {
  local version=$1 folder=$2 ports
  shift 2
  artemis_fetch "$version" || return 1
  mapfile -t ports < <(free_ports 2)
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

# artemis_start FOLDER: until Jolokia answers and the broker is active.
artemis_start() {
  local pid
  "$1/bin/artemis" run >"$1/out" 2>&1 </dev/null &
  pid=$!
  echo "$pid" >"$1/pid"
  at_end artemis_end "$1" "$pid"
  wait_until 120 artemis_answers "$1" "$pid" && is_running "$pid" && return
  tail -n 20 "$1/out" >&2
  fail "Artemis does not start in $1"
}
artemis_end() {
  is_gone "$2" || end_process "$2" 30
}
artemis_answers() {
  is_gone "$2" || artemis_jolokia "$1" \
    "[{\"type\":\"read\",\"mbean\":\"$(artemis_mbean_json "$1")\",\"attribute\":[\"Active\"]}]" |
    grep -q '"Active":true'
}

# artemis_stop FOLDER: it must end by itself.
artemis_stop() {
  end_process "$(cat "$1/pid")" 40 || fail "Artemis in $1 had to be killed"
}

artemis_url() { echo "http://localhost:$(cat "$1/http-port")/console/jolokia"; }
artemis_mbean() { echo "org.apache.activemq.artemis:broker=\"${1##*/}\""; }
artemis_mbean_json() { artemis_mbean "$1" | sed 's/"/\\"/g'; }

# artemis_jolokia FOLDER JSON: the reply.
artemis_jolokia() {
  curl -sS --fail --max-time 30 -u "admin:$artemis_password" -H 'Content-Type: application/json' \
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
  artemis_client consumer "$1" "$2" "$3" --receive-timeout 20000
}
artemis_client() {
  local command=$1 folder=$2 queue=$3 n=$4
  shift 4
  timeout 120 "$folder/bin/artemis" "$command" --silent \
    --url "tcp://127.0.0.1:$(cat "$folder/core-port")" --user admin \
    --password "$artemis_password" --destination "queue://$queue" \
    --message-count "$n" --threads 1 "$@" >"$folder/$command.out" 2>&1 ||
    { cat "$folder/$command.out" >&2; fail "artemis $command failed"; }
}
