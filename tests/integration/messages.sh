#!/bin/bash
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The collectd-jolokia authors
# Messages changed by their ids: each ends as done, absent, failed or unknown;
# what is unsafe or wrong is refused before the first change; nothing is changed
# that was not asked for.
# shellcheck disable=SC2154 # what the sourced files set
set -u
# shellcheck source=tests/support/wait.sh
. "${top_srcdir:?}/tests/support/wait.sh"
# shellcheck source=tests/support/simnode.sh
. "$top_srcdir/tests/support/simnode.sh"
# shellcheck source=tests/support/ctl.sh
. "$top_srcdir/tests/support/ctl.sh"
# shellcheck source=tests/support/messages.sh
. "$top_srcdir/tests/support/messages.sh"
make_test_dir
ctl_setup
cd "$test_dir" || exit 1

# change OPERATION ARGUMENT...: of the queue of orders/a, without a question.
change() {
  local operation=$1
  shift
  ctl messages "$operation" orders/a "$queue" --yes "$@" </dev/null
}
# refused CODE REGEX TEXT: by name, before any change.
refused() {
  expect_code "$1" "$3"
  grep -qE -- "$2" "$err" || { show; fail "$3: no '$2'"; }
  [ "$(executed)" = 0 ] || fail "$3: $(executed) messages were changed"
}
is_one_json_a_line() {
  while read -r line; do
    [[ $line == "{"*"}" ]] || fail "no object: $line"
  done <"$out"
}

# -- A broker that takes 20 ms over each id: HandlingShare, in the background --
stalled=$(stalled_ms)
simnode_name=slow simnode_start --queues 1 --messages 200 --hazard slow-exec=20
slow_log=$sim_log
cat >slow.conf <<END
<Plugin jolokia>
  StateDir "$test_dir/slow-state"
  <Cluster "orders">
    <Operator>
      Login "same"
    </Operator>
    Node "slow" "http://127.0.0.1:$sim_port/console/jolokia"
  </Cluster>
</Plugin>
END
seq 1000 1199 >slow.ids
timeout 100 "$top_builddir/jolokiactl" --config slow.conf messages remove orders/slow "$queue" \
  --ids-file slow.ids --yes </dev/null >slow.out 2>slow.err &
slow_pid=$!

# -- One whose browsing takes longer than a check is good for --
node=late simnode_name=late messages_node 1000 --hazard slow=750
late_log=$sim_log
cp "$conf" late.conf
timeout 100 "$top_builddir/jolokiactl" --config late.conf messages remove orders/late "$queue" \
  --filter even --yes </dev/null >late.out 2>late.err &
late_pid=$!

# -- Done, absent, failed, unknown --
messages_node 1000
{ echo '# of the morning'; seq 1000 2 1998; echo; seq 500001 500500; echo 1000; } >ids
change remove --ids-file ids
expect_code 1 'half gone'
counts 500 500 0 0 'half gone'
grep -q '1 ids were given more than once' "$err" || fail 'the duplicate was not told'
[ "$(executed true) $(executed false)" = "500 1000" ] ||
  fail "half gone: $(executed true) done, $(executed false) false: absent is what was false twice"
[ "$(grep -c ' operations ' "$sim_log")" -le 35 ] || fail 'too many requests'
head -1 "$out" | grep -q '^resume file: ./jolokiactl-remove-.*\.resume$' || fail 'the resume file is not told first'
awk '$4 == "executed" && $6 == "true" { if ($5 <= last) exit 1; last = $5 }' "$sim_log" ||
  fail 'the ids did not go out in ascending order'
change remove --json 1001 1003 7
expect_code 1 'as JSON'
is_one_json_a_line
has '^\{"id":7,"state":"absent"\}$' 'as JSON'
[ "$(tail -1 "$out")" = '{"done":2,"absent":1,"failed":0,"unknown":0,"not_sent":0}' ] ||
  { show; fail 'the last line has not the four counts'; }
change move --to sim.queue.00002 1005
expect_code 0 'move'
change expire 1007
expect_code 0 'expire'
change dead-letter 1009
expect_code 0 'dead-letter'
for operation in moveMessage expireMessage sendMessageToDeadLetterAddress; do
  grep -q "exec:$operation" "$sim_log" || fail "no $operation"
done
pass 'half gone, JSON, move, expire, dead-letter'

# -- A filter is browsed, and never sent as a change --
ctl messages list orders/a "$queue" --filter even --browse-limit 3
expect_code 0 'list'
change remove --filter even
expect_code 1 'a filter that selects nothing'
change remove --filter ' '
expect_code 2 'a blank filter, which would select all'
ctl capture remove orders/a A --name B --yes
expect_code 2 'an option of another command'
grep -q 'takes no --name$' "$err" || fail 'not that option is named'
messages_node 1000
change remove --filter any --dry-run
has '^would remove 1000 messages of [^:]*, all that are there: ' 'a filter that selects all'
change remove --filter even --dry-run
has '^would remove 500 messages of [^,:]*: ' 'a filter that selects some'
change remove --filter even --max 500
expect_code 0 'a filter'
counts 500 0 0 0 'a filter'
grep -qE 'exec:(removeMessages|removeAllMessages)' "$sim_log" && fail 'a filter was sent as a change'
change remove --filter wrong
expect_code 1 'a filter that is none'
grep -q 'AMQ229020' "$err" || { show; fail 'what is wrong with the filter is not told'; }
change remove --filter even --browse-limit 100
expect_code 7 'a filter over more than the limit'
pass 'filters'

# -- Before anything is sent --
messages_node 10
seq 1000 2000 >many
n=$(grep -c ' request ' "$sim_log")
change remove --ids-file many
refused 7 '1001 ids, and a run has at most 1000: --max 1001' 'more than the cap'
printf '1000\nx1\n-1\n9223372036854775808\n1.5\n' >wrong
change remove --ids-file wrong
refused 2 'wrong:2: "x1"' 'ids that are none'
for line in 3 4 5; do grep -q "^wrong:$line: " "$err" || fail "line $line is not told"; done
head -c 4096 "$top_builddir/tests/support/simnode" >binary
change remove --ids-file binary
refused 2 'binary:1: it is binary' 'a binary'
truncate -s 1G big
change remove --ids-file big
refused 2 'longer than 64 MiB' '1 GB'
change remove --ids-file nowhere
refused 2 'nowhere cannot be opened' 'no such file'
: >empty
change remove --ids-file empty
refused 2 'no message id' 'an empty list'
change remove
refused 2 'no message id' 'no list'
ctl messages move orders/a "$queue" 1000
refused 2 '--to' 'no target'
ctl messages remove orders "$queue" 1000
refused 2 'CLUSTER/NODE' 'a cluster'
sed '/<Operator>/,/<\/Operator>/d' "$conf" >no-operator.conf
conf=no-operator.conf ctl messages remove orders/a "$queue" 1000 --yes
refused 6 'Operator' 'no login'
[ "$(grep -c ' request ' "$sim_log")" = "$n" ] || fail 'something was sent for what is wrong'
ctl messages remove orders/a "$queue" 1000 </dev/null
refused 7 '--yes' 'nobody to ask'
change remove 1000 1001 --dry-run
expect_code 0 'a dry run'
has '^would remove 2 messages .*1 request, 1 permit' 'a dry run'
[ "$(executed)" = 0 ] || fail 'the dry run has changed something'
change remove --ids-file many --max 1001 --dry-run
has '^would remove 1001 messages .*: 21 requests and 2 that look again, 23 permits' 'a long dry run'
change move --to nowhere 1000
refused 1 'no queue "nowhere"' 'the target is missing'
change move --to "$queue" 1000
refused 2 'the queue itself' 'the target is the queue'
change remove --resume many
refused 2 'first line' 'no resume file'
pass 'mistakes'

# -- The README's example --
node=broker-a messages_node 10
sed -n '/^\$ jolokiactl messages/,/^```/p' "$top_srcdir/README.md" | sed "/^\`/d; s/ORDERS/$queue/" >example
read -ra words < <(sed -n '1s/^\$ jolokiactl //p' example)
ctl "${words[@]}" </dev/null
expect_code 1 "the README's example"
diff <(sed 's/-[0-9TZ]*-[0-9]*\.resume//' "$out") <(sed '1d; s/-[0-9TZ]*-[0-9]*\.resume//' example) ||
  fail "the README's example shows something else"
pass "the README's example"

# -- What brokers were seen to do damage with --
unsafe() { # REGEX OPERATION... -- OPTION...
  local regex=$1 operation=()
  shift
  while [ "$1" != -- ]; do operation+=("$1"); shift; done
  shift
  messages_node 10 "$@"
  change "${operation[@]}" 1000
  refused 7 "$regex" "${operation[*]} with $*"
}
unsafe 'is paging' dead-letter -- --set "$queue.Paging=true"
unsafe 'has no dead-letter address' dead-letter -- --set "$queue.DeadLetterAddress=\"\""
unsafe 'has no expiry address' expire -- --set "$queue.ExpiryAddress=null"
unsafe 'of its own dead-letter' dead-letter -- --set "$queue.DeadLetterAddress=\"$queue\""
unsafe 'ARTEMIS-6179' remove -- --version 2.54.0 --set "$queue.Paging=true"
unsafe 'not active' remove -- --set broker.Active=false
unsafe 'policy is FAIL' move --to sim.queue.00002 -- \
  --set 'sim.queue.00002.settings={"addressFullMessagePolicy":"FAIL","maxSizeBytes":1500}'
unsafe 'policy is DROP' dead-letter -- \
  --set 'DLQ.settings={"addressFullMessagePolicy":"DROP","maxSizeBytes":1500}'
unsafe 'global-max-size' move --to sim.queue.00002 -- --set broker.GlobalMaxSize=1050000 \
  --set 'sim.queue.00002.settings={"addressFullMessagePolicy":"FAIL","maxSizeBytes":-1}'
unsafe 'is disabled' move --to sim.queue.00002 -- --set sim.queue.00002.Enabled=false
unsafe 'purge-on-no-consumers' move --to sim.queue.00002 -- \
  --set sim.queue.00002.PurgeOnNoConsumers=true --set sim.queue.00002.ConsumerCount=0
unsafe 'ring-size' move --to sim.queue.00002 -- \
  --set sim.queue.00002.RingSize=5 --set sim.queue.00002.MessageCount=5
messages_node 10 --set "$queue.DeadLetterAddress=\"Nowhere\""
change dead-letter 1000
refused 1 'no queue is bound to the address Nowhere' 'a dead-letter address without a queue'
# What a terminal would obey, in a name of the broker's: shown, and asked for.
on_terminal() { # COMMAND...: and a person who says no
  python3 - "$out" "$@" <<'PYTHON'
import os, pty, sys
out = open(sys.argv[1], "wb")
def read(fd):
    data = os.read(fd, 4096)
    out.write(data)
    if b"[y/N]" in data:
        os.write(fd, b"n\n")
    return b""
pty.spawn(sys.argv[2:], read, lambda fd: b"")
PYTHON
}
messages_node 10 --set "$queue.DeadLetterAddress=\"DLQ\u001b]0;x\u0007\"" \
  --set "$queue.settings={\"autoCreateDeadLetterResources\":true}"
change dead-letter 1000 --dry-run
expect_code 0 'a name that is a command'
has 'to the address DLQ[?]\]0;x[?]: 1 request' 'a name that is a command'
on_terminal "$top_builddir/jolokiactl" --config "$conf" messages dead-letter orders/a "$queue" 1000 </dev/null
has 'to the address DLQ[?]\]0;x[?]: 1 request.*\[y/N\]' 'a question with a name that is a command'
messages_node 20 --origin sim.queue.00002
change retry 1000 1001 1009 5000
expect_code 1 'retry'
counts 2 1 1 0 'retry'
has 'never was dead-lettered' 'retry'
messages_node 20 --origin gone
change retry 1000
expect_code 1 'retry where the queue is gone'
counts 0 0 1 0 'retry where the queue is gone'
has 'there is no queue gone' 'retry where the queue is gone'
[ "$(executed)" = 0 ] || fail 'a message without its queue was retried'
pass 'what does damage is refused'

# -- A broker that is odd meanwhile --
messages_node 300 --hazard denied-change
seq 1000 1299 >ids
change remove --ids-file ids
expect_code 6 'without permission'
counts 0 0 300 0 'without permission'
has 'item_denied.*\(1000, 1001' 'without permission'
messages_node 300 --hazard gone-after=120
change remove --ids-file ids
expect_code 1 'the queue is deleted'
counts 120 0 180 0 'the queue is deleted'
messages_node 300 --hazard full-after=60
change move --to sim.queue.00002 --ids-file ids
expect_code 1 'the target fills'
counts 60 0 240 0 'the target fills'
[ "$(executed)" = 100 ] || fail "the target fills: $(executed) were sent, and the request that met it was the second"
has '^  failed: not sent' 'the target fills'
messages_node 300 --hazard false-first=7 --hazard busy=150
change remove --ids-file ids
expect_code 0 'false and busy'
counts 300 0 0 0 'false and busy'
messages_node 300 --hazard reset-after-exec=3
change remove --ids-file ids
expect_code 3 'replies that never come'
has '^done [0-9]+, absent 0, failed 0, unknown [0-9]+$' 'replies that never come'
[ "$(executed true) $(executed)" = "300 300" ] || fail 'an id was sent again before it was looked at'
messages_node 60 --hazard late-exec
seq 1000 1049 >ids50
change remove --ids-file ids50
expect_code 0 'executed after it was looked at'
counts 50 0 0 0 'executed after it was looked at'
[ "$(executed true) $(executed false)" = "50 100" ] ||
  fail "executed after it was looked at: $(executed true) done, $(executed false) false"
messages_node 1000 --hazard remade-after=120
seq 1000 1999 >all.ids
change remove --ids-file all.ids
expect_code 1 'the queue is made again'
counts 120 0 880 0 'the queue is made again'
[ "$(executed)" = 500 ] || fail "the queue is made again: $(executed) were sent, and it is looked at after ten requests"
grep -q 'was deleted and made again (its ID was 1, and is 4711)' "$err" || fail 'that the queue was made again is not told'
pass 'permission, a queue deleted, a target that fills, busy, false, resets, a late one'

# -- The disk is full: after 2 KiB, of which the ids take most --
messages_node 350
seq 1000 1349 >many.ids
(trap '' XFSZ; ulimit -f 2; change remove --ids-file many.ids; exit "$code")
code=$?
expect_code 1 'a full disk'
n=$(executed)
[ "$n" -lt 350 ] || fail 'a full disk has not stopped it'
counts "$n" 0 "$((350 - n))" 0 'a full disk'
file=$(sed -n 's/^resume file: //p' "$out")
change remove --resume "$file"
[ "$(executed true) $(executed)" = "350 350" ] || fail 'after a full disk an id was sent twice'
n=$(executed)
(trap '' XFSZ; ulimit -f 1; change remove --ids-file many.ids; exit "$code")
code=$?
expect_code 1 'no room for a resume file'
grep -q 'resume file .* cannot be written' "$err" || { show; fail 'that there is no room is not told'; }
[ "$(executed)" = "$n" ] || fail 'something was sent without a resume file'
pass 'a full disk: stopped, and went on'

# -- Ctrl-C: the request under way is waited for --
messages_node 300 --hazard slow-exec=15
"$top_builddir/jolokiactl" --config "$conf" messages remove orders/a "$queue" --ids-file ids --yes \
  </dev/null >"$out" 2>"$err" &
pid=$!
wait_until 30 grep -q ' executed 1050 ' "$sim_log" || fail 'nothing was removed'
kill -INT "$pid"
wait "$pid"
code=$?
expect_code 130 'Ctrl-C'
n=$(executed true)
[ "$n" -lt 300 ] || fail 'Ctrl-C came too late'
counts "$n" 0 "$((300 - n))" 0 'Ctrl-C'
file=$(sed -n 's/^resume file: //p' "$out")
sed 's/^queue .*/queue other/' "$file" >other
change remove --resume other
expect_code 2 'of another queue'
grep -q 'of another run' "$err" || fail 'that it is of another queue is not told'
cp "$file" cut
truncate -s -30 cut
change remove --resume cut
expect_code 2 'truncated'
change remove --resume "$file"
expect_code 0 'after Ctrl-C'
[ "$(executed true) $(executed)" = "300 300" ] || fail 'an id was sent twice'
sent=$(grep -c ' request ' "$sim_log")
change remove --resume "$file"
expect_code 0 'nothing is left to do'
counts 300 0 0 0 'nothing is left to do'
[ "$(grep -c ' request ' "$sim_log")" = "$sent" ] || fail 'something was sent, and nothing was left to do'
pass "Ctrl-C after $n, and on"

# -- Killed while a request was under way, and then the queue is another --
messages_node 200 --hazard remade-after=60 --hazard slow-exec=20
"$top_builddir/jolokiactl" --config "$conf" messages remove orders/a "$queue" --filter even --yes \
  </dev/null >"$out" 2>"$err" &
pid=$!
wait_until 30 grep -q ' executed 1198 ' "$sim_log" || fail 'nothing was removed'
kill -KILL "$pid"
wait "$pid" 2>/dev/null
change remove --json --resume "$(sed -n 's/^resume file: //p' "$out")"
expect_code 3 'resumed at another queue'
has '^{"done":50,"absent":0,"failed":0,"unknown":50,"not_sent":0}$' 'resumed at another queue'
has '"state":"unknown","reason":"sent, and the queue was deleted and made again since"' 'resumed at another queue'
pass 'what was under way as the queue was deleted and made again stays unknown'

# -- A backup takes over, under a name and a URL of its own --
# pair OPTION...: orders/a and orders/b.
pair() {
  messages_node 300 --ports 2 "$@"
  sed -i "/Node \"a\"/{p;s/\"a\"/\"b\"/;s/:$sim_port/:${sim_ports[1]}/}" "$conf"
}
# half_way: a run over all of them at a that ends after some; its ${file}.
half_way() {
  (trap '' XFSZ; ulimit -f 2; change remove --ids-file ids; exit "$code")
  code=$?
  file=$(sed -n 's/^resume file: //p' "$out")
  n=$(executed)
  [ "$n" -gt 0 ] && [ "$n" -lt 300 ] || fail "half way: $n were removed"
}
seq 1000 1299 >ids
pair --one-broker
half_way
ctl messages remove orders/b "$queue" --yes --resume "$file" </dev/null
expect_code 0 'resumed at the backup'
counts 300 0 0 0 'resumed at the backup'
[ "$(executed true) $(executed)" = "300 300" ] || fail 'resumed at the backup: an id was sent twice'
pair
half_way
ctl messages remove orders/b "$queue" --yes --resume "$file" </dev/null
expect_code 2 'resumed at another broker'
grep -q 'the resume file is of orders/a with NodeID .*; name orders/a, or who has taken over' "$err" ||
  { show; fail 'whose the resume file is, is not told'; }
[ "$(executed)" = "$n" ] || fail 'something was sent to another broker'
simnode_stop
change remove --resume "$file"
expect_code 5 'resumed where nobody answers'
grep -q 'the active node with NodeID' "$err" || { show; fail 'whom to name is not told'; }
pass 'resumed at the backup, and not at another broker'

wait "$late_pid" || fail "a long browse: $(cat late.out late.err)"
grep -q '^done 500, absent 0' late.out || fail "a long browse: $(cat late.out)"
checks=$(sed '/exec:removeMessage/q' "$late_log" | grep -c ' operations [0-9]* 4 read read read exec:getAddressSettingsAsJSON')
[ "$checks" = 2 ] || fail "a long browse: $checks checks before the first change: one before it, one after"
pass 'a check that is old is made again'
wait "$slow_pid" || fail "the slow one: $(cat slow.out slow.err)"
grep -q '^done 200, absent 0' slow.out || fail "the slow one: $(cat slow.out)"
# Four requests of 1 s each; the next one when the last is paid back, 4 s after
# its start: a request that is held up costs four times as much.
ms=$(awk '$4 == "operations" && /exec:removeMessage/ { if (!a) a = $1; n = $5 }
          $4 == "answered" && $5 == n { b = $1 } END { print int((b - a) / 1e6) }' "$slow_log")
stalled=$(($(stalled_ms) - stalled))
if [ "$ms" -lt 11700 ] || [ "$ms" -gt $((14300 + 4 * stalled)) ]; then fail "at 20 ms an id it took $ms ms, not 13 s"; fi
pass "20 ms an id: $ms ms"
