#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""A stand-in for Elasticsearch: receiver.py PORTFILE

Writes what is posted into the file posted: path and document, one in a line.
"""
import http.server
import json
import sys


class Receiver(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        with open("posted", "a", encoding="utf-8") as f:
            f.write(self.path + " " + json.dumps(json.loads(body)) + "\n")
        self.send_response(201)
        self.send_header("Content-Length", "2")
        self.end_headers()
        self.wfile.write(b"{}")

    def log_message(self, *words):
        pass


server = http.server.HTTPServer(("127.0.0.1", 0), Receiver)
with open(sys.argv[1], "w", encoding="utf-8") as f:
    f.write(str(server.server_port))
server.serve_forever()
