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

    def said(self, worker):
        self.assertEqual(worker.bye(), 0)
        return worker.said().splitlines()

    def test_a_batch_has_the_counts_of_the_model(self):
        with Host("hf") as worker:
            self.assertEqual(worker.hello()["engine"],
                             "transformers 4.57.0, torch 2.8.0+stand-in")
            self.assertEqual(worker.load(**self.OPTIONS)["max_model_len"], 1024)
            seen = worker.batch(TWO, BLOBS, sampling={"n": 2, "ignore_eos": True})
            self.assertEqual(results(seen), [
                {"prompt_tokens": tokens, "outputs": [
                    {"tokens": new, "text": " ".join(["w7"] * new), "finished": True,
                     "finish_reason": "length"}] * 2}
                for tokens, new in ((3, 4), (2, 3))])
            self.assertEqual(seen[host.PROGRESS], [{"done": 2, "of": 2}])
            # Llama has no token for padding; the text is a part of the time.
            self.assertEqual(self.said(worker), ["pad token </s>", "generate [2, 3], 4 new, "
                                                 "temperature 1.0", "decode [4, 7]"])

    def test_an_output_ends_at_the_end_of_the_text_unless_this_is_ignored(self):
        with Host("hf") as worker:
            worker.ready(**self.OPTIONS)
            outputs = [r["outputs"][0] for r in results(worker.batch(TWO, BLOBS, detokenize=False))]
            self.assertEqual(outputs, [{"tokens": 2, "text": "", "finished": True,
                                        "finish_reason": "stop"}] * 2)
            worker.batch(TWO, BLOBS, sampling={"temperature": 0, "ignore_eos": True}, number=2,
                         detokenize=False)
            self.assertEqual(self.said(worker)[1:], ["generate [2, 3], 4 new, temperature 1.0",
                                                     "generate [2, 3], 4 new, greedy"])

    def test_the_function_forward_is_compiled(self):
        with Host("hf") as worker:
            worker.ready(hf_enable_torch_compile=True, **self.OPTIONS)
            worker.batch(TWO[1:], BLOBS, detokenize=False)
            self.assertEqual(self.said(worker)[1], "compiled")

    def test_batches_are_filled_in_order_up_to_the_limits(self):
        lengths = [(3, 4)] * 5 + [(1000, 4), (3, 1048), (3, 4), (2000, 48), (2000, 49), (4, 4)]
        items = [{"prompt": "a b", "input_tokens": prompt, "output_tokens": output}
                 for prompt, output in lengths]
        with Host("hf") as worker:
            worker.ready(**self.OPTIONS)
            worker.batch(items, sampling={"ignore_eos": True}, detokenize=False)
            self.assertEqual([line.split(", temp")[0] for line in self.said(worker)[1:]], [
                "generate [4, 2], 4 new",     # as many as the option allows
                "generate [4, 2], 1048 new",  # 1000 + 1048 tokens are just allowed
                "generate [1, 2], 48 new",    # 2000 + 48 tokens, but not 2000 + 49
                "generate [1, 2], 49 new",    # a single item may have more
                "generate [1, 2], 4 new"])

    def test_the_length_of_token_ids_is_known_without_the_clients_count(self):
        ids = struct.pack("<1500I", *[5] * 1500)
        items = [{"tokens": [0, 6000], "output_tokens": 4}, {"prompt": "a", "output_tokens": 549}]
        with Host("hf") as worker:
            worker.ready(**self.OPTIONS)
            worker.batch(items, ids, detokenize=False)
            self.assertEqual(len(self.said(worker)), 3)

    def test_options(self):
        for options, option in (({}, "model"), ({"model": "m"}, "hf_max_batch_size"),
                                (dict(self.OPTIONS, tensor_parallel_size=2),
                                 "tensor_parallel_size"),
                                (dict(self.OPTIONS, dtype="int5"), "dtype"),
                                (dict(self.OPTIONS, hf_max_batch_size=True), "hf_max_batch_size"),
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

    def test_adapters_are_loaded_once_by_their_names(self):
        def item(name, path):
            return dict(TWO[0], adapter={"number": 1, "name": name, "path": path})
        with Host("sglang") as worker:
            worker.ready(model="m", enable_lora=True)
            seen = worker.batch([item("1", "/a"), TWO[0], item("1", "/a")])
            self.assertEqual(len(results(seen)), 3)
            error = worker.batch([item("2", "/none")], number=2)[host.ERROR][0]
            self.assertIn("cannot load the adapter /none: no such folder", error["text"])

    def test_single_requests(self):
        with Host("sglang") as worker:
            worker.ready(model="m")
            worker.submit(3, TWO[0])
            worker.submit(4, {"messages": [{"role": "user", "content": "a"}], "output_tokens": 1})
            ended, texts = worker.finished(2)
            self.assertEqual([(n, r["prompt_tokens"], r["outputs"][0]["tokens"])
                              for n, r in sorted(ended.items())], [(3, 3, 4), (4, 2, 1)])
            self.assertEqual([event[1:] for event in texts if event[1] == 3],
                             [(3, 0, 1, "x")] * 4)

    def test_text_is_made_unless_the_engine_has_no_tokenizer(self):
        with Host("sglang") as worker:
            worker.ready(model="m")
            error = worker.batch(TWO[1:], BLOBS, detokenize=False)[host.ERROR][0]
            self.assertEqual(error["kind"], "unsupported")
            self.assertIn("skip_tokenizer_init", error["text"])


if __name__ == "__main__":
    unittest.main()
