# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The collectd-jolokia authors
# shellcheck shell=bash
# Sourced after wait.sh: jolokiactl run, and what came of it.
#
#   ctl_setup               ${out} and ${err} below ${test_dir}
#   ctl ARGUMENT...         with the settings in ${conf}; the exit code in ${code},
#                           standard output and error in ${out} and ${err}
#   expect_code CODE TEXT   fails with TEXT, and what was written, unless so
#   has REGEX TEXT          likewise: a line of standard output
# shellcheck disable=SC2154 # what the test sets

ctl_setup() {
  unset NO_COLOR COLLECTD_INTERVAL COLLECTD_HOSTNAME
  out=$test_dir/out
  err=$test_dir/err
}
ctl() {
  timeout 100 "${top_builddir:?}/jolokiactl" --config "$conf" "$@" >"$out" 2>"$err"
  code=$?
}
show() { head -n 60 "$out" "$err" >&2; }
expect_code() { [ "$code" = "$1" ] || { show; fail "$2: exit code $code, expected $1"; }; }
has() { grep -qE -- "$1" "$out" || { show; fail "$2: no '$1'"; }; }
