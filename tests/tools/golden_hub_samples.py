#!/usr/bin/env python3
"""Writes the files hf_*.jsonl of tests/fixtures/datasets/golden/: the samples of the data sets below
tests/fixtures/datasets/hf by upstream's rules. Shares its tokenizers with golden_samples.py, and no
code with the product.

    golden_hub_samples.py TOKENIZERS [FOLDER]

TOKENIZERS: as for golden_samples.py, and with llama3_1, whose model adds a token to each text.
Needs also DuckDB's shared library, to read Parquet: its path is in $INFERBENCH_DUCKDB.
"""
import ctypes
import json
import os
import sys
import tempfile

from golden_samples import ROOT, Pcg64, Tokenizer, filled_up, sample

COUNT = 20
RUNS = [("gpt2", 0), ("gpt2", 42), ("llama3", 0), ("llama3", 42), ("llama3_1", 0)]
# The data sets with a run for llama3_1. MLPerf's answers are counted without the tokens that the
# model adds, the answers of the others with them.
ADDED_TOKENS = ["mgoin/mlperf-inference-llama3.1-data", "AI-MO/NuminaMath-CoT",
                "Aeala/ShareGPT_Vicuna_unfiltered", "zed-industries/zeta"]


def parquet_rows(path, columns="*"):
    """`columns`: what SQL selects. Columns of bytes must be changed to texts."""
    library = ctypes.CDLL(os.environ["INFERBENCH_DUCKDB"])
    database, connection = ctypes.c_void_p(), ctypes.c_void_p()
    assert library.duckdb_open(None, ctypes.byref(database)) == 0
    assert library.duckdb_connect(database, ctypes.byref(connection)) == 0
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, "rows.jsonl")
        statement = (f"COPY (SELECT {columns} FROM read_parquet('{path}')) TO '{out}' "
                     "(FORMAT json)")
        assert library.duckdb_query(connection, statement.encode(), None) == 0
        with open(out, encoding="utf-8") as file:
            return [json.loads(line) for line in file]


def rows_of(path, columns="*"):
    path = os.path.join(ROOT, "hf", path)
    if path.endswith(".parquet"):
        return parquet_rows(path, columns)
    with open(path, encoding="utf-8") as file:
        return json.load(file) if path.endswith(".json") else [json.loads(line) for line in file]


def permutation(seed, count):
    """numpy.random.default_rng(seed).permutation(count)"""
    draw, out = Pcg64(seed), list(range(count))
    for i in range(count - 1, 0, -1):
        mask = (1 << i.bit_length()) - 1
        while (j := draw.draw32() & mask) > i:
            pass
        out[i], out[j] = out[j], out[i]
    return out


def streamed(files, seed, columns="*"):
    """shuffle(seed) of a streamed data set of at most 1,000 rows."""
    rows = [row for i in permutation(seed, len(files)) for row in rows_of(files[i], columns)]
    return [rows[i] for i in permutation(seed, len(rows))]


def counted(tokenizer, text):
    """The length of a text with the tokens that the model adds."""
    return tokenizer.model_adds + tokenizer.count(text)


def in_limits(prompt, answer, longest=1024, in_all=2048):
    return 4 <= prompt <= longest and answer >= 4 and prompt + answer <= in_all


def one_text(text, output):
    """A prompt that goes into the chat template, and a fixed length."""
    def make(tokenizer, row):
        prompt = tokenizer.shown(text(row))
        return sample(prompt, counted(tokenizer, prompt), output)
    return make


def instruct_coder(row):
    return (f"{row['input']}\n\n{row['instruction']} Just output the code, do not include any "
            "explanation.")


def blazedit(row):
    return ("Given a code file, please apply the change requests and generate the new file.\n\n"
            f"Original file:\n```python\n{row['code']}\n```\n\n"
            f"Change request:\n{row['change_request']}\n\n"
            'Please generate the new code file in the "New file" section below.')


def zeta(tokenizer, row):
    prompt = ("### Instruction:\nYou are a code completion assistant and your task is to analyze "
              "user edits and then rewrite an excerpt that the user provides, suggesting the "
              "appropriate edits within the excerpt, taking into account the cursor location.\n\n"
              f"### User Edits:\n\n{row['events']}\n\n### User Excerpt:\n\n{row['input']}\n\n"
              "### Response:\n\n")
    answer = row["output"][row["output"].index("<|editable_region_start|>"):]
    return sample(prompt, counted(tokenizer, prompt), counted(tokenizer, answer))


def conversation(tokenizer, row):
    prompt, answer = (turn["value"] for turn in row["conversations"][:2])
    lengths = counted(tokenizer, prompt), counted(tokenizer, answer)
    return sample(prompt, *lengths) if in_limits(*lengths) else None


def aimo(tokenizer, row):
    lengths = counted(tokenizer, row["problem"]), counted(tokenizer, row["solution"])
    return sample(row["problem"], *lengths) if in_limits(*lengths, 2048, 32000) else None


def mlperf(tokenizer, row):
    prompt = tokenizer.render([{"role": "system", "content": row["system_prompt"]},
                               {"role": "user", "content": row["question"]}])
    lengths = counted(tokenizer, prompt), tokenizer.count(row["output"])
    return sample(prompt, *lengths) if in_limits(*lengths) else None


# The id of each data set, its files in the order of their names, and the function of its rows.
DATASETS = {
    "likaixin/InstructCoder": (["data/train-00000-of-00001.parquet"],
                               one_text(instruct_coder, 200)),
    "philschmid/mt-bench": (["data/train-00000-of-00001.parquet"],
                            one_text(lambda row: row["turns"][0], 256)),
    "openai/openai_humaneval": (["openai_humaneval/test-00000-of-00001.parquet"],
                                one_text(lambda row: row["prompt"], 256)),
    "openai/gsm8k": (["main/test-00000-of-00001.parquet"],
                     one_text(lambda row: row["question"], 256)),
    "vdaita/edit_5k_char": (["data/train-00000-of-00001.parquet"], one_text(blazedit, 4000)),
    "zed-industries/zeta": (["train.jsonl"], zeta),
    "Aeala/ShareGPT_Vicuna_unfiltered": (["ShareGPT_V4.3_unfiltered_cleaned_split.json"],
                                         conversation),
    "AI-MO/aimo-validation-aime": (["data/train-00000-of-00001.parquet"], aimo),
    "AI-MO/NuminaMath-1.5": (["data/train-00000-of-00002.parquet",
                              "data/train-00001-of-00002.parquet"], aimo),
    "AI-MO/NuminaMath-CoT": (["data/train-00000-of-00001.parquet"], aimo),
    "mgoin/mlperf-inference-llama3.1-data": (["data/train-00000-of-00001.parquet"], mlperf),
}


def main():
    tokenizers = sys.argv[1]
    to = sys.argv[2] if len(sys.argv) > 2 else os.path.join(ROOT, "golden")
    assert permutation(0, 10) == [4, 6, 2, 7, 3, 5, 9, 0, 8, 1]  # by NumPy
    assert permutation(42, 10) == [5, 6, 0, 7, 3, 2, 4, 9, 1, 8]
    for name, seed in RUNS:
        tokenizer = Tokenizer(os.path.join(tokenizers, name))
        for dataset, (files, make) in DATASETS.items():
            if make is mlperf and not tokenizer.template:
                continue
            if name == "llama3_1" and dataset not in ADDED_TOKENS:
                continue
            folder = dataset.replace("/", "--")
            rows = streamed([f"{folder}/{file}" for file in files], seed)
            made = [one for row in rows if (one := make(tokenizer, row))][:COUNT]
            short = dataset.split("/")[1]
            with open(f"{to}/hf_{short}_{name}_{seed}.jsonl", "w", encoding="utf-8") as out:
                for i, one in enumerate(filled_up(made, seed, COUNT)):
                    out.write(json.dumps({**one, "request_id": f"bench-{i}"}) + "\n")


if __name__ == "__main__":
    main()
