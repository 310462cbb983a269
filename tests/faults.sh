#!/bin/sh
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The collectd-jolokia authors
#
# Every public fault of tests/faults.list and tests/hazards.list has its test, in
# a program that runs it; and every "row" that a test's comment names is in the list.
set -u
cd "${top_srcdir:-$(dirname "$0")/..}" || exit 1
bad=0

fail() {
  echo "$list: $*" >&2
  bad=1
}

# has_test FILE NAME: it is there, and it runs.
has_test() {
  case $1 in
    replies.txt) grep -qxF "== $(echo "$2" | tr _ ' ')" "tests/fixtures/$1" ;;
    *.sh) grep -q "tests/integration/$1" Makefile.am ;;
    *) grep -q "^START_TEST($2)" "tests/unit/$1" &&
      grep -v "^START_TEST" "tests/unit/$1" | grep -qE "(^|[ ,(])$2([,)}]|$)" ;;
  esac
}

# check_list FILE MINIMUM
check_list() {
  list=$1
  n=0
  while read -r number test what; do
    case $number in '' | '#'*) continue ;; esac
    n=$((n + 1))
    [ -n "$what" ] || fail "$number: without a word on what went wrong"
    has_test "${test%%:*}" "${test#*:}" || fail "$number: no test $test, or it never runs"
  done <"$list"
  [ "$n" -gt "$2" ] || fail "$n rows only"
  [ "$(grep -c '^[0-9]' "$list")" = "$(sed -n 's/^\([0-9]*\) .*/\1/p' "$list" | sort -nu | wc -l)" ] ||
    fail "a number stands twice"
}

check_list tests/hazards.list 45
check_list tests/faults.list 60

for number in $(sed -n 's|.*[Rr]ows* \([0-9, to]*[0-9]\).*|\1|p' \
    tests/unit/check_bucket.c tests/unit/check_ceiling*.c \
    tests/unit/check_registry.c tests/unit/check_record.c \
    tests/unit/check_turn.c tests/unit/check_levels.c \
    tests/unit/check_reservation*.c | tr -cs '0-9' '\n' | sort -nu); do
  grep -q "^$number " "$list" || fail "row $number is named in a test alone"
done

# 21 once more: no timed wait anywhere on the wall clock.
if grep -rn '[(, ]CLOCK_REALTIME[,)]' --include='*.c' src |
  grep -v '^src/base/clock\.c:' >&2; then
  fail "21: CLOCK_REALTIME outside of base/clock.c"
fi
exit $bad
