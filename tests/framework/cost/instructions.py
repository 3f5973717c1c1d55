#!/usr/bin/env python3
"""Instructions that an event or a record costs, counted by callgrind.

    instructions.py UNIT LOW HIGH PROGRAM WORD...

Runs PROGRAM WORD... with one more word: 20 and then 40, the thousands of units (events, records)
that it shall process. The difference is the cost of 20,000 units, without start and end. Exit
status 0 when one unit costs between LOW and HIGH instructions, 77 when there is no valgrind. A
count below LOW is a reason to be glad, and to move the band.
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
