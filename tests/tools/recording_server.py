#!/usr/bin/env python3
"""Runs a command against a small server that records the requests.

    recording_server.py RECORD COMMAND [ARGUMENT ...]

"{url}" in an argument is replaced by the address of the server, which runs as long as the
command. Each request is a line of JSON in the file RECORD: method, path, headers (in the order
in which they were sent), and body. The body is parsed JSON, or the parts of a form, or otherwise
the text. The answers are fixed: two tokens for a streamed answer, numbers for another answer.
Exits with the command's status, or with 124 if the command takes longer than a minute.
"""
import email
import json
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

TIME_LIMIT_S = 60
USAGE = {"prompt_tokens": 3, "total_tokens": 5, "completion_tokens": 2}


def chat_events():
    def choice(delta, reason=None):
        return {"choices": [{"index": 0, "delta": delta, "finish_reason": reason}]}
    return [choice({"role": "assistant", "content": ""}), choice({"content": "Hel"}),
            choice({"content": "lo"}, "stop"), {"choices": [], "usage": USAGE}]


STREAMS = {
    "/v1/completions": [{"choices": [{"index": 0, "text": "Hel"}]}, {"choices": [{"index": 0, "text": "lo"}]},
                        {"choices": [], "usage": USAGE}],
    "/v1/chat/completions": chat_events(),
    "/v1/responses": [{"type": "response.created", "response": {"usage": None}},
                      {"type": "response.output_text.delta", "delta": "Hel"},
                      {"type": "response.output_text.delta", "delta": "lo"},
                      {"type": "response.completed",
                       "response": {"usage": {"input_tokens": 3, "output_tokens": 2}}}],
    "/v1/audio/transcriptions": chat_events(),
}
WHOLE = {
    "/v1/embeddings": {"object": "list", "data": [{"index": 0, "embedding": [0.5, None]}], "usage": USAGE},
    "/pooling": {"object": "list", "data": [{"index": 0, "data": [0.5]}], "usage": USAGE},
    "/v1/rerank": {"results": [{"index": 0, "relevance_score": 0.5}], "usage": USAGE},
}


def parsed(content_type, body):
    if content_type.startswith("multipart/form-data"):
        # The e-mail parser needs the header with the boundary between the parts.
        form = email.message_from_bytes(b"Content-Type: " + content_type.encode() + b"\r\n\r\n" + body)
        parts = []
        for part in form.get_payload():
            entry = dict(part.get_params(header="Content-Disposition")[1:])
            if part.get("Content-Type"):
                entry["type"] = part.get("Content-Type")
            entry["value"] = part.get_payload(decode=True).decode("latin-1")
            parts.append(entry)
        return {"form": parts}
    text = body.decode("utf-8")
    return {"json": json.loads(text)} if content_type == "application/json" else {"text": text}


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        self.record(b"")
        self.send(404, "application/json", b'{"error": "no such call"}')

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self.record(body)
        if self.path in STREAMS:
            events = [json.dumps(event) for event in STREAMS[self.path]] + ["[DONE]"]
            self.send(200, "text/event-stream", "".join(f"data: {event}\n\n" for event in events).encode())
        elif self.path in WHOLE:
            self.send(200, "application/json", json.dumps(WHOLE[self.path]).encode())
        else:
            self.send(404, "application/json", b'{"error": "no such call"}')

    def record(self, body):
        entry = {"method": self.command, "path": self.path, "headers": list(self.headers.items())}
        entry.update(parsed(self.headers.get("Content-Type", ""), body))
        with self.server.lock:
            print(json.dumps(entry), file=self.server.log, flush=True)

    def send(self, status, content_type, body):
        self.send_response(status)
        self.send_header("Content-Type", content_type)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


def run(record, command, environment=None, folder=None):
    """Runs `command` in `folder`; returns its exit status and its output."""
    with open(record, "w", encoding="utf-8") as log:
        server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        server.lock = threading.Lock()
        server.log = log
        threading.Thread(target=server.serve_forever, daemon=True).start()
        url = f"http://127.0.0.1:{server.server_port}"
        try:
            done = subprocess.run([word.replace("{url}", url) for word in command], timeout=TIME_LIMIT_S, check=False,
                                  cwd=folder, env=environment,
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
            status, output = done.returncode, done.stdout
        except subprocess.TimeoutExpired as late:
            status, output = 124, str(late.output)
        server.shutdown()
    return (status if status >= 0 else 128 - status), output


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    status, output = run(sys.argv[1], sys.argv[2:])
    print(output, end="")
    sys.exit(status)


if __name__ == "__main__":
    main()
