#!/usr/bin/env python3
"""Tests the requests that `inferbench serve` sends, and the result that it computes from the
answers.

    wire_test.py INFERBENCH SAMPLES_DATASET GOLDEN [--update]

GOLDEN is a JSON file with these members: backend; flags; samples (in the format of
tests/fixtures/plugins/samples_dataset) or rows (of the dataset custom, in their order); requests
(the requests that must arrive; their bodies are compared as parsed JSON); result (members of the
result file). Requests are compared in the order of their ids; requests without an id, such as the
ready check, come first. --update writes the received requests and the result into GOLDEN.
"""
import json
import os
import re
import sys
import tempfile

sys.dont_write_bytecode = True  # keeps __pycache__ out of the source folder
import recording_server  # noqa: E402

# Headers that the client writes, not the backend; they are not compared.
LEFT_OUT = {"host", "content-length", "user-agent", "accept", "accept-encoding", "connection"}


def arrived(record):
    requests = []
    with open(record, encoding="utf-8") as lines:
        for line in lines:
            request = json.loads(line)
            if request["path"] == "/metrics":
                continue
            headers = {name.lower(): re.sub("boundary=.*", "boundary=...", value)
                       for name, value in request["headers"] if name.lower() not in LEFT_OUT}
            request["headers"] = headers
            requests.append(request)
    return sorted(requests, key=lambda request: request["headers"].get("x-request-id", ""))


def one_line(value):
    return json.dumps(value, ensure_ascii=False)


def written(golden):
    """The text of the golden file: JSON with one sample or request per line."""
    members = []
    for name, value in golden.items():
        if name in ("samples", "rows", "requests"):
            value = "[\n    " + ",\n    ".join(one_line(each) for each in value) + "\n  ]"
        else:
            value = one_line(value)
        members.append(f'  "{name}": {value}')
    return "{\n" + ",\n".join(members) + "\n}\n"


def main():
    inferbench, dataset, golden_path = (os.path.abspath(path) for path in sys.argv[1:4])
    with open(golden_path, encoding="utf-8") as file:
        golden = json.load(file)
    with tempfile.TemporaryDirectory() as folder:
        if "rows" in golden:
            data = golden["rows"]
            samples = os.path.join(folder, "rows.jsonl")
            source = ["--dataset-name", "custom", "--disable-shuffle"]
        else:
            data = golden["samples"]
            samples = os.path.join(folder, "samples.json")
            source = ["--dataset-name", dataset]
        with open(samples, "w", encoding="utf-8") as file:
            if "rows" in golden:
                file.writelines(json.dumps(row) + "\n" for row in data)
            else:
                json.dump(data, file)
        with open(os.path.join(folder, "voice.flac"), "wb") as file:
            file.write(b"fLaC and \x00\xff more")
        result_path = os.path.join(folder, "result.json")
        environment = {name: value for name, value in os.environ.items() if not name.lower().endswith("_proxy")}
        environment["OPENAI_API_KEY"] = "secret"
        status, output = recording_server.run(
            os.path.join(folder, "record"),
            [inferbench, "serve", "--backend", golden["backend"], "--base-url", "{url}", "--model", "m",
             *source, "--dataset-path", samples, "--num-prompts", str(len(data)),
             "--skip-tokenizer-init", "--request-id-prefix", "test-", "--disable-tqdm", "--save-result",
             "--save-detailed", "--result-filename", result_path, *golden["flags"]], environment, folder)
        if status != 0:
            sys.exit(f"exit status {status}\n{output}")
        requests = arrived(os.path.join(folder, "record"))
        with open(result_path, encoding="utf-8") as file:
            result = json.load(file)
    result = {name: result.get(name) for name in golden["result"]}
    if "--update" in sys.argv:
        golden["requests"], golden["result"] = requests, result
        with open(golden_path, "w", encoding="utf-8") as file:
            file.write(written(golden))
        return
    for what, expected, found in (("requests", golden["requests"], requests), ("result", golden["result"], result)):
        if expected != found:
            sys.exit(f"{what} differ\nexpected: {json.dumps(expected, indent=1)}\n"
                     f"found: {json.dumps(found, indent=1)}\n{output}")


if __name__ == "__main__":
    main()
