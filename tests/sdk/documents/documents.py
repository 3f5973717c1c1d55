#!/usr/bin/env python3
"""Checks that the installed files of the SDK name no file of the repository that is not installed.

    documents.py check PREFIX REPOSITORY    checks the files below PREFIX
    documents.py install BUILD PREFIX REPOSITORY   installs the component sdk of BUILD first
    documents.py test                       tries the rules on made-up files

Read are documents (.md), and the comments of sources, templates and examples. In them

- a relative link leads to an installed file, and its fragment to a heading of that file;
- a path that begins with a folder of the repository (`tests/sdk/abi`) is that of an installed file,
  seen from share/inferbench or from the folder of the file that names it;
- the name of a source file of the repository (`layering_test.cpp`) is the name of an installed
  file, too.

The commands below a paragraph with the words "clone of inferbench" are for a clone, and so are its paths.

A document of the repository may link to a file that is not installed: the installed copy has only
the text of the link (sdk/cmake/documents.cmake).
"""
import os
import re
import subprocess
import sys
import tempfile

COMMENTS = {".hpp": r"//+", ".h": r"//+|/?\*", ".cpp": r"//+", ".c": r"//+|/?\*", ".rs": r"//+[/!]?", ".toml": "#",
            ".txt": "#", ".cmake": "#"}
SOURCES = (".cpp", ".hpp", ".h", ".py", ".cmake", ".mjs", ".js")
LINK = re.compile(r"\]\(([^)\s]+)\)")
FENCE = re.compile(r"^ {0,3}```")


def files_below(folder):
    for place, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith(".") and name != "node_modules")
        for name in sorted(names):
            yield os.path.join(place, name)


def folders_of(repository):
    """The folders of the repository, without those that a build or a user makes."""
    return sorted(name for name in os.listdir(repository)
                  if os.path.isdir(os.path.join(repository, name)) and not name.startswith(".") and name != "build")


def prose_of(path, lines):
    """Number and text of the lines that readers read: of a document all, of a source the comments."""
    kind = os.path.splitext(path)[1]
    if kind == ".md":
        yield from enumerate(lines, 1)
    elif kind in COMMENTS:
        for number, line in enumerate(lines, 1):
            found = re.search(rf"(?:^|\s)(?:{COMMENTS[kind]})(?:\s(.*)|$)", line)
            if found:
                yield number, found[1] or ""


def headings_of(path):
    """The fragments of a document's headings, as GitHub makes them."""
    out, fenced = set(), False
    with open(path, encoding="utf-8") as file:
        for line in file:
            fenced ^= bool(FENCE.match(line))
            if line.startswith("#") and not fenced:
                text = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", line.lstrip("#").strip().lower())
                out.add(re.sub(r"[^\w\- ]", "", text).replace(" ", "-"))
    return out


def links_of(line):
    return [] if line.startswith("    ") else LINK.findall(re.sub(r"`[^`]*`", "", line))


class checker:
    def __init__(self, prefix, repository):
        self.prefix, self.share = prefix, os.path.join(prefix, "share", "inferbench")
        folders = folders_of(repository)
        self.path = re.compile(rf"(?<![\w./~$-])(?:{'|'.join(map(re.escape, folders))})/[\w./*-]*\w")
        self.name = re.compile(rf"(?<![\w./-])[\w-]+(?:{'|'.join(map(re.escape, SOURCES))})\b(?!\()")
        # The worker of python-engine is installed beside the plugin, in another component.
        worker = files_below(os.path.join(repository, "plugins", "engines", "python-engine"))
        installed = {os.path.basename(path) for path in files_below(prefix)}
        installed |= {os.path.basename(path) for path in worker if path.endswith(".py")}
        self.sources = {os.path.basename(path) for folder in folders
                        for path in files_below(os.path.join(repository, folder))
                        if path.endswith(SOURCES)} - installed

    def faults_of(self, path):
        with open(path, encoding="utf-8") as file:
            lines = file.read().splitlines()
        here, fenced, paragraph = os.path.dirname(path), False, ""
        for number, line in prose_of(path, lines):
            at = f"{os.path.relpath(path, self.prefix)}:{number}"
            if path.endswith(".md"):
                fenced ^= bool(FENCE.match(line))
                if not fenced:
                    yield from (f"{at}: {fault}" for fault in self.faults_of_links(path, line))
                if line.startswith("    "):
                    if "clone of inferbench" in paragraph:
                        continue
                elif line:
                    paragraph = f"{paragraph} {line}" if lines[number - 2] else line
            for found in self.path.findall(line):
                if not any(os.path.exists(os.path.join(base, found)) for base in (self.share, here)):
                    yield f"{at}: {found} is not installed"
            for found in self.name.findall(line):
                if found in self.sources:
                    yield f"{at}: {found} is a file of the repository that is not installed"

    def faults_of_links(self, path, line):
        for link in links_of(line):
            if re.match(r"[a-z]+:", link):
                continue
            file, _, fragment = link.partition("#")
            target = os.path.normpath(os.path.join(os.path.dirname(path), file)) if file else path
            if not os.path.exists(target):
                yield f"the link {link} leads to no installed file"
            elif fragment and fragment not in headings_of(target):
                yield f"the link {link} leads to no heading"

    def faults(self):
        for path in files_below(self.prefix):
            if path.endswith(".md") or os.path.splitext(path)[1] in COMMENTS:
                yield from self.faults_of(path)


def check(prefix, repository):
    documents = os.path.join(prefix, "share", "inferbench", "docs")
    if not os.path.exists(os.path.join(documents, "plugin-guide.md")):
        sys.exit(f"the component sdk has no {documents}/plugin-guide.md")
    faults = list(checker(prefix, repository).faults())
    if faults:
        sys.exit("\n".join(faults) + "\nWrite a link (a link to a file that is not installed becomes plain text in the "
                 "installed document), or describe the file without its path.")


def write(folder, name, text):
    path = os.path.join(folder, name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def faults_in(name, text):
    """The faults of one installed file in a small installation."""
    with tempfile.TemporaryDirectory() as place:
        repository, prefix = os.path.join(place, "source"), os.path.join(place, "prefix")
        write(repository, "tests/sdk/a_test.cpp", "")
        write(repository, "docs/a.md", "")
        write(repository, "build/b.cpp", "")
        write(prefix, "share/inferbench/docs/a.md", "# A b: `c`\n")
        write(prefix, "share/inferbench/examples/c/c.cpp", "")
        write(prefix, name, text)
        return [fault.split(": ", 1)[1] for fault in checker(prefix, repository).faults()]


def test():
    document = "share/inferbench/docs/b.md"
    good = ("See [a](a.md#a-b-c), [c](../examples/c/c.cpp), [web](https://x.org/tests/sdk), `docs/a.md`, `/tests/sdk`.\n"
            "`lib/tests/x`, tests.\n\n    [x](y)\n\n```cpp\n[x](y.md)\n```\n")
    cases = [
        (document, good, []),
        (document, "In `tests/sdk/a_test.cpp`.", ["tests/sdk/a_test.cpp is not installed"]),
        (document, "See `a_test.cpp`; b.cpp.", ["a_test.cpp is a file of the repository that is not installed"]),
        (document, "In a\nclone of inferbench:\n\n    tests/x\n\n    tests/y\n", []),
        (document, "In a clone of inferbench.\n\nThen\n\n    tests/x\n", ["tests/x is not installed"]),
        (document, "[b](c.md)", ["the link c.md leads to no installed file"]),
        (document, "[b](a.md#b)", ["the link a.md#b leads to no heading"]),
        (document, "[b](#b)\n# C\n", ["the link #b leads to no heading"]),
        ("share/inferbench/examples/c/d.cpp", "#include \"tests/sdk/x.hpp\"\n", []),
        ("share/inferbench/examples/c/d.cpp", "int a;  // as in tests/sdk\n", ["tests/sdk is not installed"]),
        ("include/d.h", "/* first\n * tests/sdk. */\n", ["tests/sdk is not installed"]),
        ("share/inferbench/rust/d.rs", "//! docs/a.md\n/// tests/b\n", ["tests/b is not installed"]),
    ]
    for name, text, wanted in cases:
        found = faults_in(name, text)
        if found != wanted:
            sys.exit(f"{text!r} has the faults {found} instead of {wanted}")


def main():
    mode, *rest = sys.argv[1:] or [""]
    if mode == "test" and not rest:
        test()
    elif mode == "check" and len(rest) == 2:
        check(*rest)
    elif mode == "install" and len(rest) == 3:
        build, prefix, repository = rest
        subprocess.run(["cmake", "-E", "rm", "-rf", prefix], check=True)
        subprocess.run(["cmake", "--install", build, "--component", "sdk", "--prefix", prefix], check=True,
                       stdout=subprocess.DEVNULL)
        check(prefix, repository)
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main()
