#!/usr/bin/env python3
"""Compares the facts that the host gives to reporters with the tables of docs/facts.md and docs/live.md.

    facts.py BUILD DOCS CXX SDK WORK

Builds the reporter dump.cpp beside this file with the compiler CXX and the headers of SDK, in the
folder WORK, and runs the program of BUILD against its simulator and against a server of this script,
one run at a time and as a sweep.
Every member that the reporter gets must be in the tables, with its type, and every member of the
tables must be given in one of the runs, except for UNCERTAIN.
"""
import http.server
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import threading

# Members that depend on the machine or on times, or that need a terminal or a plugin that signs.
UNCERTAIN = r"""client\.(reasons|causes)\[\]|client\.worst_error_bound\..*|client\.error_bound_ms\.FIGURE\..*
client\.cgroup\..*|client\.workers\[\]\.(kernel_to_client_ms.*|cpu_busiest_second|longest_wait_in_a_second)
calibration\.(reasons|causes)\[\]|calibration\.stamp_error_ms\..*\..*|plugin_cost\[\]\.ns_per_signature
steady\.(begin_s|end_s|requests|figures.*)|log\[\]|gpu_energy.*""".replace("\n", "|")

KINDS = {dict: "object", list: "list", str: "text", bool: "true or false", int: "whole number", float: "number",
         type(None): "null"}
INFINITE = ("inf", "-inf")
# The headings in facts.md of structs that belong to several runs; dump.cpp has the names of the structs.
SEVERAL = {"table_end": "The end of a report of journals", "sweep_point": "A point of a sweep",
           "sweep_table_end": "The end of a sweep"}


def expanded(name):
    """`a.{b,c}` is a.b and a.c."""
    found = re.search(r"\{([^{}]*)\}", name)
    if not found:
        return [name]
    return [each for part in found[1].split(",") for each in expanded(name[:found.start()] + part + name[found.end():])]


def steps_of(name):
    """The names and [] of a member; the point of p99.9 belongs to the name."""
    return tuple(step for part in re.split(r"(?<!\d)\.|\.(?!\d)", name) for step in re.findall(r"\[\]|[^\[\]]+", part))


def tables_of(text):
    """The members of all tables of a document, with the types of each."""
    out = {}
    for line in text.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if not line.startswith("| `") or len(cells) != 4:
            continue
        types = {kind.replace("true/false", "true or false")
                 for kind in cells[1].replace("true or false", "true/false").split(" or ")}
        for quoted in re.findall(r"`([^`]*)`", cells[0]):
            for name in expanded(quoted):
                if name in out:
                    sys.exit(f"{name} is listed twice")
                out[name] = types
    return out


def with_named(live, facts):
    """The rows of live.md without a type take it from facts.md; `a.*` is every member below a."""
    out = {}
    for name, types in live.items():
        if types != {""}:
            out[name] = types
            continue
        same = {each: facts[each] for each in facts
                if each == name or (name.endswith(".*") and each.startswith(name[:-1]))}
        if not same:
            sys.exit(f"live.md names {name}, which facts.md does not have")
        out.update(same)
    return out


class table:
    def __init__(self, members):
        self.members = {steps_of(name): (name, types) for name, types in members.items()}
        self.given = set()

    def find(self, steps):
        """The row of a member: the row with its own name, else a row with a name in capitals."""
        rows = [row for row in self.members if len(row) == len(steps) and all(
            a == b or (a.isupper() and b != "[]") for a, b in zip(row, steps))]
        return min(rows, key=lambda row: [step.isupper() for step in row], default=None)

    def see(self, value, steps=()):
        """Returns the faults of a value and of everything in it."""
        if steps:
            row = self.find(steps)
            if row is None:
                yield f"{'.'.join(steps).replace('.[]', '[]')} is not listed"
                return
            name, types = self.members[row]
            self.given.add(name)
            if "any" in types:
                return
            kind = KINDS[type(value)]
            if not (kind in types or (kind == "whole number" and "number" in types)
                    or (value in INFINITE and "number" in types)):
                yield f"{name} is {' or '.join(sorted(types))} in the table, but {kind}: {json.dumps(value)[:80]}"
        if isinstance(value, dict):
            for key, each in value.items():
                yield from self.see(each, (*steps, key))
        elif isinstance(value, list):
            for each in value:
                yield from self.see(each, (*steps, "[]"))

    def missing(self):
        return [name for name, _ in self.members.values()
                if name not in self.given and not re.fullmatch(UNCERTAIN, name)]


class server(http.server.BaseHTTPRequestHandler):
    """Answers chats with reasoning and cached tokens. Half of the later requests fail, each with a message
    of its own."""
    protocol_version = "HTTP/1.1"
    count = 0

    def log_message(self, *_):
        pass

    def answer(self, status, kind, body):
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        self.answer(404, "application/json", b"{}")

    def do_POST(self):
        self.rfile.read(int(self.headers.get("Content-Length") or 0))
        server.count += 1
        if server.count > 6 and server.count % 2:
            body = json.dumps({"error": {"message": f"shard {server.count} failed"}}).encode()
            return self.answer(500, "application/json", body)
        usage = {"prompt_tokens": 5, "completion_tokens": 4, "completion_tokens_details": {"reasoning_tokens": 2},
                 "prompt_tokens_details": {"cached_tokens": 3}}
        events = [{"choices": [{"index": 0, "delta": {"reasoning_content": "hm"}}]},
                  {"choices": [{"index": 0, "delta": {"content": "yes"}, "finish_reason": "stop"}]},
                  {"choices": [], "usage": usage}]
        body = "".join(f"data: {json.dumps(event)}\n\n" for event in events) + "data: [DONE]\n\n"
        return self.answer(200, "text/event-stream", body.encode())


def call(*command):
    done = subprocess.run(command, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=120,
                          check=False)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}\nfailed ({done.returncode}):\n{done.stdout}")


def serve(program, url, backend, reporter, *arguments):
    call(program, "serve", "--base-url", url, "--backend", backend, "--endpoint",
         "/v1/completions" if backend == "openai" else "/v1/chat/completions", "--model", "m", "--tokenizer-mode",
         "bytes", "--disable-tqdm", "--reporter", reporter, *arguments)


def against_the_simulator(program, url, reporter):
    rows = ("--dataset-name", "random", "--random-input-len", "16", "--random-prefix-len", "32",
            "--random-output-len", "8")

    def run(*arguments, backend="openai"):
        serve(program, url, backend, reporter, *arguments)

    run(*rows, "--num-prompts", "120", "--max-concurrency", "6", "--goodput", "ttft:1000", "--threshold",
        "ttft.p99<3600s", "--salt", "auto", "--report-cached-tokens", "--journal", "a.journal")
    # A second long, so that there are snapshots.
    run(*rows, "--num-prompts", "60", "--request-rate", "60", "--burstiness", "inf", "--observe", "--observe-interval",
        "100ms", "--observe-names", "inferbench_simulator_cache_resets_total")
    run(*rows, "--num-prompts", "20", "--max-concurrency", "6", "--summary", "bounded")
    run(*rows, "--num-prompts", "20", "--ramp-up-strategy", "linear", "--ramp-up-start-rps", "50", "--ramp-up-end-rps",
        "100", "--journal", "b.journal")
    run(*rows, "--num-prompts", "20", "--max-concurrency", "2", "--calibrate")
    with open("classes.jsonl", "w", encoding="utf-8") as file:
        file.write('{"prompt": "a b", "workload_class": "chat"}\n{"prompt": "c"}\n')
    run("--dataset-name", "custom", "--dataset-path", "classes.jsonl", "--skip-chat-template", "--custom-output-len",
        "4", "--num-prompts", "4")
    turns = [{"from": who, "value": "a few words"} for _ in range(34) for who in ("human", "gpt")]
    with open("talks.json", "w", encoding="utf-8") as file:
        json.dump([{"conversations": turns}] * 3, file)
    run("--dataset-name", "sharegpt", "--dataset-path", "talks.json", "--sharegpt-multi-turn", "--num-prompts", "3",
        "--report-cached-tokens", backend="openai-chat")
    run("--dataset-name", "sharegpt", "--dataset-path", "talks.json", "--sharegpt-multi-turn", "--num-prompts", "2",
        "--conversation-clients", "1", "--conversation-warm-up", backend="openai-chat")
    run("--dataset-name", "random", "--random-input-len", "8", "--random-output-len", "2", "--num-prompts", "2",
        "--multi-turn", "--multi-turn-delay-ms", "1", backend="openai-chat")
    # Too short for JSON, so the scorer has a reason.
    run("--dataset-name", "structured-output", "--structured-output-len", "4", "--num-prompts", "4", "--scorer",
        "structured-output")


def search(program, url, reporter):
    call(program, "find", "--base-url", url, "--model", "m", "--backend", "openai", "--tokenizer-mode", "bytes",
         "--dataset-name", "random", "--random-input-len", "16", "--random-output-len", "2", "--goal", "ttft.p80<60s",
         "--over", "max_concurrency", "--between", "1", "2", "--assumed-correlation", "0", "--settle", "0s",
         "--reporter", reporter)


def from_journals(program, reporter):
    with open("a.journal", "rb") as file:
        whole = bytearray(file.read())
    with open("cut.journal", "wb") as file:
        file.write(whole[:-300])
    whole[len(whole) // 2] ^= 255
    with open("damaged.journal", "wb") as file:
        file.write(whole)
    for journals in (["cut.journal"], ["damaged.journal"], ["a.journal", "b.journal"]):
        call(program, "report", *journals, "--reporter", reporter)


def sweep(program, reporter):
    """A sweep starts its server itself, so the port is fixed, and the address of the loopback network is one
    that no other process uses."""
    own = os.getpid()
    host = f"127.{1 + (own >> 16) % 254}.{(own >> 8) % 256}.{own % 256}"
    with open("servers.json", "w", encoding="utf-8") as file:
        json.dump({"low": {"seed": 1}, "high": {"seed": 2, "coalesce": True}}, file)
    with open("benchmarks.json", "w", encoding="utf-8") as file:
        json.dump({"all": {"num_prompts": 10, "request_rate": "inf"}, "two": {"max_concurrency": 2}}, file)
    call(program, "sweep", "serve", "--serve-cmd",
         shlex.join([program, *f"simulate --host {host} --port 20080 --ttft 1ms --itl 1ms".split()]), "--bench-cmd",
         shlex.join([program, *f"serve --base-url http://{host}:20080 --model m --tokenizer-mode bytes".split(),
                     *"--dataset-name random --random-input-len 16 --num-prompts 20 --disable-tqdm".split()]),
         "--serve-params", "servers.json", "--bench-params", "benchmarks.json", "--num-runs", "2",
         "--experiment-name", "grid", "--reporter", reporter)


def make_facts(program, reporter):
    with subprocess.Popen([program, "simulate", "--port", "0", "--ttft", "1ms", "--itl", "1ms", "--draft-tokens", "3"],
                          text=True, stdout=subprocess.PIPE) as simulator:
        try:
            url = next((line.split()[2] for line in simulator.stdout if line.startswith("listening on ")), None)
            if url is None:
                sys.exit("the simulator did not say where it listens")
            against_the_simulator(program, url, reporter)
            search(program, url, reporter)
        finally:
            simulator.terminate()
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), server) as listening:
        threading.Thread(target=listening.serve_forever, daemon=True).start()
        serve(program, f"http://127.0.0.1:{listening.server_port}", "openai-chat", reporter, "--dataset-name", "random",
              "--random-input-len", "8", "--num-prompts", "40", "--max-concurrency", "2", "--report-cached-tokens")
        listening.shutdown()
    from_journals(program, reporter)


def sections_of(text):
    """The text below each heading of the third level, without what is above the first of them."""
    return dict(part.partition("\n")[::2] for part in text.split("\n### ")[1:])


def tables(docs):
    def read(name):
        with open(os.path.join(docs, name), encoding="utf-8") as file:
            return file.read()
    one, _, several = read("facts.md").partition("\n## Several runs\n")
    facts = tables_of(one)
    live = with_named(tables_of(read("live.md").partition("\n## For authors of reporters\n")[2]), facts)
    none = table({})
    out = {"summary": table(facts), "snapshot": table(live), "table": none, "point": none}
    sections = sections_of(several)
    for struct, heading in SEVERAL.items():
        if heading not in sections:
            sys.exit(f"facts.md has no heading '{heading}' below 'Several runs'")
        out[struct] = table(tables_of(sections[heading]))
    return out


def faults_of(path, wanted, prefix=""):
    """The faults of a file of the reporter. The structs of SEVERAL with the prefix have a table of their own."""
    with open(path, encoding="utf-8") as file:
        for line in file:
            of, _, facts = line.partition(" ")
            of = prefix + of if prefix + of in SEVERAL else of
            if facts.strip():
                yield from (f"{of}: {fault}" for fault in wanted[of].see(json.loads(facts)))


def main():
    if len(sys.argv) != 6:
        sys.exit(__doc__)
    build, docs, compiler, sdk, work = map(os.path.abspath, sys.argv[1:])
    program = os.path.join(build, "bin", "inferbench")
    if not os.path.exists(program):
        sys.exit(f"there is no {program}; build the program first")
    wanted = tables(docs)
    shutil.rmtree(work, ignore_errors=True)
    os.makedirs(work)
    source = os.path.join(os.path.dirname(os.path.abspath(__file__)), "dump.cpp")
    os.chdir(work)
    call(compiler, "-std=c++20", "-fPIC", "-shared", "-fvisibility=hidden", "-I", os.path.join(sdk, "include"),
         f"-Wl,--version-script={os.path.join(sdk, 'cmake', 'plugin.map')}", "-o", "dump.so", source)
    make_facts(program, "./dump.so=" + os.path.join(work, "facts.txt"))
    sweep(program, "./dump.so=" + os.path.join(work, "sweep.txt"))
    faults = {*faults_of("facts.txt", wanted), *faults_of("sweep.txt", wanted, "sweep_")}
    for of in ("summary", "snapshot", *SEVERAL):
        faults.update(f"{of}: {name} is listed, but no run has it" for name in wanted[of].missing()
                      if of == "summary" or not name.startswith(("errors", "accounting", "http_status")))
    if faults:
        sys.exit("\n".join(sorted(faults)))


if __name__ == "__main__":
    main()
