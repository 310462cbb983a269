#!/bin/bash
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The collectd-jolokia authors
# 10,000 names of every nasty kind: distinct objects are distinct series at
# collectd's writers, and jolokiactl names leads back from each to its object.
# shellcheck disable=SC2034,SC2154 # shared with the sourced files
set -u
# shellcheck source=tests/support/wait.sh
. "${top_srcdir:?}/tests/support/wait.sh"
# shellcheck source=tests/support/simnode.sh
. "$top_srcdir/tests/support/simnode.sh"
# shellcheck source=tests/support/collectd.sh
. "$top_srcdir/tests/support/collectd.sh"
need python3 curl
make_test_dir
n=10000
# One scrape is enough: the ticks of nodes of these names come early.
plain='plain-284'
strict='strict-61'
[ "${SANITIZERS:-none}" = none ] || n=1000
python3 "$top_srcdir/tests/support/nasty-names.py" $n >"$test_dir/names" || fail "no names"
simnode_start --queues 0 --addresses 0 --queue-names "$test_dir/names"

# What write_graphite connects to: keeps the names of what comes.
cat >"$test_dir/carbon.py" <<'END'
import socket, sys, threading
server = socket.create_server(("127.0.0.1", 0))
print(server.getsockname()[1], flush=True)
out = open(sys.argv[1], "ab", buffering=0)
def take(connection):
    for line in connection.makefile("rb"):
        out.write(line.rsplit(b" ", 2)[0] + b"\n")
while True:
    threading.Thread(target=take, args=(server.accept()[0],), daemon=True).start()
END
python3 "$test_dir/carbon.py" "$test_dir/graphite" >"$test_dir/port" &
carbon=$!
end_with_test "$carbon"
wait_until 30 test -s "$test_dir/port" || fail "no listener"
prometheus=$(free_ports 1)

# collectd does not free its chains; found by their own frames.
collectd_asan=:fast_unwind_on_malloc=0
collectd_setup 10
collectd_config <<END
WriteThreads 1
LoadPlugin match_regex
LoadPlugin rrdtool
LoadPlugin write_graphite
LoadPlugin write_prometheus
<Plugin write_graphite>
  <Node "usual">
    Host "127.0.0.1"
    Port "$(cat "$test_dir/port")"
    Prefix "usual."
  </Node>
  <Node "parted">
    Host "127.0.0.1"
    Port "$(cat "$test_dir/port")"
    Prefix "parted."
    SeparateInstances true
    AlwaysAppendDS true
    EscapeCharacter "-"
  </Node>
</Plugin>
<Plugin rrdtool>
  DataDir "$test_dir/rrd"
  RRARows 10
  RRATimespan 3600
</Plugin>
<Plugin write_prometheus>
  Host "127.0.0.1"
  Port "$prometheus"
</Plugin>
END
# One series an object is enough. In write_prometheus each new one costs the time
# to sort all of its family: so there are four families.
rule() {
  echo "  <Rule \"$1 $2 $3\">"
  echo "    <Match \"regex\">"
  echo "      Host \"^$1\$\""
  echo "      PluginInstance \"$2\$\""
  echo "      TypeInstance \"^$3\$\""
  echo "    </Match>"
  echo "    <Target \"write\">"
  printf '      Plugin "%s"\n' "${@:4}"
  echo "    </Target>"
  echo "  </Rule>"
}
{
  echo '<Chain "PostCache">'
  rule "$plain" '[0-2]' MessageCount write_graphite/usual csv write_prometheus
  rule "$plain" '[3-5]' ConsumerCount write_graphite/usual csv write_prometheus
  rule "$plain" '[6-9]' MessagesAdded write_graphite/usual csv write_prometheus
  rule "$plain" '[^0-9]' Paused write_graphite/usual csv write_prometheus
  rule "$strict" '' MessageCount write_graphite/usual write_graphite/parted
  rule "$plain" '[^1-9a-zA-Z]' Paused rrdtool # a file each: a sample
  echo '  Target "stop"'
  echo '</Chain>'
} | collectd_config
collectd_jolokia <<END
  <Ceiling>
    BytesPerSecond 1000000000
    HandlingShare 10
  </Ceiling>
  <Queues>
    MaxQueues $((2 * n))
  </Queues>
  Interval 300
  Timeout 100
  <Cluster "c">
    Node "$plain" "http://127.0.0.1:$sim_port/node=plain/console/jolokia"
  </Cluster>
  <Cluster "d">
    Node "$strict" "http://127.0.0.1:$sim_port/node=strict/console/jolokia"
    Names "strict"
  </Cluster>
END
collectd_start

series() { find "$collectd_dir/csv/$plain" -maxdepth 1 -name 'artemis-queue-*' 2>/dev/null; }
written() { sleep 1 && [ "$(series | wc -l)" -ge $n ]; }
wait_until 200 written || { collectd_show; fail "of $n names $(series | wc -l) series"; }
scraped() {
  curl -s "http://127.0.0.1:$prometheus/metrics" >"$test_dir/metrics"
  [ "$(grep -c '^collectd_artemis_[a-z_]*{' "$test_dir/metrics")" -ge $n ]
}
wait_until 100 scraped || fail "at write_prometheus $(grep -c '^collectd_artemis_[a-z_]*{' "$test_dir/metrics") series of $n"
sent() { sleep 1 && [ "$(grep -c "^parted.$strict" "$test_dir/graphite")" -gt $((n - 50)) ]; }
wait_until 100 sent || fail "write_graphite has sent $(wc -l <"$test_dir/graphite") lines"
collectd_stop # which sends the rest, too

cat >"$test_dir/count.py" <<'END'
import json, os, re, subprocess, sys
folder, n, ctl, conf, plain, strict = sys.argv[1], int(sys.argv[2]), sys.argv[3], sys.argv[4], sys.argv[6], sys.argv[7]
cluster = {plain: "c", strict: "d"}
names = set(json.load(open(folder + "/names")))
assert len(names) == n
def be(what, got):
    if got != n:
        sys.exit("FAILED: %s: %d series of %d objects" % (what, got, n))
    print("ok: %s: %d objects, as many series" % (what, n))
csv = {f for f in os.listdir("%s/%s" % (sys.argv[5], plain)) if f.startswith("artemis-queue-")}
be("csv", len(csv))
assert max(len(f.encode()) for f in csv) <= len("artemis-") + 127
sample = {f for f in csv if re.search(rb"[^1-9a-zA-Z]\Z", f.encode())}
rrd = {f for f in os.listdir("%s/rrd/%s" % (folder, plain)) if os.listdir("%s/rrd/%s/%s" % (folder, plain, f)) == ["bool-Paused.rrd"]}
if not sample or rrd != sample:
    sys.exit("FAILED: rrdtool: %d files of %d objects, and %d others" % (len(rrd & sample), len(sample), len(rrd - sample)))
print("ok: rrdtool: %d objects, as many files" % len(rrd))
lines = open(folder + "/metrics", encoding="utf-8", newline="\n").read().split("\n")
labels = [dict(re.findall(r'(\w+)="((?:[^"\\]|\\.)*)"', line[line.index("{"):line.rindex("}")]))
          for line in lines if line.startswith("collectd_artemis_")]
be("write_prometheus", len({label["artemis"] for label in labels}))
graphite = {line.decode() for line in open(folder + "/graphite", "rb").read().split(b"\n")}
if len([line for line in graphite if line.startswith("usual.%s.artemis" % plain)]) >= n:
    sys.exit("FAILED: write_graphite merges no plain names: of what use is Names \"strict\"?")
usual = [line for line in graphite if line.startswith("usual.%s.artemis" % strict)]
be("write_graphite", len(usual))
be("write_graphite, other parts", len([line for line in graphite if line.startswith("parted.%s.artemis" % strict)]))
# And back: every series as a writer has it.
for node, series in ((plain, csv), (strict, {line.split(".")[2] for line in usual})):
    words = ["%s/%s/gauge-MessageCount" % (node, f) for f in series]
    out = subprocess.run([ctl, "--config", conf, "names", "--json", cluster[node] + "/" + node] + words,
                         stdout=subprocess.PIPE, check=True).stdout
    entries = map(json.loads, filter(None, out.decode().split("\n")))
    found = {(e["name"], "artemis-" + e["instance"]) for e in entries if e["object"] == "queue"}
    be("jolokiactl names, " + node, len(found))
    assert {f[0] for f in found} == names and {f[1] for f in found} == series
END
python3 "$test_dir/count.py" "$test_dir" $n "$top_builddir/jolokiactl" "$collectd_conf" "$collectd_dir/csv" \
  "$plain" "$strict" || exit 1
