#!/bin/bash
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The collectd-jolokia authors
# The stand-in itself: the shapes of its replies, its hazards as curl sees them,
# its log.
# shellcheck disable=SC2154 # what the sourced files set
set -u
# shellcheck source=tests/support/wait.sh
. "${top_srcdir:?}/tests/support/wait.sh"
# shellcheck source=tests/support/simnode.sh
. "$top_srcdir/tests/support/simnode.sh"
need curl openssl
make_test_dir

D=org.apache.activemq.artemis
B="$D:broker=\\\"sim\\\""
identity='[{"type":"version"},{"type":"search","mbean":"'$D':broker=*"},{"type":"read","mbean":"'$D':broker=*","attribute":["Version","Active"]}]'
listing='[{"type":"exec","mbean":"'$B'","operation":"listQueues(java.lang.String,int,int)","arguments":["",1,2147483647],"config":{"includeRequest":false}}]'
queues='[{"type":"read","mbean":"'$B',component=addresses,address=*,subcomponent=queues,routing-type=*,queue=*","attribute":["MessageCount","Nope"]}]'

# post PATH BODY [CURL OPTION...]: in ${most} seconds; the body in ${body}, curl's exit code in
# ${code}, the HTTP status in ${status}, the header in ${head}.
post() {
  local path=$1 sent=$2
  shift 2
  : >"$test_dir/body"
  status=$(curl -sS -m "${most:-60}" -o "$test_dir/body" -D "$test_dir/head" -w '%{http_code}' \
    -H 'Content-Type: application/json' "$@" -d "$sent" \
    "http://127.0.0.1:$sim_port$path" 2>"$test_dir/curl")
  code=$?
  body=$(tr '\0' '@' <"$test_dir/body")
  head=$(tr -d '\r' <"$test_dir/head")
}
has() { [[ $body == *"$1"* ]] || fail "$2: no '$1' in: ${body:0:400}"; }
has_not() { [[ $body != *"$1"* ]] || fail "$2: '$1' in: ${body:0:400}"; }
has_header() { [[ $head == *"$1"* ]] || fail "$2: no '$1' in: $head"; }
expect_status() { [ "$status" = "$1" ] || fail "$2: HTTP $status, expected $1"; }
expect_code() { [ "$code" = "$1" ] || fail "$2: curl $code, expected $1: $(cat "$test_dir/curl")"; }

shapes() {
  post /console/jolokia "$identity"
  has '"agent":"2.1.1"' identity
  has '"value":["org.apache.activemq.artemis:broker=\"sim\""]' identity
  has '"Version":"2.40.0","Active":true' identity
  has_not timestamp "2.40 has none"
  has_header 'Content-Type: application/json' identity
  has_header 'Transfer-Encoding: chunked' identity
  post /console/jolokia "$listing"
  has '{"value":"{\"data\":[{\"id\":\"1\",\"name\":\"sim.queue.00001\"' listing
  has '\"messagesAdded\":\"1010\"' "values rise by request"
  has '\"internalQueue\":\"false\"}' listing
  has '],\"count\":3}","status":200}]' listing
  post /console/jolokia "$queues"
  has '"org.apache.activemq.artemis:address=\"sim.queue.00001\",broker=\"sim\",component=addresses,queue=\"sim.queue.00001\",routing-type=\"anycast\",subcomponent=queues":{"MessageCount":0}' "pattern read"
  post /console/jolokia '[{"type":"write","mbean":"'"$B"'","attribute":"Version","value":1},{"type":"exec","mbean":"'"$B"'","operation":"nope()"}]'
  has '"status":404}' write
  has '"status":400}' exec
  post /console/jolokia '[{"type":"version"},{"type":"read","mbean":"no-colon","attribute":"a"}]'
  has '{"error_type"' "a malformed name refuses the bulk"
  has_not '[' "a malformed name refuses the bulk"
  pass "shapes of 2.40"
}

old_shapes() {
  post /console/jolokia "$identity"
  has '"agent":"1.6.2"' "2.18"
  has '"timestamp":' "2.18"
  has_header 'Content-Type: text/plain;charset=utf-8' "2.18"
  post /console/jolokia "$listing"
  has '"request":{' "1.x always repeats the request"
  has_not autoDelete "2.18 lacks it"
  pass "shapes of 2.18"
}

refusals() {
  local name
  for name in 401 403 429 413; do
    post "/$name/console/jolokia" "$identity"
    expect_status "$name" "$name"
  done
  post /429=7/x "$identity"
  has_header 'Retry-After: 7' 429
  post /403/x "$identity"
  has_header 'Hawtio-Forbidden-Reason: NONE' 403
  post /503=3/x "$identity"
  expect_status 503 503
  post /404-html/x "$identity"
  has '<html>' 404-html
  post /400-text/x "$identity"
  has '400 (Bad Request)' 400-text
  post /redirect/x "$identity"
  has_header "Location: http://127.0.0.1:$sim_port/console/jolokia/" redirect
  post /origin/x "$identity"
  has '"status":403' origin
  has_not '[' "origin: a lone object"
  post /origin/x "$identity" -H 'Origin: http://localhost'
  has '"agent"' "origin sent"
  pass refusals
}

is_let_in() {
  post /auth=a:b/x "$identity" -u a:b
  [ "$status" = 200 ]
}
logins() {
  local i
  for i in 1 2 3 4; do
    post /auth=a:b/x "$identity" -u a:wrong
    expect_status 403 "wrong login $i"
  done
  post /auth=a:b/x "$identity" -u a:wrong
  expect_status 429 "fifth wrong login"
  has_header 'Retry-After: 1' "fifth wrong login"
  # That was for a second, the next one is for three.
  sleep 1.2
  post /auth=a:b/x "$identity" -u a:wrong
  has_header 'Retry-After: 3' "sixth wrong login"
  post /auth=a:b/x "$identity" -u a:b
  expect_status 429 "right, but throttled"
  wait_until 30 is_let_in || fail "right login: HTTP $status"
  post /auth=a:b/x "$identity"
  expect_status 403 "no login"
  pass logins
}

odd_bodies() {
  post /html200/x "$identity"
  has '<!doctype html>' html200
  post /empty/x "$identity"
  [ -z "$body" ] || fail "empty: $body"
  post /nul-first/x "$identity"
  [[ $body == '@['* ]] || fail "nul-first: $body"
  post /cut=20/x "$identity"
  expect_code 18 cut
  [ ${#body} -eq 20 ] || fail "cut: ${#body} bytes"
  post /cut=20+length/x "$identity"
  expect_code 18 "cut, with a length"
  most=1 post /stall=20/x "$identity"
  expect_code 28 stall
  most=1 post /hang/x "$identity"
  expect_code 28 hang
  post /garbage-http/x "$identity"
  expect_code 1 garbage-http
  post /lone-object/x "$identity"
  [[ $body == '{'* ]] || fail "lone-object: $body"
  post /too-few/x "$identity"
  has_not '"Active"' too-few
  post /too-many/x "$listing"
  has '},{"value"' too-many
  post /big=5000/x "$listing"
  has 'xxxxxxxxxx' big
  post /status=500/x "$identity"
  expect_status 500 status
  has '"agent"' status
  post /slow=300/x "$identity"
  expect_code 0 slow
  post /drip=50/x "$identity"
  has '"Active":true' drip
  pass "odd bodies"
}

broker_states() {
  post /not-started/x "$listing"
  has 'Broker is not started' not-started
  post /backup/x "$listing"
  has '{\"data\":[],\"count\":0}' backup
  post /backup/x "$queues"
  has '"status":404' backup
  post /backup/x "$identity"
  has '"Active":false' backup
  post /npe-listing=2/x "$listing"
  has '\"count\":3' "npe-listing, first"
  post /npe-listing=2/x "$listing"
  has 'java.lang.NullPointerException' "npe-listing, second"
  post /count-differs/x "$listing"
  has '\"count\":4' count-differs
  post /denied-exec/x "$listing"
  has '"status":403' denied-exec
  post /long-row=3000/x "$listing"
  [ ${#body} -gt 3000 ] || fail "long-row: ${#body} bytes"
  post /negative/x "$listing"
  has '\"messageCount\":\"-3\"' negative
  post /nulls/x "$listing"
  has '\"messageCount\":null' nulls
  post /text-number/x "$listing"
  has '\"messageCount\":\"12 messages\"' text-number
  post /fault=MessageCount/x "$queues"
  has '"MessageCount":"ERROR: ' fault
  pass "states of a broker"
}

has_closed() { [ "$(simnode_lines "$sim_port" close | grep -c "$1")" -ge "$2" ]; }
# A second request on the same connection; curl sends it anew by itself.
kept_alive() {
  local name before reads n=0
  for name in reset fin stray; do
    before=$(simnode_requests)
    curl -sS -m 60 -o /dev/null -d "$identity" \
      "http://127.0.0.1:$sim_port/$name-after-read/x" --next -sS -m 60 \
      -o /dev/null -d "$identity" "http://127.0.0.1:$sim_port/$name-after-read/x" \
      2>/dev/null
    reads=$(($(simnode_requests) - before))
    [ $reads -ge 2 ] || fail "$name-after-read: $reads requests read"
    n=$((n + 1))
    wait_until 30 has_closed hazard $n ||
      fail "$name-after-read: nothing in the log"
  done
  before=$(simnode_requests)
  curl -sS -m 60 -o /dev/null -d "$identity" \
    "http://127.0.0.1:$sim_port/close-unread=2/x" --next -sS -m 60 -o /dev/null \
    -d "$identity" "http://127.0.0.1:$sim_port/close-unread=2/x" 2>/dev/null
  wait_until 30 has_closed unread 1 ||
    fail "close-unread: nothing in the log"
  pass "what happens to kept-alive connections"
}

the_log() {
  local before after line
  before=$(simnode_requests "$sim_port" /counted/x)
  for _ in 1 2 3; do post /counted/x "$listing"; done
  after=$(simnode_requests "$sim_port" /counted/x)
  [ $((after - before)) -eq 3 ] || fail "the log counts $((after - before)) of 3"
  line=$(simnode_lines "$sim_port" operations | tail -n 1)
  [[ $line == *" 1 exec:listQueues" ]] || fail "operations: $line"
  pass "the log"
}

nasty() {
  simnode_start --queues 0 --nasty --internal
  post /x "$listing"
  has '\"name\":\"a\\\"b\\\\c*d?e\"' "a name with quotes"
  has '\"name\":\"new\\nline\"' "a name with a line feed"
  post /x "$queues"
  has 'queue=\"a\\\"b\\\\c\\*d\\?e\"' "its object name"
  has 'queue=\"new\\nline\"' "its object name"
  simnode_stop
  pass "odd names"
}

tls() {
  openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost \
    -addext subjectAltName=DNS:localhost -keyout "$test_dir/key" \
    -out "$test_dir/cert" 2>/dev/null || fail "no certificate"
  cat "$test_dir/cert" "$test_dir/key" >"$test_dir/pem"
  simnode_start --queues 2000 --cert "$test_dir/pem"
  curl -sS -m 60 --cacert "$test_dir/cert" -d "$listing" -o "$test_dir/body" \
    "https://localhost:$sim_port/x" || fail "TLS"
  body=$(tail -c 60 "$test_dir/body")
  has '\"count\":2000}' "a long reply over TLS"
  curl -sS -m 60 -d "$listing" "https://localhost:$sim_port/x" >/dev/null 2>&1
  [ $? -eq 60 ] || fail "curl trusts an unknown certificate"
  simnode_stop
  simnode_start --cert "$test_dir/pem" --client-ca "$test_dir/cert"
  curl -sS -m 60 --cacert "$test_dir/cert" -d "$listing" "https://localhost:$sim_port/x" \
    >/dev/null 2>&1 && fail "no client certificate was asked for"
  curl -sS -m 60 --cacert "$test_dir/cert" --cert "$test_dir/pem" -d "$listing" \
    -o /dev/null "https://localhost:$sim_port/x" || fail "TLS with a client certificate"
  simnode_stop
  pass TLS
}

simnode_start --queues 3
shapes
refusals
logins
odd_bodies
broker_states
kept_alive
the_log
simnode_stop
[ "$end_status" -eq 0 ] || fail "simnode ended with status $end_status"
simnode_start --queues 3 --version 2.18.0
old_shapes
simnode_stop
nasty
tls
simnode_start --hazard refuse
post / "$identity"
expect_code 7 refuse
