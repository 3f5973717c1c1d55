"""The row of bench/run that measures the page of the reporter html."""
import time

from lab import OURS, table

LIMIT_BYTES = 8_000_000  # for 200,000 requests of 128 tokens
TOKENS = 128


def page(lab):
    """Measures the size of the page, and the time and memory that it adds to `inferbench report`.
    Two runs are measured: one request, whose page is the page's own code, and many requests. How long
    a browser takes to show the page is measured by `npm run bench` in web/."""
    rows = []
    for requests in (1, lab.count(200_000)):
        journal, file = lab.folder / f"page-{requests}.journal", lab.folder / f"page-{requests}.html"
        with lab.server("--ttft", "0", "--itl", "0", "--coalesce") as port:
            lab.tell(f"{requests} requests")
            lab.ours(port, requests, 512, TOKENS, more=["--journal", journal])
        report = [lab.programs / "inferbench", "report", journal]
        seen = {}
        for name, more in (("without", []), ("with", ["--reporter", f"html={file}"])):
            begin = time.monotonic()
            cost = lab.measure([*report, *more], rss=True, output=False)
            seen[name] = (time.monotonic() - begin, cost["rss_kib"])
        size = file.stat().st_size
        rows.append([f"{requests:,}", f"{size / 1e6:.2f}", f"{seen['without'][0]:.1f}",
                     f"{seen['with'][0]:.1f}", f"{seen['without'][1] / 1024:.0f}",
                     f"{seen['with'][1] / 1024:.0f}"])
        journal.unlink()
    print("### The page of the reporter html\n")
    print(f"`inferbench report` of a journal with requests of {TOKENS} tokens, once with the console"
          f" reporter alone and once with html, too, by {OURS}. The limit for 200,000 requests is"
          f" {LIMIT_BYTES / 1e6:.0f} MB.\n")
    table(["requests", "page, MB", "s without html", "s with html", "MiB without html",
           "MiB with html"], rows)
