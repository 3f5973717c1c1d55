#!/usr/bin/env python3
"""Writes the layout of a header of the contract as static assertions: the offset and type of
each member, the size of each struct, the value of each constant.

    layout.py HEADER [CC]  > layout.c

Run it once for a release candidate and once for a release; never edit its output. A struct that
may grow (R3) must be at least as large as in HEADER; every other struct must have the same size.
"""
import os
import re
import subprocess
import sys
import tempfile


def without_comments(text):
    return re.sub(r"/\*.*?\*/", " ", text, flags=re.S)


def members(body):
    """Yields (name, type) of each declaration. For a function pointer, type is the pointer's
    type."""
    depth, start, parts = 0, 0, []
    for i, c in enumerate(body):
        depth += c in "{(" 
        depth -= c in "})"
        if c == ";" and depth == 0:
            parts.append(" ".join(body[start:i].split()))
            start = i + 1
    for part in parts:
        if part.startswith("union"):
            inner = part[part.index("{") + 1 : part.rindex("}")]
            name = part[part.rindex("}") + 1 :].strip()
            for sub, kind in members(inner):
                yield f"{name}.{sub}", kind
            continue
        if part.startswith("struct {"):
            inner = part[part.index("{") + 1 : part.rindex("}")]
            name = part[part.rindex("}") + 1 :].strip()
            for sub, kind in members(inner):
                yield f"{name}.{sub}", kind
            continue
        pointer = re.match(r"(.*)\((IFB_CALL\*) (\w+)\)\((.*)\)$", part)
        if pointer:
            result, call, name, arguments = pointer.groups()
            yield name, f"{result}({call})({arguments})"
            continue
        array = re.match(r"(.*?)(\w+)\[(\d+)\]$", part)
        if array:
            kind, name, _ = array.groups()
            yield name, None  # the offset of the next member, or the struct's size, checks its size
            continue
        # In "const char* const* choices" everything before the last name is the type.
        last = re.match(r"(.*?[\s*])(\w+(?:\s*,\s*\w+)*)$", part)
        kind, names = last.groups()
        for name in names.split(","):
            yield name.strip(), kind.strip()


def main():
    header = os.path.abspath(sys.argv[1])
    compiler = sys.argv[2] if len(sys.argv) > 2 else "cc"
    text = without_comments(open(header, encoding="utf-8").read())
    structs = [(n or n2, b) for b, n2, n in
               re.findall(r"typedef struct \w+ (\{(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*\}) ?(ifb_\w+)();", text)]
    structs += re.findall(r"\nstruct (ifb_\w+) (\{[^{}]*\});", text)
    constants = re.findall(r"\b(IFB_[A-Z0-9_]+)(?= *=| *,| *\})", " ".join(
        re.findall(r"enum \w+ \{(.*?)\}", text, flags=re.S)))
    ids = re.findall(r"#define (IFB_\w+) (\".*\")", text)

    rows = [(name, list(members(body[1:-1]))) for name, body in structs]
    probe = ['#include <stdio.h>', f'#include "{header}"', "int main(void) {"]
    for name, of in rows:
        for member, _ in of:
            probe.append(f'printf("%zu\\n", offsetof({name}, {member}));')
        probe.append(f'printf("%zu\\n", sizeof({name}));')
    for constant in constants:
        probe.append(f'printf("%d\\n", (int){constant});')
    probe.append("return 0; }")
    with tempfile.TemporaryDirectory() as folder:
        source, program = f"{folder}/probe.c", f"{folder}/probe"
        open(source, "w", encoding="utf-8").write("\n".join(probe))
        subprocess.run([compiler, "-std=c11", source, "-o", program], check=True)
        values = iter(subprocess.run([program], check=True, capture_output=True,
                                     text=True).stdout.split())

    print("/* Written by layout.py; not to be edited.  LP64. */\n/* clang-format off */")
    print("#include <stddef.h>\n#include <string.h>\n#include <inferbench/abi.h>\n")
    print("#define AT(s, m, n) _Static_assert(offsetof(s, m) == (n), #s \".\" #m \" has moved\")")
    print("#define IS(s, m, ...) \\\n  _Static_assert(_Generic(&((s*)0)->m, __VA_ARGS__*: 1, "
          "default: 0), #s \".\" #m \" has another type\")")
    print("#define POINTS(s, m, ...) \\\n  _Static_assert(_Generic(((s*)0)->m, __VA_ARGS__: 1, "
          "default: 0), #s \".\" #m \" has another type\")")
    for name, of in rows:
        print()
        for member, kind in of:
            print(f"AT({name}, {member}, {next(values)});")
            if kind is None:
                continue
            print(f"POINTS({name}, {member}, {kind});" if "IFB_CALL" in kind
                  else f"IS({name}, {member}, {kind});")
        grows = of[0][0] == "struct_size"
        print(f"_Static_assert(sizeof({name}) {'>=' if grows else '=='} {next(values)}, "
              f"\"{name} has {'shrunk' if grows else 'another size'}\");")
    print()
    for constant in constants:
        print(f"_Static_assert({constant} == {next(values)}, \"{constant} has another value\");")
    print("\n/* Ids are part of the contract, too. */")
    for name, value in ids:
        print(f"_Static_assert(sizeof({name}) == {len(value) - 1} && "
              f"__builtin_strcmp({name}, {value}) == 0, \"{name} has changed\");")
    print("\nint layout_of_the_contract(void);\nint layout_of_the_contract(void) { return 0; }")


main()
