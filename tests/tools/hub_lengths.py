#!/usr/bin/env python3
"""Prints the numbers of tests/program/cli/hub_datasets_test.cpp: for each data set of the hub the
rows that fit, and the tokens of their prompts and of the requested answers, if each byte is a
token. By upstream's rules and without code of the product.

    hub_lengths.py

Needs DuckDB's shared library, to read Parquet: its path is in $INFERBENCH_DUCKDB.
"""
import json
import os

from golden_hub_samples import DATASETS, conversation, rows_of
from golden_samples import ROOT, sample


class Bytes:
    """A model with a token for each byte, and the chat template of the test."""
    template = None
    model_adds = 0

    def count(self, text):
        return len(text.encode())

    def shown(self, text):
        return text  # --skip-chat-template

    def render(self, messages, tools=None):
        del tools
        turns = [f"{message['role']}: {message['content']}\n" for message in messages]
        return "".join(turns) + "assistant: "


def with_media(text):
    """A prompt beside an image or a video, and an answer of the usual length."""
    def make(tokenizer, row):
        return sample(text(row), tokenizer.count(text(row)), 128)
    return make


def mmvu(row):
    return " ".join([row["question"], *(f"{key}.{text}" for key, text in row["choices"].items())])


# Speech is not here: all prompts are the same, and all answers have 1,024 tokens.
MEDIA = {
    "lmarena-ai/VisionArena-Chat": (["data/train-00000-of-00002.parquet",
                                     "data/train-00001-of-00002.parquet"],
                                    with_media(lambda row: row["conversation"][0][0]["content"])),
    "lmarena-ai/vision-arena-bench-v0.1": (["data/train-00000-of-00001.parquet"],
                                           with_media(lambda row: row["turns"][0][0]["content"])),
    "Lin-Chen/MMStar": (["mmstar.parquet"], with_media(
        lambda row: row["question"].split("Options:")[0].strip())),
    "yale-nlp/MMVU": (["validation.json"], with_media(mmvu)),
    "lmms-lab/LLaVA-OneVision-Data": (["chartqa/train-00000-of-00001.parquet"], conversation),
}


def bfcl_rows():
    for category in ("simple", "live_simple", "multiple"):
        with open(f"{ROOT}/bfcl/BFCL_v3_{category}.json", encoding="utf-8") as file:
            yield from map(json.loads, file)


def main():
    tokenizer = Bytes()
    made = {}
    for dataset, (files, make) in {**DATASETS, **MEDIA}.items():
        folder = dataset.replace("/", "--")
        if not os.path.isdir(f"{ROOT}/hf/{folder}"):
            continue
        rows = [row for file in files for row in rows_of(f"{folder}/{file}")]
        made[dataset] = [one for row in rows if (one := make(tokenizer, row))]
    made["gorilla-llm/Berkeley-Function-Calling-Leaderboard"] = [
        sample(None, sum(tokenizer.count(m["content"]) for m in row["question"][0]), 512)
        for row in bfcl_rows()]
    for dataset, samples in made.items():
        print(f"{dataset}: {len(samples)}, {sum(s['prompt_len'] for s in samples)}, "
              f"{sum(s['expected_output_len'] for s in samples)}")


if __name__ == "__main__":
    main()
