#!/usr/bin/env python3
"""Writes the contract of a possible later minor version: each growing struct has one more member.

    future.py HEADER > abi.h
"""
import re
import sys

text = open(sys.argv[1], encoding="utf-8").read()
text = re.sub(
    r"((?:typedef )?struct ifb_\w+ \{[^\n]*\n\s*uint32_t struct_size;.*?\n)(\}(?: ifb_\w+)?;)",
    r"\1  uint64_t from_the_future[3];\n\2",
    text,
    flags=re.S,
)
print(re.sub(r"(#define IFB_ABI_MINOR) (\d+)", lambda m: f"{m[1]} {int(m[2]) + 7}", text), end="")
