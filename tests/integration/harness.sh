#!/bin/bash
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The collectd-jolokia authors
# The module in the harness that stands for the daemon, beside a node that never
# answers, one that refuses and one that answers, while a cluster file comes,
# changes and goes: a read never waits nor fails, shutdown is over at once. Built with --enable-sanitizers=thread this is what
# watches the module's two threads.
# shellcheck disable=SC2154 # what the sourced files set
set -u
# shellcheck source=tests/support/wait.sh
. "${top_srcdir:?}/tests/support/wait.sh"
# shellcheck source=tests/support/simnode.sh
. "$top_srcdir/tests/support/simnode.sh"
make_test_dir
simnode_start --ports 2 --queues 300 --hazard 2:hang

cat >"$test_dir/conf" <<END
<Plugin jolokia>
  StateDir "$test_dir"
  ClusterFiles "$test_dir/*.cluster"
  AddressInterval 2
  SlowInterval 2
  <Cluster "c">
    Node "well" "http://127.0.0.1:${sim_ports[0]}/console/jolokia"
    Node "hung" "http://127.0.0.1:${sim_ports[1]}/console/jolokia"
    Node "gone" "http://127.0.0.1:1/console/jolokia"
  </Cluster>
</Plugin>
END

cluster_file() { # NAME URL
  printf '<Cluster "%s">\n  Node "%s" "%s"\n</Cluster>\n' "$1" "$1" "$2" >"$test_dir/new"
  mv "$test_dir/new" "$test_dir/$1.cluster"
}
# told N: so many changes of it.
told() { [ "$(grep -cE 'read again: 1 node (changed|went) \(late\)' "$test_dir/stderr")" -ge "$1" ]; }
comes_and_goes() {
  wait_until 30 grep -q 'size limits' "$test_dir/stderr"
  cluster_file late "http://127.0.0.1:${sim_ports[0]}/console/jolokia"
  wait_until 30 told 1
  cluster_file late "http://127.0.0.1:1/console/jolokia"
  wait_until 30 told 2
  rm "$test_dir/late.cluster"
}

# harness OPTION...: its figures in ${figures}.
harness() {
  figures=$("${top_builddir:?}/tests/support/harness" "$@" \
    "$top_builddir/.libs/jolokia.so" "$test_dir/conf" 2>"$test_dir/stderr")
  harness_status=$?
  ! grep -q Sanitizer "$test_dir/stderr" || { cat "$test_dir/stderr" >&2; fail "the checkers found something"; }
}
figure() { sed -n "s/^$1=//p" <<<"$figures"; }
# at_most NAME LIMIT
at_most() {
  awk -v a="$(figure "$1")" -v b="$2" 'BEGIN { exit !(a != "" && a + 0 <= b + 0) }' ||
    fail "$1 is '$(figure "$1")', more than $2"
}

cluster_file kept "http://localhost:1/console/jolokia"
cluster_file late "http://127.0.0.1:1/console/jolokia"
comes_and_goes &
stalled=$(stalled_ms)
harness --interval 1 --every 0.02 --seconds 8 --verbose
wait $!
told 3 ||
  { cat "$test_dir/stderr"; fail "the file's changes are not told"; }
[ "$harness_status" -eq 0 ] || fail "status $harness_status: $figures"
[ "$(figure reads_failed)" -eq 0 ] || fail "a read failed"
[ "$(figure scrapes)" -ge 5 ] || fail "only $(figure scrapes) scrapes"
[ "$(figure samples)" -ge 15000 ] || fail "only $(figure samples) values"
[ "$(figure bad_samples)" -eq 0 ] || fail "$(figure bad_samples) values are not whole"
pass "$(figure scrapes) scrapes, $(figure samples) values"
# 0.7 us a value or more; another thread than the engine's would show next to none.
awk -v cpu="$(figure engine_cpu_ms)" -v n="$(figure samples)" 'BEGIN { exit !(cpu * 1e6 / n >= 100) }' ||
  fail "the harness does not measure the engine: $(figure engine_cpu_ms) ms for $(figure samples) values"
stalled=$(($(stalled_ms) - stalled))
at_most read_max_us $((500000 + 1000 * stalled))
at_most shutdown_ms $((1000 + stalled))
pass "reads of $(figure read_middle_us) us, at most $(figure read_max_us); shutdown $(figure shutdown_ms) ms"

harness --interval 1 --test
[ "$harness_status" -ne 0 ] || fail "-T: two nodes fail, and it is not told"
pass "-T tells that nodes fail"
