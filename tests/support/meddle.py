#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The collectd-jolokia authors
"""Stands between a client and a Jolokia on loopback and meddles with requests.

meddle.py UPSTREAM-PORT PORT-FILE LOG PLAN

Each POST is a line of LOG: nanoseconds (CLOCK_MONOTONIC) when it had arrived
and when its reply was ready, then the operations in it. The first request of
which the text has WORD, after SKIP such ones, meets what PLAN says in one line
"MODE WORD SKIP", and PLAN is removed:
  drop    the connection is closed, nothing is passed on
  cut     it is passed on, and the connection closed instead of the reply
  refuse  nothing is passed on; the one item is answered with status 500
  slow    it is passed on after two seconds
"""

import http.client
import http.server
import json
import os
import re
import sys
import threading
import time

UPSTREAM, PORT_FILE, LOG, PLAN = int(sys.argv[1]), *sys.argv[2:5]
LOCK = threading.Lock()


def planned(body):
    """What is to be done with this request: a mode, or None."""
    with LOCK:
        try:
            with open(PLAN, encoding="utf-8") as plan:
                mode, word, skip = plan.read().split()
        except (OSError, ValueError):
            return None
        if word not in body:
            return None
        if int(skip) > 0:
            with open(PLAN, "w", encoding="utf-8") as plan:
                plan.write(f"{mode} {word} {int(skip) - 1}\n")
            return None
        os.unlink(PLAN)
        return mode


class Meddler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *args):
        pass

    def pass_on(self, body):
        upstream = http.client.HTTPConnection("127.0.0.1", UPSTREAM, timeout=60)
        headers = {name: self.headers[name] for name in ("Authorization", "Content-Type", "Origin") if self.headers[name]}
        upstream.request("POST", self.path, body, headers)
        reply = upstream.getresponse()
        answer = reply.status, reply.read()
        upstream.close()
        return answer

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        arrived = time.monotonic_ns()
        mode = planned(body.decode())
        status, reply = 200, b""
        if mode == "slow":
            time.sleep(2)
        if mode == "refuse":
            reply = json.dumps([{"status": 500, "error_type": "Meddled", "error": "Meddled : as planned"}]).encode()
        elif mode != "drop":
            status, reply = self.pass_on(body)
        words = re.findall(r'"operation":"(\w+)', body.decode()) or ["read"]
        with LOCK, open(LOG, "a", encoding="utf-8") as log:
            log.write(f"{arrived} {time.monotonic_ns()} {','.join(words)}\n")
        if mode in ("drop", "cut"):
            self.close_connection = True
            return
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(reply)))
        self.end_headers()
        self.wfile.write(reply)


SERVER = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Meddler)
with open(PORT_FILE + ".new", "w", encoding="utf-8") as port_file:
    port_file.write(f"{SERVER.server_port}\n")
os.rename(PORT_FILE + ".new", PORT_FILE)
SERVER.serve_forever()
