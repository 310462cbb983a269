#!/bin/bash
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The collectd-jolokia authors
# Alone: it measures time.
# What keeps a node's requests waiting, as `jolokiactl limits` tells it: a low
# ceiling and a slow broker get different verdicts, and the numbers are the
# server's. And the operator's hold, which all processes of the host obey.
# shellcheck disable=SC2154 # what the sourced files set
set -u
# shellcheck source=tests/support/wait.sh
. "${top_srcdir:?}/tests/support/wait.sh"
# shellcheck source=tests/support/simnode.sh
. "$top_srcdir/tests/support/simnode.sh"
# shellcheck source=tests/support/ctl.sh
. "$top_srcdir/tests/support/ctl.sh"
need python3
make_test_dir
ctl_setup
# member EXPRESSION: of the last line, which is ${it}.
member() { tail -n 1 "$out" | python3 -c 'import json, sys; it = json.load(sys.stdin); print(eval(sys.argv[1]))' "$1"; }
expect_member() { # EXPRESSION VALUE TEXT
  [ "$(member "$1")" = "$2" ] || { show; fail "$3: $1 is $(member "$1"), expected $2"; }
}

# cluster NAME [LINE...]: a cluster of one node, at the last simnode.
cluster() {
  conf=$test_dir/$1.conf
  {
    echo "<Plugin jolokia>"
    echo "  StateDir \"$test_dir/state\""
    echo "  <Cluster \"$1\">"
    echo "    Node \"$1-1\" \"http://127.0.0.1:$sim_port/console/jolokia\""
    printf '    %s\n' "${@:2}"
    echo "  </Cluster>"
    echo "</Plugin>"
  } >"$conf"
}

# Before anybody has used it: nothing is made by who only looks.
unused() {
  simnode_name=unused simnode_start
  cluster unused
  ctl limits
  expect_code 0 unused
  has '^  verdict    unknown: no process of this host shares its ceilings: there is no StateDir' unused
  has '^  requests +1 +1 +20 +- +-$' unused
  [ ! -e "$test_dir/state" ] || fail "limits has made the StateDir"
  [ "$(simnode_requests)" = 0 ] || fail "limits has sent something"
}

has_waited() {
  ctl limits --json low/low-1
  [ "$(member 'it["waiting"] != [] and it["waiting"][0]["waited_s"] > 2')" = True ]
}
# A hundred commands at two requests a second.
low_ceiling() {
  local rider busy
  simnode_name=low simnode_start
  cluster low '<Ceiling>' '  RequestsPerSecond 2' '</Ceiling>'
  mkdir -p "$test_dir/state"
  "$top_builddir/tests/support/drive" --rate 2000 --jobs 30 --at-once 20 --owner command \
    --state "$test_dir/state" --seconds 60 "http://127.0.0.1:$sim_port/console/jolokia" \
    >"$test_dir/told" 2>&1 &
  rider=$!
  end_with_test "$rider"
  wait_until 30 has_waited || { show; fail "a low ceiling: nobody waits"; }
  busy=$(simnode_requests)
  ctl limits --json low/low-1
  expect_code 0 "a low ceiling"
  expect_member "$busy <= it['owners']['command']['requests'] <= $(simnode_requests) + 1" True \
    "the server has seen $busy before" # one may be reserved and not sent yet
  expect_member 'it["verdict"], it["verdict_unit"]' "('ceiling', 'requests')" "a low ceiling"
  expect_member '[(w["process"], w["owner"], w["unit"]) for w in it["waiting"]]' \
    "[($rider, 'command', 'requests')]" "a low ceiling"
  expect_member '2 < it["waiting"][0]["waited_s"] < 60' True "how long it has waited"
  # Two a second, seen for one: one to three of them.
  expect_member '0.9 < it["requests_used_per_second"] < 3.1' True "what is used of two a second"
  ctl limits
  has "^  verdict    our ceiling: command of process $rider has waited [0-9.]+ s for requests; allowed are 2 a second$" "a low ceiling"
  has "^  command +$rider +[0-9.]+ s +requests$" "who waits"
  has '^  sizes      50 operations a request, of 1 MiB at most; replies of 64 MiB at most$' sizes
  has "the broker's web server has 200 threads" sizes
  wait_until 30 is_gone "$rider"
  ctl limits --json
  expect_member 'it["verdict"], it["waiting"], it["owners"]["command"]["requests"]' \
    "('nothing', [], 30)" "when all is over"
  [ "$(simnode_requests)" = 30 ] || fail "$(simnode_requests) requests have arrived, 30 are reported"
  pass "a low ceiling: named with its unit, its owner and the wait; 30 requests, as the server has them"
}

# slow NAME HAZARD VERDICT KIND TEXT
slow() {
  simnode_name=$1 simnode_start --queues 3 --hazard "$2"
  cluster "$1"
  ctl poll
  ctl limits --json
  expect_member 'it["verdict"], it["verdict_unit"]' "('$3', None)" "$1"
  [ "$4" = any ] || expect_member 'it["verdict_kind"]' "$4" "$1"
  ctl limits
  has "^  verdict    the broker is slow $5" "$1"
  pass "$1: $3"
}

# A process that was killed is told to wait for some seconds at most.
is_waiting() {
  ctl limits --json
  [ "$(member '[w["process"] for w in it["waiting"]]')" = "[$1]" ]
}
is_nobody_waiting() {
  ctl limits --json
  [ "$(member 'it["waiting"]')" = '[]' ]
}
killed() {
  simnode_name=killed simnode_start
  cluster killed '<Ceiling>' '  RequestsPerSecond 0.5' '</Ceiling>'
  "$top_builddir/tests/support/drive" --rate 500 --jobs 5 --at-once 5 --owner bulk \
    --state "$test_dir/state" "http://127.0.0.1:$sim_port/console/jolokia" >/dev/null 2>&1 &
  local rider=$!
  wait_until 30 is_waiting "$rider" || { show; fail "before it is killed: it does not wait"; }
  kill -KILL "$rider"
  wait "$rider" 2>/dev/null
  wait_until 30 is_nobody_waiting || { show; fail "a killed process is told to wait"; }
}

# Two that scrape one node, far below its ceiling: neither waits when we look.
is_scraped_by() { # PID...
  ctl nodes --json
  [ "$(member "sorted(str(s['process']) for s in it['scrapers']) == sorted('$*'.split())")" = True ]
}
two_scrape() {
  local riders=() command
  simnode_name=both simnode_start
  cluster both 'Interval 1'
  for command in 1 2; do
    "$top_builddir/jolokiactl" --config "$conf" exec --interval 1 >/dev/null 2>&1 &
    riders+=($!)
    end_with_test $!
  done
  wait_until 30 is_scraped_by "${riders[@]}" || { show; fail "${riders[*]} scrape it, and nodes does not show them"; }
  ctl nodes
  has '^  scraped by 2 processes of this host: exec [0-9]+, exec [0-9]+; each asks' "two that scrape"
  ctl check
  expect_code 0 "check of what two scrape"
  has '^  warning    scraped by 2 processes of this host: exec ' "check of what two scrape"
  kill -KILL "${riders[1]}"
  wait "${riders[1]}" 2>/dev/null
  is_scraped_by "${riders[0]}" || { show; fail "one was killed, and is shown"; }
  # What a command asks beside it is no second.
  for command in poll check nodes; do
    ctl "$command"
    expect_code 0 "$command beside one that scrapes"
    ! grep -q 'scraped by' "$out" || { show; fail "$command: one is told as two"; }
  done
  kill -INT "${riders[0]}"
  wait "${riders[0]}" 2>/dev/null
  is_scraped_by || { show; fail "both have ended, and are shown"; }
  pass "two that scrape one node"
}

# states: of exec's PUTVAL lines, each change.
states() { grep 'gauge-state"' "$test_dir/values" | grep -oE '[0-9]+$' | uniq | tr '\n' ' '; }
is_state() { [[ "$(states)" == *"$1 " ]]; }
holds() {
  local rider before
  simnode_name=held simnode_start
  cluster held 'Interval 1'
  "$top_builddir/jolokiactl" --config "$conf" exec --interval 1 >"$test_dir/values" 2>"$test_dir/said" &
  rider=$!
  end_with_test "$rider"
  wait_until 30 is_state 1 || fail "the node is not active: $(states)"
  ctl hold --for 5m held
  expect_code 0 hold
  has '^held/held-1: held for 5m 0s, until 20[0-9-]+ [0-9:]+ ' hold
  wait_until 30 is_state 6 || fail "exec does not hold: $(states)"
  before=$(simnode_requests)
  sleep 4
  [ "$(simnode_requests)" = "$before" ] || fail "a held node was asked"
  ctl poll
  expect_code 4 "poll of a held node"
  has 'the operator holds the node' "poll of a held node"
  ctl limits --json
  expect_member 'it["verdict"], 200 < it["operator_hold_s"] < 300' "('operator_hold', True)" limits
  ctl release --json held/held-1
  expect_code 0 release
  expect_member 'it["held"], it["error"]' '(False, None)' release
  wait_until 30 is_state 1 || fail "the node does not come back: $(states)"
  ctl hold --for 2s held/held-1
  wait_until 30 is_state '6 1 6 1' || fail "the second hold is not obeyed, or does not end by itself: $(states)"
  kill -INT "$rider"
  wait "$rider" 2>/dev/null
  [[ "$(states)" != *4* ]] || fail "a held node was told to be down: $(states)"
  ! grep -qi 'down' "$test_dir/said" || fail "it was said to be down: $(cat "$test_dir/said")"
  pass "held and released: states $(states)"
}

refuses() {
  local words
  for words in 'hold' 'release' 'hold --for 30 held' 'hold --for 0s held' 'hold --for 32d held' \
    'hold --for 1.5h held' 'hold --for 9223372036854775807d held' 'hold --watch held' \
    'limits --for 30m' 'limits a b' 'hold nowhere'; do
    # shellcheck disable=SC2086 # words
    ctl $words
    expect_code 2 "$words"
    [ -s "$err" ] || fail "$words: not a word"
  done
  echo x >"$test_dir/file"
  sed -i "s,$test_dir/state,$test_dir/file," "$conf"
  ctl hold held
  expect_code 2 "a StateDir that is a file"
  has 'invalid: StateDir .*it is a file or a link, not a folder: name the folder itself' "a StateDir that is a file"
  ctl limits
  expect_code 1 "limits with a StateDir that is a file"
  has '^  verdict    unknown: StateDir .*name the folder itself' "limits with a StateDir that is a file"
  sed -i "s,$test_dir/file,$test_dir/state," "$conf"
}

# A pipe gets one table after the other, a terminal the newest alone.
has_tables() { [ "$(grep -c "$2" "$out")" -ge "$1" ]; }
watches() {
  "$top_builddir/jolokiactl" --config "$conf" limits --watch >"$out" 2>"$err" &
  local pid=$!
  end_with_test "$pid"
  wait_until 30 has_tables 3 '^held/held-1 ' || { show; fail "watch does not go on"; }
  kill -INT "$pid"
  wait "$pid"
  ! grep -q $'\033' "$out" || fail "codes for a terminal in a pipe"
  timeout -s INT 60 "$top_builddir/jolokiactl" --config "$conf" limits --watch --json | head -n 2 >"$out"
  expect_member 'it["node"]' held-1 "watch --json"
  python3 -c 'import pty, sys; pty.spawn(sys.argv[1:])' \
    "$top_builddir/jolokiactl" --config "$conf" limits --watch >"$out" 2>"$err" </dev/null &
  pid=$!
  end_with_test "$pid"
  wait_until 30 has_tables 2 $'\033\\[H\033\\[J' || { show; fail "a terminal is not drawn anew"; }
  end_process "$pid"
  pass "watch"
}

unused
low_ceiling
slow broker slow=400 broker_slow any 'for all: '
# Slightly less than what it sleeps, where replies overlap; whole tenths are shown.
slow listing slow-exec=600 kind_slow listing 'for one kind of request: listing takes it 0\.[56] s each'
killed
two_scrape
holds
refuses
watches
