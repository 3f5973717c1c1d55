// Offline benchmarks of the real program, with the packages that stand in for vLLM, Transformers
// and SGLang (tests/fixtures/python) in this machine's python3.
#pragma once

#include <filesystem>
#include <regex>
#include <string>
#include <utility>
#include <vector>

#include "base/text.hpp"
#include "program/cli/marked_processes.hpp"
#include "program/cli/process.hpp"

namespace inferbench::testing {

class offline_box {
 public:
  static constexpr const char* python = "/usr/bin/python3";

  /// Without python3 there is nothing to test.
  [[nodiscard]] static bool is_here() { return std::filesystem::exists(python); }

  /// The words that start the program. `script`: of the stand-in vllm, see script.py. `variables`:
  /// "NAME=value". processes_left() finds the descendants.
  [[nodiscard]] std::vector<std::string> through(
      const std::string& script = "{}", const std::vector<std::string>& variables = {}) const {
    std::vector<std::string> out{"env", mark(), "PYTHONPATH=" + fixture("python"),
                                 "PYTHONDONTWRITEBYTECODE=1", "VLLM_STAND_IN=" + script};
    out.insert(out.end(), variables.begin(), variables.end());
    return out;
  }
  /// Runs the program with these arguments and --python.
  [[nodiscard]] finished run(std::vector<std::string> arguments, const std::string& script = "{}",
                             const std::vector<std::string>& variables = {}) const {
    return inferbench(with_python(std::move(arguments)), through(script, variables));
  }
  [[nodiscard]] static std::vector<std::string> with_python(std::vector<std::string> arguments) {
    arguments.insert(arguments.end(), {"--python", python});
    return arguments;
  }

  /// `inferbench throughput` with three random prompts of 8 tokens and outputs of 4.
  [[nodiscard]] static std::vector<std::string> throughput(
      const std::vector<std::string>& more = {}) {
    std::vector<std::string> out{
        "throughput", "--model",       "m", "--tokenizer-mode",   "bytes", "--dataset-name",
        "random",     "--num-prompts", "3", "--random-input-len", "8",     "--random-output-len",
        "4"};
    out.insert(out.end(), more.begin(), more.end());
    return out;
  }
  /// `inferbench latency` with a warm-up and two iterations of two prompts.
  [[nodiscard]] static std::vector<std::string> latency(const std::vector<std::string>& more = {}) {
    std::vector<std::string> out{"latency", "--model",     "m", "--batch-size",
                                 "2",       "--input-len", "8", "--output-len",
                                 "4",       "--num-iters", "2", "--num-iters-warmup",
                                 "1"};
    out.insert(out.end(), more.begin(), more.end());
    return out;
  }

  /// The text without times, which differ from run to run, and without places of this machine.
  [[nodiscard]] std::string steady(std::string text) const {
    text = replaced(std::move(text), base::shell_word(where.path("out.json")), "{folder}/out.json");
    text = replaced(std::move(text), where.path(), "{folder}");
    text = replaced(std::move(text), python, "{python}");
    const std::string number = "[0-9]+(\\.[0-9]+)?(e[-+][0-9]+)?";
    const auto cut = [&](const std::string& before, const std::string& what,
                         const std::string& behind) {
      text = std::regex_replace(text, std::regex(before + what + "(?=" + behind + ")"), "$1{time}");
    };
    cut("()", number, " (seconds|requests/s|total tokens/s|output tokens/s)");
    cut("(\"[a-z_]*(latency|time|per_second|_e2el_ms|[0-9]{2})\": )", number, "[,}\n]");
    cut("((?:^|\n)(?:Mean|Median|Std|P[0-9.]+) ) *", number, "\n");  // of the latencies of requests
    cut("(\n      [0-9.]+,\n      )", number, "\n");                 // and their percentiles
    cut("()", "[0-9]+\\.[0-9]{3,}(e[-+][0-9]+)?|[0-9]+(\\.[0-9]+)?e[-+][0-9]+", "");
    return std::regex_replace(text, std::regex("[0-9]{4}-[0-9]{2}-[0-9]{2}T[^\"]*"), "{date}");
  }

  /// The ids of the processes that descend from a process which was started with through().
  [[nodiscard]] std::vector<std::string> processes_left() const { return processes_with(mark()); }
  /// A killed process needs a moment to disappear.
  void await_no_process() const { await_no_process_with(mark()); }

  const folder where;

 private:
  [[nodiscard]] std::string mark() const { return "INFERBENCH_TEST_OFFLINE=" + where.path(); }
};

}  // namespace inferbench::testing
