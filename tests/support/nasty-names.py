#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The collectd-jolokia authors
"""nasty-names.py N: a JSON array of N distinct names of queues, of every kind
that has merged two objects into one series somewhere: a list, and variations
of it by a generator that always begins alike."""
import json
import random
import sys

LISTED = [
    # what writers replace: a dot, a space, a slash, a control byte
    "a.b", "a_b", "a b", "a/b", "a-b", "a\tb", "a\x01b", "a\x7fb", "a\nb", "a\rb", "a b ", " a b", " a_b",
    "a:b", "a=b", "a,b", 'a"b', "a\\b", "a*b", "a?b", "a|b", "a;b", "a'b", "a`b", "a$b", "a{b", "a}b", "a[b]",
    "a(b)", "a<b>", "a&b", "a%b", "a%2eb", "a%2Eb", "a#b", "a!b", "a@b", "a~b", "a^b", "a+b", "A.b", "A_B",
    "a..b", "a._b", "a_.b", "a__b", "a//b", "/a/b", "/a", "a/", "/", "//", "_", "__", ".", "..", "-", "--", "~",
    "queue-a", "address-a", "broker", "root", "a.count", "a::b", "null", "true", "0", "007", "1e3", "-1", "NaN",
    '"http-bio-8080"', 'a",subcomponent=queues,queue="b', "urn:x:1", "ERROR: x", "\\", '\\"', '"', "*", "?",
    "\u00fcn\u00ef", "u\u0308ni\u0308", "\U0001f430", "\u65e5\u672c", "\u202eabc", "\u00a0a", "a\u2028b", "\ufeffa",
]
LONG = "x" * 120


def fnv(text):
    value = 0xCBF29CE484222325
    for byte in text.encode():
        value = (value ^ byte) * 0x100000001B3 & 0xFFFFFFFFFFFFFFFF
    return value


def vary(dice, n):
    base = dice.choice(LISTED)
    kind = n % 8
    if kind == 0:  # one long prefix, another end
        return LONG + base + str(n)
    if kind == 1:  # what another's series looks like
        return "%s~%016x" % (base.replace("/", "_"), fnv(base + str(n)))
    if kind == 2:  # what differs is cut off
        return "\u00fc" * 64 + str(n)
    if kind == 3:  # case
        return "".join(dice.choice((c.upper(), c.lower())) for c in "orders%d" % (n // 64))
    if kind == 4:  # separators in other places
        return "".join(dice.choice("ab._ /-") for _ in range(2 + n % 9))
    if kind == 5:
        return "".join(chr(dice.choice((dice.randrange(1, 127), dice.randrange(0xA0, 0x2000)))) for _ in range(1 + n % 30))
    return base + dice.choice("._ /-\t:") + str(n // 16)


def main():
    wanted = int(sys.argv[1])
    dice = random.Random(1)
    names = dict.fromkeys(LISTED)
    n = 0
    while len(names) < wanted:
        names[vary(dice, n)] = None
        n += 1
    json.dump(list(names)[:wanted], sys.stdout)


main()
