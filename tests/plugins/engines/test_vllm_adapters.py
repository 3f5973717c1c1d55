"""Tests of the adapters of vLLM against the stand-in package of tests/fixtures/python/vllm."""
import struct
import unittest

import worker_host as host
from worker_host import Host, events, results

TWO = [{"prompt": "a b c", "output_tokens": 2}, {"tokens": [0, 8], "output_tokens": 1}]
BLOBS = struct.pack("<2I", 7, 300)
SAMPLING = {"n": 2, "ignore_eos": True}


class GenerateWithLlm(unittest.TestCase):
    def test_load_says_what_the_engine_is(self):
        with Host("vllm") as worker:
            self.assertEqual(worker.hello()["engine"], "vllm 0.11.0+stand-in")
            ready = worker.load(enable_lora=True, max_loras=3, max_model_len=512,
                                profiler_config={"profiler": "torch",
                                                 "torch_profiler_dir": "/traces"})
            self.assertEqual(ready["capabilities"], ["generate", "chat", "beam_search", "adapters",
                                                     "profile", "prequeue"])
            self.assertEqual((ready["max_model_len"], ready["max_adapters"]), (512, 3))
            self.assertEqual((ready["profiler"], ready["profile_path"]), ("torch", "/traces"))
            self.assertEqual([(m["name"], m["value"]) for m in ready["measures"]],
                             [("compilation", 1.5), ("encoder_compilation", 0.0)])

    def test_the_load_time_is_that_of_the_construction(self):
        with Host("vllm", {"load_s": 0.05}) as worker:
            self.assertGreaterEqual(worker.ready()["load_ns"], 50_000_000)

    def test_a_batch_has_the_counts_and_times_of_the_engine(self):
        with Host("vllm") as worker:
            worker.ready()
            seen = worker.batch(TWO, BLOBS, sampling=SAMPLING)
            first, second = results(seen)
            self.assertEqual((first["prompt_tokens"], second["prompt_tokens"]), (3, 2))
            self.assertEqual(first["outputs"], [{"tokens": 2, "text": "xx", "finished": True,
                                                 "finish_reason": "length"}] * 2)
            began, ended = struct.unpack("<QQ", seen[host.ENDED][0])
            for result in (first, second):
                self.assertTrue(began - 1000 <= result["arrived_ns"] <= result["first_token_ns"]
                                <= result["last_token_ns"] <= ended)
            self.assertEqual(seen[host.PROGRESS][-1], {"done": 2, "of": 2})

    def test_without_text(self):
        with Host("vllm") as worker:
            worker.ready()
            seen = worker.batch(TWO, BLOBS, detokenize=False)
            self.assertEqual([r["outputs"][0]["text"] for r in results(seen)], ["", ""])

    def test_versions_whose_progress_bar_is_a_boolean(self):
        with Host("vllm", {"old_signature": True}) as worker:
            worker.ready()
            seen = worker.batch(TWO, BLOBS)
            self.assertNotIn(host.PROGRESS, seen)
            self.assertEqual(len(results(seen)), 2)

    def test_chat(self):
        items = [{"messages": [{"role": "user", "content": "a b"}], "output_tokens": 1},
                 {"prompt": "c", "media": [{"kind": "image", "mime": "image/png", "data": [0, 3]}],
                  "output_tokens": 1}]
        for adapter in ("vllm", "vllm_chat"):
            with self.subTest(adapter), Host(adapter) as worker:
                worker.ready()
                seen = worker.batch(items, b"PNG", mode="chat")
                self.assertEqual([r["prompt_tokens"] for r in results(seen)], [2, 1])

    def test_vllm_chat_refuses_prompts_without_a_template(self):
        with Host("vllm_chat") as worker:
            self.assertEqual(worker.ready()["capabilities"], ["chat", "profile", "prequeue"])
            error = worker.batch(TWO, BLOBS)[host.ERROR][0]
            self.assertEqual((error["kind"], error["fatal"]), ("unsupported", False))

    def test_beam_search(self):
        with Host("vllm") as worker:
            worker.ready()
            seen = worker.batch([dict(TWO[0], input_tokens=3), TWO[1]], BLOBS, mode="beam_search",
                                sampling={"beam_width": 3, "max_tokens": 4})
            self.assertEqual([[o["tokens"] for o in r["outputs"]] for r in results(seen)],
                             [[4, 4, 4], [4, 4, 4]])
            error = worker.batch(TWO, BLOBS, mode="beam_search", number=2)[host.ERROR][0]
            self.assertIn("one max_tokens", error["text"])

    def test_prequeued_batches(self):
        for mode in ("generate", "chat"):
            with self.subTest(mode), Host("vllm") as worker:
                worker.ready()
                seen = worker.batch([TWO[0]] * 3, mode=mode, prequeue=True)
                self.assertEqual(len(results(seen)), 3)

    def test_adapters(self):
        lora = {"number": 1, "name": "1", "path": "/lora"}
        with Host("vllm") as worker:
            worker.ready(enable_lora=True)
            self.assertEqual(len(results(worker.batch([dict(TWO[0], adapter=lora), TWO[1]],
                                                      BLOBS))), 2)
            error = worker.batch([dict(TWO[0], adapter=lora), TWO[0]], mode="chat",
                                 number=2)[host.ERROR][0]
            self.assertIn("different adapters", error["text"])

    def test_stages_of_multimodal_requests(self):
        item = {"prompt": "c", "media": [{"kind": "image", "data": [0, 3]}], "output_tokens": 1}
        with Host("vllm") as worker:
            worker.ready(enable_mm_processor_stats=True)
            stages = [{m["name"]: (m["unit"], m["value"]) for m in result["measures"]}
                      for result in results(worker.batch([item] * 2, b"PNG", mode="chat"))]
            self.assertEqual(stages, [{"apply_hf_processor_secs": ("s", 0.25),
                                       "preprocessor_total_secs": ("s", 0.5),
                                       "encoder_forward_secs": ("s", 0.375),
                                       "num_encoder_calls": ("1", 1)}] * 2)

    def test_profile_within_the_timed_section(self):
        with Host("vllm") as worker:
            worker.ready()
            worker.batch(TWO, BLOBS, profile=True)
            self.assertEqual(worker.bye(), 0)
            self.assertEqual(worker.said().split("\n")[:2], ["profile: start", "profile: stop"])

    def test_overrides_are_laid_over_the_sampling_parameters(self):
        with Host("vllm") as worker:
            worker.ready()
            seen = worker.batch([dict(TWO[0], overrides={"max_tokens": 5, "top_k": 2})])
            self.assertEqual(results(seen)[0]["outputs"][0]["tokens"], 5)


class AsyncEngine(unittest.TestCase):
    def test_every_step_of_the_engine_is_one_frame_of_events(self):
        with Host("vllm_async") as worker:
            self.assertIn("async", worker.ready()["capabilities"])
            items = [{"prompt": "a b", "output_tokens": 3}] * 8
            seen = worker.batch(items, **{"async": True})
            self.assertEqual([r["outputs"][0]["tokens"] for r in results(seen)], [3] * 8)
            self.assertEqual([r["prompt_tokens"] for r in results(seen)], [2] * 8)
            self.assertEqual(len(events(seen)), 24)
            self.assertEqual([struct.unpack_from("<I", payload, 8)[0]
                              for payload in seen[host.TOKENS]], [8, 8, 8])

    def test_several_outputs_of_a_request(self):
        with Host("vllm_async") as worker:
            worker.ready()
            seen = worker.batch(TWO, BLOBS, sampling=SAMPLING)
            self.assertEqual([[o["tokens"] for o in r["outputs"]] for r in results(seen)],
                             [[2, 2], [1, 1]])
            self.assertEqual(sorted(event[1:] for event in events(seen)),
                             [(0, 0, 1), (0, 0, 1), (0, 1, 1), (0, 1, 1), (1, 0, 1), (1, 1, 1)])

    def test_cancel(self):
        with Host("vllm_async", {"step_s": 600}) as worker:
            worker.ready()
            worker.start(TWO, BLOBS)
            worker.expect(host.BEGAN)
            worker.send(host.CANCEL)
            self.assertEqual(worker.rest()[host.ERROR][0]["kind"], "cancelled")

    def test_profile_and_end(self):
        with Host("vllm_async") as worker:
            worker.ready()
            worker.batch(TWO, BLOBS, profile=True)
            self.assertEqual(worker.bye(), 0)
            self.assertEqual(worker.said().split("\n")[:3],
                             ["profile: start", "profile: stop", "shutdown"])


class Faults(unittest.TestCase):
    def test_a_missing_package(self):
        for adapter in ("vllm", "vllm_chat", "vllm_async"):
            with self.subTest(adapter), Host(adapter, {"missing_package": True}) as worker:
                worker.send_json(host.HELLO, {"protocol": 1, "host": "x"})
                error = worker.expect(host.ERROR)
                self.assertEqual((error["kind"], error["package"]), ("import", "torch"))
                self.assertEqual(worker.status(), 1)

    def test_options_that_vllm_refuses(self):
        for options, option, text in (({"nonsense": 1}, "nonsense", "nonsense"),
                                      ({"max_model_len": 9999}, "", "is greater than")):
            for adapter in ("vllm", "vllm_async"):
                with self.subTest((options, adapter)), Host(adapter) as worker:
                    worker.hello()
                    worker.send_json(host.LOAD, {"options": options})
                    error = worker.expect(host.ERROR)
                    self.assertEqual((error["kind"], error["option"]), ("option", option))
                    self.assertIn(text, error["text"])

    def test_too_little_memory(self):
        for name in ("OutOfMemoryError", "MemoryError"):
            with self.subTest(name), Host("vllm", {"load_error": name}) as worker:
                worker.hello()
                worker.send_json(host.LOAD, {"options": {}})
                self.assertEqual(worker.expect(host.ERROR)["kind"], "memory")

    def test_an_engine_that_fails_in_a_step(self):
        for adapter in ("vllm", "vllm_async"):
            with self.subTest(adapter), Host(adapter, {"raises_in_step": 1}) as worker:
                worker.ready()
                error = worker.batch(TWO, BLOBS)[host.ERROR][0]
                self.assertEqual((error["kind"], error["fatal"], error["text"]),
                                 ("run", True, "RuntimeError: scripted"))
                self.assertEqual(worker.status(), 1)

    def test_an_engine_that_dies_prints_and_returns_fewer_outputs(self):
        with Host("vllm", {"dies_in_step": 1, "prints": "step"}) as worker:
            worker.ready()
            worker.start(TWO, BLOBS)
            self.assertEqual(worker.status(), 7)
            self.assertEqual(worker.said().split(), ["step"] * 4)
        with Host("vllm", {"fewer": 1}) as worker:
            worker.ready()
            self.assertEqual(worker.batch(TWO, BLOBS)[host.DONE][0]["results"], 1)

    def test_an_engine_that_hangs_ends_with_the_host(self):
        with Host("vllm", {"hangs_in_step": 0}) as worker:
            worker.ready()
            worker.start(TWO, BLOBS)
            worker.expect(host.BEGAN)
            worker.socket.close()
            self.assertEqual(worker.process.wait(host.PATIENCE_S), -9)

    def test_a_cancelled_batch_of_llm_leaves_an_engine_that_refuses_further_batches(self):
        with Host("vllm", {"step_s": 0.01}) as worker:
            worker.ready()
            worker.start([{"prompt": "a", "output_tokens": 100000}])
            worker.expect(host.BEGAN)
            worker.send(host.CANCEL)
            self.assertEqual(worker.rest()[host.ERROR][0]["kind"], "cancelled")
            error = worker.batch(TWO, BLOBS, number=2)[host.ERROR][0]
            self.assertIn("a batch that was cancelled", error["text"])


if __name__ == "__main__":
    unittest.main()
