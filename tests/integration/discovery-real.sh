#!/bin/bash
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The collectd-jolokia authors
# Two real brokers, clustered: register probes the first and finds the second in
# its topology; nodes shows both, the second discovered; exec has its values, and
# drops it once it has gone.
# ARTEMIS_VERSION=2.28.0 for an older one.
# shellcheck disable=SC2119,SC2154 # what the sourced files set
set -u
# shellcheck source=tests/support/wait.sh
. "${top_srcdir:?}/tests/support/wait.sh"
# shellcheck source=tests/support/simnode.sh
. "$top_srcdir/tests/support/simnode.sh"
# shellcheck source=tests/support/ctl.sh
. "$top_srcdir/tests/support/ctl.sh"
# shellcheck source=tests/support/artemis.sh
. "$top_srcdir/tests/support/artemis.sh"
need curl
make_test_dir
ctl_setup

version=${ARTEMIS_VERSION:-2.40.0}
first=$test_dir/first second=$test_dir/second
artemis_create_members "$version" "$first" "$second" || skip "$artemis_why"
artemis_run "$first"
artemis_run "$second"
artemis_wait "$first" '"Active":true'
artemis_wait "$second" '"Active":true'
names_both() {
  artemis_jolokia "$first" "[{\"type\":\"exec\",\"mbean\":\"$(artemis_mbean_json "$first")\",\"operation\":\"listNetworkTopology()\"}]" |
    grep -q "127.0.0.1:$(cat "$second/core-port")"
}
wait_until 60 names_both || fail "the brokers do not know each other"

conf=$test_dir/cluster.conf
password=$test_dir/password
(umask 077 && echo "$artemis_password" >"$password")
echo "<Plugin jolokia>
StateDir \"$test_dir/state\"
</Plugin>" >"$conf"

# By its address, so that the Origin is refused at first.
ctl register --json "$(artemis_url "$first" | sed s/localhost/127.0.0.1/)" --user admin --password-file "$password"
expect_code 1 register
has '"conclusion":"origin_refused"' register
has "\"conclusion\":\"broker\",\"broker\":\"first\",\"version\":\"$version\"" register
has '"may_search":"yes","may_list":"yes","may_change_by_id":"yes"' register
has '"nodes":1,"left_out":1' register
(umask 077 && echo wrong >"$test_dir/wrong")
ctl register --json "$(artemis_url "$first")" --user admin --password-file "$test_dir/wrong"
expect_code 6 "a wrong password"
has '"conclusion":"bad_login"' "a wrong password"

cat >"$conf" <<END
<Plugin jolokia>
  StateDir "$test_dir/state"
  <Cluster "orders">
    Username "admin"
    PasswordFile "$password"
    Interval 1
    Node "first" "$(artemis_url "$first")"
    Discover true
    DiscoverHosts "localhost"
    NodeURL "127.0.0.1:$(cat "$second/core-port")" "$(artemis_url "$second")"
    DiscoverInterval 1
    ForgetAfter 2
  </Cluster>
</Plugin>
END
ctl nodes
expect_code 0 nodes
has '^orders +first +active ' nodes
has '^orders +second +active .* \(discovered\)$' nodes
[ "$(grep -c '^orders' "$out")" = 2 ] || { show; fail "there are other members"; }

"${top_builddir:?}/jolokiactl" --config "$conf" exec >"$out" 2>"$err" &
exec_pid=$!
end_with_test "$exec_pid"
has_values() { [ "$(grep -c '^PUTVAL "second/artemis-broker/bool-Active"' "$out")" -ge 3 ]; }
wait_until 30 has_values || { show; fail "the second broker's values do not flow"; }
artemis_kill "$second"
wait_until 30 grep -q 'node second is watched no longer' "$err" || { show; fail "it is not dropped"; }
