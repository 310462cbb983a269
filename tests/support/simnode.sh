# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The collectd-jolokia authors
# shellcheck shell=bash disable=SC2034,SC2154 # shared with who sources it
# Running simnode: source wait.sh first. One at a time, or one per
# ${simnode_name}.

# simnode_start OPTION...: sets ${sim_port} (the first), ${sim_ports} (an
# array), ${sim_log}, ${sim_pid}; it ends with the test.
simnode_start() {
  local name=${simnode_name:-simnode}
  sim_log=$test_dir/$name.log
  rm -f "$test_dir/$name.ports"
  "${top_builddir:?}/tests/support/simnode" --log "$sim_log" \
    --port-file "$test_dir/$name.ports" "$@" >/dev/null 2>"$test_dir/$name.err" &
  sim_pid=$!
  end_with_test "$sim_pid"
  wait_until 60 test -s "$test_dir/$name.ports" ||
    fail "simnode does not start: $(cat "$test_dir/$name.err")"
  mapfile -t sim_ports <"$test_dir/$name.ports"
  sim_port=${sim_ports[0]}
}

# simnode_stop: ends the last one started; its log stays.
simnode_stop() { end_process "$sim_pid" || fail "simnode had to be killed"; }

# simnode_requests [PORT [PATH]]: how many the log has.
simnode_requests() {
  awk -v port="${1:-$sim_port}" -v path="${2:-}" \
    '$2 == port && $4 == "request" && (path == "" || $7 == path)' "$sim_log" |
    wc -l
}

# simnode_lines PORT WORD: the log's lines of this kind.
simnode_lines() { awk -v port="$1" -v word="$2" '$2 == port && $4 == word' "$sim_log"; }

# free_ports N: so many ports that nothing listens on, one a line. They stay the
# test's own: until it ends they are held, without listening, so that nobody but
# who names one gets it.
free_ports() {
  local file
  file=$(mktemp "$test_dir/ports.XXXXXX")
  "${top_builddir:?}/tests/support/simnode" --ports "$1" --hazard refuse --with $$ \
    --port-file "$file" >/dev/null 2>"$file.err" &
  wait_until 60 test -s "$file" || fail "no free ports: $(cat "$file.err")"
  cat "$file"
}
