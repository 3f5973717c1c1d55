#!/usr/bin/env python3
"""Runs a command against the simulator.

    with_simulator.py INFERBENCH COMMAND [ARGUMENT ...]

"{url}" in an argument is replaced by the address of `INFERBENCH simulate`, which runs as long
as the command. The simulator answers after 1 ms, with the requested number of tokens. Exits
with the command's status, or with 124 if the command takes longer than a minute.
"""
import subprocess
import sys

TIME_LIMIT_S = 60


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    simulator = subprocess.Popen([sys.argv[1], "simulate", "--port", "0", "--ttft", "1ms", "--itl", "0"],
                                 stdout=subprocess.PIPE, text=True)
    try:
        url = None
        for line in simulator.stdout:
            if line.startswith("listening on "):
                url = line.split()[2]
                break
        if url is None:
            sys.exit("the simulator did not say where it listens")
        status = subprocess.run([word.replace("{url}", url) for word in sys.argv[2:]], timeout=TIME_LIMIT_S,
                                check=False).returncode
    except subprocess.TimeoutExpired:
        status = 124
    finally:
        simulator.terminate()
        simulator.wait()
    sys.exit(status if status >= 0 else 128 - status)


if __name__ == "__main__":
    main()
