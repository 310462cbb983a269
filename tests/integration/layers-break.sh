#!/bin/bash
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The collectd-jolokia authors
# layers.sh must fail for each of its rules: one small source at a time is broken
# in a copy of the tree, compiled into a copy of the objects, and the rule that
# it breaks, and no other, must be named.
set -u
# shellcheck source=tests/support/wait.sh
. "${top_srcdir:?}/tests/support/wait.sh"
layers=$top_srcdir/tests/integration/layers.sh
cc=${CC:-cc}
need nm awk "${cc%% *}"
[ -f "${top_builddir:?}/.libs/jolokia.so" ] || skip 'jolokia.so is not built'
make_test_dir

copy_tree() {
  local object
  mkdir "$test_dir/objects"
  cp -r "$top_srcdir/src" "$test_dir/src"
  chmod -R u+w "$test_dir/src"
  (cd "$top_builddir/src" && find . -name '*.o') | while read -r object; do
    mkdir -p "$test_dir/objects/${object%/*}"
    cp "$top_builddir/src/$object" "$test_dir/objects/$object"
  done
  cp "$top_builddir/.libs/jolokia.so" "$test_dir/jolokia.so"
}

run_layers() {
  LAYERS_SOURCES=$test_dir/src LAYERS_OBJECTS=$test_dir/objects \
    LAYERS_MODULE=$test_dir/jolokia.so "$layers" >"$test_dir/out" 2>&1
}

# expect RULE WHAT: layers.sh fails, and names that rule alone.
expect() {
  local named
  run_layers && fail "$2: not noticed: $(cat "$test_dir/out")"
  named=$(sed -n 's/^BROKEN \([a-z-]*\):.*/\1/p' "$test_dir/out" | sort -u | tr '\n' ' ')
  [ "$named" = "$1 " ] || fail "$2: named '$named', not $1: $(cat "$test_dir/out")"
  pass "$1: $2"
}

# object_of MODULE: the path of its object in the copy.
object_of() {
  find "$test_dir/objects/${1%/*}" -name "*-${1#*/}.o" -o -path "*/${1%/*}/*" -name "${1#*/}.o" | head -1
}

compile() { # SOURCE OBJECT
  # shellcheck disable=SC2086 # CC may hold options
  $cc -std=c11 -D_GNU_SOURCE -fPIC -w -I"$test_dir/src" -I"$top_builddir" -c "$1" -o "$2" ||
    fail "cannot compile $1"
}

# break_symbol RULE MODULE SYMBOL: the module calls it, in a way that no look at
# its text would tell.
break_symbol() {
  local source=$test_dir/src/$2.c object
  object=$(object_of "$2")
  [ -n "$object" ] || fail "no object of $2"
  cp "$source" "$test_dir/kept.c"
  cp "$object" "$test_dir/kept.o"
  cat >>"$source" <<VIOLATION
#define PASTE(a, b) a##b
extern void PASTE(${3:0:1}, ${3:1})();
void broken_layer(void);
void broken_layer(void) { PASTE(${3:0:1}, ${3:1})(); }
VIOLATION
  compile "$source" "$object"
  expect "$1" "$2 uses $3"
  cp "$test_dir/kept.c" "$source"
  cp "$test_dir/kept.o" "$object"
}

# break_source RULE FILE LINE: the line is added; nothing is compiled.
break_source() {
  cp "$test_dir/src/$2" "$test_dir/kept.c"
  printf '%s\n' "$3" >>"$test_dir/src/$2"
  expect "$1" "$2 has $3"
  cp "$test_dir/kept.c" "$test_dir/src/$2"
}

symbols() {
  break_symbol curl-symbol base/line curl_easy_perform
  break_symbol curl-symbol client/budget curl_multi_perform
  break_symbol json-symbol base/line json_object_put
  break_symbol json-symbol artemis/names json_tokener_parse
  break_symbol plugin-symbol base/line plugin_log
  break_symbol plugin-symbol client/budget plugin_dispatch_values
  break_symbol clock-symbol limit/turn clock_gettime
  break_symbol limiter-symbol base/line bucket_take
  break_symbol limiter-symbol artemis/names ceiling_next
  break_symbol limiter-symbol jolokia/url turn_next
  break_symbol limiter-symbol config/word registry_get
  break_symbol limiter-symbol config/word record_lock
}

includes() {
  break_source include base/line.h '#include "limit/bucket.h"'
  break_source include limit/bucket.h '#include "jolokia/url.h"'
  break_source include jolokia/url.h '#include "artemis/names.h"'
  break_source include config/word.h '#include "limit/bucket.h"'
  break_source include artemis/names.h '#include "client/client.h"'
  break_source include client/budget.h '#include "plugin/dispatch.h"'
  break_source include plugin/plugin.c '#include "ctl/main.h"'
  break_source include ctl/main.c '# include <plugin/dispatch.h>'
  break_source private-header plugin/plugin.c '#include "client/http.h"'
  break_source private-header ctl/main.c '#include "client/engine.h"'
  break_source curl-header client/budget.c '#include <curl/curl.h>'
  break_source json-header artemis/names.c '#include <json-c/json.h>'
  break_source collectd-header client/budget.c '#include <collectd/core/daemon/plugin.h>'
  break_source config-header base/line.c '#include "build_config.h"'
}

# break_words RULE FILE WORD...: a call of each; every one is named.
break_words() {
  local rule=$1 file=$2 word
  shift 2
  cp "$test_dir/src/$file" "$test_dir/kept.c"
  for word in "$@"; do echo "void in_its_own_line(void) { $word (0); }"; done >>"$test_dir/src/$file"
  expect "$rule" "$file calls $*"
  for word in "$@"; do
    grep -qx "BROKEN $rule: $file: $word" "$test_dir/out" || fail "$word is not noticed"
  done
  cp "$test_dir/kept.c" "$test_dir/src/$file"
}

words() {
  break_words banned-word base/line.c strcpy strcat sprintf strncpy strtok gets atoi atol atof sscanf \
    system popen time gettimeofday localtime gmtime rand random strerror usleep sleep signal setenv setlocale
  break_words strtol-family base/line.c strtol strtoul strtoll strtoull strtod strtof strtold strtod_l
  break_words clock-word limit/turn.c clock_gettime
}

# What only looks like a breach is none.
innocents() {
  cp "$test_dir/src/base/line.c" "$test_dir/kept.c"
  cat >>"$test_dir/src/base/line.c" <<'INNOCENT'
/* system() and
 * time() and */ /* sleep() */ // random()
static const char *f = "signal(\"time()\")";
int fake_time(int x); int timeout(int x); int clock_time (int x);
INNOCENT
  run_layers || fail "a false alarm: $(cat "$test_dir/out")"
  pass 'comments, texts and longer names are no breach'
  cp "$test_dir/kept.c" "$test_dir/src/base/line.c"
}

others() {
  mkdir "$test_dir/src/util"
  expect folder 'a layer that the design has not'
  rmdir "$test_dir/src/util"
  mkdir "$test_dir/src/client/net"
  expect folder 'a folder in a layer'
  rmdir "$test_dir/src/client/net"
  echo 'int forgotten;' >"$test_dir/src/base/forgotten.c"
  expect object 'a source that is not in the build'
  rm "$test_dir/src/base/forgotten.c"
  printf 'void module_register(void) {}\nvoid another(void) {}\n' >"$test_dir/module.c"
  # shellcheck disable=SC2086
  $cc -shared -fPIC -w "$test_dir/module.c" -o "$test_dir/jolokia.so" || fail 'cannot link a module'
  expect exports 'a module that exports more'
  cp "$top_builddir/.libs/jolokia.so" "$test_dir/jolokia.so"
}

copy_tree
run_layers || fail "the copy itself is refused: $(cat "$test_dir/out")"
pass 'the unbroken copy'
symbols
includes
words
innocents
others
run_layers || fail "the copy was not restored: $(cat "$test_dir/out")"
pass 'the copy, restored'
