#!/bin/bash
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The collectd-jolokia authors
# The count law: the requests that the client reports are the requests whose
# header a server has read, whatever the server does; where it closes without
# reading, the reported ones are as many more as were closed so.
# shellcheck disable=SC2154 # what the sourced files set
set -u
# shellcheck source=tests/support/wait.sh
. "${top_srcdir:?}/tests/support/wait.sh"
# shellcheck source=tests/support/simnode.sh
. "$top_srcdir/tests/support/simnode.sh"
make_test_dir

# reported NAME: NAME=value of drive's line; 0 where it is not there.
reported() { grep -oE "(^| )$1=[0-9]+" "$test_dir/told" | head -1 | grep -oE '[0-9]+$' || echo 0; }

# are_read N: what was sent to the node last has come to it by now.
are_read() {
  read=$(simnode_requests "$sim_port")
  closed=$(grep -c ' close unread' "$sim_log")
  [ $((read + closed)) -ge "$1" ]
}

# law NAME UNREAD KIND "HAZARD..." DRIVE-OPTION...: a node of its own. KIND=N
# must be among the ways in which jobs ended; of the requests reported, UNREAD
# at least (- for none) were never read.
law() {
  local name=$1 unread=$2 kind=$3 hazards=() hazard
  for hazard in $4; do hazards+=(--hazard "$hazard"); done
  shift 4
  simnode_name=$name simnode_start "${hazards[@]}"
  "${top_builddir:?}/tests/support/drive" "$@" \
    "http://127.0.0.1:$sim_port/console/jolokia" >"$test_dir/told" 2>"$test_dir/err" ||
    fail "$name: drive: $(cat "$test_dir/told" "$test_dir/err")"
  local sent read closed
  sent=$(reported requests)
  wait_until 30 are_read "$sent"
  simnode_stop
  [ "$sent" -le "$(reported granted)" ] ||
    fail "$name: $sent reported, $(reported granted) permits granted"
  are_read "$sent"
  grep -qE "(^| )$kind( |\$)" "$test_dir/told" ||
    fail "$name: no $kind in: $(cat "$test_dir/told")"
  if [ "$unread" = - ]; then
    [ "$sent" -eq "$read" ] ||
      fail "$name: $sent reported, $read read: $(cat "$test_dir/told")"
  else
    [ "$closed" -ge "$unread" ] || fail "$name: $closed closed without reading"
    [ "$sent" -eq $((read + closed)) ] ||
      fail "$name: $sent reported, $read read, $closed closed without reading"
  fi
  pass "$name: $sent reported, $read read"
}

fast=(--rate 200000)
law plain - ok=20 "" --jobs 20 "${fast[@]}"
law batches - ok=3 "" --jobs 3 --operations 120 "${fast[@]}"
law changes - ok=10 "" --jobs 10 --change --owner bulk "${fast[@]}"
law forbidden - auth=10 403 --jobs 10 "${fast[@]}"
law unauthorized - auth=10 401 --jobs 10 "${fast[@]}"
law forbidden-login - auth=2 403 --jobs 2 --user monitor "${fast[@]}"
law unauthorized-login - auth=2 401 --jobs 2 --user monitor "${fast[@]}"
law redirect - http_status=10 redirect --jobs 10 "${fast[@]}"
law timeout - timeout=5 hang --jobs 5 --timeout 100 "${fast[@]}"
law slow-timeout - timeout=5 slow=400 --jobs 5 --timeout 100 "${fast[@]}"
law idle-close - ok=8 idle-close=30 --jobs 8 --every 60 "${fast[@]}"
law idle-close-race 0 ok=40 idle-close=20 --jobs 40 --every 20 "${fast[@]}"
law fin - ok=10 fin-after-read --jobs 10 "${fast[@]}"
law rst - ok=10 reset-after-read --jobs 10 "${fast[@]}"
law stray - not_jolokia=5 stray-after-read --jobs 10 "${fast[@]}"
law fin-changes - reset=10 fin-after-read=1 --jobs 10 --change --owner bulk "${fast[@]}"
law fin-first - reset=10 fin-after-read=1 --jobs 10 "${fast[@]}"
law cut - reset=5 cut=30 --jobs 5 "${fast[@]}"
law refused - connect=5 refuse --jobs 5 "${fast[@]}"
law too-large - request_too_large=5 413 --jobs 5 --operations 3 "${fast[@]}"
law halved - ok=2 "400-text" --jobs 2 --operations 2 "${fast[@]}"
law unread 5 ok=10 close-unread=2 --jobs 10 "${fast[@]}"
