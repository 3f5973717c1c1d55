#!/usr/bin/env python3
"""Counts the instructions that an event or a record takes, with callgrind.

    instructions.py UNIT LOW HIGH PROGRAM WORD...

Runs PROGRAM WORD... twice, with 20 and with 40 as an additional last word: so many thousand units
(events or records) are processed. The difference is the cost of 20,000 units, without start and end
of the program. UNIT names a unit in the output. The exit status is 0 if one unit takes between LOW
and HIGH instructions, 1 if not, and 77 if valgrind is not installed. If the count is below LOW, the
code has become cheaper: lower both limits.
"""
import re
import shutil
import subprocess
import sys


def instructions(command, thousands):
    run = subprocess.run(
        ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", *command,
         str(thousands)], capture_output=True, text=True, check=False)
    count = re.search(r"Collected : (\d+)", run.stderr)
    if run.returncode != 0 or not count:
        sys.exit(f"exit status {run.returncode}\n{run.stderr}")
    return int(count.group(1))


def main():
    unit, low, high, *command = sys.argv[1:]
    if not shutil.which("valgrind"):
        print("valgrind is not installed")
        return 77
    less, more = (instructions(command, thousands) for thousands in (20, 40))
    each = (more - less) / 20_000
    print(f"{each:.1f} instructions for {unit}; {low} to {high} are expected")
    return 0 if float(low) <= each <= float(high) else 1


if __name__ == "__main__":
    sys.exit(main())
