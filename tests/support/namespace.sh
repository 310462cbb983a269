# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The collectd-jolokia authors
# shellcheck shell=bash disable=SC2154 # what who sources it sets
# A network of the test's own, in which no name is ever resolved: source wait.sh
# first.

# enter_namespace: the script begins anew, in a network and mounts of its own.
enter_namespace() {
  local user=()
  need unshare ip mount
  [ -z "${IN_NAMESPACE:-}" ] || return 0
  [ "$(id -u)" -eq 0 ] || user=(--user --map-root-user)
  unshare "${user[@]}" --mount --net true 2>/dev/null || skip "no namespaces here"
  IN_NAMESPACE=1 exec unshare "${user[@]}" --mount --net "$BASH" "$0"
}

# silence_names: loopback alone, and a name server on it that never answers.
silence_names() {
  ip link set lo up || fail "no loopback"
  echo 'nameserver 127.0.0.1' >"$test_dir/resolv.conf"
  mount --bind "$test_dir/resolv.conf" /etc/resolv.conf || fail "resolv.conf cannot be covered"
  at_end umount /etc/resolv.conf
  "${top_builddir:?}/tests/support/silent" >"$test_dir/silent" &
  end_with_test $!
  wait_until 60 test -s "$test_dir/silent" || fail "the silent name server does not start"
}
