#!/bin/bash
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The collectd-jolokia authors
# The lists of values in README.md and in the manual are the program's own.
# `readme-values.sh --write` puts the present ones in.
# shellcheck disable=SC2016 # backquotes of Markdown
set -u
readme=${top_srcdir:?}/README.md
manual=$top_srcdir/contrib/man/collectd-jolokia.5
print=${top_builddir:?}/tests/support/print-attributes

written() { sed -n '/attributes: begin/,/attributes: end/p' "$1"; }

wanted() {
  printf '%s\n' '<!-- attributes: begin -->' '' \
    'Of each node (host = the node'\''s name), by ready-made set. `bool` is `gauge` where' \
    'types.db has no `bool` (collectd 5.8). A NAME that collectd would change or' \
    'cut becomes a readable part, `~` and a hash: never two objects on one series.' ''
  "$print" || exit 1
  printf '%s\n' '' '<!-- attributes: end -->'
}

wanted_manual() {
  echo '.\" attributes: begin'
  "$print" --manual || exit 1
  echo '.\" attributes: end'
}

# put FILE COMMAND: what it prints in place of what is between the markers.
put() {
  "$2" >"$1.table" || exit 1
  sed -i -e "/attributes: begin/,/attributes: end/{
    /attributes: end/r $1.table
    d
  }" "$1"
  rm -f "$1.table"
}

if [ "${1:-}" = --write ]; then
  put "$readme" wanted
  put "$manual" wanted_manual
fi
[ "$(wanted | wc -l)" -gt 40 ] || { echo "print-attributes prints too little" >&2; exit 1; }
if ! diff <(written "$readme") <(wanted) ||
  ! diff <(written "$manual") <(wanted_manual); then
  echo "README.md or the manual differs from src/artemis/attributes.c: run $0 --write" >&2
  exit 1
fi
