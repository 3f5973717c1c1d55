#!/usr/bin/env python3
"""Runs a command against a small chat server that checks AWS Signature Version 4.

    sigv4_server.py COMMAND [ARGUMENT ...]
    sigv4_server.py --check-vectors

"{url}" in an argument is replaced by the address of the server, which runs as long as the
command. POST .../v1/chat/completions is answered with one event for each token if the signature is
right, covers the body and the host, and is at most MAX_AGE_S old; otherwise with status 403. The
key is AKIDEXAMPLE with the secret SECRET. After the command has ended, prints "answered N,
refused M" and the reasons on standard error and exits with the command's status, or with 124 if
the command takes longer than a minute. --check-vectors compares this implementation with the
published test vectors get-vanilla and get-vanilla-query-order-key-case.
"""
import calendar
import hashlib
import hmac
import json
import subprocess
import sys
import threading
import time
import urllib.parse
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

KEY, SECRET = "AKIDEXAMPLE", "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY"
MAX_AGE_S = 3
TIME_LIMIT_S = 60


def signature(method, path, query, headers, names, body_hash, date, scope):
    """The hexadecimal signature; headers: lower-case name -> value."""
    canonical_query = "&".join(sorted(p if "=" in p else p + "=" for p in query.split("&") if p))
    canonical = "\n".join([method, urllib.parse.quote(path, safe="/-._~"), canonical_query,
                           "".join(f"{n}:{' '.join(headers[n].split())}\n" for n in names),
                           ";".join(names), body_hash])
    text = "\n".join(["AWS4-HMAC-SHA256", date, scope, hashlib.sha256(canonical.encode()).hexdigest()])
    key = ("AWS4" + SECRET).encode()
    for part in scope.split("/"):
        key = hmac.new(key, part.encode(), hashlib.sha256).digest()
    return hmac.new(key, text.encode(), hashlib.sha256).hexdigest()


def fault_of(method, target, headers, body, now):
    """Why a request is refused; None if it is good."""
    said = headers.get("authorization", "")
    if not said.startswith("AWS4-HMAC-SHA256 "):
        return f"no signature but {said!r}"
    parts = dict(p.strip().split("=", 1) for p in said.split(" ", 1)[1].split(","))
    key, _, scope = parts["Credential"].partition("/")
    names = parts["SignedHeaders"].split(";")
    date = headers.get("x-amz-date", "")
    if key != KEY or names != sorted(names) or "host" not in names or "x-amz-date" not in names:
        return f"cannot use {said!r}"
    age = now - calendar.timegm(time.strptime(date, "%Y%m%dT%H%M%SZ"))
    if not -1 <= age <= MAX_AGE_S:
        return f"signed {age:.1f} s ago"
    if scope.split("/")[0] != date[:8]:
        return "the scope is of another day"
    body_hash = hashlib.sha256(body).hexdigest()
    if headers.get("x-amz-content-sha256") != body_hash:
        return "the digest is not that of the body"
    path, _, query = target.partition("?")
    if signature(method, path, query, headers, names, body_hash, date, scope) != parts["Signature"]:
        return "the signature is wrong"
    return None


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        self.refuse(404, "no such call")

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        headers = {name.lower(): value for name, value in self.headers.items()}
        if not self.path.endswith("/v1/chat/completions"):
            return self.refuse(404, "no such call")
        fault = fault_of(self.command, self.path, headers, body, time.time())
        if fault:
            return self.refuse(403, fault)
        tokens = json.loads(body)["max_completion_tokens"]
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        for index in range(1, tokens + 1):
            self.event({"choices": [{"index": 0, "delta": {"content": " a"},
                                     "finish_reason": "length" if index == tokens else None}]})
        self.event({"choices": [], "usage": {"prompt_tokens": 7, "completion_tokens": tokens}})
        self.chunk(b"data: [DONE]\n\n")
        self.chunk(b"")
        self.count("answered")

    def event(self, data):
        self.chunk(f"data: {json.dumps(data)}\n\n".encode())

    def chunk(self, data):
        self.wfile.write(f"{len(data):x}\r\n".encode() + data + b"\r\n")

    def refuse(self, status, message):
        body = json.dumps({"error": {"message": message}}).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
        if status == 403:
            self.count("refused", message)

    def count(self, what, reason=None):
        with self.server.lock:
            self.server.counts[what] += 1
            if reason:
                self.server.reasons.add(reason)

    def log_message(self, *_):
        pass


def check_vectors():
    scope, date = "20150830/us-east-1/service/aws4_request", "20150830T123600Z"
    headers = {"host": "example.amazonaws.com", "x-amz-date": date}
    empty = hashlib.sha256(b"").hexdigest()
    for query, wanted in (
            ("", "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31"),
            ("Param2=value2&Param1=value1", "b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500")):
        found = signature("GET", "/", query, headers, ["host", "x-amz-date"], empty, date, scope)
        if found != wanted:
            sys.exit(f"the vector of {query!r} gives {found}, not {wanted}")


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    if sys.argv[1] == "--check-vectors":
        return check_vectors()
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.lock = threading.Lock()
    server.counts = {"answered": 0, "refused": 0}
    server.reasons = set()
    threading.Thread(target=server.serve_forever, daemon=True).start()
    url = f"http://127.0.0.1:{server.server_port}"
    try:
        status = subprocess.run([word.replace("{url}", url) for word in sys.argv[1:]], timeout=TIME_LIMIT_S,
                                check=False).returncode
    except subprocess.TimeoutExpired:
        status = 124
    server.shutdown()
    print(f"answered {server.counts['answered']}, refused {server.counts['refused']}", *sorted(server.reasons),
          sep="\n", file=sys.stderr)
    sys.exit(status if status >= 0 else 128 - status)


if __name__ == "__main__":
    main()
