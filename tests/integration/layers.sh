#!/bin/bash
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The collectd-jolokia authors
# Who may use what: the #include lines and the words of every source, the symbols
# of every object. layers-break.sh shows that each rule bites.
#
# LAYERS_SOURCES, LAYERS_OBJECTS, LAYERS_MODULE: another tree than this build's.
set -u -o pipefail
# shellcheck source=tests/support/wait.sh
. "${top_srcdir:?}/tests/support/wait.sh"
need nm awk

sources=${LAYERS_SOURCES:-$top_srcdir/src}
objects=${LAYERS_OBJECTS:-${top_builddir:?}/src}
module=${LAYERS_MODULE:-$top_builddir/.libs/jolokia.so}

# What each layer may include: itself, and what lies below it.
declare -A may_include=(
  [base]='base'
  [limit]='base limit'
  [jolokia]='base jolokia'
  [config]='base config'
  [artemis]='base jolokia artemis'
  [client]='base limit jolokia config artemis client'
  [plugin]='base limit jolokia config artemis client plugin'
  [ctl]='base limit jolokia config artemis client ctl'
)

n_broken=0
broken() { # RULE FILE TEXT
  echo "BROKEN $1: $2: $3"
  n_broken=$((n_broken + 1))
}

# locate FILE FOLDER: of FOLDER/client/.libs/libcore_la-http.o, ${layer} client and
# ${module_name} client/http.
locate() {
  module_name=${1##*/}
  module_name=${module_name%.*}
  layer=${1#"$2/"}
  layer=${layer%%/*}
  module_name=$layer/${module_name##*_la-}
}

# one_of WORD WORDS...
one_of() {
  local word=$1
  shift
  [[ " $* " == *" $word "* ]]
}

check_folders() {
  local folder
  while read -r folder; do
    [ -n "${may_include[$folder]:-}" ] || broken folder "src/$folder" 'no layer of this design'
  done < <(cd "$sources" && find . -mindepth 1 -type d ! -name .deps ! -name .libs | sed 's,^\./,,')
}

check_include() { # FILE LAYER MODULE NAME
  local above
  case $4 in
    client/http.h | client/engine.h)
      [ "$2" = client ] || broken private-header "$1" "$4"
      ;;
    curl/*)
      one_of "$3" client/http client/engine || broken curl-header "$1" "$4"
      ;;
    json-c/* | json.h)
      [ "$2" = jolokia ] || broken json-header "$1" "$4"
      ;;
    collectd/* | plugin.h | daemon/* | utils/*)
      [ "$2" = plugin ] || broken collectd-header "$1" "$4"
      ;;
    build_config.h)
      [ "$3" = base/version ] || broken config-header "$1" "$4"
      ;;
  esac
  above=${4%%/*}
  if [[ $4 == */* && -n ${may_include[$above]:-} ]]; then
    # shellcheck disable=SC2086 # a list of words
    one_of "$above" ${may_include[$2]} || broken include "$1" "$4"
  fi
}

check_includes() {
  local file name n=0
  while IFS=: read -r file name; do
    locate "$file" "$sources"
    [ -n "${may_include[$layer]:-}" ] || continue
    check_include "${file#"$sources/"}" "$layer" "$module_name" "$name"
    n=$((n + 1))
  done < <(grep -rHoE --include='*.[ch]' '^[[:space:]]*#[[:space:]]*include[[:space:]]*[<"][^>"]+' "$sources" |
    sed -E 's/:[^:]*[<"]/:/')
  [ "$n" -gt 0 ] || fail "no #include line under $sources"
  pass "$n #include lines"
}

# Calls of what is banned, comments and texts aside. clock_gettime and the strtol
# family each have one place.
check_words() {
  local n rule file name
  find "$sources" -name '*.[ch]' -print0 >"$test_dir/sources"
  n=$(tr -dc '\0' <"$test_dir/sources" | wc -c)
  [ "$n" -gt 0 ] || fail "no source under $sources"
  # shellcheck disable=SC2016 # awk's own
  xargs -0 awk -v folder="$sources/" '
    BEGIN {
      banned = "(strcpy|strcat|sprintf|vsprintf|strncpy|strtok|gets|atoi|atol|atoll|atof|sscanf|" \
               "system|popen|time|gettimeofday|localtime|gmtime|rand|srand|random|srandom|" \
               "strerror|usleep|sleep|signal|setenv|setlocale|alloca)"
      family = "(strtol|strtoul|strtoll|strtoull|strtoimax|strtoumax|strtod|strtof|strtold)(_l)?"
    }
    function find(words, rule,    rest, at) {
      rest = line
      while (match(rest, "(^|[^A-Za-z0-9_])" words "[[:space:]]*[(]")) {
        at = substr(rest, RSTART, RLENGTH)
        gsub(/[^A-Za-z0-9_]/, "", at)
        print rule, file, at
        rest = substr(rest, RSTART + RLENGTH)
      }
    }
    FNR == 1 { in_comment = 0; file = substr(FILENAME, length(folder) + 1) }
    {
      line = $0
      gsub(/\\./, "", line)
      gsub(/"[^"]*"/, "\"\"", line)
      if (in_comment && !sub(/^.*\*\//, "", line)) next
      in_comment = 0
      gsub(/\/\*([^*]|\*+[^*\/])*\*+\//, " ", line)
      if (sub(/\/\*.*$/, "", line)) in_comment = 1
      sub(/\/\/.*$/, "", line)
      if (line !~ /[(]/) next
      find(banned, "banned-word")
      if (file != "base/num.c") find(family, "strtol-family")
      if (file != "base/clock.c") find("clock_gettime", "clock-word")
    }' <"$test_dir/sources" >"$test_dir/words" || fail 'the sources cannot be read'
  while read -r rule file name; do
    broken "$rule" "$file" "$name"
  done <"$test_dir/words"
  pass "the words of $n sources"
}

check_symbol() { # MODULE LAYER SYMBOL
  case $3 in
    curl_*)
      one_of "$1" client/http client/engine || broken curl-symbol "$1" "$3"
      ;;
    json_*)
      [ "$2" = jolokia ] || broken json-symbol "$1" "$3"
      ;;
    plugin_*)
      [ "$2" = plugin ] || broken plugin-symbol "$1" "$3"
      ;;
    bucket_* | levels_* | pace_* | turn_* | registry_* | record_* | ceiling_*)
      one_of "$2" limit client || broken limiter-symbol "$1" "$3"
      ;;
    clock_gettime)
      [ "$1" = base/clock ] || broken clock-symbol "$1" "$3"
      ;;
  esac
}

check_symbols() {
  local file symbol n=0
  find "$objects" -name '*.o' -print0 | xargs -0 nm -A -P --undefined-only >"$test_dir/undefined" ||
    fail "the objects under $objects cannot be read"
  sed -E 's/^([^:]*): ([^ @]*).*/\1 \2/' "$test_dir/undefined" |
    awk '$2 ~ /^(curl|json|plugin|bucket|levels|pace|turn|registry|record|ceiling)_|^clock_gettime$/' >"$test_dir/symbols"
  while read -r file symbol; do
    locate "$file" "$objects"
    check_symbol "$module_name" "$layer" "$symbol"
    n=$((n + 1))
  done <"$test_dir/symbols"
  [ "$n" -gt 0 ] || fail "no symbol of interest under $objects: is it built?"
  pass "$n uses of symbols that have a layer of their own"
}

# Every source has its object, or the rules above were shown for a part alone.
check_complete() {
  local file
  declare -A is_built=()
  while read -r file; do
    locate "$file" "$objects"
    is_built[$module_name]=1
  done < <(find "$objects" -name '*.o')
  while read -r file; do
    locate "$file" "$sources"
    [ -n "${is_built[$module_name]:-}" ] || broken object "$module_name" 'no object of it in the build'
  done < <(find "$sources" -name '*.c')
}

check_module() {
  local exported
  [ -f "$module" ] || fail "no module at $module"
  exported=$(nm -D --defined-only "$module" | awk '{ print $NF }' | grep -vE '^(_init|_fini|_edata|_end|__bss_start)$' | sort | tr '\n' ' ')
  [ "$exported" = 'module_register ' ] || broken exports "${module##*/}" "$exported"
  pass "what ${module##*/} exports"
}

make_test_dir
check_folders
check_includes
check_words
check_complete
check_symbols
check_module
[ "$n_broken" = 0 ] || fail "$n_broken uses break the layers"
pass 'every rule is kept'
