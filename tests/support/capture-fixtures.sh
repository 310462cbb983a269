#!/bin/bash
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The collectd-jolokia authors
# Captures the replies of real brokers to the scrape's own requests, byte for
# byte but for what says where it was, into tests/fixtures/VERSION/ with a
# MANIFEST. Run it in a build folder that holds tests/support/print-requests and
# simnode:
#
#   make tests/support/print-requests tests/support/simnode
#   top_srcdir=.. top_builddir=. ../tests/support/capture-fixtures.sh 2.40.0 ...
# shellcheck disable=SC2154 # what the sourced files set
set -u
: "${top_srcdir:?}" "${top_builddir:?}"
# shellcheck source=tests/support/wait.sh
. "$top_srcdir/tests/support/wait.sh"
# shellcheck source=tests/support/simnode.sh
. "$top_srcdir/tests/support/simnode.sh"
# shellcheck source=tests/support/artemis.sh
. "$top_srcdir/tests/support/artemis.sh"

# exec OPERATION ARGUMENTS-JSON [KEYS-JSON]: on the broker, or below it.
run_exec() {
  artemis_jolokia "$folder" "{\"type\":\"exec\",\"mbean\":\"$(artemis_mbean_json "$folder")${3:-}\",\"operation\":\"$1\",\"arguments\":$2}" |
    grep -q '"status":200' || fail "exec $1 $2"
}

# make_queue NAME-JSON [MORE]: the name as it stands inside a JSON string that
# stands in a JSON string.
make_queue() {
  run_exec 'createQueue(java.lang.String)' \
    "[\"{\\\"name\\\":\\\"$1\\\",\\\"address\\\":\\\"$1\\\",\\\"routing-type\\\":\\\"ANYCAST\\\"${2:-}}\"]"
}

# Names that have hurt tools: quotes, patterns, escapes, separators, spaces at
# the end, control bytes, non-ASCII, text that reads as another type, too long.
make_queues() {
  make_queue ORDERS
  make_queue a/b
  make_queue a_b
  make_queue 'comma,eq=c:d'
  make_queue 'q\\\"uote'
  make_queue 'back\\\\slash'
  make_queue 'st*ar'
  make_queue 'what?'
  make_queue 'space '
  make_queue 'tab\\there'
  make_queue 'ünï'
  make_queue 007
  make_queue true
  make_queue 'ERROR: no error'
  make_queue "$(printf 'x%.0s' {1..300})"
  make_queue 123e4567-e89b-12d3-a456-426614174000
  make_queue byhand ',\"temporary\":true,\"durable\":false'
}

send() { # QUEUE N
  local i
  for ((i = 0; i < $2; i++)); do
    run_exec 'sendMessage(java.util.Map,int,java.lang.String,boolean,java.lang.String,java.lang.String)' \
      "[{},3,\"text\",true,\"admin\",\"$artemis_password\"]" \
      ",component=addresses,address=\\\"$1\\\",subcomponent=queues,routing-type=\\\"anycast\\\",queue=\\\"$1\\\""
  done
}

# What says where it was captured is replaced: folder, host's address, port.
without_place() {
  sed -E 's,file:[^"]*(\\?/)jolokia-access,file:\1etc\1jolokia-access,
    s/[0-9.]+-[0-9]+-[0-9a-f]+-servlet/192.0.2.1-1234-1a2b3c4d-servlet/g
    s,(localhost|127\.0\.0\.1):[0-9]+,localhost:8161,g'
}

# capture NAME BODY
capture() {
  printf '%s' "$2" >"$out/$1.request.json"
  artemis_jolokia "$folder" "$2" | without_place >"$out/$1.json"
  local file
  for file in "$1.request.json" "$1.json"; do
    printf '%s  %s\n' "$(sha256sum <"$out/$file" | cut -d' ' -f1)" "$file" >>"$out/MANIFEST"
  done
}

capture_version() {
  local version=$1 print=$top_builddir/tests/support/print-requests what
  folder=$test_dir/$version/orders
  out=$top_srcdir/tests/fixtures/$version
  mkdir -p "$test_dir/$version" "$out"
  artemis_create "$version" "$folder" || fail "$artemis_why"
  artemis_start "$folder"
  make_queues
  send ORDERS 5
  run_exec 'removeMessages(java.lang.String)' '[""]' \
    ',component=addresses,address=\"ORDERS\",subcomponent=queues,routing-type=\"anycast\",queue=\"ORDERS\"'
  send ORDERS 3
  run_exec 'pause()' '[]' \
    ',component=addresses,address=\"a_b\",subcomponent=queues,routing-type=\"anycast\",queue=\"a_b\"'
  printf '%s\n' "# Apache Artemis $version, captured byte for byte by" \
    "# tests/support/capture-fixtures.sh, which replaced folder, address and port." \
    "# NAME.request.json is the body that NAME.json answers; sha256sum -c reads this." \
    >"$out/MANIFEST"
  capture identity "$("$print" identity)"
  for what in fast read address slow; do
    capture "$what" "$("$print" "$what" "$version" "$(artemis_mbean "$folder")")"
  done
  artemis_stop "$folder"
}

need curl java unzip
make_test_dir
for version in "${@:-2.40.0}"; do
  capture_version "$version"
  pass "$version"
done
