#!/usr/bin/env python3
"""Writes the files hf_*.jsonl of tests/fixtures/datasets/golden/ for the data sets with images,
videos and sound: their samples by upstream's rules. Images are decoded and encoded with Pillow, and
sound with soundfile, as upstream does; no code is shared with the product.

    golden_hub_media_samples.py TOKENIZERS [FOLDER]

TOKENIZERS and DuckDB: as for golden_hub_samples.py. Needs the Python packages Pillow and soundfile.

In place of the base64 text of a file a golden file has its SHA-256. If the image was a WebP file,
which Pillow and FFmpeg decode with small differences, it has "any". Pillow copies the comment of a
JPEG file to the new file, which the product does not do, so the comment is removed here.
"""
import base64
import hashlib
import io
import json
import os
import sys

import soundfile
from PIL import Image, ImageOps

from golden_hub_samples import COUNT, ROOT, RUNS, counted, in_limits, streamed
from golden_samples import Tokenizer, filled_up, sample


def part(kind, mime, text):
    url = f"data:{mime};base64,{text}"
    return {"type": f"{kind}_url", f"{kind}_url": {"url": url}}


def digest(file):
    return hashlib.sha256(base64.b64encode(file)).hexdigest()


def jpeg_part(file):
    file = base64.b64decode(file)
    with Image.open(io.BytesIO(file)) as image:
        if image.format == "WEBP":
            return part("image", "image/jpeg", "any")
        image = ImageOps.exif_transpose(image)
        image.info.pop("comment", None)
        if image.mode in ("RGBA", "LA", "PA") or "transparency" in image.info and \
                image.mode in ("P", "L"):
            image = image.convert("RGBA")
            white = Image.new("RGBA", image.size, "WHITE")
            white.alpha_composite(image)
            image = white
        out = io.BytesIO()
        image.convert("RGB").save(out, format="JPEG")
    return part("image", "image/jpeg", digest(out.getvalue()))


def wav_part(file):
    samples, rate = soundfile.read(io.BytesIO(base64.b64decode(file)), dtype="float32")
    out = io.BytesIO()
    soundfile.write(out, samples, rate, format="WAV")
    return part("audio", "audio/wav", digest(out.getvalue()))


def fixed(prompt, media, output=128):
    def make(tokenizer, row):
        text = prompt(row)
        return sample(text, counted(tokenizer, text), output, [media(row)])
    return make


def mmvu_prompt(row):
    return " ".join([row["question"], *(f"{key}.{text}" for key, text in row["choices"].items())])


def mmvu_video(row):
    path = row["video"].replace("https://huggingface.co/datasets/yale-nlp/MMVU/resolve/main",
                                "FIXTURES/hf/yale-nlp--MMVU")
    return {"type": "video_url", "video_url": {"url": "file://" + path}}


def llava(tokenizer, row):
    prompt, answer = (turn["value"] for turn in row["conversations"][:2])
    lengths = counted(tokenizer, prompt), counted(tokenizer, answer)
    media = [jpeg_part(row["image"])] if row["image"] else None
    return sample(prompt, *lengths, media) if in_limits(*lengths) else None


def upload(row):
    with open(os.path.join(ROOT, "hf/ArtificialAnalysis--Earnings22-Cleaned-AA", row["url"]),
              "rb") as file:
        return part("audio", "audio/mpeg", digest(file.read()))


IMAGES = "* REPLACE (list_transform(images, x -> to_base64(x.bytes)) AS images)"
IMAGE = "* REPLACE (to_base64(image.bytes) AS image)"
AUDIO = "* REPLACE (to_base64(audio.bytes) AS audio)"
FIRST_IMAGE = lambda row: jpeg_part(row["images"][0])

# The id of each data set, its files in the order of their names, what SQL selects, and the function
# of its rows.
DATASETS = {
    "lmarena-ai/VisionArena-Chat": (
        ["data/train-00000-of-00002.parquet", "data/train-00001-of-00002.parquet"], IMAGES,
        fixed(lambda row: row["conversation"][0][0]["content"], FIRST_IMAGE)),
    "lmarena-ai/vision-arena-bench-v0.1": (
        ["data/train-00000-of-00001.parquet"], IMAGES,
        fixed(lambda row: row["turns"][0][0]["content"], FIRST_IMAGE)),
    "yale-nlp/MMVU": (["validation.json"], "*", fixed(mmvu_prompt, mmvu_video)),
    "lmms-lab/LLaVA-OneVision-Data": (["chartqa/train-00000-of-00001.parquet"], IMAGE, llava),
    "Lin-Chen/MMStar": (["mmstar.parquet"], IMAGE,
                        fixed(lambda row: row["question"].split("Options:")[0].strip(),
                              lambda row: jpeg_part(row["image"]))),
    "openslr/librispeech_asr": (["clean/test/0000.parquet", "clean/test/0001.parquet"], AUDIO,
                                fixed(lambda row: "", lambda row: wav_part(row["audio"]), 1024)),
    "facebook/voxpopuli": (["en/train-00000-of-00001.parquet"], AUDIO,
                           fixed(lambda row: "", lambda row: wav_part(row["audio"]), 1024)),
    "ArtificialAnalysis/Earnings22-Cleaned-AA": (["data/test-00000-of-00001.parquet"], "*",
                                                 fixed(lambda row: "", upload, 1024)),
}


def main():
    tokenizers = sys.argv[1]
    to = sys.argv[2] if len(sys.argv) > 2 else os.path.join(ROOT, "golden")
    for name, seed in RUNS:
        if name not in ("gpt2", "llama3"):
            continue
        tokenizer = Tokenizer(os.path.join(tokenizers, name))
        for dataset, (files, columns, make) in DATASETS.items():
            folder = dataset.replace("/", "--")
            rows = streamed([f"{folder}/{file}" for file in files], seed, columns)
            made = [one for row in rows if (one := make(tokenizer, row))][:COUNT]
            short = dataset.split("/")[1]
            with open(f"{to}/hf_{short}_{name}_{seed}.jsonl", "w", encoding="utf-8") as out:
                for i, one in enumerate(filled_up(made, seed, COUNT)):
                    out.write(json.dumps({**one, "request_id": f"bench-{i}"}) + "\n")


if __name__ == "__main__":
    main()
