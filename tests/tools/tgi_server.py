#!/usr/bin/env python3
"""Runs a command against a small server that speaks TGI's streaming API.

    tgi_server.py COMMAND [ARGUMENT ...]

"{url}" in an argument is replaced by the address of the server, which runs as long as the
command. POST /generate_stream is answered with one event for each token; the last event has
the whole text and the figures. The server refuses requests that TGI would refuse, and all
other calls. After the command has ended, prints "answered N, refused M" on standard error and
exits with the command's status, or with 124 if the command takes longer than a minute.
"""
import json
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

TIME_LIMIT_S = 60


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        self.refuse(404, "no such call")

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        if self.path != "/generate_stream":
            return self.refuse(404, "no such call")
        if self.headers.get("Content-Type") != "application/json":
            return self.refuse(415, "expected application/json")
        try:
            request = json.loads(body)
            text = request["inputs"]
            parameters = request["parameters"]
            tokens = parameters["max_new_tokens"]
            if not isinstance(text, str) or not text or type(tokens) is not int or tokens < 1:
                raise ValueError("inputs or max_new_tokens make no sense")
        except (ValueError, KeyError, TypeError) as error:
            return self.refuse(422, repr(error))
        self.answer(text, tokens, parameters.get("details") is True)

    def answer(self, text, tokens, details):
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        said = ""
        for index in range(1, tokens + 1):
            said += " a"
            event = {"index": index, "token": {"id": 5, "text": " a", "logprob": -0.5, "special": False},
                     "generated_text": None, "details": None}
            if index == tokens:
                event["generated_text"] = said
                if details:
                    event["details"] = {"finish_reason": "length", "generated_tokens": tokens,
                                        "input_length": len(text.encode())}
            self.chunk(f"data:{json.dumps(event)}\n\n".encode())
        self.chunk(b"")
        self.count("answered")

    def chunk(self, data):
        self.wfile.write(f"{len(data):x}\r\n".encode() + data + b"\r\n")

    def refuse(self, status, message):
        body = json.dumps({"error": message, "error_type": "validation"}).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
        self.count("refused")

    def count(self, what):
        with self.server.lock:
            self.server.counts[what] += 1

    def log_message(self, *_):
        pass


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.lock = threading.Lock()
    server.counts = {"answered": 0, "refused": 0}
    threading.Thread(target=server.serve_forever, daemon=True).start()
    url = f"http://127.0.0.1:{server.server_port}"
    try:
        status = subprocess.run([word.replace("{url}", url) for word in sys.argv[1:]], timeout=TIME_LIMIT_S,
                                check=False).returncode
    except subprocess.TimeoutExpired:
        status = 124
    server.shutdown()
    print(f"answered {server.counts['answered']}, refused {server.counts['refused']}", file=sys.stderr)
    sys.exit(status if status >= 0 else 128 - status)


if __name__ == "__main__":
    main()
