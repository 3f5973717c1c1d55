"""Tests of the worker of python-engine with adapters as strangers write them, and in unusual
Pythons, folders and locales."""
import ast
import glob
import os
import sys
import unittest

import worker_host as host
from test_worker import BLOBS, ECHO, TWO, echo_with
from test_worker_faults import gone
from worker_host import Host, place_of, results

FOLDER = os.path.dirname(host.WORKER)


class Mistakes(unittest.TestCase):
    def error(self, adapter, **more):
        """The error of an adapter, wherever it comes."""
        with Host(adapter, **more) as worker:
            worker.send_json(host.HELLO, {"protocol": 1, "host": "x"})
            worker.send_json(host.LOAD, {"options": {}})
            worker.start(TWO, BLOBS)
            error = worker.rest()[host.ERROR][0]
            self.assertEqual(worker.status(), 1)
            return error

    def test_files_that_python_cannot_read(self):
        for data, text in ((b"a = '\xff'\n", "Non-UTF-8 code"), (b"a = 1\0\n", "null bytes"),
                           (b"if 1:\na = 1\n", "expected an indented block")):
            error = self.error(data)
            self.assertEqual(error["kind"], "import")
            self.assertIn(text, error["text"].replace("'utf-8' codec can't decode",
                                                      "Non-UTF-8 code"))

    def test_an_error_in_a_module_of_the_adapter_names_this_module(self):
        source = "import os, sys\nhere = os.path.dirname(__file__)\nsys.path.append(here)\n" \
            "open(os.path.join(here, 'part.py'), 'w').write('a = 1\\nb c\\n')\nimport part\n"
        self.assertIn("part.py:2: ", self.error(source)["text"])

    def test_capabilities_that_are_no_list_of_words(self):
        for words in ('"generate"', "7", "(1,)", "None"):
            error = self.error(echo_with('capabilities = ("generate",)', "capabilities = " + words))
            self.assertEqual(error["kind"], "internal")
            self.assertIn("capabilities of the adapter is", error["text"])
        for word, function in (("submit", "submit"), ("profile", "start_profile")):
            error = self.error(echo_with('("generate",)', '("generate", "%s")' % word))
            self.assertIn("capability %s, but no function %s" % (word, function), error["text"])

    def test_a_capability_that_nobody_knows_is_a_warning(self):
        with Host(echo_with('("generate",)', '("generate", "beamsearch")')) as worker:
            worker.hello()
            worker.send_json(host.LOAD, {"options": {}})
            warning = worker.expect(host.LOG)
            self.assertEqual(warning["level"], "warning")
            self.assertIn("'beamsearch'", warning["text"])
            worker.expect(host.READY)

    def test_results_that_are_no_list(self):
        for code, text in (("return None", "results() of the adapter returned a NoneType"),
                           ("raise KeyError('x')", "KeyError: 'x'")):
            error = self.error(ECHO + "\n    def results(self, batch):\n        %s\n" % code)
            self.assertIn(text, error["text"])

    def test_an_exception_between_two_results_is_the_error_of_the_batch(self):
        late = echo_with("            output = {", '            if made == 1:\n'
                         '                raise OSError("disk")\n            output = {')
        error = self.error(late)
        self.assertEqual((error["kind"], error["text"]),
                         ("run", "%s: OSError: disk" % place_of(late, "raise OSError")))
        self.assertIn("raise OSError", error["trace"])

    def test_exceptions_that_are_no_subclass_of_exception(self):
        for raised, text in (("import asyncio; raise asyncio.CancelledError()", "CancelledError"),
                             ("raise GeneratorExit()", "GeneratorExit"),
                             ("raise BaseException('odd')", "BaseException: odd")):
            adapter = echo_with("        self.made = [0]", "        %s\n"
                                "        self.made = [0]" % raised)
            error = self.error(adapter)
            self.assertEqual((error["kind"], error["text"]),
                             ("run", "%s: %s" % (place_of(adapter, raised), text)))

    def test_a_cancel_of_the_adapter_that_raises_does_not_stop_the_worker(self):
        raises = echo_with("time.sleep(self.delay)", "batch.number == 1 and "
                           "batch.cancelled.wait()")
        raises += "\n    def cancel(self):\n        raise SystemExit('no')\n"
        with Host(raises) as worker:
            worker.ready()
            worker.start(TWO, BLOBS)
            worker.expect(host.BEGAN)
            worker.send(host.CANCEL)
            self.assertEqual(worker.rest()[host.ERROR][0]["kind"], "cancelled")
            self.assertEqual(len(results(worker.batch(TWO, BLOBS, number=2))), 2)
            self.assertIn("SystemExit: no", worker.said())

    def test_long_texts_are_cut(self):
        error = self.error(echo_with("self.delay = ", "raise RuntimeError('ä' * 100000)\n"
                                     "        self.delay = "))
        # A letter has two bytes, and none is cut in two.
        self.assertIn(len(error["text"].encode()), (64 * 1024 - 1, 64 * 1024))
        self.assertLessEqual(len(error["trace"].encode()), 64 * 1024)

    def test_a_child_that_returns_from_the_adapter_ends_and_says_nothing(self):
        # The parent ends its own batch in the usual way.
        forks = echo_with("        self.made = [0]", "        import os\n"
                          "        self.child = os.fork()\n        self.made = [0]")
        forks = forks.replace('{"tokens": made', '{"text": str(self.child), "tokens": made')
        with Host(forks) as worker:
            worker.ready()
            children = [int(r["outputs"][0]["text"]) for r in results(worker.batch(TWO, BLOBS))]
            self.assertEqual(len(results(worker.batch(TWO, BLOBS, number=2))), 2)
            self.assertEqual(worker.bye(), 0)
            self.assertTrue(gone(children[0]))


class Printing(unittest.TestCase):
    def said_with(self, code, **more):
        """The output of the worker if the adapter executes this code in run()."""
        prints = echo_with("        self.made = [0]", "        import ctypes, os\n        %s\n"
                           "        self.made = [0]" % code)
        with Host(prints, **more) as worker:
            worker.ready()
            self.assertEqual(len(results(worker.batch(TWO, BLOBS))), 2)
            self.assertEqual(worker.bye(), 0)
            with open(worker.output.name, "rb") as file:
                return file.read()

    def test_bytes_that_are_not_utf_8(self):
        self.assertEqual(self.said_with(r"os.write(1, b'\xff\xfe\n')"), b"\xff\xfe\n")
        self.assertEqual(self.said_with(r"print('\udcff')"), b"\\udcff\n")

    def test_a_library_in_c(self):
        self.assertEqual(self.said_with("c = ctypes.CDLL(None); c.puts(b'from C'); c.fflush(None)"),
                         b"from C\n")

    def test_any_locale(self):
        for locale in ({"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
                       {"PYTHONIOENCODING": "ascii:strict"}, {"PYTHONIOENCODING": "utf-16"}):
            self.assertEqual(self.said_with("print('ä')", **locale), "ä\n".encode())


class Surroundings(unittest.TestCase):
    def test_an_adapter_in_a_folder_with_any_name(self):
        for file in ("ä ö/adäpter.py", "\udcff/a.b.py", "a'\"\n\t.py"):
            with self.subTest(file), Host(ECHO, file=file) as worker:
                welcome = worker.hello()
                self.assertEqual(welcome["adapter"], os.path.basename(file)[:-3])
                worker.load()
                self.assertEqual(len(results(worker.batch(TWO, BLOBS))), 2)
            with self.subTest(file), Host("x = 1\n", file=file) as worker:
                worker.send_json(host.HELLO, {"protocol": 1, "host": "x"})
                self.assertIn("has no class Engine", worker.expect(host.ERROR)["text"])

    def test_flags_of_python(self):
        for flags in (["-I"], ["-S"], ["-I", "-S"], ["-E", "-s"], ["-O"], ["-W", "error"],
                      ["-X", "dev"], ["-u"]):
            with self.subTest(flags), Host(ECHO, flags=flags) as worker:
                worker.ready()
                self.assertEqual(len(results(worker.batch(TWO, BLOBS))), 2)
                self.assertEqual((worker.bye(), worker.said()), (0, ""))
        with Host("hf", flags=["-I"]) as worker:  # without the stand-in packages of PYTHONPATH
            worker.send_json(host.HELLO, {"protocol": 1, "host": "x"})
            kind, value = worker.receive()
            self.assertIn(kind, (host.ERROR, host.WELCOME))

    def test_a_package_with_the_name_of_an_adapter_is_found_by_this_name(self):
        with Host("vllm", PYTHONSAFEPATH="1") as worker:
            self.assertIn("stand-in", worker.hello()["engine"])

    def test_the_syntax_is_that_of_python_3_8(self):
        files = [host.WORKER] + glob.glob(os.path.join(FOLDER, "*/*.py"))
        self.assertGreater(len(files), 15)
        for path in files:
            with self.subTest(path), open(path, encoding="utf-8") as file:
                ast.parse(file.read(), path, feature_version=(3, 8))


class LargeBatches(unittest.TestCase):
    def test_a_hundred_thousand_items_and_results(self):
        peak = ECHO + "\n    def measures(self, batch):\n        import resource\n        most =" \
            " resource.getrusage(resource.RUSAGE_SELF).ru_maxrss\n        return [{'name': 'kib'," \
            " 'unit': '1', 'value': most}]\n"
        count = 100000
        part = [{"tokens": [0, 16], "output_tokens": 1}] * 1000
        with Host(peak) as worker:
            worker.ready()
            worker.send_json(host.RUN, {"run": 1, "mode": "generate", "count": count,
                                        "sampling": {}})
            for first in range(0, count, len(part)):
                worker.send(host.ITEMS, host.items_payload(part, bytes(16), first))
            worker.send(host.GO)
            seen = worker.rest()
            self.assertEqual(seen[host.DONE][0]["results"], count)
            self.assertEqual(len(host.events(seen)), count)
            # In KiB. Most of it are the items and the lists of this adapter.
            self.assertLess(seen[host.DONE][0]["measures"][0]["value"], 256 * 1024)

    def test_results_of_several_mebibytes_have_frames_of_their_own(self):
        large = echo_with('"tokens": made', '"text": "x" * (5 << 20), "tokens": made')
        with Host(large) as worker:
            worker.ready()
            seen = worker.batch(TWO, BLOBS)
            self.assertEqual([(part["first"], len(part["results"])) for part in seen[host.RESULTS]],
                             [(0, 1), (1, 1)])
            self.assertEqual([len(r["outputs"][0]["text"]) for r in results(seen)], [5 << 20] * 2)

    def test_a_result_that_no_frame_can_take_is_the_error_of_the_adapter(self):
        small = "import inferbench_worker.frames\ninferbench_worker.frames.MAX_PAYLOAD = 2000\n" + \
            echo_with('"tokens": made', '"text": "x" * 2000, "tokens": made')
        with Host(small) as worker:
            worker.ready()
            error = worker.batch(TWO, BLOBS)[host.ERROR][0]
            self.assertEqual(error["kind"], "internal")
            self.assertRegex(error["text"], r"^results\[0\] of the adapter has 2\d\d\d bytes; a"
                             " frame has at most 2000$")


if __name__ == "__main__":
    unittest.main()
