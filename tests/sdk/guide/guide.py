#!/usr/bin/env python3
"""Follows the guide for authors of plugins in one language, in the folder WORK.

    guide.py c++|c|rust GUIDE BUILD WORK

BUILD is the build tree with the program and the SDK. The TOML of the guide must be equal to the
TOML of the examples, which another test runs. Exits with 77 if the program or the compiler is
missing.
"""
import json
import os
import re
import shlex
import shutil
import subprocess
import sys

SOURCES = {"c++": ("acme.cpp", "cpp"), "c": ("acme.c", "c"), "rust": ("acme.rs", "rust")}
COMPILERS = {"c++": "c++", "c": "cc", "rust": "rustc"}
REQUESTS = 5


def shell(command, where, environment):
    done = subprocess.run(command, shell=True, cwd=where, env=environment, text=True, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, timeout=240, check=False)
    if done.returncode != 0:
        sys.exit(f"{command}\nfailed ({done.returncode}):\n{done.stdout}")
    return done.stdout


def blocks(guide, language):
    return re.findall(rf"^```{re.escape(language)}\n(.*?)^```$", guide, flags=re.M | re.S)


def with_functions(source, functions):
    """The source with these functions instead of its functions of the same names, without code that
    is then unused."""
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


def with_lines(guide):
    """The guide's C++ source with the functions of its section on JSON lines."""
    source, functions = blocks(guide, "cpp")[:2]
    source, count = re.subn(r"^    ifb::heard on_message\(.*?^    }\n", lambda _: functions, source, count=1,
                            flags=re.M | re.S)
    if count != 1 or "on_head(" not in functions:
        sys.exit("the guide's section on JSON lines has no on_head, or its source no on_message")
    return "#include <inferbench/json_reader.hpp>\n" + source


def check_lines(project, guide, compile_it, check, work, environment):
    """Builds and checks the guide's exchange for JSON lines, with its recorded answer."""
    with open(os.path.join(project, SOURCES["c++"][0]), "w", encoding="utf-8") as file:
        file.write(with_lines(guide))
    with open(os.path.join(project, "transcripts", "acme.json"), "w", encoding="utf-8") as file:
        file.write(blocks(guide, "json")[1])
    shell(compile_it, work, environment)
    return shell(check, work, environment)


def command(guide, beginning):
    """The last indented command of the guide that starts with `beginning`, as one line."""
    found = re.findall(rf"^    ({re.escape(beginning)}(?:.*\\\n)*.*)$", guide, flags=re.M)
    if not found:
        sys.exit(f"the guide has no command {beginning}")
    return found[-1].replace("\\\n", " ")


def measure(guide, work, environment):
    """Runs the guide's simulator command and run command, with another port. Returns the run's
    output."""
    simulate = shlex.split(command(guide, "inferbench simulate --replay ")) + ["--port", "0"]
    use = command(guide, "inferbench serve --backend acme/build/")
    if f"--num-prompts {REQUESTS}" not in use:
        sys.exit(f"the run is not one of {REQUESTS} requests: {use}")
    with subprocess.Popen(simulate, cwd=work, env=environment, text=True, stdout=subprocess.PIPE) as simulator:
        try:
            lines = (line for line in simulator.stdout if line.startswith("listening on "))
            url = next(lines, "").removeprefix("listening on ").strip()
            if not url:
                sys.exit("the simulator did not say where it listens")
            return shell(use.replace("http://127.0.0.1:8000", url) + " --save-result --result-filename result.json",
                         work, environment)
        finally:
            simulator.terminate()


def see_passed(report):
    if not re.search(r"passed +codec-transcripts ", report) or " 0 warned, 0 failed, 0 crashed" not in report:
        sys.exit(f"the check does not pass, or saw no transcript:\n{report}")


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
    together = os.path.join(os.path.abspath(build), "share/inferbench/examples/together.toml")
    with open(together, encoding="utf-8") as file:
        if not file.read().endswith("\n\n" + blocks(guide, "toml")[0]):
            sys.exit("the guide's TOML is not that of sdk/examples/together.toml")
    shutil.rmtree(work, ignore_errors=True)
    os.makedirs(work)
    environment = dict(os.environ, PATH=os.path.dirname(program) + os.pathsep + os.environ["PATH"])

    said = shell(f"inferbench plugin new backend acme --lang {language}", work, environment)
    compile_it, check, _ = said.rstrip().splitlines()[-3:]
    for line in (compile_it, check):
        shell(line, work, environment)
    rewrite(os.path.join(work, "acme"), language, guide)
    shell(compile_it, work, environment)
    check = check.replace("--output-on-failure", "--verbose")
    report = shell(check, work, environment)
    see_passed(report)

    # The simulator accepts every path.
    library = "acme/build/lib/inferbench/plugins/backends/acme.so"
    if '"/v1/go"' not in shell(f"inferbench plugin show {library}", work, environment):
        sys.exit("the plugin does not call Acme's path")
    said = measure(guide, work, environment)
    with open(os.path.join(work, "result.json"), encoding="utf-8") as file:
        result = json.load(file)
    # Each answer is the recorded "Hello", and the tokenizer counts bytes.
    wanted = {"completed": REQUESTS, "failed": 0, "total_output_tokens": len("Hello") * REQUESTS}
    found = {key: result.get(key) for key in wanted}
    if found != wanted:
        sys.exit(f"the run says {found} instead of {wanted}:\n{said}")
    if language == "c++":
        see_passed(check_lines(os.path.join(work, "acme"), guide, compile_it, check, work, environment))


if __name__ == "__main__":
    main()
