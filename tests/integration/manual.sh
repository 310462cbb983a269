#!/bin/bash
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The collectd-jolokia authors
# The manual pages are clean; jolokiactl's, the completion and --help name the
# same options and commands, and it completes what the settings name; the table of
# notifications is the code's own.
# shellcheck disable=SC2154 # what the sourced files set
set -u
# shellcheck source=tests/support/wait.sh
. "${top_srcdir:?}/tests/support/wait.sh"
page=$top_srcdir/contrib/man/jolokiactl.1
completion=$top_srcdir/contrib/completion/jolokiactl

"${top_builddir:?}/jolokiactl" --help | grep -oE '^  (--)?[a-z-]+( [a-z-]+)?' | sort -u |
  while read -r word; do
    case $word in
      --*) grep -qE "^\.It Fl ${word#-}( |\$)" "$page" || fail "no $word in the manual" ;;
      *) grep -qE "^\.It Cm $word\$" "$page" || fail "no $word in the manual" ;;
    esac
    for part in $word; do
      grep -qE "[' ]${part}[' ]" "$completion" || fail "no $part in the completion"
    done
  done || exit 1
grep -oE '^\.It (Fl -|Cm )[a-z-]+( [a-z-]+)?' "$page" | sed -E 's/^\.It (Fl -|Cm )//' |
  while read -r word; do
    "$top_builddir/jolokiactl" --help | grep -qE "^  (--)?$word( |\$)" || fail "$word of the manual is not in --help"
  done || exit 1
pass "manual, completion and --help agree"

make_test_dir
printf 'ClusterFiles "%s/*.files"\nInclude "%s/included"\n<Cluster "a">\n' "$test_dir" "$test_dir" >"$test_dir/conf"
printf '<Cluster "b">\n  Node "b-1" "http://h/j"\n' >"$test_dir/x.files"
echo '<Cluster "c">' >"$test_dir/included"
# shellcheck source=contrib/completion/jolokiactl
targets=$(. "$completion" && _jolokiactl_targets "$test_dir/conf" | xargs)
[ "$targets" = "a b b/b-1 c" ] || fail "completed are: $targets"
pass "the completion has the clusters of all files"

settings_page=$top_srcdir/contrib/man/collectd-jolokia.5
notices() { "$top_builddir/tests/support/print-notices"; }
[ "$(notices | wc -l)" -gt 40 ] || fail "print-notices prints too little"
diff <(sed -n '/^\.\\" notices: begin/,/^\.\\" notices: end/p' "$settings_page" | sed '1d;$d') \
  <(notices) || fail "the manual's notifications are not those of src/client/notice.c"
pass "the manual's notifications are the code's"

need mandoc
mandoc -Tlint -W warning "$top_srcdir"/contrib/man/*.[1-8] || fail "mandoc has complaints"
pass "the manual pages are clean"
