"""Makes texts to encode: English, code and CJK, several megabytes of each, the same in every run.

The code is the source code of this project. English and CJK are random words with the frequencies
of real texts (Zipf's law). The English words come from our documentation and from Shakespeare's
sonnets, with prefixes and suffixes added. The CJK words are the tokens of the models that consist
only of ideographs and kana.
"""
import json
import random
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
DOCUMENT = 4000  # characters of a text, like a long prompt
CHARACTERS = {"English": 4_000_000, "code": 4_000_000, "CJK": 1_500_000}


def english():
    source = " ".join(p.read_text() for p in [*sorted(ROOT.glob("docs/*.md")), ROOT / "README.md",
                                              *ROOT.glob("tests/fixtures/datasets/sonnet.txt")])
    roots = list(dict.fromkeys(w.lower() for w in re.findall(r"[A-Za-z]{2,}", source)))
    ends = ["s", "ed", "ing", "er", "ly", "ness", "less", "able", "ment", "ation"]
    starts = ["un", "re", "pre", "over", "out", "inter"]
    random.seed(1)
    derived = [w + e for w in roots for e in ends] + [s + w for w in roots for s in starts]
    random.shuffle(derived)
    words = roots + derived
    weights = [1 / (n + 3) for n in range(len(words))]
    out, size = [], 0
    while size < CHARACTERS["English"]:
        sentence = random.choices(words, weights, k=random.randint(4, 24))
        sentence[0] = sentence[0].capitalize()
        for n in range(1, len(sentence)):
            chance = random.random()
            if chance < 0.03:
                sentence[n] = str(random.randint(0, 99999))
            elif chance < 0.06:
                sentence[n] = sentence[n].capitalize()
            elif chance < 0.09:
                sentence[n] += random.choice(["'s", "'ll", "n't", "'re"])
            elif chance < 0.16:
                sentence[n] += random.choice([",", ",", ";", ":", " -"])
        out.append(" ".join(sentence) + random.choice(".....?!") + random.choice("     \n"))
        size += len(out[-1])
    return " ".join(out)


def code():
    files = sorted(p for kind in ("cpp", "hpp", "h", "py", "cmake", "toml")
                   for folder in ("framework", "plugins", "sdk", "tests", "bench", "cmake")
                   for p in (ROOT / folder).rglob(f"*.{kind}"))
    return "".join(p.read_text() for p in files)[:CHARACTERS["code"]]


def cjk(models):
    tokens = dict.fromkeys(t for m in models for t in cjk_tokens(m))
    if not tokens:
        return None
    words = list(tokens)
    weights = [1 / (n + 10) for n in range(len(words))]
    random.seed(2)
    out, size = [], 0
    while size < CHARACTERS["CJK"]:
        clause = "".join(random.choices(words, weights, k=random.randint(3, 14)))
        out.append(clause + random.choice("，，，。。、！？；：\n"))
        size += len(out[-1])
    return "".join(out)


def cjk_tokens(file):
    """The tokens that consist only of ideographs and kana, in the order of the vocabulary."""
    vocabulary = json.loads(file.read_text())["model"]["vocab"]
    if not isinstance(vocabulary, dict):
        return []
    itself = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    other = [b for b in range(256) if b not in itself]
    byte_of = {chr(b): b for b in itself} | {chr(0x100 + n): b for n, b in enumerate(other)}
    out = []
    for token in vocabulary:
        if all(c in byte_of for c in token):
            token = bytes(byte_of[c] for c in token).decode("utf-8", "replace")
        if token and all("\u4e00" <= c <= "\u9fff" or "\u3040" <= c <= "\u30ff" for c in token):
            out.append(token)
    return out


def documents(text):
    """Splits the text at line endings into texts of about DOCUMENT characters, separated by zero
    bytes."""
    out, size = [[]], 0
    for line in text.replace("\0", "").splitlines(keepends=True):
        out[-1].append(line)
        size += len(line)
        if size >= DOCUMENT:
            out.append([])
            size = 0
    return "\0".join("".join(d) for d in out if d)


def write(folder, models):
    """Writes the texts; returns the files by name."""
    out = {}
    for name, text in (("English", english()), ("code", code()), ("CJK", cjk(models))):
        if text is None:
            continue
        out[name] = folder / f"{name}.txt"
        out[name].write_text(documents(text))
    return out
