# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The collectd-jolokia authors
# shellcheck shell=bash disable=SC2034,SC2154 # shared with who sources it
# Jolokia's JVM agents on programs other than Artemis: source wait.sh, simnode.sh
# (for free ports) and artemis.sh (for the cache) first. A program is known by
# its folder; its agent answers at 127.0.0.1, without a login.
#
#   agent_fetch 1.7.2
#   agent_start "$test_dir/beans" 1.7.2 -cp "$classes" Beans

# agent_fetch VERSION: sets ${agent_jar}, kept in the user's cache folder. False,
# with the reason in ${artemis_why}, where it cannot be had.
agent_fetch() {
  local artifact=org.jolokia:jolokia-agent-jvm:$1:jar:javaagent scratch
  case $1 in 1.*) artifact=org.jolokia:jolokia-jvm:$1:jar ;; esac
  agent_jar=$artemis_cache/jolokia-agent-$1.jar
  [ ! -f "$agent_jar" ] || return 0
  command -v mvn >/dev/null || { artemis_why="no mvn to fetch the agent with"; return 1; }
  mkdir -p "$artemis_cache"
  scratch=$(mktemp -d "$artemis_cache/fetch.XXXXXX")
  (cd "$scratch" && timeout 300 mvn -B -q -Dstyle.color=never dependency:copy \
    "-Dartifact=$artifact" "-DoutputDirectory=$scratch") >"$scratch/mvn.log" 2>&1 &&
    mv "$scratch"/jolokia-*.jar "$agent_jar"
  [ -f "$agent_jar" ] || artemis_why="Maven does not fetch $artifact: $(grep -m 1 ERROR "$scratch/mvn.log" | cut -c1-200)"
  rm -rf "$scratch"
  [ -f "$agent_jar" ]
}

# agent_start FOLDER VERSION JAVA-ARGUMENT...: in the background; see agent_wait.
agent_start() {
  local folder=$1 version=$2 pid
  shift 2
  mkdir -p "$folder"
  agent_fetch "$version" || return 1
  free_ports 1 >"$folder/port"
  mkfifo "$folder/in"
  java -Xmx192m "-javaagent:$agent_jar=port=$(cat "$folder/port"),host=127.0.0.1" \
    "$@" >"$folder/out" 2>&1 <>"$folder/in" &
  pid=$!
  echo "$pid" >"$folder/pid"
  end_with_test "$pid"
}
agent_url() { echo "http://127.0.0.1:$(cat "$1/port")/jolokia/"; }

# agent_jolokia FOLDER JSON: the reply. agent_wait FOLDER JSON TEXT: until the
# reply has TEXT.
agent_jolokia() {
  curl -sS --fail --max-time 100 -H 'Content-Type: application/json' -d "$2" "$(agent_url "$1")"
}
agent_wait() {
  wait_until 200 agent_says "$1" "$2" "$3" && return
  tail -n 20 "$1/out" >&2
  fail "no agent in $1 says $3"
}
agent_says() {
  agent_jolokia "$1" "$2" | grep -q "$3"
}
