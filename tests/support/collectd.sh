# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The collectd-jolokia authors
# shellcheck shell=bash disable=SC2034,SC2154 # shared with who sources it
# Running the distribution's collectd with the module that was just built:
# source wait.sh first. One daemon at a time.
#
#   collectd_setup 1                        interval 1 s; folders; ${collectd_dir}
#   collectd_config <<'END' ... END         what follows the head
#   collectd_start
#   collectd_wait_for 10 broker-a/artemis-queue-ORDERS/gauge-MessageCount 12
#   collectd_stop
#
# Values are named as collectd names them: HOST/PLUGIN-INSTANCE/TYPE-INSTANCE.
# With VALGRIND=1 the daemon runs under valgrind; a build with sanitizers has
# their runtime preloaded (the daemon itself is built without).

collectd_program() {
  command -v collectd 2>/dev/null || { [ -x /usr/sbin/collectd ] && echo /usr/sbin/collectd; }
}

# collectd_setup [SECONDS]: a fresh folder and the head of a configuration. With
# one write thread, which runs none of our code, what is recorded is in the order
# in which it was dispatched: what came before a value that is there is there,
# too. With more of them (5 by default) csv may also lose a line, where two begin
# the same file.
collectd_setup() {
  collectd_program >/dev/null || skip "no collectd"
  collectd_interval=${1:-1}
  collectd_dir=$(mktemp -d "$test_dir/collectd.XXXXXX")
  collectd_conf=$collectd_dir/collectd.conf
  collectd_log=$collectd_dir/collectd.log
  collectd_pid=
  mkdir "$collectd_dir/state"
  cat >"$collectd_conf" <<END
Hostname "agent"
FQDNLookup false
BaseDir "$collectd_dir"
PIDFile "$collectd_dir/collectd.pid"
PluginDir "$(collectd_system_plugins)"
TypesDB "/usr/share/collectd/types.db"
Interval $collectd_interval
WriteQueueLimitHigh 1000000
WriteQueueLimitLow 1000000
WriteThreads 1
LoadPlugin logfile
<Plugin logfile>
  LogLevel "info"
  File "$collectd_log"
  Timestamp true
  PrintSeverity true
</Plugin>
LoadPlugin csv
<Plugin csv>
  DataDir "$collectd_dir/csv"
  StoreRates false
</Plugin>
END
}

collectd_system_plugins() {
  local folder
  for folder in /usr/lib/collectd /usr/lib64/collectd /usr/lib/*/collectd; do
    [ -f "$folder/csv.so" ] && { echo "$folder"; return; }
  done
  skip "collectd's plugins are not where they are looked for"
}

# collectd_config: adds standard input to the configuration.
collectd_config() { cat >>"$collectd_conf"; }

# collectd_jolokia: the same, for the inside of <Plugin jolokia>; the module is
# loaded, its state kept in ${collectd_dir}.
collectd_jolokia() {
  {
    echo "PluginDir \"${top_builddir:?}/.libs\"" # for the lines that follow it
    echo 'LoadPlugin jolokia'
    echo "PluginDir \"$(collectd_system_plugins)\""
    echo '<Plugin jolokia>'
    echo "  StateDir \"$collectd_dir/state\""
    cat
    echo '</Plugin>'
  } >>"$collectd_conf"
}

# What stands before the daemon on its command line, in ${collectd_wrapper}.
collectd_wrap() {
  collectd_wrapper=(env -u LD_PRELOAD)
  if [ "${SANITIZERS:-none}" != none ]; then
    cat >"$collectd_dir/lsan" <<END
leak:cf_read
leak:oconfig_parse
leak:fc_configure
END
    collectd_wrapper+=("LD_PRELOAD=$(gcc -print-file-name=libasan.so) $(gcc -print-file-name=libubsan.so)"
      "ASAN_OPTIONS=detect_leaks=1:exitcode=99:abort_on_error=0${collectd_asan:-}"
      "UBSAN_OPTIONS=print_stacktrace=1"
      "LSAN_OPTIONS=suppressions=$collectd_dir/lsan:print_suppressions=0")
  elif [ -n "${VALGRIND:-}" ]; then
    collectd_wrapper+=(valgrind -q --keep-debuginfo=yes --error-exitcode=99
      --leak-check=full --errors-for-leak-kinds=definite
      "--suppressions=${top_srcdir:?}/tests/support/collectd.supp"
      "--log-file=$collectd_dir/valgrind")
  fi
}

# collectd_start: in the background; its process id is ${collectd_pid}.
collectd_start() {
  collectd_wrap
  "${collectd_wrapper[@]}" "$(collectd_program)" -f -C "$collectd_conf" \
    >"$collectd_dir/stdout" 2>"$collectd_dir/stderr" &
  collectd_pid=$!
  end_with_test "$collectd_pid"
  wait_until 60 grep -q 'Initialization complete' "$collectd_log" ||
    { collectd_show; fail "collectd does not start"; }
}

# collectd_stop [SECONDS]: it must end by itself [60], with status 0, and have
# said nothing on standard output. ${collectd_stop_ms} is how long it took.
collectd_stop() {
  local began=${EPOCHREALTIME/[.,]/} status=0
  is_running "$collectd_pid" || { collectd_show; fail "collectd has died"; }
  end_process "$collectd_pid" "${1:-60}" || status=1
  # shellcheck disable=SC2034 # for the test
  collectd_stop_ms=$(((${EPOCHREALTIME/[.,]/} - began) / 1000))
  collectd_pid=
  [ $status -eq 0 ] || { collectd_show; fail "collectd had to be killed"; }
  [ "$end_status" -eq 0 ] || { collectd_show; fail "collectd ended with status $end_status"; }
  collectd_check_output
}

collectd_check_output() {
  # Its exec plugin answers each notification so, on its own standard output.
  ! grep -qvx '0 Success' "$collectd_dir/stdout" || { collectd_show; fail "something was written to standard output"; }
  if [ -s "$collectd_dir/valgrind" ] ||
    grep -qE 'runtime error|AddressSanitizer|LeakSanitizer: detected' "$collectd_dir/stderr"; then
    collectd_show
    fail "the checkers found something"
  fi
}

# collectd_test: collectd -T: one read, then its status (of this function, too).
collectd_test() {
  local status=0
  collectd_wrap
  timeout 300 "${collectd_wrapper[@]}" "$(collectd_program)" -T -C "$collectd_conf" \
    >"$collectd_dir/stdout" 2>"$collectd_dir/stderr" || status=$?
  [ "$status" -ne 99 ] || { collectd_show; fail "the checkers found something"; }
  return "$status"
}

# collectd_show: what the daemon said, for a failed test.
collectd_show() {
  local file
  for file in stdout stderr valgrind collectd.log; do
    [ -s "$collectd_dir/$file" ] || continue
    echo "--- $file" >&2
    tail -n 60 "$collectd_dir/$file" >&2
  done
}

# collectd_lines ID: what was recorded, one "TIME,VALUE" a line.
collectd_lines() {
  local file
  for file in "$collectd_dir/csv/$1"-[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]; do
    [ ! -f "$file" ] || tail -n +2 "$file"
  done
}

# collectd_value ID: the last value; nothing if there is none.
collectd_value() { collectd_lines "$1" | tail -n 1 | cut -d, -f2; }

# collectd_count ID: how many values there are.
collectd_count() { collectd_lines "$1" | wc -l; }

# same_number A B: as numbers: csv writes 12 as 12.000000.
same_number() { awk -v a="$1" -v b="$2" 'BEGIN { exit !(a != "" && a == "" b || a != "" && a + 0 == b + 0) }'; }

collectd_has() {
  local value
  value=$(collectd_value "$1")
  [ -n "$value" ] && { [ $# -lt 2 ] || same_number "$value" "$2"; }
}

# collectd_wait_for SECONDS ID [VALUE]: until it is recorded (so).
collectd_wait_for() {
  local seconds=$1
  shift
  wait_until "$seconds" collectd_has "$@" && return
  collectd_show
  fail "after $seconds s $1 is '$(collectd_value "$1")', expected ${2:-any value}"
}

# collectd_on_grid ID LEAST [SKIPPED]: so many values at least, one an interval:
# none twice, none left out but for SKIPPED. A busy machine makes one late.
collectd_on_grid() {
  collectd_lines "$1" | awk -F, -v i="$collectd_interval" -v least="$2" -v skipped="${3:-0}" '
    NR == 1 { first = $1 }
    NR > 1 && $1 - last < 0.5 * i { bad = 1; print "at " $1 ", and at " last }
    { last = $1 }
    END {
      n = (last - first) / i + 1
      if (NR < least || NR > n + 0.5 || NR < n - 0.5 - skipped) { bad = 1; print NR " values in " n " intervals" }
      exit bad
    }'
}

# collectd_ids [PATTERN]: what has been recorded, without folder and date.
collectd_ids() {
  local id
  find "$collectd_dir/csv" -type f -printf '%P\n' 2>/dev/null |
    sed -E 's,-[0-9]{4}-[0-9]{2}-[0-9]{2}$,,' | sort -u |
    while IFS= read -r id; do
      # shellcheck disable=SC2053 # a pattern
      [[ $id != ${1:-*} ]] || printf '%s\n' "$id"
    done
}
