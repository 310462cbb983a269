#!/bin/bash
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The collectd-jolokia authors
# README.md's table of values is the program's own. `readme-values.sh --write`
# puts the present one in.
# shellcheck disable=SC2016 # backquotes of Markdown
set -u
readme=${top_srcdir:?}/README.md
print=${top_builddir:?}/tests/support/print-attributes

written() { sed -n '/<!-- attributes: begin -->/,/<!-- attributes: end -->/p' "$1"; }

wanted() {
  printf '%s\n' '<!-- attributes: begin -->' '' \
    'Of each broker (host = the node'\''s name, plugin `artemis`). `bool` is `gauge` where' \
    'types.db has no `bool` (collectd 5.8). A NAME that collectd would change or' \
    'cut becomes a readable part, `~` and a hash: never two objects on one series.' ''
  "$print" || exit 1
  printf '%s\n' '' '<!-- attributes: end -->'
}

if [ "${1:-}" = --write ]; then
  wanted >"$readme.table" || exit 1
  sed -i -e "/<!-- attributes: begin -->/,/<!-- attributes: end -->/{
    /<!-- attributes: end -->/r $readme.table
    d
  }" "$readme"
  rm -f "$readme.table"
fi
[ "$(wanted | wc -l)" -gt 40 ] || { echo "print-attributes prints too little" >&2; exit 1; }
diff <(written "$readme") <(wanted) || {
  echo "README.md differs from src/artemis/attributes.c: run $0 --write" >&2
  exit 1
}
