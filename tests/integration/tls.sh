#!/bin/bash
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The collectd-jolokia authors
# TLS: verified by default; each cause has words of its own; what cannot be
# verified gets no request, and so no login.
# shellcheck disable=SC2154 # what the sourced files set
set -u
# shellcheck source=tests/support/wait.sh
. "${top_srcdir:?}/tests/support/wait.sh"
# shellcheck source=tests/support/simnode.sh
. "$top_srcdir/tests/support/simnode.sh"
need openssl
make_test_dir

# authority NAME: NAME.pem and NAME.key.
authority() {
  openssl req -x509 -newkey rsa:2048 -nodes -days 30 -subj "/CN=$1" \
    -keyout "$test_dir/$1.key" -out "$test_dir/$1.pem" 2>/dev/null || fail "openssl: $1"
}

# leaf NAME AUTHORITY SAN DAYS: NAME.both (certificate and key) of that
# authority; 0 days: it ended yesterday.
leaf() {
  local end
  openssl req -newkey rsa:2048 -nodes -subj "/CN=$1" -keyout "$test_dir/$1.key" \
    -out "$test_dir/$1.csr" 2>/dev/null || fail "openssl: $1"
  mkdir -p "$test_dir/ca-$1"
  : >"$test_dir/ca-$1/index"
  end=$(date -u -d "$([ "$4" -eq 0 ] && echo '1 day ago' || echo "$4 days")" +%Y%m%d%H%M%SZ)
  printf '[ca]\ndefault_ca=c\n[c]\ndatabase=%s\nnew_certs_dir=%s\nserial=%s\ndefault_md=sha256\npolicy=p\nrand_serial=yes\n[p]\ncommonName=supplied\n[e]\n%s\n' \
    "$test_dir/ca-$1/index" "$test_dir/ca-$1" "$test_dir/ca-$1/serial" \
    "${3:+subjectAltName=$3}" >"$test_dir/ca-$1/conf"
  openssl ca -batch -config "$test_dir/ca-$1/conf" -extensions e -cert "$test_dir/$2.pem" \
    -keyfile "$test_dir/$2.key" -startdate 20200101000000Z -enddate "$end" \
    -in "$test_dir/$1.csr" -out "$test_dir/$1.pem" -notext 2>"$test_dir/openssl" ||
    fail "openssl ca: $(cat "$test_dir/openssl")"
  cat "$test_dir/$1.pem" "$test_dir/$1.key" >"$test_dir/$1.both"
}

# try NAME KIND WORDS HOST SIMNODE-OPTIONS DRIVE-OPTIONS: one job against a
# server of its own.
try() {
  local name=$1 kind=$2 words=$3 host=$4
  # shellcheck disable=SC2086 # words are options
  simnode_name=$name simnode_start $5
  # shellcheck disable=SC2086
  DRIVE_PASSWORD=sesame "${top_builddir:?}/tests/support/drive" --user monitor $6 \
    "https://$host:$sim_port/console/jolokia" >"$test_dir/told" 2>"$test_dir/err" ||
    fail "$name: drive: $(cat "$test_dir/told" "$test_dir/err")"
  simnode_stop
  grep -q " $kind=1 " "$test_dir/told" || fail "$name: no $kind in: $(cat "$test_dir/told")"
  grep -qF -- "$words" "$test_dir/told" || fail "$name: no '$words' in: $(cat "$test_dir/told")"
  grep -q sesame "$test_dir/told" "$test_dir/err" && fail "$name: the password is told"
  if [ "$kind" = tls ]; then
    [ "$(simnode_requests "$sim_port")" -eq 0 ] || fail "$name: a request went out"
    grep -q '^requests=0 ' "$test_dir/told" || fail "$name: $(cat "$test_dir/told")"
  fi
  pass "$name: $kind, $words"
}

authority ours
authority theirs
leaf good ours "DNS:localhost,IP:127.0.0.1" 40
leaf expired ours "DNS:localhost,IP:127.0.0.1" 0
leaf other ours "DNS:elsewhere.example" 40
leaf nameless ours "" 40
leaf client theirs "" 40
openssl req -x509 -newkey rsa:2048 -nodes -days 30 -subj "/CN=self" -addext "subjectAltName=IP:127.0.0.1" \
  -keyout "$test_dir/self.key" -out "$test_dir/self.pem" 2>/dev/null
cat "$test_dir/self.pem" "$test_dir/self.key" >"$test_dir/self.both"

ca="--ca $test_dir/ours.pem"
try well ok "certificate_days=39" 127.0.0.1 "--cert $test_dir/good.both" "$ca"
try name ok "certificate_days=39" localhost "--cert $test_dir/good.both" "$ca"
try unknown-authority tls "unknown authority" 127.0.0.1 "--cert $test_dir/good.both" ""
try wrong-authority tls "unknown authority" 127.0.0.1 "--cert $test_dir/good.both" "--ca $test_dir/theirs.pem"
try self-signed tls "signed by itself" 127.0.0.1 "--cert $test_dir/self.both" ""
try self-signed-named ok "" 127.0.0.1 "--cert $test_dir/self.both" "--ca $test_dir/self.pem"
try expired tls "has expired" 127.0.0.1 "--cert $test_dir/expired.both" "$ca"
try other-name tls "is for another name" 127.0.0.1 "--cert $test_dir/other.both" "$ca"
try no-name tls "is for another name" 127.0.0.1 "--cert $test_dir/nameless.both" "$ca"
try unverified ok "" 127.0.0.1 "--cert $test_dir/expired.both" "--no-verify"
try handshake-hangs tls "no TLS session" 127.0.0.1 "" "--connect-timeout 1000"
mutual="--cert $test_dir/good.both --client-ca $test_dir/theirs.pem"
try client-certificate ok "" 127.0.0.1 "$mutual" "$ca --cert $test_dir/client.pem --key $test_dir/client.key"
try client-both-in-one ok "" 127.0.0.1 "$mutual" "$ca --cert $test_dir/client.both"

# Kept-alive connections that die under a request: nothing is sent again without
# a permit over TLS either.
for hazard in fin-after-read reset-after-read; do
  simnode_name=$hazard simnode_start --cert "$test_dir/good.both" --hazard $hazard
  "$top_builddir/tests/support/drive" --jobs 10 --rate 200000 --ca "$test_dir/ours.pem" \
    "https://127.0.0.1:$sim_port/console/jolokia" >"$test_dir/told" 2>&1 || fail "$hazard: $(cat "$test_dir/told")"
  simnode_stop
  read=$(simnode_requests "$sim_port")
  grep -q "^requests=$read " "$test_dir/told" || fail "$hazard: $read read: $(cat "$test_dir/told")"
  grep -qw "^granted=$read" "$test_dir/told" || fail "$hazard: $read read: $(cat "$test_dir/told")"
  grep -q ' ok=10 ' "$test_dir/told" || fail "$hazard: $(cat "$test_dir/told")"
  pass "$hazard over TLS: $read reported, $read read"
done

# check tells how long the certificate lasts.
simnode_name=check simnode_start --cert "$test_dir/good.both"
cat >"$test_dir/check.conf" <<END
<Plugin jolokia>
  StateDir "$test_dir/state"
  CACert "$test_dir/ours.pem"
  <Cluster "c">
    Node "n" "https://127.0.0.1:$sim_port/console/jolokia"
  </Cluster>
</Plugin>
END
"$top_builddir/jolokiactl" --config "$test_dir/check.conf" check >"$test_dir/told" 2>&1 ||
  fail "check: $(cat "$test_dir/told")"
grep -q '^  certificate 39 days left$' "$test_dir/told" || fail "check: $(cat "$test_dir/told")"
"$top_builddir/jolokiactl" --config "$test_dir/check.conf" check --json >"$test_dir/told" 2>&1
grep -qE '"certificate_left_s":34[0-9]{5}[,.]' "$test_dir/told" || fail "check --json: $(cat "$test_dir/told")"
pass "check: the certificate's days"
