#!/bin/sh
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The collectd-jolokia authors
#
# Puts each fault of tests/mutants.list into a copy of src/limit and runs the
# limiter's unit tests: each must be caught. Of the objects only the one with
# the fault is built anew. With arguments: only these invariants.
#
#   tests/mutants.sh          all
#   tests/mutants.sh I1 I10   some
set -u
cd "$(dirname "$0")/.." || exit 1

: "${CC:=cc}"
flags="-std=gnu11 -O1 -D_GNU_SOURCE -Isrc"
tests="levels ceiling ceiling_units turn reservation reservation_random registry
  ceiling_random bucket record record_scrapers"
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
mkdir -p "$scratch/src/limit" "$scratch/tests"
cp src/limit/*.h "$scratch/src/limit/"

build() { # SOURCE OBJECT
  # shellcheck disable=SC2086
  $CC $flags -c "$1" -o "$2" 2>"$scratch/errors"
}

for source in src/limit/*.c src/base/*.c; do
  [ "$source" = src/base/version.c ] && continue
  build "$source" "$scratch/$(basename "$source" .c).o" || {
    cat "$scratch/errors" >&2
    exit 1
  }
done
for test in $tests; do
  build "tests/unit/check_$test.c" "$scratch/tests/$test.o" || {
    cat "$scratch/errors" >&2
    exit 1
  }
done

# What the limiter's tests say of the objects in the scratch folder: the name of
# the first that fails, or nothing.
first_failure() {
  for test in $tests; do
    $CC -o "$scratch/tests/$test" "$scratch/tests/$test.o" "$scratch"/*.o \
      $(pkg-config --libs check) 2>"$scratch/errors" || {
      cat "$scratch/errors" >&2
      exit 1
    }
    CK_VERBOSITY=silent CK_DEFAULT_TIMEOUT=60 timeout 120 \
      "$scratch/tests/$test" >/dev/null 2>&1 || {
      echo "check_$test"
      return
    }
  done
}

found=$(first_failure)
if [ -n "$found" ]; then
  echo "$found fails without a mutant" >&2
  exit 1
fi

n=0 survived=0
while IFS= read -r line; do
  case $line in '' | '#'*) continue ;; esac
  invariant=${line%% :: *}
  rest=${line#* :: }
  file=${rest%% :: *}
  rest=${rest#* :: }
  script=${rest%% :: *}
  what=${rest#* :: }
  if [ $# -gt 0 ]; then
    case " $* " in *" $invariant "*) ;; *) continue ;; esac
  fi
  n=$((n + 1))
  sed "$script" "src/limit/$file" >"$scratch/src/limit/$file"
  object=$scratch/${file%.c}.o
  cp "$object" "$object.well"
  if cmp -s "src/limit/$file" "$scratch/src/limit/$file"; then
    verdict="does not apply"
  elif ! build "$scratch/src/limit/$file" "$object"; then
    verdict="does not build: $(head -n 1 "$scratch/errors")"
  else
    found=$(first_failure)
    verdict=${found:+caught by $found}
  fi
  mv "$object.well" "$object"
  rm "$scratch/src/limit/$file"
  case $verdict in
    caught*) ;;
    *)
      survived=$((survived + 1))
      verdict="SURVIVED ${verdict}"
      ;;
  esac
  printf '%-4s %-10s %-26s %s\n' "$invariant" "$file" "$verdict" "$what"
done <tests/mutants.list

echo "$n mutants, $survived not caught"
[ "$n" -gt 0 ] && [ "$survived" -eq 0 ]
