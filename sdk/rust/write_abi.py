#!/usr/bin/env python3
"""Writes the Rust mirror of abi.h to standard output.

    sdk/rust/write_abi.py sdk/include/inferbench/abi.h > sdk/rust/abi.rs

Needs neither a compiler nor a package. Stops at any declaration that it does not understand. The
test rust_abi fails if abi.rs is not the output of this script for abi.h.
"""
import json
import re
import sys

# Macros that have a meaning in C only.
NOT_MIRRORED = {"IFB_CALL", "IFB_EXPORT"}
PLAIN = {"void": "c_void", "char": "c_char", "size_t": "usize", "double": "f64", "int32_t": "i32", "int64_t": "i64",
         "uint16_t": "u16", "uint32_t": "u32", "uint64_t": "u64"}


def rust_type(c):
    """`const char* const*` -> `*const *const c_char`."""
    words = re.findall(r"\w+|\*", c)
    base = next(w for w in words if w not in ("const", "*"))
    first_star = words.index("*") if "*" in words else len(words)
    constant = "const" in words[:first_star]
    out = PLAIN.get(base, base)
    rest = words[first_star:]
    for i, word in enumerate(rest):
        if word != "*":
            continue
        out = ("*const " if constant else "*mut ") + out
        constant = i + 1 < len(rest) and rest[i + 1] == "const"
    return out


def parameter(c):
    """Returns the type of a parameter; a name after the type is left out."""
    match = re.fullmatch(r"(.*[\s*])([a-z_]\w*)", c.strip())
    if match and match[1].strip() not in ("", "const") and not match[2].startswith(("ifb_", "uint", "int", "size_t")):
        return rust_type(match[1])
    return rust_type(c)


def function(result, parameters):
    inside = ", ".join(parameter(p) for p in parameters.split(",") if p.strip() not in ("", "void"))
    back = "" if result.strip() == "void" else " -> " + rust_type(result)
    return f'unsafe extern "C" fn({inside}){back}'


def members_of_c(body):
    out = []
    # The only union, and the struct in it, are separate types in Rust.
    body = re.sub(r"union \{\s*int64_t i;\s*double f;\s*ifb_str s;\s*struct \{\s*const ifb_str\* data;\s*size_t size;"
                  r"\s*\} list;\s*\} as;", "ifb_value_as as;", body)
    for line in (" ".join(part.split()) for part in body.split(";")):
        if not line:
            continue
        call = re.fullmatch(r"(.+?)\(IFB_CALL\s*\*\s*(\w+)\)\((.*)\)", line)
        if call:
            out.append((call[2], f"Option<{function(call[1], call[3])}>"))
            continue
        kind, names = re.fullmatch(r"((?:const )?\w+(?:\s*\*\s*const)*[\s*]+)(.*)", line).groups()
        for name in names.split(","):
            name = name.strip()
            array = re.fullmatch(r"(\w+)\[(\d+)\]", name)
            out.append((array[1], f"[{rust_type(kind)}; {array[2]}]") if array else (name, rust_type(kind)))
    return out


def initial_values(given):
    """`{0, -1, {0}}` -> ["0", "-1", ["0"]]."""
    given = re.sub(r"sizeof\((ifb_\w+)\)", r'"size_of::<\1>() as u32"', given)
    given = re.sub(r"(?<![\w\"])(-?\d+)(?![\w\"])", r'"\1"', given)
    return json.loads(given.replace("{", "[").replace("}", "]"))


def read_c(text):
    text = re.sub(r"/\*.*?\*/", " ", text, flags=re.S)
    items = {}
    value = None
    for body in re.findall(r"enum \w+ \{(.*?)\};", text, flags=re.S):
        value = -1
        for each in body.split(","):
            if not each.strip():
                continue
            name, _, given = (part.strip() for part in each.partition("="))
            value = int(given) if given else value + 1
            items[name] = str(value)
    initial = {}
    for name, given in re.findall(r"#define (IFB_\w+) ((?:[^\\\n]|\\\n)*)", text):
        given = " ".join(given.replace("\\\n", " ").split())
        if re.fullmatch(r'"[^"]*"', given):
            items[name] = given[:-1] + '\\0"'
        elif re.fullmatch(r"\d+", given):
            items[name] = given
        elif name.endswith("_INIT"):
            initial[name] = initial_values(given)
        elif name not in NOT_MIRRORED:
            sys.exit(f"cannot read #define {name} {given}")
    for name, body in re.findall(r"(?:typedef )?struct (ifb_\w+) \{(.*?)\n\} ?(?:ifb_\w+)?;", text, flags=re.S):
        items[name] = members_of_c(body)
    for base, name in re.findall(r"typedef (\w+) (ifb_\w+);", text):
        items[name] = rust_type(base)
    for name in re.findall(r"typedef struct (ifb_\w+) \1;", text):
        items.setdefault(name, "handle")
    result, name, parameters = re.search(r"typedef ([^;]*?)\(IFB_CALL\s*\* (\w+)\)\(([^;]*)\);", text).groups()
    items[name] = function(result, parameters)
    for name, values in initial.items():
        items[name] = (name.lower().removesuffix("_init"), values)
    return items


BANNER = """\
//! The Rust mirror of inferbench/abi.h, item by item and under the same names. The header
//! describes the items, and their units, lifetimes and threads.
//!
//! A script in the sources of inferbench makes this file from the header; it must not be edited.
#![allow(non_camel_case_types)]

use std::ffi::c_void;
use std::mem::size_of;
use std::os::raw::c_char;
use std::ptr::null;

"""

UNION = """
#[repr(C)]
#[derive(Clone, Copy)]
pub struct ifb_value_list {
    pub data: *const ifb_str,
    pub size: usize,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub union ifb_value_as {
    pub i: i64,
    pub f: f64,
    pub s: ifb_str,
    pub list: ifb_value_list,
}
"""

KEYWORDS = {"type", "as"}


def member_line(name, kind):
    """In the layout of rustfmt."""
    name = "r#" + name if name in KEYWORDS else name
    line = f"    pub {name}: {kind},"
    if len(line) <= 100:
        return line
    line = f"    pub {name}:\n        {kind},"
    if len(kind) < 92:
        return line
    parameters, result = re.fullmatch(r'Option<unsafe extern "C" fn\((.*)\)(.*)>', kind).groups()
    short = f'        unsafe extern "C" fn({parameters}){result},'
    if len(short) > 100:
        inside = "".join(f"            {each},\n" for each in parameters.split(", "))
        short = f'        unsafe extern "C" fn(\n{inside}        ){result},'
    return f"    pub {name}: Option<\n{short}\n    >,"


def initial_value(items, kind, value):
    """`value` of the C initializer for a member of type `kind`, as Rust."""
    array = re.fullmatch(r"\[\w+; (\d+)\]", kind)
    if array and value == ["0"]:
        return f"[0; {array[1]}]"
    if isinstance(items.get(kind), list):
        if len(value) != len(items[kind]):
            sys.exit(f"{value} is not a value for each member of {kind}")
        inside = ", ".join(f"{name}: {initial_value(items, type_, each)}"
                           for (name, type_), each in zip(items[kind], value))
        return f"{kind} {{ {inside} }}"
    if kind.startswith("*const ") and value == "0":
        return "null()"
    if isinstance(value, str) and (kind in PLAIN.values() or items.get(kind) in PLAIN.values()):
        return value
    sys.exit(f"cannot read the value {value} of type {kind}")


def write_initial(items, name, kind, values, out):
    """In the layout of rustfmt."""
    out(f"\npub const {name}: {kind} = ")
    value = initial_value(items, kind, values)
    if len(f"pub const {name}: {kind} = {value};") <= 100:
        return out(value + ";\n")
    # The text between the outer braces, split at the commas that are not in inner braces.
    members = re.split(r", (?![^{]*\})", value[len(kind) + 3:-2])
    return out(f"{kind} {{\n" + "".join(f"    {each},\n" for each in members) + "};\n")


def write(items, out):
    out(BANNER)
    for name, item in items.items():
        if isinstance(item, tuple):
            write_initial(items, name, *item, out)
        elif isinstance(item, list):
            if name == "ifb_value":
                out(UNION)
            out("\n#[repr(C)]\n#[derive(Clone, Copy)]\n" + f"pub struct {name} {{\n")
            out("".join(member_line(*member) + "\n" for member in item) + "}\n")
        elif item == "handle":
            out(f"\n#[repr(C)]\npub struct {name} {{\n    _opaque: [u8; 0],\n}}\n")
        elif name.startswith("IFB_"):
            kind = "&str" if item.startswith('"') else "ifb_status" if name in STATUS else \
                "u16" if name.startswith("IFB_ABI_") else "u32"
            out(f"pub const {name}: {kind} = {item};\n")
        else:
            out(f"\npub type {name} = {item};\n" if len(item) < 80 else
                f"\npub type {name} =\n    {item};\n")
    out("""
// Descriptions are constant, and so is everything that they point to.
unsafe impl Sync for ifb_option {}
unsafe impl Sync for ifb_plugin {}
unsafe impl Sync for ifb_library {}
""")


STATUS = {"IFB_OK", "IFB_END", "IFB_MORE", "IFB_SKIP"}


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    with open(sys.argv[1], encoding="utf-8") as file:
        items = read_c(file.read())
    STATUS.update(name for name in items if name.startswith("IFB_E_"))
    write(items, sys.stdout.write)


if __name__ == "__main__":
    main()
