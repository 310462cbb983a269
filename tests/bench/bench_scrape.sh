#!/bin/bash
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The collectd-jolokia authors
# What a scrape costs the agent: CPU of the engine's thread alone, beside libcurl
# reading and discarding the same reply in the same process; how that grows with
# the queues; memory; and how long collectd's own thread is held by a read. Each
# figure is printed with its limit; status 1 where one is passed. Of many scrapes,
# and of as many replies read beside them, the mean of the middle half counts: the
# machine's other work is in the others.
# shellcheck disable=SC2154 # what the sourced files set
set -u
# shellcheck source=tests/support/wait.sh
. "${top_srcdir:?}/tests/support/wait.sh"
# shellcheck source=tests/support/simnode.sh
. "$top_srcdir/tests/support/simnode.sh"
# StateDir is on a tmpfs, as /run is.
[ ! -w /dev/shm ] || export TMPDIR=/dev/shm
make_test_dir
status=0

# measure QUEUES INTERVAL SCRAPES: the harness's figures, NAME=VALUE, in
# ${figures}.
measure() {
  simnode_start --queues "$1"
  cat >"$test_dir/conf" <<END
<Plugin jolokia>
  StateDir "$test_dir"
  AddressInterval 3600
  SlowInterval 3600
  <Ceiling>
    BytesPerSecond 1000000000
  </Ceiling>
  <Cluster "bench">
    Node "bench" "http://127.0.0.1:$sim_port/console/jolokia"
    <Queues>
      MaxQueues 100000
    </Queues>
  </Cluster>
</Plugin>
END
  figures=$("${top_builddir:?}/tests/support/harness" --interval "$2" \
    --warm $((2 * $2 + 2)) --seconds $(($2 * $3)) \
    --floor "http://127.0.0.1:$sim_port/console/jolokia" \
    "$top_builddir/.libs/jolokia.so" "$test_dir/conf") || fail "$figures"
  poll_kib=
  [ ! -x /usr/bin/time ] || poll_kib=$(/usr/bin/time -f %M "$top_builddir/jolokiactl" \
    --config "$test_dir/conf" poll 2>&1 >/dev/null) || fail "poll: $poll_kib"
  simnode_stop
}
figure() { sed -n "s/^$1=//p" <<<"$figures"; }

# within NAME VALUE LIMIT [UNIT]
within() {
  local verdict=ok
  awk -v a="${2:-}" -v b="$3" 'BEGIN { exit !(a != "" && a + 0 <= b + 0) }' || { verdict=TOO_MUCH; status=1; }
  printf '%-58s %10.3f  at most %s %s  %s\n' "$1" "$2" "$3" "${4:-}" "$verdict"
}
ratio() { awk -v a="$1" -v b="$2" 'BEGIN { printf "%.2f", a / b }'; }

measure 10 1 5
small_kib=$(figure peak_kib)
small_poll_kib=$poll_kib

measure 1000 1 20
[ "$(figure scrapes)" -ge 15 ] || fail "only $(figure scrapes) scrapes: $figures"
small_ms=$(figure scrape_middle_ms)
within "1,000 queues: CPU of the engine a scrape" "$small_ms" 6 ms
within "  beside libcurl discarding $(figure floor_bytes) bytes ($(figure floor_middle_ms) ms)" \
  "$(ratio "$small_ms" "$(figure floor_middle_ms)")" 4 times

measure 10000 4 5
[ "$(figure scrapes)" -ge 4 ] || fail "only $(figure scrapes) scrapes: $figures"
large_ms=$(figure scrape_middle_ms)
within "10,000 queues: CPU of the engine a scrape" "$large_ms" "$(awk -v a="$small_ms" 'BEGIN { print 11 * a }')" ms
printf '%-58s %10.3f  times\n' \
  "  beside libcurl discarding $(figure floor_bytes) bytes ($(figure floor_middle_ms) ms)" \
  "$(ratio "$large_ms" "$(figure floor_middle_ms)")"
within "  peak memory above that with 10 queues" "$(($(figure peak_kib) - small_kib))" 4096 KiB

[ -z "$poll_kib" ] ||
  within "  peak memory of jolokiactl poll above that with 10 queues" "$((poll_kib - small_poll_kib))" 4096 KiB

simnode_start --queues 10 --hazard hang
cat >"$test_dir/conf" <<END
<Plugin jolokia>
  StateDir "$test_dir"
  <Cluster "bench">
    Node "bench" "http://127.0.0.1:$sim_port/console/jolokia"
  </Cluster>
</Plugin>
END
figures=$("$top_builddir/tests/support/harness" --interval 1 --every 0.01 \
  --seconds 10 "$top_builddir/.libs/jolokia.so" "$test_dir/conf") || fail "$figures"
within "read callback beside a node that never answers" "$(figure read_middle_us)" 50 us
printf '%-58s %10.3f  of %s (includes being scheduled out)\n' "  the longest" "$(figure read_max_us)" "$(figure reads)"
within "  shutdown callback" "$(figure shutdown_ms)" 1000 ms
exit $status
