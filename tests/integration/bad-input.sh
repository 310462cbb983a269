#!/bin/bash
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The collectd-jolokia authors
# What a node may answer instead of what was asked: each has its stable kind and
# words that name the remedy, costs only the item that it is about, and no
# request goes out without a permit.
# shellcheck disable=SC2154 # what the sourced files set
set -u
# shellcheck source=tests/support/wait.sh
. "${top_srcdir:?}/tests/support/wait.sh"
# shellcheck source=tests/support/simnode.sh
. "$top_srcdir/tests/support/simnode.sh"
make_test_dir

drive() {
  DRIVE_PASSWORD=sesame "${top_builddir:?}/tests/support/drive" --rate 1000000 --burst 100 "$@" \
    >"$test_dir/told" 2>"$test_dir/err" || fail "drive: $(cat "$test_dir/told" "$test_dir/err")"
  grep -q sesame "$test_dir/told" "$test_dir/err" && fail "the password is told: $(cat "$test_dir/told")"
}
told() { grep -qF -- "$2" "$test_dir/told" || fail "$1: no '$2' in: $(cat "$test_dir/told")"; }

# answer KIND=N "HAZARD..." "WORDS" DRIVE-OPTION...: jobs of three operations.
answer() {
  local kind=$1 path=${2// /+} words=$3
  shift 3
  drive --operations 3 "$@" "http://127.0.0.1:$sim_port/${path:+$path/}console/jolokia"
  told "$path" " $kind"
  told "$path" "$words"
  pass "$path: $kind"
}

simnode_name=origin simnode_start --hazard origin=http://allowed
answer denied=1 "" "set Origin"
answer "ok=1 item.ok=3" "" "" --origin http://allowed
simnode_start --queues 20
answer "ok=1 item.ok=3" "" ""
answer auth=1 403 "set Username and PasswordFile"
answer auth=1 403 "console's role" --user monitor
answer auth=1 401 "wrong user or password" --user monitor
answer throttled=1 429 "HTTP 429"
answer throttled=1 503 "HTTP 503"
answer http_status=1 redirect "/console/jolokia/"
answer http_status=1 404-html "wrong path"
answer http_status=1 status=500 "HTTP 500"
answer request_too_large=1 413 "MaxRequestBytes"
answer http_status=1 400-text "HTTP 400"
answer not_jolokia=1 html200 "URL's path"
answer not_jolokia=1 text200 "not JSON"
answer not_jolokia=1 empty "empty"
answer not_jolokia=1 nul-first "NUL"
answer not_jolokia=1 garbage "not JSON"
answer not_jolokia=1 garbage-http "HTTP/1.1"
answer not_jolokia=1 long-head=70000 "header is longer"
answer not_jolokia=1 long-head=2000000 "line of its header is longer"
answer not_jolokia=1 coded "compressed"
answer reset=1 cut-head=12 "before the reply"
answer reset=1 cut-head=30 "before the reply"
answer malformed_reply=1 too-few "2 items for 3 operations"
answer malformed_reply=1 too-many "more items"
answer malformed_reply=1 lone-object "3 operations"
answer timeout=1 hang "within the timeout" --timeout 100
answer timeout=1 stall=20 "within the timeout" --timeout 100
answer "ok=1 item.ok=3" "drip=1" "" --timeout 10000

# A kept-alive login that is refused: three times, then it is held.
answer "held=7 auth=3" auth=monitor:right "is held" --user monitor --jobs 10
[ "$(simnode_requests "$sim_port" /auth=monitor:right/console/jolokia)" -eq 3 ] ||
  fail "a refused login was sent $(simnode_requests "$sim_port" /auth=monitor:right/console/jolokia) times"
answer "ok=10 item.ok=30" auth=monitor:sesame "" --user monitor --jobs 10

# One item's trouble is its own.
answer "ok=1 item.ok=3" 413=400 ""
answer "ok=1 item.ok=2 item.not_found=1" "" "" --bad 2
answer "ok=1 item.reply_too_large=3" big=5000 "MaxResponseBytes" --max-response 2000
answer "rows=19 " long-row=70000 "" --listing --operations 1
answer "rows=20 " "" "" --listing --operations 1 --pause 3

# Cut anywhere, framed either way: never well, never half an item.
drive --operations 1 "http://127.0.0.1:$sim_port/console/jolokia"
length=$(grep -oE 'bytes=[0-9]+' "$test_dir/told" | cut -d= -f2)
for framing in "" length+; do
  urls=()
  for ((cut = 0; cut < length && cut < 64; cut++)); do
    urls+=("http://127.0.0.1:$sim_port/${framing}cut=$cut/console/jolokia")
  done
  drive --operations 1 "${urls[@]}"
  [ "$(grep -cE ' reset=1( |$)' "$test_dir/told")" -eq "${#urls[@]}" ] || fail "cut ${framing:-chunked}: $(cat "$test_dir/told")"
  grep -q ' ok=1' "$test_dir/told" && fail "cut ${framing:-chunked}: one was well: $(cat "$test_dir/told")"
  pass "cut at each of ${#urls[@]} bytes (${framing:-chunked}): reset"
done
