#!/usr/bin/env python3
"""Writes tests/fixtures/datasets/golden/: the samples of the test fixtures by upstream's rules.
This program shares no code with the product: it has its own generators and its own BPE, and
uses Jinja2.

    golden_samples.py TOKENIZERS [FOLDER]

TOKENIZERS: the folder in which tests/tools/fetch_tokenizers has stored gpt2 and llama3. Needs
the Python packages regex and jinja2. Parts of the samples of random, prefix_repetition and
similar datasets are also in tests/plugins/datasets, as values that were checked against NumPy;
this program writes complete samples.
"""
import csv
import itertools
import json
import math
import os
import random
import sys

import jinja2
import regex

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.join(HERE, "..", "fixtures", "datasets")
POEM = os.path.join(HERE, "..", "..", "plugins", "datasets", "sonnet", "sonnet.txt")
COUNT = 20  # number of samples in each golden file


# ---- generators -------------------------------------------------------------------

M32, M64, M128 = (1 << 32) - 1, (1 << 64) - 1, (1 << 128) - 1


class Pcg64:
    """The generator of numpy.random.default_rng."""

    def __init__(self, seed):
        words = []
        while seed or not words:
            words.append(seed & M32)
            seed >>= 32
        running = 0x43B0D7E5

        def hashed(v):
            nonlocal running
            v ^= running
            running = running * 0x931E8875 & M32
            v = v * running & M32
            return v ^ v >> 16

        def mixed(x, y):
            z = (0xCA01F9DD * x - 0x4973F715 * y) & M32
            return z ^ z >> 16

        pool = [hashed(words[i] if i < len(words) else 0) for i in range(4)]
        for a in range(4):
            for b in range(4):
                if a != b:
                    pool[b] = mixed(pool[b], hashed(pool[a]))
        for word in words[4:]:
            for b in range(4):
                pool[b] = mixed(pool[b], hashed(word))
        running, out = 0x8B51F9DD, []
        for k in range(8):
            v = pool[k % 4] ^ running
            running = running * 0x58F38DED & M32
            v = v * running & M32
            out.append(v ^ v >> 16)
        q = [out[2 * i] | out[2 * i + 1] << 32 for i in range(4)]
        self.increment = ((q[2] << 64 | q[3]) << 1 | 1) & M128
        self.state = 0
        self.step()
        self.state = (self.state + (q[0] << 64 | q[1])) & M128
        self.step()
        self.kept = None

    def step(self):
        self.state = (self.state * 0x2360ED051FC65DA44385DF649FCCF645 + self.increment) & M128

    def draw64(self):
        self.step()
        x, turn = self.state >> 64 ^ self.state & M64, self.state >> 122
        return (x >> turn | x << 64 - turn) & M64

    def draw32(self):
        if self.kept is not None:
            out, self.kept = self.kept, None
            return out
        both = self.draw64()
        self.kept = both >> 32
        return both & M32

    def integer(self, low, high):
        span = high - 1 - low
        if span == 0:
            return low
        product = self.draw32() * (span + 1)
        if product & M32 < span + 1:
            least = (M32 - span) % (span + 1)
            while product & M32 < least:
                product = self.draw32() * (span + 1)
        return low + (product >> 32)

    def integers(self, low, high, count):
        return [self.integer(low, high) for _ in range(count)]

    def chosen(self, weights):
        total = sum(weights)
        sums = list(itertools.accumulate(w / total for w in weights))
        u = (self.draw64() >> 11) * 2.0 ** -53
        return next(i for i, s in enumerate(sums) if s / sums[-1] > u)


class Legacy:
    """The generator of numpy.random.seed, with randint and the method that pandas uses to
    sample."""

    def __init__(self, seed):
        words = [seed & M32]
        for i in range(1, 624):
            words.append((1812433253 * (words[-1] ^ words[-1] >> 30) + i) & M32)
        self.random = random.Random()
        self.random.setstate((3, tuple(words) + (624,), None))

    def masked(self, span):
        mask = (1 << span.bit_length()) - 1
        while span:
            value = self.random.getrandbits(32) & mask
            if value <= span:
                return value
        return 0

    def integer(self, low, high):
        return low + self.masked(high - 1 - low)

    def permutation(self, count):
        out = list(range(count))
        for i in range(count - 1, 0, -1):
            j = self.masked(i)
            out[i], out[j] = out[j], out[i]
        return out


# ---- tokenizers ---------------------------------------------------------------------

def byte_letters():
    plain = [*range(33, 127), *range(161, 173), *range(174, 256)]
    out = {b: chr(b) for b in plain}
    for b in range(256):
        if b not in out:
            out[b] = chr(256 + len(out) - len(plain))
    return out


LETTER = byte_letters()
BYTE = {letter: byte for byte, letter in LETTER.items()}
GPT2 = r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"


class Tokenizer:
    def __init__(self, folder):
        with open(f"{folder}/tokenizer.json", encoding="utf-8") as file:
            data = json.load(file)
        with open(f"{folder}/tokenizer_config.json", encoding="utf-8") as file:
            config = json.load(file)
        model, before = data["model"], data["pre_tokenizer"]
        self.vocabulary = model["vocab"]
        merges = [tuple(m.split(" ")) if isinstance(m, str) else tuple(m) for m in model["merges"]]
        self.rank = {pair: i for i, pair in enumerate(merges)}
        self.whole_words = bool(model.get("ignore_merges"))
        self.pattern = regex.compile(
            before["pretokenizers"][0]["pattern"]["Regex"] if "pretokenizers" in before else GPT2)
        self.added = {a["content"]: a["id"] for a in data["added_tokens"]}
        self.any_added = regex.compile("|".join(map(regex.escape, self.added)))
        self.token = {i: t for t, i in {**self.vocabulary, **self.added}.items()}
        self.size = len(self.vocabulary)
        named = [v if isinstance(v, str) else v["content"] for k, v in config.items()
                 if k.endswith("_token") and isinstance(v, (str, dict))]
        special = {self.added[n] for n in named}
        self.allowed = [i for i in range(self.size) if i not in special]
        marked = special | {a["id"] for a in data["added_tokens"] if a["special"]}
        self.unmarked = [i for i in range(self.size) if i not in marked]
        self.template = config.get("chat_template")
        self.bos = named[0]
        # How many tokens the model adds to a text. Only the hub's data sets have such a tokenizer.
        after = data.get("post_processor") or {}
        self.model_adds = sum("SpecialToken" in part for step in [after, *after.get("processors", [])]
                              for part in step.get("single", []))

    def word(self, text):
        parts = [LETTER[b] for b in text.encode()]
        if self.whole_words and "".join(parts) in self.vocabulary:
            return [self.vocabulary["".join(parts)]]
        while len(parts) > 1:
            best = min(zip(parts, parts[1:]), key=lambda pair: self.rank.get(pair, math.inf))
            if best not in self.rank:
                break
            merged, i = [], 0
            while i < len(parts):
                if tuple(parts[i:i + 2]) == best:
                    merged.append(parts[i] + parts[i + 1])
                    i += 2
                else:
                    merged.append(parts[i])
                    i += 1
            parts = merged
        return [self.vocabulary[p] for p in parts]

    def encode(self, text):
        out, at = [], 0
        for match in self.any_added.finditer(text):
            for word in self.pattern.findall(text[at:match.start()]):
                out += self.word(word)
            out.append(self.added[match.group()])
            at = match.end()
        for word in self.pattern.findall(text[at:]):
            out += self.word(word)
        return out

    def count(self, text):
        return len(self.encode(text))

    def decode(self, ids):
        out = b""
        for token in map(self.token.__getitem__, ids):
            known = all(letter in BYTE for letter in token)
            out += bytes(BYTE[letter] for letter in token) if known else token.encode()
        return out.decode("utf-8", "replace")

    def render(self, messages, tools=None):
        environment = jinja2.Environment(trim_blocks=True, lstrip_blocks=True)
        return environment.from_string(self.template).render(
            messages=messages, tools=tools, bos_token=self.bos, add_generation_prompt=True)

    def shown(self, text):
        """The text as a chat prompt if the model has a template; otherwise the text unchanged."""
        return self.render([{"role": "user", "content": text}]) if self.template else text

    def fit(self, ids, target, pad):
        """Decodes and encodes until the length is right, at most eleven times."""
        for adjustments in range(11):
            text = self.decode(ids)
            ids = self.encode(text)
            if adjustments == 10 or len(ids) == target:
                break
            ids = ids[:target] + [pad(0, self.size) for _ in range(target - len(ids))]
        return text, ids


# ---- samples --------------------------------------------------------------------------

def sample(prompt, length, output, media=None, **more):
    return {"request_id": None, "prompt": prompt, "prompt_len": length,
            "expected_output_len": output, "multi_modal_data": media, **more}


def filled_up(samples, seed, count=COUNT):
    if len(samples) < count:
        random.seed(seed)
        samples = samples + [random.choice(samples) for _ in range(count - len(samples))]
    return samples


def rows_of(name):
    with open(os.path.join(ROOT, name), encoding="utf-8") as file:
        return [json.loads(line) for line in file if line.strip()]


def shuffled(rows, seed):
    random.seed(seed)
    random.shuffle(rows)
    return rows


def prompts(tokenizer, seed, rows, output):
    """`rows`: pairs of a prompt and the length of its answer, which counts if `output` is None."""
    out = []
    for prompt, wanted in shuffled(rows, seed)[:COUNT]:
        text = tokenizer.shown(prompt)
        out.append(sample(text, tokenizer.count(text), wanted if output is None else output))
    return filled_up(out, seed)


def custom(tokenizer, seed):
    rows = [(r["prompt"], int(r["output_tokens"])) for r in rows_of("custom.jsonl")]
    return prompts(tokenizer, seed, rows, None)


def spec_bench(tokenizer, seed):
    rows = [(r["turns"][0], 0) for r in rows_of("spec_bench/question.jsonl")]
    return prompts(tokenizer, seed, rows, 256)


def speed_bench(tokenizer, seed):
    rows = [(r["messages"][0]["content"], 0) for r in rows_of("speed_bench/qualitative.jsonl")]
    return prompts(tokenizer, seed, rows, 4096)


def json_schema(value):
    names = {"dict": "object", "float": "number", "tuple": "array", "any": "string"}
    if isinstance(value, dict):
        return {k: names.get(v, v) if k == "type" and isinstance(v, str) else json_schema(v)
                for k, v in value.items()}
    return [json_schema(v) for v in value] if isinstance(value, list) else value


def bfcl(tokenizer, seed):
    files = [rows_of(f"bfcl/BFCL_v3_{c}.json") for c in ("simple", "live_simple", "multiple")]
    rows = [f[i] for i in range(max(map(len, files))) for f in files if i < len(f)]
    random.Random(seed).shuffle(rows)
    out = []
    for row in rows[:14]:
        messages = row["question"][0]
        tools = [{"type": "function", "function": json_schema(f)} for f in row["function"]]
        text = (tokenizer.render(messages, tools) if tokenizer.template
                else "\n".join(m["content"] for m in messages))
        out.append(sample(messages, tokenizer.count(text), 512,
                          request_overrides={"tools": tools, "tool_choice": "auto"}))
    return filled_up(out, seed, 14)


def sharegpt(tokenizer, seed):
    with open(os.path.join(ROOT, "sharegpt.json"), encoding="utf-8") as file:
        rows = [r for r in json.load(file) if isinstance(r, dict)
                and isinstance(r.get("conversations"), list) and len(r["conversations"]) >= 2]
    out = []
    for row in shuffled(rows, seed):
        if len(out) == COUNT:
            break
        prompt, answer = (turn.get("value") for turn in row["conversations"][:2])
        if not isinstance(prompt, str) or not isinstance(answer, str):
            continue
        given, wanted = tokenizer.count(prompt), tokenizer.count(answer)
        if given < 4 or wanted < 4 or given > 1024 or given + wanted > 2048:
            continue
        media = None
        for kind in ("image", "video"):
            path = row.get(kind)
            if path and media is None:
                url = path if path.startswith(("http://", "https://", "file://", "data:")) else (
                    path if path.startswith("/") else "FIXTURES/" + path)
                url = url if "://" in url or url.startswith("data:") else "file://" + url
                media = [{"type": f"{kind}_url", f"{kind}_url": {"url": url}}]
        out.append(sample(prompt, given, wanted, media))
    return filled_up(out, seed)


def lengths(draw, count, ratio, inputs, outputs, vocabulary):
    def spread(mean, least):
        return (max(least, math.floor(mean * (1 - ratio))), max(least, math.ceil(mean * (1 + ratio))))

    low, high = spread(inputs, 0)
    least, most = spread(outputs, 1)
    return (draw.integers(low, high + 1, count), draw.integers(least, most + 1, count),
            draw.integers(0, vocabulary, count))


def run_of(tokenizer, first, count, allowed=None):
    """`count` consecutive ids from the list of allowed ids, beginning with number `first`."""
    allowed = allowed or tokenizer.allowed
    return [allowed[(first + j) % len(allowed)] for j in range(count)]


def random_prompts(tokenizer, seed):
    draw = Pcg64(seed)
    inputs, outputs, offsets = lengths(draw, COUNT, 0.3, 50, 20, tokenizer.size)
    places = draw.integers(0, len(tokenizer.allowed), 7)
    _, prefix = tokenizer.fit([tokenizer.allowed[p] for p in places], 7, draw.integer)
    out = []
    for i in range(COUNT):
        own = run_of(tokenizer, offsets[i] + i, inputs[i])
        text, ids = tokenizer.fit(prefix + own, 7 + inputs[i], draw.integer)
        out.append(sample(text, len(ids), outputs[i]))
    return out


def items_of_request(draw):
    """Up to three items: media of noise, whose URLs are replaced by a description."""
    buckets = {(48, 32, 1): 0.5, (17, 23, 1): 0.2, (32, 16, 3): 0.3}
    room = {"image": 2, "video": 1}
    wanted, out = draw.integer(0, 4), []
    while len(out) < wanted:
        height, width, frames = list(buckets)[draw.chosen(list(buckets.values()))]
        kind = "image" if frames == 1 else "video"
        if not room[kind]:
            buckets = {k: w for k, w in buckets.items() if (k[2] == 1) != (frames == 1)}
            continue
        room[kind] -= 1
        for _ in range((height * width * frames * 3 + 3) // 4):
            draw.draw32()
        url = ("image/jpeg" if frames == 1 else "video/mp4") + f" {width}x{height}x{frames}"
        out.append({"type": f"{kind}_url", f"{kind}_url": {"url": url}})
    return out


def random_mm(tokenizer, seed):
    draw = Pcg64(seed)
    inputs, outputs, offsets = lengths(draw, COUNT, 0.3, 50, 20, tokenizer.size)
    allowed = tokenizer.unmarked
    places = draw.integers(0, len(allowed), 7)
    _, prefix = tokenizer.fit([allowed[p] for p in places], 7, draw.integer)
    out = []
    for i in range(COUNT):
        own = run_of(tokenizer, offsets[i] + i, inputs[i], allowed)
        text, ids = tokenizer.fit(prefix + own, 7 + inputs[i], draw.integer)
        out.append(sample(text, len(ids), outputs[i], items_of_request(draw) or None))
    return out


def random_rerank(tokenizer, seed):
    draw = Pcg64(seed)
    (length,), _, (offset,) = lengths(draw, 1, 0, 60 // 2 - 1, 0, tokenizer.size)
    inputs, _, offsets = lengths(draw, COUNT, 0, 60 - length - 1, 0, tokenizer.size)
    query, ids = tokenizer.fit(run_of(tokenizer, offset, length), length, draw.integer)
    documents = [tokenizer.fit(run_of(tokenizer, offsets[i] + i + 1, inputs[i]), inputs[i],
                               draw.integer) for i in range(COUNT)]
    out = []
    for i in range(0, COUNT, 4):
        group = documents[i:i + 4]
        out.append(sample([query] + [text for text, _ in group],
                          sum(len(d) for _, d in group) + (len(ids) + 1) * len(group), 0))
    return out


def prefix_repetition(tokenizer, seed):
    random.seed(seed)
    draw = Legacy(seed)

    def piece(count):
        return tokenizer.fit([draw.integer(0, tokenizer.size) for _ in range(count)], count,
                             draw.integer)[1]

    out = []
    for _ in range(4):
        prefix = piece(20)
        for _ in range(COUNT // 4):
            suffix = piece(10)
            out.append(sample(tokenizer.decode(prefix + suffix), len(prefix) + len(suffix), 128))
    random.shuffle(out)
    return out


def burstgpt(tokenizer, seed):
    with open(os.path.join(ROOT, "BurstGPT_1.csv"), encoding="utf-8") as file:
        rows = [r for r in csv.DictReader(file)
                if r["Model"] == "GPT-4" and int(r["Response tokens"]) > 0]
    draw = Legacy(seed)
    chosen = (draw.permutation(len(rows))[:COUNT] if COUNT <= len(rows)
              else [draw.masked(len(rows) - 1) for _ in range(COUNT)])
    out = []
    for i, row in enumerate(rows[k] for k in chosen):
        length = int(row["Request tokens"])
        ids = [(i + j) % tokenizer.size for j in range(length)]
        out.append(sample(tokenizer.decode(ids), length, int(row["Response tokens"])))
    return out


def sonnet(tokenizer, seed):
    random.seed(seed)
    with open(POEM, encoding="utf-8") as file:
        lines = file.read().splitlines(keepends=True)
    ask = "Pick as many lines as you can from these poem lines:\n"
    mean = sum(map(tokenizer.count, lines)) / len(lines)
    base = tokenizer.count(tokenizer.shown(ask))
    wanted, first = max(round((200 - base) / mean), 1), max(round((60 - base) / mean), 0)
    out = []
    while len(out) < COUNT:
        own = random.choices(lines, k=max(0, wanted - first))
        plain = ask + "".join(lines[:first] + own)
        text = tokenizer.shown(plain)
        if tokenizer.count(text) > 200:
            continue
        parts = [{"role": "user", "content": [{"type": "text", "text": plain}]}]
        out.append(sample(text, tokenizer.count(text), 150,
                          **({"chat_messages": parts} if tokenizer.template else {})))
    return out


def txt_slices(tokenizer, seed):
    with open(os.path.join(ROOT, "conversations_text.txt"), encoding="utf-8") as file:
        ids = tokenizer.encode(file.read())
    inputs, outputs, _ = lengths(Pcg64(seed), COUNT, 0.5, 20, 8, tokenizer.size)
    draw = random.Random(seed)
    out = []
    for i in range(COUNT):
        start = draw.randint(0, len(ids) - 1)
        text = tokenizer.decode([ids[(start + j) % len(ids)] for j in range(inputs[i])])
        out.append(sample(text, tokenizer.count(text), outputs[i]))
    return shuffled(out, seed)  # like the dataset custom, which reads the file


def main():
    tokenizers = sys.argv[1]
    folder = sys.argv[2] if len(sys.argv) > 2 else os.path.join(ROOT, "golden")
    makers = {"custom": custom, "spec_bench": spec_bench, "speed_bench": speed_bench, "bfcl": bfcl,
              "sharegpt": sharegpt, "random": random_prompts, "random-mm": random_mm,
              "random-rerank": random_rerank,
              "prefix_repetition": prefix_repetition, "burstgpt": burstgpt, "sonnet": sonnet,
              "txt-slices": txt_slices}
    for name in ("gpt2", "llama3"):
        tokenizer = Tokenizer(os.path.join(tokenizers, name))
        for seed in (0, 42):
            for dataset, make in makers.items():
                with open(f"{folder}/{dataset}_{name}_{seed}.jsonl", "w", encoding="utf-8") as out:
                    for i, one in enumerate(make(tokenizer, seed)):
                        out.write(json.dumps({**one, "request_id": f"bench-{i}"}) + "\n")


if __name__ == "__main__":
    main()
