#!/usr/bin/env python3
"""Instructions that an event costs between socket and record, counted by callgrind.

    instructions.py COST_REPLAY PLUGIN.so EVENTS_A_READ LOW HIGH

Runs the replay with 20,000 and with 40,000 events; the difference is what 20,000 events
cost, without start and end. Exit status 0 when one event costs between LOW and HIGH, 77
when there is no valgrind. Below LOW is a reason to be glad, and to move the band.
"""
import re
import shutil
import subprocess
import sys


def instructions(program, plugin, blocks, events_a_read):
    run = subprocess.run(
        ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", program, plugin,
         str(blocks), events_a_read], capture_output=True, text=True, check=False)
    count = re.search(r"Collected : (\d+)", run.stderr)
    if run.returncode != 0 or not count:
        sys.exit(f"exit status {run.returncode}\n{run.stderr}")
    return int(count.group(1))


def main():
    program, plugin, events_a_read, low, high = sys.argv[1:]
    if not shutil.which("valgrind"):
        print("valgrind is not installed")
        return 77
    less, more = (instructions(program, plugin, blocks, events_a_read) for blocks in (20, 40))
    each = (more - less) / 20_000
    print(f"{each:.1f} instructions an event, {events_a_read} events a read;"
          f" {low} to {high} are expected")
    return 0 if float(low) <= each <= float(high) else 1


if __name__ == "__main__":
    sys.exit(main())
