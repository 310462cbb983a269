# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The collectd-jolokia authors
# shellcheck shell=bash disable=SC2034,SC2154 # shared with who sources it
# What every test script needs: to be sourced first, under `set -u`.

# fail TEXT...: the test has failed; what the helpers keep is shown.
fail() {
  echo "FAILED: $*" >&2
  [ -z "${KEEP_ON_FAILURE:-}" ] || { trap - EXIT; echo "kept: ${test_dir:-nothing}" >&2; }
  exit 1
}

# skip TEXT...: the test cannot run here.
skip() {
  echo "SKIPPED: $*" >&2
  exit 77
}

# pass TEXT...: one more thing was seen to be right.
pass() { echo "ok: $*"; }

# need PROGRAM...: skips where one is missing.
need() {
  local program
  for program in "$@"; do
    command -v "$program" >/dev/null || skip "no $program"
  done
}

# make_test_dir: ${test_dir}, removed at the end; at_end adds to what is done
# then, last added first.
end_commands=()
at_end() { end_commands=("$*" "${end_commands[@]}"); }
run_end_commands() {
  local command
  for command in "${end_commands[@]}"; do $command; done
}
make_test_dir() {
  test_dir=$(mktemp -d "${TMPDIR:-/tmp}/jolokia-test.XXXXXX")
  chmod 755 "$test_dir"
  at_end rm -rf "$test_dir"
  trap run_end_commands EXIT
  trap 'exit 130' INT
  trap 'exit 143' TERM
}

# wait_until SECONDS COMMAND...: runs it every 0.1 s until it succeeds; false
# when the time is over.
wait_until() {
  local end=$((SECONDS + $1 + 1))
  shift
  until "$@" >/dev/null 2>&1; do
    [ $SECONDS -lt $end ] || return 1
    sleep 0.1
  done
}

# is_running PID: and no zombie.
is_running() {
  local state
  read -r _ _ state _ 2>/dev/null <"/proc/$1/stat" || return 1
  [ "$state" != Z ]
}
is_gone() { ! is_running "$1"; }

# end_process PID [SECONDS]: TERM, and KILL when the time [60] is over; false if
# it had to be killed. Its status is in ${end_status}.
end_process() {
  local pid=$1 clean=0
  end_status=0
  kill -TERM "$pid" 2>/dev/null
  if ! wait_until "${2:-60}" is_gone "$pid"; then
    kill -KILL "$pid" 2>/dev/null
    clean=1
  fi
  wait "$pid" 2>/dev/null || end_status=$?
  return $clean
}

# end_with_test PID: it does not outlive the test. Where it has ended by then its
# number may be that of another process, perhaps another test's: they are told
# apart by when they began.
end_with_test() { at_end end_same "$1" "$(began "$1")"; }
began() { cut -d ' ' -f 22 "/proc/$1/stat" 2>/dev/null; }
end_same() {
  [ "$(began "$1")" != "${2:-none}" ] || is_gone "$1" || end_process "$1"
}

# stalled_ms: for how long, until now, programs here have waited for a core, or
# the machine for its host: what a bound of time gives way by, so that it holds
# on a busy machine. The kernel divides by the cores.
stalled_ms() {
  local waited_us=0 stolen=0
  waited_us=$(sed -n 's/^some .*total=//p' /proc/pressure/cpu 2>/dev/null)
  stolen=$(awk '$1 == "cpu" { print $9 }' /proc/stat)
  echo $(($(nproc) * ${waited_us:-0} / 1000 + stolen * 1000 / $(getconf CLK_TCK)))
}
