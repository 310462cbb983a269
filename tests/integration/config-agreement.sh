#!/bin/bash
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The collectd-jolokia authors
# Our parser reads a configuration as collectd's own does: both are given the
# same files, and the trees that they make of them are compared.
# shellcheck disable=SC2154 # what the sourced files set
set -u
# shellcheck source=tests/support/wait.sh
. "${top_srcdir:?}/tests/support/wait.sh"
# shellcheck source=tests/support/collectd.sh
. "$top_srcdir/tests/support/collectd.sh"
make_test_dir
collectd=$(collectd_program) || skip "no collectd"
dir=$test_dir
n=0

# The module is built as the rest is; the daemon is not.
wrapper=(env "DUMPCONFIG=$dir/theirs")
[ "${SANITIZERS:-none}" = none ] ||
  wrapper+=("LD_PRELOAD=$(gcc -print-file-name=libasan.so) $(gcc -print-file-name=libubsan.so)"
    ASAN_OPTIONS=detect_leaks=0)

# read_both: standard input is a collectd.conf; the trees of both, and whether
# they took it.
read_both() {
  n=$((n + 1))
  {
    echo "PluginDir \"${top_builddir:?}/.libs\""
    echo 'LoadPlugin dumpconfig'
    cat
  } >"$dir/conf"
  : >"$dir/theirs"
  theirs=0 ours=0
  timeout 60 "${wrapper[@]}" "$collectd" -T -C "$dir/conf" >"$dir/collectd.out" 2>&1 || theirs=$?
  timeout 60 "$top_builddir/tests/support/dumptree" "$dir/conf" dumpconfig >"$dir/ours" 2>"$dir/problems" ||
    ours=$?
}

show() {
  local file
  for file in conf collectd.out problems theirs ours; do
    echo "--- $file"
    cat "$dir/$file"
  done >&2
}

# whole_agrees, whole_refused: of the file on standard input.
whole_agrees() {
  read_both
  [ "$theirs" -eq 0 ] && [ "$ours" -eq 0 ] && [ -s "$dir/theirs" ] && cmp -s "$dir/theirs" "$dir/ours" && return
  show
  fail "not the same tree (collectd: $theirs, ours: $ours)"
}
whole_refused() {
  read_both
  [ "$theirs" -ne 0 ] && [ "$ours" -eq 1 ] && [ -s "$dir/problems" ] && return
  show
  fail "not refused by both (collectd: $theirs, ours: $ours)"
}

# agrees, refused, stricter TEXT: the same of a text in the plugin's block;
# stricter: told by ours alone, as collectd skips bytes that it does not know.
in_block() { printf '<Plugin dumpconfig>\nFirst 1\n%sLast 1\n</Plugin>\n' "$1"; }
agrees() { whole_agrees < <(in_block "$1"); }
refused() { whole_refused < <(in_block "$1"); }
stricter() {
  read_both < <(in_block "$1")
  [ "$theirs" -eq 0 ] && grep -q 'outside quotes\|closing quote' "$dir/problems" && return
  show
  fail "not told by ours alone (collectd: $theirs, ours: $ours)"
}

for value in 1 1e3 1.5e+3 1.5E-3 1.0e3 0x1F 0X1f 0x1ffffffffffff 0x 0x1G 010 00 -0 +5 -5 .5 -.5 0123.5 \
  1.2.3 1-2 5s 1_000 0.1 0.001 1000000 123456789012345678 1.0e+999 -1.0e+999 '1#c' \
  true yes on false no off True TRUE trueish '"true"' '"5"' '"1e3"' \
  1.2.3.4 1.2.3.4:80 1.2.3.4:65535 1.2.3.256 255.255.255.255 01.2.3.4 \
  ::1 fe80::1 '[::1]' '[::1]:80' '[fe80::1:2]:65535' 1:2:3:4:5:6:7:8 1:2:3:4:5:6:1.2.3.4 \
  ::ffff:1.2.3.4:80 1:: :: dead:beef::cafe 1:2:3:4:5:6:7:: 1::2:3:4:5:6:7 ::1.2.3.4 1::1.2.3.4 \
  '""' '"a b"' '"a#b" # c' '"a" "b"c' '"a""b"' $'"a\tb"' '"é €"' '"\\"' '"a\nb"' '"a\"b\\c\d"' \
  $'"a\nb"' $'"a\\\n   b"' $'"a\\\n   b\\\n\t c" 5' $'"a\\\n\n"' $'"a\\\n"b"' $'"a\\\r\n  b"' $'"\\\n x"' \
  $'"a\\\n\\b"' $'"a\\\n \\\nb"' $'1 \\\n 2' $'1 \\\r\n 2' $'1\t2\b3' '"x" true 1 y'; do
  agrees "A $value"$'\n'
  [[ $value == *'#'* ]] || agrees "<A $value>"$'\nx 1\n</A>\n'
done

agrees $'A "x"\r\nB 1\r\n\r\n<C>\r\nD 1\r\n</C>\r\n'
agrees $'\\\nA 1\n'
agrees $'1a 1\n1.2.3.4 1\n::1 2\n_ 3\n'
agrees $'<B>\nA 1\n</B>\n'
agrees $'<B>\n</B>\n'
agrees $'<B x>\n</B>\n'
agrees $'<B>\n\n# nothing\n</B>\n'
agrees $'<B>\n<C>\n</C>\n</B>\n'
agrees $'<B>\n<C>\nx 1\n</C>\n<C y>\nx 2\n</C>\n</B>\n'
agrees $'< B "x" 1 true > # c\n A 1\n</ B > # c\n'
agrees $'<B\\\n x>\nA 1\n</B>\n'
agrees $'Include "inside a block this is an option"\n'
agrees "$(printf '%s' 'A "'; head -c 20000 /dev/zero | tr '\0' x)"$'"\n'
pass "values, strings, blocks: the same trees"

for text in 'A' 'A "\"' '1 2' 'true 1' '"A" 1' 'A foo/bar' 'A 1>' 'A <1' '<B>' '</B>' $'<B>\nA 1\n</b>' $'<B>\nA 1\n</C>\n</B>' \
  $'<B> A 1\n</B>' $'<B x\n</B>' $'<"B">\n</B>' '<>' $'<B>\nA 1\n</>' $'<B>\nA 1\n</B x>' $'A "x\\\n"' $'A "x\\\n  "'; do
  refused "$text"$'\n'
done
pass "both refuse the same mistakes"

for text in 'A 5.' 'A foo-bar' 'A a.b' 'A :::' 'A 1:2' "A 'x'" 'A "x' 'A 1 é' 'é' 'A 1;' $'A\r1' $'A "a\\\n\\\\"'; do
  stricter "$text"$'\n'
done
pass "bytes that collectd skips without a word are told"

whole_agrees <<'END'
Hostname "x"
<Plugin dumpconfig>
  A 1
</Plugin>
<Plugin "dumpconfig">
  A 2
</Plugin>
<Plugin DumpConfig>
  A 3
</Plugin>
<plugin dumpconfig>
  A 4
</plugin>
<Plugin other>
  A 5
</Plugin>
END
printf '<Plugin dumpconfig>\nA 1\n</Plugin>\n# no line break' | whole_agrees
printf '<Plugin dumpconfig>\nA 1\n</Plugin>' | whole_refused
printf '<Plugin dumpconfig>\nA 1\n</Plugin>\nX 1' | whole_refused
pass "several blocks, and the end of a file"

block() { printf '<Plugin dumpconfig>\n  A "%s"\n</Plugin>\n' "$1"; }
mkdir -p "$dir/d/sub" "$dir/e"
for file in d/2.conf d/1.conf d/10.conf d/1.conf~ d/.hidden.conf d/sub/3.conf e/x.conf; do
  block "$file" >"$dir/$file"
done
printf 'Include "%s/e/*.conf"\n' "$dir" >"$dir/nested"
while read -r text; do
  { block before; printf '%b\n' "$text"; block after; } | whole_agrees
done <<END
Include "$dir/d/1.conf"
Include "$dir/d/*.conf"
include "$dir/d/[12].conf"
Include "$dir/d"
Include "$dir/d/1.conf $dir/d/2.conf"
Include "$dir/nested"
Include "$dir/none/*.conf"
<Include "$dir/d">\nFilter "*.conf"\n</Include>
<Include "$dir/d">\nFilter "[!1]*"\n</Include>
<Include "$dir/d">\nFilter "x"\nFilter "1*.conf"\n</Include>
<Include "$dir/none">\nFilter "*.conf"\n</Include>
END
printf 'A\n' >"$dir/bad"
{ block before; echo "Include \"$dir/bad\""; } | whole_refused
{ block before; echo "Include \"\$(id)\""; } | whole_refused
printf 'Include "%s/loop"\n' "$dir" >"$dir/loop"
{ block before; echo "Include \"$dir/loop\""; } | whole_refused
pass "Include, with patterns, folders and filters"

[ $n -ge 200 ] || fail "only $n files compared"
pass "$n files compared"
