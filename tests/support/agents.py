# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The collectd-jolokia authors
"""What an agent says of MBeans, against what jolokiactl makes of it.

  agents.py request TABLE BROKER           prints a bulk request for all of TABLE
  agents.py compare NAME TABLE BROKER DIR  DIR has agent.N.json for N from 0 on,
                                           and values.N.json for N from 1 on:
                                           what jolokiactl made of it between
                                           agent.N-1.json and agent.N.json

TABLE: lines as of print-attributes --list, and of MBean blocks: a path that
begins with "=" is "=TEXT=NUMBER;...=PATH" (Map), a type instance "used-{KEY}"
has a key of a map in it; keys of the name that make an instance are "KEY+KEY".
Prints a line for each value: well where it is, in one of the rounds, what the
agent said before or after, or between the two. False while there is one that
never was."""

import json
import re
import sys
from pathlib import Path

# What is measured since the last time that anyone asked: no reading is between
# two others. The broker's own, which is left out by default.
SINCE_LAST = {"cpu_load", "system_cpu_load"}
OWN = ("$sys.", "ActiveMQ.Advisory.")


def rows(table, broker):
    for line in Path(table).read_text().splitlines():
        field = line.split("\t")
        field[1] = field[1].replace("{broker}", broker)
        yield field


def attribute_of(path):
    return names_of(path.rsplit("=", 1)[-1])[0]


def names_of(path):
    names = re.findall(r"((?:!.|[^/])*)(?:/|$)", path)[:-1]
    return [re.sub(r"!(.)", r"\1", name) for name in names]


def request(table, broker):
    reads = {}
    for row in rows(table, broker):
        for path in row[7].split("+"):
            attribute = attribute_of(path)
            if attribute not in reads.setdefault(row[1], []):
                reads[row[1]].append(attribute)
    print(json.dumps([
        {"type": "read", "mbean": mbean, "attribute": attributes,
         "config": {"ignoreErrors": True, "includeStackTrace": False}}
        for mbean, attributes in reads.items()]))


def properties_of(name):
    found = {}
    for key, value in re.findall(r'([^,=:]+)=("(?:\\.|[^"\\])*"|[^,]*)(?:,|$)',
                                 name.split(":", 1)[1]):
        if value.startswith('"'):
            value = re.sub(r"\\(.)", lambda m: "\n" if m[1] == "n" else m[1], value[1:-1])
        found[key] = value
    return found


def value_of(key, name):
    found = properties_of(name)
    return "-".join(found[part] for part in key.split("+"))


# The queues that Keep names by default, whose messages are the broker's, too.
KEPT = {"DLQ": "DeadLetterMessages", "ExpiryQueue": "ExpiredMessages"}


def part_of(text):
    """As src/artemis/names.h has it, without what is too long or ends in a hash."""
    if text and not re.search(r"[\x00-\x1f\x7f/]|^ | $", text):
        return text
    digest = 0xcbf29ce484222325
    for byte in text.encode():
        digest = (digest ^ byte) * 0x100000001b3 & 0xffffffffffffffff
    return re.sub(r"[\x00-\x1f\x7f/]|^ | $", "_", text) + "~%016x" % digest


def series_of(row, name):
    _, _, plugin, prefix, key, kind, label = row[:7]
    instance = prefix
    if key:
        instance += "-" + part_of(value_of(key, name))
    label = re.sub(r"\{(.*)\}", lambda m: part_of(m[1]), label)
    return (instance, kind, label)


def number_of(row, value, path):
    """The number that the value should become; None: absent or an error."""
    texts = {}
    if path.startswith("="):
        table, path = path[1:].rsplit("=", 1)
        texts = dict(pair.split("=") for pair in table.split(";"))
    for name in names_of(path)[1:]:
        value = value.get(name) if isinstance(value, dict) else None
    if isinstance(value, str):
        value = texts.get(value, value)
        if not re.fullmatch(r"-?(0|[1-9]\d*)(\.\d+)?([eE][-+]?\d+)?", value):
            return None
        value = float(value) if re.search(r"[.eE]", value) else int(value)
    if value is None or isinstance(value, (dict, list)):
        return None
    if row[10] == "1" and value < 0:
        return None
    scale = float(row[8])
    if row[9] == "1":
        return int(value * scale + 0.5) if scale != 1 else int(value)
    return float(value) * scale


def expected(table, broker, reply):
    found = {}
    items = {}
    for item, asked in zip(reply, dict.fromkeys(row[1] for row in rows(table, broker))):
        value = item.get("value") if item.get("status") == 200 else None
        is_pattern = "*" in re.sub(r"\\\*", "", asked)
        items[asked] = (value if is_pattern else {asked: value}) if value else {}
    for row in rows(table, broker):
        for name, attributes in items[row[1]].items():
            if row[4] and value_of(row[4], name).startswith(OWN):
                continue
            numbers = []
            for path in row[7].split("+"):
                numbers.append(number_of(row, attributes.get(attribute_of(path)), path))
            if None not in numbers:
                found[series_of(row, name)] = numbers
    for queue, label in KEPT.items():
        count = found.get(("queue-" + queue, "gauge", "MessageCount"))
        if count:
            found[("broker", "gauge", label)] = count
    return found


def values_of(path):
    found = {}
    for line in Path(path).read_text().splitlines():
        value = json.loads(line)
        if "attribute" not in value or value.get("value") is None:
            continue
        found[(value["object"], value["type"], value["attribute"])] = \
            value.get("values", [value["value"]])
    return found


def is_between(value, before, after):
    return all(min(b, a) - abs(b) * 1e-12 <= v <= max(b, a) + abs(a) * 1e-12
               for v, b, a in zip(value, before, after))


def judge(key, value, before, after):
    """In capitals: wrong, or not well yet."""
    if before is None and after is None:
        return "UNEXPECTED"
    if before is None or after is None:
        return "absent" if value is None else "came"
    if value is None:
        return "MISSING"
    if value == before == after:
        return "equal"
    if is_between(value, before, after):
        return "between"
    if key[2] in SINCE_LAST and 0 <= value[0] <= 100:
        return "moves"
    return "DIFFERS"


def show(numbers):
    return "-" if numbers is None else ":".join("%.15g" % n if isinstance(n, float) else str(n)
                                                for n in numbers)


def rounds_of(table, broker, folder):
    """The expected before and after, and the values, of each round that had any."""
    before = None
    for number in range(sum(1 for _ in Path(folder).glob("agent.*.json"))):
        reply = json.loads(Path(folder, "agent.%d.json" % number).read_text())
        after = expected(table, broker, reply)
        if number > 0:
            yield before, after, values_of(Path(folder, "values.%d.json" % number))
        before = after


def compare(name, table, broker, folder):
    verdicts = {}
    for before, after, values in rounds_of(table, broker, folder):
        for key in set(before) | set(after) | set(values):
            if key in verdicts and verdicts[key][0] in ("equal", "between", "moves"):
                continue
            line = (values.get(key), before.get(key), after.get(key))
            verdicts[key] = (judge(key, *line), *line)
    bad = 0
    for key, (verdict, value, before, after) in sorted(verdicts.items()):
        if verdict == "absent":
            continue
        bad += verdict.isupper()
        print("%-16s %-44s %-44s %20s %20s %20s  %s" % (
            name, key[0], "%s-%s" % key[1:], show(value), show(before), show(after), verdict))
    good = sum(not verdict[0].isupper() for verdict in verdicts.values())
    print("# %s: %d values well, %d not" % (name, good, bad))
    sys.exit(bad > 0 or good == 0)


if sys.argv[1] == "request":
    request(*sys.argv[2:])
else:
    compare(*sys.argv[2:])
