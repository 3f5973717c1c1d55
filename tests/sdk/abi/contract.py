#!/usr/bin/env python3
"""Checks that the contract obeys its own rules for changes (docs/plugin-abi.md).

    contract.py rule HEADER CHANGES      checks that the newest entry of CHANGES has HEADER's digest
    contract.py digest HEADER            prints the digest of HEADER
    contract.py guards HEADER LAYOUT CC  checks that LAYOUT rejects changes of HEADER that break
                                         plugins, and accepts all other changes

An entry of CHANGES begins with "## 1.3 " or, before a release, "## 1.3-rc2 ", and contains the
digest of all declarations. Comments and white space do not change the digest.
"""
import hashlib
import re
import subprocess
import sys
import tempfile


def declarations(header):
    text = re.sub(r"/\*.*?\*/", " ", open(header, encoding="utf-8").read(), flags=re.S)
    return " ".join(text.split())


def digest(header):
    return hashlib.sha256(declarations(header).encode()).hexdigest()[:16]


def rule(header, changes):
    text = declarations(header)
    version = ".".join(re.search(rf"#define IFB_ABI_{part} (\d+)", text)[1]
                       for part in ("MAJOR", "MINOR"))
    entries = re.findall(r"^## (\d+\.\d+)(-rc\d+)?[^`]*`([0-9a-f]{16})`",
                         open(changes, encoding="utf-8").read(), flags=re.M)
    if not entries:
        return f"{changes} has no entry"
    if entries[0][2] != digest(header):
        return (f"{header} was changed: its declarations have the digest {digest(header)}, the newest "
                f"entry of {changes} names {entries[0][2]}. Raise IFB_ABI_MINOR unless {entries[0][0]} "
                f"has not been released yet, and add an entry.")
    if entries[0][0] != version:
        return f"{header} is version {version}, the newest entry of {changes} is about {entries[0][0]}"
    released = [v for v, candidate, _ in entries if not candidate]
    if len(set(released)) != len(released):
        return f"{changes} has two entries for one released version: raise IFB_ABI_MINOR"
    return None


def guards(header, layout, compiler):
    original = open(header, encoding="utf-8").read()

    def changed(old, new):
        assert original.count(old) == 1, old
        return original.replace(old, new)

    tail = "  ifb_str overrides;         /* JSON object laid over the request, or empty */\n"
    end = "  const ifb_field* metadata; /* carried into the record untouched */\n  size_t metadata_count;\n"
    cases = {
        "as it is": (original, True),
        "a member at the end of a growing struct":
            (changed(end, end + "  uint64_t more;\n"), True),
        "a new constant": (changed("  IFB_E_DATA = -10", "  IFB_E_NEW = -11,\n  IFB_E_DATA = -10"), True),
        "a member in the middle": (changed(tail, "  uint64_t more;\n" + tail), False),
        "two members of one type that changed places":
            (changed("int64_t prompt_tokens, cached_tokens,", "int64_t cached_tokens, prompt_tokens,"), False),
        "another sign": (changed("  int64_t input_tokens; ", "  uint64_t input_tokens; "), False),
        "a frozen struct that grew":
            (changed("  ifb_str name;\n  ifb_str value;\n} ifb_field;",
                     "  ifb_str name;\n  ifb_str value;\n  uint64_t more;\n} ifb_field;"), False),
        "a member that was dropped": (changed(tail, ""), False),
        "a constant of another value": (changed("  IFB_SKIP = 3,", "  IFB_SKIP = 4,"), False),
        "a function of other arguments":
            (changed("void(IFB_CALL* cancel)(ifb_call*);",
                     "void(IFB_CALL* cancel)(ifb_call*, uint32_t);"), False),
        "another id": (changed('"inferbench.engine/1"', '"inferbench.engine/2"'), False),
        "an append that hides a swap":
            (changed(end, "  size_t metadata_count;\n  const ifb_field* metadata;\n  uint64_t more;\n"), False),
    }
    for name, (text, passes) in cases.items():
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run(["mkdir", f"{folder}/inferbench"], check=True)
            open(f"{folder}/inferbench/abi.h", "w", encoding="utf-8").write(text)
            result = subprocess.run([compiler, "-std=c11", "-I", folder, "-fsyntax-only", layout],
                                    capture_output=True, text=True)
        if (result.returncode == 0) != passes:
            return f"{name}: {'refused' if passes else 'not noticed'}\n{result.stderr}"
    return None


command, arguments = sys.argv[1], sys.argv[2:]
if command == "digest":
    print(digest(*arguments))
    sys.exit(0)
wrong = {"rule": rule, "guards": guards}[command](*arguments)
if wrong:
    sys.exit(wrong)
