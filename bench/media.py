"""The rows of bench/run that measure images: how fast they are made, the error of times beside large
bodies, and memory. Each function for a row measures it and prints a markdown table."""
import json
import os
import statistics
import struct
import subprocess
import sys
import zlib

from lab import LIMIT, OURS, ROOT, cell, client_of, middle, ratio, table
from truth import errors_of

PILLOW = "numpy and Pillow"
SIDE = 1024            # of the images of the row images, in pixels
BODY = 1_000_000       # bytes of an image in a request of the row bodies, in base64
RATE = 100             # requests per second in the row bodies
LARGE = 2_048          # side of the images of the row media-memory: about 3 MB in base64
AT_ONCE = 64           # requests in flight in the row media-memory


def random_mm(side):
    """Flags for one image of noise in each request."""
    return ["--backend", "openai-chat", "--dataset-name", "random-mm",
            "--random-mm-bucket-config", f"{{({side}, {side}, 1): 1.0}}"]


def python_with_pillow():
    """A Python that has numpy and Pillow: this one, or the distribution's."""
    for python in (sys.executable, "/usr/bin/python3"):
        found = subprocess.run([python, "-c", "import numpy, PIL"], capture_output=True)
        if found.returncode == 0:
            return python
    raise SystemExit("the row images needs numpy and Pillow; scripts/setup --bench installs them")


def images(lab):
    """Measures the CPU time for distinct images of noise as JPEG files in base64."""
    count = lab.count(1000)
    ours = [lab.programs / "inferbench", "dataset", "show", "--model", "m",
            "--tokenizer-mode", "bytes", "--random-input-len", 8, "--num-prompts", count,
            *random_mm(SIDE)[2:]]
    pillow = [python_with_pillow(), ROOT / "bench/pillow_images.py", count, SIDE]

    def run(command):
        cost = lab.measure(command, output=False)
        return {**cost, "ms": cost["cpu_s"] / count * 1e3}
    seen = lab.interleaved(**{PILLOW: lambda: run(pillow), OURS: lambda: run(ours)})
    print(f"### Images of noise, {SIDE} x {SIDE} pixels\n")
    print(f"{count:,} distinct JPEG files in base64; CPU of the whole process on one core, median of"
          f" {lab.runs}. inferbench also prints each sample as JSON. Images a second: on one core."
          f" Speed: {PILLOW} to inferbench.\n")
    table(["program", "ms of CPU an image", "images/s", "speed"],
          [[name, cell(middle(costs, "ms")), cell(1e3 / middle(costs, "ms")),
            cell(1 / ratio(seen, lambda c: c["ms"], name, PILLOW), "{:.2f}")]
           for name, costs in seen.items()])


def noise_png(side):
    """A PNG file of noise, which has hardly fewer bytes than its pixels."""
    def chunk(kind, data):
        return (struct.pack(">I", len(data)) + kind + data
                + struct.pack(">I", zlib.crc32(kind + data)))
    lines = b"".join(b"\0" + os.urandom(3 * side) for _ in range(side))
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0))
            + chunk(b"IDAT", zlib.compress(lines, 1)) + chunk(b"IEND", b""))


def write_rows(lab, name, rows):
    """Writes a file of JSON lines and returns its path."""
    file = lab.folder / name
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return file


def bodies(lab):
    """Measures the error of TTFT against the ground truth for requests with an image of 1 MB, beside
    the same requests without it. The raw reader shows how long such a body travels."""
    tokens, kinds = 16, 8
    number = lab.count(2000)
    side = int((BODY * 3 / 4 / 3) ** 0.5)
    for i in range(kinds):
        (lab.folder / f"noise-{i}.png").write_bytes(noise_png(side))
    texts = [{"prompt": f"What is in picture {i}?"} for i in range(kinds)]
    pictures = [{**row, "image_files": [str(lab.folder / f"noise-{i}.png")]}
                for i, row in enumerate(texts)]

    def against_truth(run):
        log = lab.folder / "truth"
        log.unlink(missing_ok=True)
        with lab.server("--ttft", "50ms", "--itl", "5ms", "--ground-truth", log,
                        "--check-media", "0") as port:
            cost = run(port)
        return {**cost, **errors_of(cost, log, lab.folder),
                "verdict": client_of(cost).get("verdict", "-")}

    def raw(port, size):
        cost = lab.raw(port, "--streams", RATE, "--requests", number, "--tokens", tokens,
                       "--rate", RATE, "--image-bytes", size, "--stamps", lab.folder / "stamps")
        return {**cost, "requests": number}

    def ours(port, dataset, path, *more):
        return lab.ours(port, number, None, tokens, RATE, more=[
            "--save-detailed", "--backend", "openai-chat", "--dataset-name", dataset,
            "--dataset-path", path, "--custom-output-len", tokens, *more])
    of_texts, of_pictures = (write_rows(lab, name, rows) for name, rows in
                             (("texts.jsonl", texts), ("pictures.jsonl", pictures)))
    seen = lab.interleaved(**{
        f"{LIMIT}, text": lambda: against_truth(lambda port: raw(port, 4)),
        f"{LIMIT}, 1 MB": lambda: against_truth(lambda port: raw(port, BODY)),
        f"{OURS}, text": lambda: against_truth(
            lambda port: ours(port, "custom", of_texts, "--skip-chat-template")),
        f"{OURS}, 1 MB": lambda: against_truth(
            lambda port: ours(port, "custom_image", of_pictures,
                              "--custom-ensure-client-side-data"))})

    def more(client):
        """TTFT of the runs with images minus TTFT of the runs with text beside them."""
        return [large["ttft"] - small["ttft"]
                for small, large in zip(seen[f"{client}, text"], seen[f"{client}, 1 MB"])]
    print(f"### Images of 1 MB, {RATE} requests/s\n")
    print(f"{number:,} requests as a Poisson process, {tokens} tokens each, `simulate --check-media"
          f" 0`; ms, median of {lab.runs}. TTFT: measured minus (first event written minus the last"
          " byte of the request read by the server), mean. So it includes the time in which the body"
          " travels. Sent late: sent minus due, P99.\n")
    table(["client, request", "TTFT", "ITL P99", "seen late, mean", "sent late",
           "ms of CPU a request", "verdict"],
          [[name, *[cell(middle(costs, key), "{:+.3f}")
                    for key in ("ttft", "itl_p99", "delay_mean", "send_p99")],
            cell(middle(costs, lambda c: c["cpu_s"] / c["requests"] * 1e3)),
            " ".join(sorted({c["verdict"] for c in costs}))]
           for name, costs in seen.items()])
    print("TTFT with the image minus TTFT of the text, ms; the last column is the part that is not"
          " the body's time to travel:\n")
    table([LIMIT, OURS, "difference"],
          [[*[cell(statistics.median(more(who)), "{:+.3f}") for who in (LIMIT, OURS)],
            cell(statistics.median(a - b for a, b in zip(more(OURS), more(LIMIT))), "{:+.3f}")]])


def body_size(lab, flags):
    """The mean number of bytes of an image in a request."""
    shown = lab.measure([lab.programs / "inferbench", "dataset", "show", "--model", "m",
                         "--tokenizer-mode", "bytes", "--num-prompts", 4, *flags])["text"]
    parts = [part for line in shown.splitlines() for part in json.loads(line)["multi_modal_data"]]
    return statistics.mean(len(part["image_url"]["url"]) for part in parts)


def memory(lab):
    """Measures the peak memory of a run with large images of noise. The server answers so late that
    as many requests are in flight as may be."""
    number = lab.count(10_000)
    flags = random_mm(LARGE)
    size = body_size(lab, flags[2:])
    rows = []
    with lab.server("--ttft", "6s", "--itl", "0", "--check-media", "0") as port:
        for name, count, more in (("random", min(number, 4 * AT_ONCE), ["--backend", "openai-chat"]),
                                  ("random-mm", number, flags)):
            lab.tell(name)
            # Not on one core: several threads make the images.
            cost = lab.ours(port, count, AT_ONCE, tokens=1, core=None, rss=True, more=more)
            lab.tell("")
            facts = cost["result"]["inferbench"]["facts"]
            rows.append([name, f"{count:,}", cell(size / 1e6 if more is flags else 0, "{:.1f}"),
                         str(facts["peak_concurrency"]["requests"]),
                         f"{cost['rss_kib'] * 1024 / 1e6:.0f}", cell(cost["wall_s"], "{:.0f}")])
    print("### Memory of large images\n")
    print(f"One image of noise in each request, at most {AT_ONCE} requests in flight, one run. The"
          " limit is 1,000 MB.\n")
    table(["dataset", "requests", "MB of an image in base64", "in flight at most", "peak MB",
           "seconds"], rows)
