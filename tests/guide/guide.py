#!/usr/bin/env python3
"""Does in WORK what the guide for authors of plugins says, in one language.

    guide.py c++|c|rust GUIDE BUILD WORK

BUILD is the build tree with the program and the SDK. Exits with 77 when something that it
needs is not there.
"""
import json
import os
import re
import shutil
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

SOURCES = {"c++": ("acme.cpp", "cpp"), "c": ("acme.c", "c"), "rust": ("acme.rs", "rust")}
COMPILERS = {"c++": "c++", "c": "cc", "rust": "rustc"}
REQUESTS = 5


class Acme(BaseHTTPRequestHandler):
    """Answers as many words as were asked for, each in an event of its own."""
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        self.refuse(404)

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        good = self.path == "/v1/go" and self.headers["Content-Type"] == "application/json"
        if not good or set(body) != {"prompt", "max_tokens"} or not isinstance(body["prompt"], str):
            return self.refuse(400)
        events = [f"data: w{i} \n\n" for i in range(body["max_tokens"])] + ["data: [END]\n\n"]
        self.answer(200, "text/event-stream", "".join(events).encode())
        with self.server.lock:
            self.server.answered += 1

    def refuse(self, status):
        self.answer(status, "text/plain", b"no")

    def answer(self, status, kind, data):
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_):
        pass


def shell(command, where, environment):
    done = subprocess.run(command, shell=True, cwd=where, env=environment, text=True, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, timeout=240, check=False)
    if done.returncode != 0:
        sys.exit(f"{command}\nfailed ({done.returncode}):\n{done.stdout}")
    return done.stdout


def blocks(guide, language):
    return re.findall(rf"^```{re.escape(language)}\n(.*?)^```$", guide, flags=re.M | re.S)


def with_functions(source, functions):
    """Functions of the same names replaced, and what has become of no use deleted."""
    for function in functions:
        head = re.match(r"static \w+ IFB_CALL (\w+)\(", function)
        source, count = re.subn(rf"^static \w+ IFB_CALL {head[1]}\(.*?^}}\n", lambda _: function, source, count=1,
                                flags=re.M | re.S)
        if count != 1:
            sys.exit(f"the template has no function {head[1]}")
    source = re.sub(r"^/\* The text of a JSON string[^\n]*\n(.*?)^}\n", "", source, count=1, flags=re.M | re.S)
    return source.replace("/v1/completions", "/v1/go")


def rewrite(project, language, guide):
    name, fence = SOURCES[language]
    path = os.path.join(project, name)
    code = blocks(guide, fence)
    if language == "c":
        with open(path, encoding="utf-8") as file:
            text = with_functions(file.read(), code)
    else:
        text = code[0]
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    os.remove(os.path.join(project, "transcripts", "completions.json"))
    with open(os.path.join(project, "transcripts", "acme.json"), "w", encoding="utf-8") as file:
        file.write(blocks(guide, "json")[0])


def main():
    if len(sys.argv) != 5 or sys.argv[1] not in SOURCES:
        sys.exit(__doc__)
    language, guide, build, work = sys.argv[1:]
    program = os.path.join(os.path.abspath(build), "bin", "inferbench")
    for needed in (program, COMPILERS[language]):
        if shutil.which(needed) is None:
            print(f"SKIPPED: no {needed}")
            sys.exit(77)
    with open(guide, encoding="utf-8") as file:
        guide = file.read()
    shutil.rmtree(work, ignore_errors=True)
    os.makedirs(work)
    environment = dict(os.environ, PATH=os.path.dirname(program) + os.pathsep + os.environ["PATH"])

    said = shell(f"inferbench plugin new backend acme --lang {language}", work, environment)
    compile_it, check, use = said.rstrip().splitlines()[-3:]
    for command in (compile_it, check):
        shell(command, work, environment)
    rewrite(os.path.join(work, "acme"), language, guide)
    shell(compile_it, work, environment)
    report = shell(check.replace("--output-on-failure", "--verbose"), work, environment)
    if not re.search(r"passed +codec-transcripts ", report) or " 0 warned, 0 failed, 0 crashed" not in report:
        sys.exit(f"the check does not pass, or saw no transcript:\n{report}")

    server = ThreadingHTTPServer(("127.0.0.1", 0), Acme)
    server.lock = threading.Lock()
    server.answered = 0
    threading.Thread(target=server.serve_forever, daemon=True).start()
    if f"--num-prompts {REQUESTS}" not in use:
        sys.exit(f"the last command is not that of {REQUESTS} requests: {use}")
    use = use.replace("http://127.0.0.1:8000", f"http://127.0.0.1:{server.server_port}").replace("MODEL", "m")
    said = shell(use + " --tokenizer-mode bytes --random-input-len 9 --random-output-len 3 --save-result "
                       "--result-filename result.json", work, environment)
    server.shutdown()
    with open(os.path.join(work, "result.json"), encoding="utf-8") as file:
        result = json.load(file)
    # Three words of three letters each, which the tokenizer counts as bytes.
    wanted = {"completed": REQUESTS, "failed": 0, "total_output_tokens": 3 * 3 * REQUESTS}
    found = {key: result.get(key) for key in wanted}
    if found != wanted or server.answered < REQUESTS:
        sys.exit(f"the run says {found} instead of {wanted}, the server answered {server.answered}:\n{said}")


if __name__ == "__main__":
    main()
