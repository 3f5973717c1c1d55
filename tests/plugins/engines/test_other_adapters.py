"""Tests of the adapters of transformers and SGLang against the stand-ins of
tests/fixtures/python."""
import struct
import unittest

import worker_host as host
from worker_host import Host, events, results

TWO = [{"prompt": "a b c", "input_tokens": 3, "output_tokens": 4},
       {"tokens": [0, 8], "input_tokens": 2, "output_tokens": 3}]
BLOBS = struct.pack("<2I", 7, 300)


class Transformers(unittest.TestCase):
    OPTIONS = {"model": "m", "hf_max_batch_size": 4}

    def test_a_batch_has_the_counts_of_the_model(self):
        with Host("hf") as worker:
            self.assertEqual(worker.hello()["engine"],
                             "transformers 4.57.0, torch 2.8.0+stand-in")
            self.assertEqual(worker.load(**self.OPTIONS)["max_model_len"], 1024)
            seen = worker.batch(TWO, BLOBS, sampling={"n": 2, "ignore_eos": True})
            self.assertEqual(results(seen), [
                {"prompt_tokens": tokens, "outputs": [
                    {"tokens": 4, "text": "text", "finished": True, "finish_reason": "length"}] * 2}
                for tokens in (3, 2)])
            self.assertEqual(seen[host.PROGRESS], [{"done": 2, "of": 2}])

    def test_an_output_ends_at_the_end_of_the_text_unless_this_is_ignored(self):
        with Host("hf") as worker:
            worker.ready(**self.OPTIONS)
            outputs = [r["outputs"][0] for r in results(worker.batch(TWO, BLOBS, detokenize=False))]
            self.assertEqual(outputs, [{"tokens": 2, "text": "", "finished": True,
                                        "finish_reason": "stop"}] * 2)

    def test_batches_are_filled_in_order_up_to_the_limits(self):
        lengths = [(3, 4)] * 5 + [(1000, 4), (3, 1048), (3, 4), (2000, 48), (2000, 49), (4, 4)]
        items = [{"prompt": "a b", "input_tokens": prompt, "output_tokens": output}
                 for prompt, output in lengths]
        with Host("hf") as worker:
            worker.ready(**self.OPTIONS)
            worker.batch(items, sampling={"ignore_eos": True})
            self.assertEqual(worker.bye(), 0)
            self.assertEqual(worker.said().splitlines(), [
                "generate [4, 2], 4 new",     # as many as the option allows
                "generate [4, 2], 1048 new",  # 1000 + 1048 tokens are just allowed
                "generate [1, 2], 48 new",    # 2000 + 48 tokens, but not 2000 + 49
                "generate [1, 2], 49 new",    # a single item may have more
                "generate [1, 2], 4 new"])

    def test_options(self):
        for options, option in (({}, "model"), ({"model": "m"}, "hf_max_batch_size"),
                                (dict(self.OPTIONS, tensor_parallel_size=2),
                                 "tensor_parallel_size"),
                                (dict(self.OPTIONS, dtype="int5"), "dtype"),
                                (dict(self.OPTIONS, nonsense=1), "nonsense")):
            with self.subTest(option), Host("hf") as worker:
                worker.hello()
                worker.send_json(host.LOAD, {"options": options})
                error = worker.expect(host.ERROR)
                self.assertEqual((error["kind"], error["option"]), ("option", option))

    def test_requests_that_the_engine_cannot_do(self):
        with Host("hf") as worker:
            worker.ready(**self.OPTIONS)
            error = worker.batch(TWO, BLOBS, mode="beam_search")[host.ERROR][0]
            self.assertEqual((error["kind"], error["fatal"]), ("unsupported", False))


class Sglang(unittest.TestCase):
    def test_options_have_the_names_of_vllm_or_of_sglang(self):
        with Host("sglang") as worker:
            self.assertEqual(worker.hello()["engine"], "sglang 0.5.0+stand-in")
            ready = worker.load(model="m", max_model_len=99, tp_size=2, enable_prefix_caching=False)
            self.assertEqual(ready["max_model_len"], 99)
            self.assertEqual(worker.bye(), 0)
            self.assertEqual(worker.said().splitlines(), [
                "arguments: [('context_length', 99), ('disable_radix_cache', True),"
                " ('model_path', 'm'), ('tp_size', 2)]", "shutdown"])

    def test_an_unknown_option(self):
        with Host("sglang") as worker:
            worker.hello()
            worker.send_json(host.LOAD, {"options": {"nonsense": 1}})
            error = worker.expect(host.ERROR)
            self.assertEqual((error["kind"], error["option"]), ("option", "nonsense"))

    def test_prompts_and_token_ids_in_one_batch(self):
        with Host("sglang") as worker:
            worker.ready(model="m")
            seen = worker.batch(TWO, BLOBS, sampling={"n": 2})
            self.assertEqual([r["prompt_tokens"] for r in results(seen)], [3, 2])
            self.assertEqual([[o["tokens"] for o in r["outputs"]] for r in results(seen)],
                             [[4, 4], [3, 3]])

    def test_chat_uses_the_template_of_the_tokenizer(self):
        with Host("sglang") as worker:
            worker.ready(model="m")
            seen = worker.batch([{"messages": [{"role": "user", "content": "a b"}],
                                  "output_tokens": 1}], mode="chat")
            self.assertEqual(results(seen)[0]["prompt_tokens"], 3)

    def test_streams(self):
        with Host("sglang") as worker:
            worker.ready(model="m")
            seen = worker.batch(TWO, BLOBS, **{"async": True})
            self.assertEqual([r["outputs"][0]["tokens"] for r in results(seen)], [4, 3])
            self.assertEqual([struct.unpack_from("<I", payload, 8)[0]
                              for payload in seen[host.TOKENS]], [2, 2, 2, 1])
            self.assertEqual(len(events(seen)), 7)

    def test_text_is_made_unless_the_engine_has_no_tokenizer(self):
        with Host("sglang") as worker:
            worker.ready(model="m")
            error = worker.batch(TWO[1:], BLOBS, detokenize=False)[host.ERROR][0]
            self.assertEqual(error["kind"], "unsupported")
            self.assertIn("skip_tokenizer_init", error["text"])


if __name__ == "__main__":
    unittest.main()
