#!/usr/bin/env python3
"""Writes the files custom_image_* and custom_audio_* of tests/fixtures/datasets/golden/: the samples
of custom_image.jsonl and custom_audio_short.jsonl by upstream's rules. Shares its tokenizers with
golden_samples.py, and no code with the product: WAV files are read and written here.

    golden_media_rows.py TOKENIZERS [FOLDER]

TOKENIZERS: as for golden_samples.py.
"""
import base64
import json
import os
import struct
import sys

from golden_samples import ROOT, Tokenizer, filled_up, rows_of, sample, shuffled

COUNT = 10


def url_of(text):
    known = ("http://", "https://", "file://", "data:")
    return text if text.startswith(known) else "file://FIXTURES/" + text


def image_part(value):
    more = {k: v for k, v in value.items() if k != "url"} if isinstance(value, dict) else {}
    url = value["url"] if isinstance(value, dict) else value
    return {"type": "image_url", "image_url": {"url": url_of(url), **more}}


def content_part(part):
    if part["type"] == "text":
        return {"type": "text", "text": part["text"]}
    return image_part(part[part["type"]])


def custom_image(tokenizer, seed):
    out = []
    for row in shuffled(rows_of("custom_image.jsonl"), seed)[:COUNT]:
        if "content" in row:
            parts = [content_part(part) for part in row["content"]]
            text = "".join(part.get("text", "") for part in parts)
            out.append(sample(parts, tokenizer.count(text), 256))
        else:
            images = [image_part(each) for each in row["image_files"]]
            out.append(sample(row["prompt"], tokenizer.count(row["prompt"]), 256, images))
    return filled_up(out, seed, COUNT)


def samples_of(audio):
    """Rate, number of channels, and the interleaved samples as floats."""
    if not isinstance(audio, str):
        array, rate = (audio["array"], audio["sampling_rate"]) if isinstance(audio, dict) else audio
        frames = [each if isinstance(each, list) else [each] for each in array]
        return rate, len(frames[0]), [s for frame in frames for s in frame]
    with open(os.path.join(ROOT, audio), "rb") as file:
        wav = file.read()
    kind, channels, rate = struct.unpack_from("<HHI", wav, 20)
    if kind == 3:
        return rate, channels, [v for (v,) in struct.iter_unpack("<f", wav[44:])]
    return rate, channels, [v / 32768 for (v,) in struct.iter_unpack("<h", wav[44:])]


def wav_of(audio):
    """16-bit integers, as libsndfile writes them with clipping: the upper half of 32 bits."""
    rate, channels, values = samples_of(audio)
    wide = (max(-2 ** 31, min(2 ** 31 - 1, round(v * 2 ** 31))) for v in values)
    data = b"".join(struct.pack("<h", each >> 16) for each in wide)
    return (b"RIFF" + struct.pack("<I", 36 + len(data)) + b"WAVEfmt " +
            struct.pack("<IHHIIHH", 16, 1, channels, rate, rate * channels * 2, channels * 2, 16) +
            b"data" + struct.pack("<I", len(data)) + data)


def custom_audio(tokenizer, seed):
    out = []
    for row in shuffled(rows_of("custom_audio_short.jsonl"), seed)[:COUNT]:
        prompt = tokenizer.shown(row.get("prompt", ""))
        url = "data:audio/wav;base64," + base64.b64encode(wav_of(row["audio"])).decode()
        out.append(sample(prompt, tokenizer.count(prompt), row["output_tokens"],
                          [{"type": "audio_url", "audio_url": {"url": url}}]))
    return filled_up(out, seed, COUNT)


def main():
    folder = sys.argv[2] if len(sys.argv) > 2 else os.path.join(ROOT, "golden")
    for name in ("gpt2", "llama3"):
        tokenizer = Tokenizer(os.path.join(sys.argv[1], name))
        for seed in (0, 42):
            for dataset, make in (("custom_image", custom_image), ("custom_audio", custom_audio)):
                with open(f"{folder}/{dataset}_{name}_{seed}.jsonl", "w", encoding="utf-8") as out:
                    for i, one in enumerate(make(tokenizer, seed)):
                        out.write(json.dumps({**one, "request_id": f"bench-{i}"}) + "\n")


if __name__ == "__main__":
    main()
