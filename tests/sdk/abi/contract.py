#!/usr/bin/env python3
"""Checks that the contract obeys its own rules for changes (docs/plugin-abi.md).

    contract.py rule HEADER CHANGES      checks that the newest entry of CHANGES has HEADER's digest
                                         and version, and that the entry has the name of the version
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
    draft = int(re.search(r"#define IFB_ABI_DRAFT (\d+)", text)[1])
    suffix = f"-rc{draft}" if draft else ""
    if entries[0][:2] != (version, suffix):
        return (f"{header} is version {version}{suffix}, the newest entry of {changes} is about "
                f"{entries[0][0]}{entries[0][1]}")
    entry = f"inferbench_plugin_v{version.split('.')[0]}" + suffix.replace("-", "_")
    if f'#define IFB_ENTRY_NAME "{entry}"' not in text:
        return f"{header} is version {version}{suffix}, so its entry must be named {entry}"
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
    file = "  const char* file;         /* absolute path of the library, without links */\n"
    event = "  ifb_str event;  /* the name of the SSE event, or empty */\n"
    scheme = "  ifb_str scheme;    /* \"http\" or \"https\" */\n"
    authority = "  ifb_str authority; /* host[:port], the value of the header Host */\n"
    sign = "  ifb_status(IFB_CALL* sign)(ifb_exchange*, const ifb_http_target*, ifb_http_request* request,\n" \
           "                             ifb_error*);\n"
    cases = {
        "as it is": (original, True),
        "a member at the end of a growing struct":
            (changed(end, end + "  uint64_t more;\n"), True),
        "a member at the end of a struct without a typedef":
            (changed("  int64_t(IFB_CALL* unix_now)(const ifb_host*);\n",
                     "  int64_t(IFB_CALL* unix_now)(const ifb_host*);\n  uint64_t more;\n"), True),
        "a member at the end of what create is told": (changed(file, file + "  uint64_t more;\n"), True),
        "a function at the end of a table":
            (changed(sign, sign + "  void(IFB_CALL* more)(ifb_exchange*);\n"), True),
        "a new constant": (changed("  IFB_E_DATA = -10", "  IFB_E_NEW = -11,\n  IFB_E_DATA = -10"), True),
        "a new kind": (changed("IFB_REPORTER, IFB_TOKENIZER }", "IFB_REPORTER, IFB_TOKENIZER, IFB_METRIC }"), True),
        "a member in the middle": (changed(tail, "  uint64_t more;\n" + tail), False),
        "a member in the middle of what create is told": (changed(file, "  uint64_t more;\n" + file), False),
        "a member before the data of a message": (changed(event, event + "  ifb_str id;\n"), False),
        "a member before the trailers":
            (changed("  const ifb_field* trailers;", "  uint64_t more;\n  const ifb_field* trailers;"), False),
        "a kind in the middle": (changed("enum ifb_kind_code { IFB_BACKEND = 1, ",
                                         "enum ifb_kind_code { IFB_BACKEND = 1, IFB_METRIC, "), False),
        "two members of one type that changed places":
            (changed("int64_t prompt_tokens, cached_tokens,", "int64_t cached_tokens, prompt_tokens,"), False),
        "two texts that changed places": (changed(scheme + authority, authority + scheme), False),
        "another sign": (changed("  int64_t input_tokens; ", "  uint64_t input_tokens; "), False),
        "another type of the same size":
            (changed("  const ifb_plugin* plugin; /*", "  const ifb_option* plugin; /*"), False),
        "a frozen struct that grew":
            (changed("  ifb_str name;\n  ifb_str value;\n} ifb_field;",
                     "  ifb_str name;\n  ifb_str value;\n  uint64_t more;\n} ifb_field;"), False),
        "a member that was dropped": (changed(tail, ""), False),
        "the time of a snapshot that was dropped":
            (changed("  uint64_t at_ns; /* the time for which the figures hold */\n", ""), False),
        "the end of a table that was dropped": (changed(sign, ""), False),
        "a struct that became a text":
            (changed("void(IFB_CALL* on_done)(ifb_output*, const ifb_done*);",
                     "void(IFB_CALL* on_done)(ifb_output*, ifb_str);"), False),
        "a constant of another value": (changed("  IFB_SKIP = 3,", "  IFB_SKIP = 4,"), False),
        "a flag of another value": (changed("  IFB_OPT_GENERAL = 8 ", "  IFB_OPT_GENERAL = 16 "), False),
        "a function of other arguments":
            (changed("void(IFB_CALL* cancel)(ifb_call*);",
                     "void(IFB_CALL* cancel)(ifb_call*, uint32_t);"), False),
        "a query that is not told its plugin":
            (changed("const void*(IFB_CALL* query)(const ifb_plugin* self, const char* id);",
                     "const void*(IFB_CALL* query)(const char* id);"), False),
        "a function without its error":
            (changed("ifb_status(IFB_CALL* vocabulary)(const ifb_instance*, ifb_vocabulary* out, ifb_error*);",
                     "ifb_status(IFB_CALL* vocabulary)(const ifb_instance*, ifb_vocabulary* out);"), False),
        "another id": (changed('"inferbench.engine/1"', '"inferbench.engine/2"'), False),
        "another name of the entry":
            (changed('#define IFB_ENTRY_NAME "inferbench_plugin_v1_rc2"',
                     '#define IFB_ENTRY_NAME "inferbench_plugin_v1_rc3"'), False),
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
