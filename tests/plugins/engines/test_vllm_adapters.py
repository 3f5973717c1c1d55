"""Tests of the adapters of vLLM against the stand-in package of tests/fixtures/python/vllm."""
import struct
import time
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
        with Host("vllm", {"old": True}) as worker:
            self.assertNotIn("prequeue", worker.ready()["capabilities"])
            seen = worker.batch(TWO, BLOBS)
            self.assertNotIn(host.PROGRESS, seen)
            self.assertEqual(len(results(seen)), 2)
            self.assertGreater(results(seen)[0]["first_token_ns"], 0)

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
            self.assertEqual(worker.ready()["capabilities"], ["chat", "adapters", "profile",
                                                             "prequeue"])
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

    def test_progress_counts_requests_and_not_their_outputs(self):
        with Host("vllm") as worker:
            worker.ready()
            items = [{"prompt": "a", "output_tokens": n} for n in (1, 1, 2)]
            shown = worker.batch(items, sampling={"n": 4})[host.PROGRESS]
            self.assertEqual((shown[0], shown[-1]), ({"done": 1, "of": 3}, {"done": 3, "of": 3}))

    def test_a_batch_that_was_cancelled_before_its_first_request_leaves_the_scheduler_running(self):
        with Host("vllm") as worker:
            worker.ready()
            worker.start(TWO, BLOBS, prequeue=True, before_go=host.frame(host.CANCEL))
            error = worker.rest()[host.ERROR][0]
            self.assertEqual(error["kind"], "cancelled")
            self.assertEqual(len(results(worker.batch(TWO, BLOBS, number=2))), 2)

    def test_adapters(self):
        lora = {"number": 1, "name": "1", "path": "/lora"}
        items = [dict(TWO[0], adapter=lora), TWO[0]]
        with Host("vllm") as worker:
            worker.ready(enable_lora=True)
            for number, mode in enumerate(("generate", "chat", "beam_search"), 1):
                seen = worker.batch(items, mode=mode, number=number)
                self.assertEqual(len(results(seen)), 2)
        with Host("vllm", {"old": True}) as worker:
            worker.ready(enable_lora=True)
            for number, mode in enumerate(("chat", "beam_search"), 1):
                error = worker.batch(items, mode=mode, number=number)[host.ERROR][0]
                self.assertIn("different adapters", error["text"])
            self.assertEqual(len(results(worker.batch([items[0]] * 2, mode="chat", number=3))), 2)

    def test_stages_of_multimodal_requests_are_those_of_the_request_and_of_this_batch(self):
        image = {"prompt": "c", "media": [{"kind": "image", "data": [0, 3]}], "output_tokens": 1}
        in_message = {"messages": [{"role": "user", "content": [
            {"type": "text", "text": "c"},
            {"type": "image_url", "image_url": {"url": "data:,"}}]}], "output_tokens": 1}
        text = {"prompt": "c", "output_tokens": 1}
        with Host("vllm") as worker:
            worker.ready(enable_mm_processor_stats=True)
            worker.batch([image], b"PNG", mode="chat")  # a warm-up
            seen = worker.batch([image, text, in_message], b"PNG", mode="chat", number=2)
            stages = [[(m["name"], m["unit"], m["value"]) for m in result["measures"]]
                      for result in results(seen)]

            def expected(processor):
                return [("apply_hf_processor_secs", "s", processor),
                        ("preprocessor_total_secs", "s", 0.5),
                        ("encoder_forward_secs", "s", 0.375), ("num_encoder_calls", "1", 1)]
            # The processor's first two requests were those of the start and of the warm-up.
            self.assertEqual(stages, [expected(0.75), [], expected(1.0)])
            self.assertNotIn(host.LOG, seen)

    def test_profile_within_the_timed_section(self):
        with Host("vllm") as worker:
            worker.ready(profiler_config={"profiler": "torch", "torch_profiler_dir": "/traces"})
            worker.batch(TWO, BLOBS, profile=True)
            self.assertEqual(worker.bye(), 0)
            self.assertEqual(worker.said().split("\n")[:2], ["profile: start", "profile: stop"])

    def test_a_profile_without_a_profiler_is_refused_before_the_clock(self):
        for adapter in ("vllm", "vllm_async"):
            with self.subTest(adapter), Host(adapter) as worker:
                worker.ready()
                seen = worker.batch(TWO, BLOBS, profile=True)
                self.assertNotIn(host.BEGAN, seen)
                worker.send_json(host.PROFILE, {"action": "start"})
                for error in (seen[host.ERROR][0], worker.expect(host.ERROR)):
                    self.assertEqual((error["kind"], error["fatal"]), ("unsupported", False))
                    self.assertIn("--profiler-config.profiler", error["text"])

    def test_overrides_are_laid_over_the_sampling_parameters(self):
        with Host("vllm") as worker:
            worker.ready()
            seen = worker.batch([dict(TWO[0], overrides={"max_tokens": 5, "top_k": 2})])
            self.assertEqual(results(seen)[0]["outputs"][0]["tokens"], 5)

    def test_priorities_go_to_the_scheduler(self):
        items = [dict(TWO[0], overrides={"priority": 1, "top_k": 2}), TWO[0]]
        with Host("vllm") as worker:
            worker.ready()
            worker.batch(items, number=1)
            worker.batch(items, number=2, prequeue=True)
            worker.batch(items, number=3, mode="chat", prequeue=True)
            worker.batch([TWO[0]], number=4)
            for number, mode in enumerate(("chat", "beam_search"), 5):
                error = worker.batch(items, number=number, mode=mode)[host.ERROR][0]
                self.assertIn("takes no priorities in " + mode, error["text"])
            self.assertEqual(worker.bye(), 0)
            self.assertEqual(worker.said().split("\n")[:-1], ["priority: [1, 0]"] * 3)

    def test_a_priority_that_is_no_integer_is_a_violation(self):
        for priority in ("high", True, 0.5):
            with self.subTest(priority), Host("vllm") as worker:
                worker.ready()
                error = worker.batch([dict(TWO[0], overrides={"priority": priority})])[
                    host.ERROR][0]
                self.assertEqual((error["kind"], error["field"]),
                                 ("protocol", "items[0].overrides.priority"))


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

    def test_priorities_go_to_the_scheduler(self):
        items = [dict(TWO[0], overrides={"priority": 1}), TWO[0]]
        with Host("vllm_async") as worker:
            worker.ready()
            worker.batch(items, **{"async": True})
            self.assertEqual(worker.bye(), 0)
            self.assertEqual(worker.said().split("\n")[0], "priority of test0: 1")

    def test_cancel(self):
        with Host("vllm_async", {"step_s": 600}) as worker:
            worker.ready()
            worker.start(TWO, BLOBS)
            worker.expect(host.BEGAN)
            worker.send(host.CANCEL)
            self.assertEqual(worker.rest()[host.ERROR][0]["kind"], "cancelled")

    def test_single_requests_are_streamed_step_by_step(self):
        with Host("vllm_async") as worker:
            worker.ready()
            items = [{"prompt": "a b", "output_tokens": 3},
                     {"messages": [{"role": "user", "content": "a b c"}], "output_tokens": 2}]
            before = time.monotonic_ns()
            for number, item in enumerate(items):
                worker.submit(number, item)
            ended, texts = worker.finished(2)
            self.assertEqual(ended, {
                0: {"prompt_tokens": 2, "outputs": [{"tokens": 3, "finish_reason": "length",
                                                     "finished": True}]},
                1: {"prompt_tokens": 4, "outputs": [{"tokens": 2, "finish_reason": "length",
                                                     "finished": True}]}})
            for number, tokens in ((0, 3), (1, 2)):
                self.assertEqual([event[2:] for event in texts if event[1] == number],
                                 [(0, 1, "x")] * tokens)
            stamps = [event[0] for event in texts]
            self.assertTrue(before <= stamps[0] and stamps == sorted(stamps) and
                            stamps[-1] <= time.monotonic_ns())
            # A batch follows on the same engine.
            self.assertEqual(len(results(worker.batch(TWO, BLOBS))), 2)
            self.assertEqual(worker.bye(), 0)

    def test_a_single_request_that_is_aborted_ends_in_the_engine(self):
        with Host("vllm_async", {"step_s": 0.001}) as worker:
            worker.ready()
            worker.submit(7, {"prompt": "a", "output_tokens": 1000000})
            worker.expect(host.TEXT)
            worker.send_json(host.ABORT, {"request": 7})
            self.assertEqual(worker.finished(1)[0], {7: {"error": "cancelled"}})
            self.assertEqual(worker.bye(), 0)
            self.assertIn("abort request7", worker.said())

    def test_a_single_request_that_fails_is_a_result(self):
        with Host("vllm_async", {"raises_in_step": 0}) as worker:
            worker.ready()
            for number in (0, 1):
                worker.submit(number, {"prompt": "a", "output_tokens": 1})
            self.assertEqual(worker.finished(2)[0], {
                number: {"error": "RuntimeError: scripted"} for number in (0, 1)})
            self.assertEqual(worker.said().count("Traceback"), 1)
            self.assertEqual(worker.bye(), 0)

    def test_profile_and_end(self):
        with Host("vllm_async") as worker:
            worker.ready(profiler_config={"profiler": "torch", "torch_profiler_dir": "/traces"})
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
            # The engine looks for a cancel when a request has finished.
            worker.start([{"prompt": "a", "output_tokens": n} for n in (1, 2, 3, 100, 1000)])
            worker.expect(host.BEGAN)
            worker.send(host.CANCEL)
            self.assertEqual(worker.rest()[host.ERROR][0]["kind"], "cancelled")
            error = worker.batch(TWO, BLOBS, number=2)[host.ERROR][0]
            self.assertIn("a batch that was cancelled", error["text"])


if __name__ == "__main__":
    unittest.main()
