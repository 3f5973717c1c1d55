// Errors of users and engines: each is one line on standard error, without a result.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "program/cli/offline_box.hpp"

namespace inferbench::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

class offline_faults : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!offline_box::is_here()) GTEST_SKIP() << "there is no python3";
  }
  /// The exit status and the line of the error; the test fails if there is a result, or a process
  /// is left.
  std::string refusal(const std::vector<std::string>& args, const std::string& script = "{}") {
    return refusal_of(box.run(args, script));
  }
  std::string refusal_of(const finished& end) {
    EXPECT_THAT(end.out, Not(HasSubstr("Throughput:")));
    EXPECT_THAT(end.out, Not(HasSubstr("Avg latency:")));
    EXPECT_FALSE(std::filesystem::exists(box.where.path("out.json")));
    box.await_no_process();
    const std::size_t start = end.err.rfind("inferbench: ");
    const std::string line = start == std::string::npos ? end.err : end.err.substr(start + 12);
    EXPECT_EQ(line.find('\n'), line.size() - 1) << end.err;
    return "[" + std::to_string(end.status) + "] " +
           replaced(line.substr(0, line.size() - 1), box.where.path(), "{folder}");
  }
  /// The same for `inferbench throughput`.
  std::string throughput(const std::vector<std::string>& more, const std::string& script = "{}") {
    return refusal(offline_box::throughput(more), script);
  }

  const offline_box box;
};

TEST_F(offline_faults, of_flags_have_the_status_that_upstream_has) {
  EXPECT_EQ(throughput({"--backend", "nobody"}),
            "[2] --backend: \"nobody\" is not one of vllm, hf, mii, vllm-chat, vllm-async; choose "
            "one of them, or an installed engine; inferbench plugin list shows them");
  EXPECT_EQ(throughput({"--num-prompts", "many"}),
            "[2] --num-prompts: \"many\" is not a whole number");
  EXPECT_EQ(throughput({"--num-prompts", "0"}), "[1] --num-prompts: must be at least 1, not 0");
  EXPECT_THAT(throughput({"--prequeue-requests", "--async-engine"}),
              StartsWith("[1] --prequeue-requests: cannot be used with the asynchronous engine"));
  EXPECT_THAT(throughput({"--backend", "hf"}),
              StartsWith("[1] --backend: the engine hf needs the size of its largest batch"));
  EXPECT_EQ(throughput({"--hf-max-batch-size", "2"}),
            "[1] --hf-max-batch-size: is for the engine hf only");
  EXPECT_THAT(throughput({"--enable-lora"}), StartsWith("[1] --enable-lora: needs an adapter"));
  EXPECT_THAT(throughput({"--data-parallel-size", "2"}),
              StartsWith("[1] --data-parallel-size: more than 1 needs processes"));
  EXPECT_THAT(refusal({"mm-processor", "--dataset-name", "nothing"}),
              StartsWith("[2] --dataset-name: \"nothing\" is not one of "));
}

TEST_F(offline_faults, include_an_engine_that_upstream_has_removed) {
  EXPECT_EQ(throughput({"--backend", "mii"}),
            "[1] --backend: Unknown backend: mii; upstream has removed this engine; use another "
            "one");
}

TEST_F(offline_faults, include_a_backend_without_batches) {
  EXPECT_THAT(throughput({"--backend", "openai"}),
              StartsWith("[1] --backend: backend openai takes single requests only"));
}

TEST_F(offline_faults, of_the_interpreter_name_the_flag) {
  const auto with = [&](const std::string& python) {
    return refusal_of(inferbench(offline_box::throughput({"--python", python}), box.through()));
  };
  EXPECT_EQ(with("/no/such/python"),
            "[1] engine vllm: load: cannot start /no/such/python: No such file or directory; "
            "--python names the Python in which the engine is installed");
  EXPECT_THAT(with(box.where.write("file", "")), HasSubstr("--python"));
  EXPECT_EQ(with("/bin/true"),
            "[1] engine vllm: load: the worker (/bin/true) ended with exit status 0 while it "
            "started; --python must name an interpreter of Python 3.8 or later in which the engine "
            "is installed; it has printed nothing");
}

TEST_F(offline_faults, include_a_package_that_is_missing) {
  EXPECT_THAT(
      throughput({}, R"({"missing_package": true})"),
      AllOf(StartsWith("[1] engine vllm: load: the Python "),
            HasSubstr("does not have the package torch"), HasSubstr("-m pip install torch")));
}

TEST_F(offline_faults, of_the_start_of_the_engine_have_its_reason) {
  EXPECT_THAT(throughput({}, R"({"load_error": "RuntimeError", "text": "no GPU"})"),
              StartsWith("[1] engine vllm: load: the engine could not be loaded: RuntimeError: no "
                         "GPU"));
  EXPECT_THAT(throughput({}, R"({"load_error": "OutOfMemoryError", "text": "CUDA is full"})"),
              StartsWith("[1] engine vllm: load: out of memory while the engine was being loaded: "
                         "OutOfMemoryError: CUDA is full"));
  EXPECT_THAT(throughput({"--max-model-len", "4096"}),
              HasSubstr("User-specified max_model_len (4096) is greater"));
}

TEST_F(offline_faults, include_an_option_that_the_engine_does_not_have) {
  EXPECT_THAT(throughput({"--max-speed", "3"}),
              StartsWith("[1] engine vllm: load: the engine refuses the option max_speed: "));
}

TEST_F(offline_faults, include_an_engine_that_dies_in_the_middle_with_its_last_lines) {
  EXPECT_THAT(throughput({"--output-json", box.where.path("out.json")},
                         R"({"dies_in_step": 1, "prints": "a last word"})"),
              AllOf(StartsWith("[1] engine vllm: run: the worker "),
                    HasSubstr("ended with exit status 7 in the middle of a batch"),
                    HasSubstr("a last word")));
}

TEST_F(offline_faults, include_an_engine_that_raises_an_exception) {
  EXPECT_THAT(throughput({}, R"({"raises_in_step": 1})"),
              StartsWith("[1] engine vllm: run: the engine failed: RuntimeError: scripted"));
  EXPECT_THAT(refusal(offline_box::latency(), R"({"raises_in_step": 1})"),
              StartsWith("[1] engine vllm: run: the engine failed: RuntimeError: scripted"));
}

TEST_F(offline_faults, have_the_stack_trace_of_the_engine_if_its_output_is_shown) {
  const std::string raises = R"({"raises_in_step": 1})";
  const std::string trace = "worker: Traceback (most recent call last):";
  EXPECT_THAT(box.run(offline_box::throughput({"--python-engine-show-output"}), raises).err,
              HasSubstr(trace));
  EXPECT_THAT(box.run(offline_box::throughput({}), raises).err, Not(HasSubstr(trace)));
}

TEST_F(offline_faults, include_fewer_outputs_than_prompts) {
  EXPECT_EQ(throughput({"--output-json", box.where.path("out.json")}, R"({"fewer": 1})"),
            "[1] engine vllm: run: the engine returned 2 results for 3 prompts; the adapter must "
            "return one for each, in order");
}

TEST_F(offline_faults, include_an_engine_that_never_answers) {
  EXPECT_THAT(throughput({"--python-engine-silence-timeout", "100ms"},
                         R"({"hangs_in_step": 1, "child": ")" + box.where.path("child") + "\"}"),
              AllOf(StartsWith("[1] engine vllm: run: the worker has not sent the frame "),
                    HasSubstr("raise --python-engine-silence-timeout")));
}

TEST_F(offline_faults, do_not_include_an_engine_that_prints_on_stdout) {
  const finished end = box.run(offline_box::throughput(), R"({"prints": "{\"noise\": 1}"})");
  EXPECT_EQ(end.status, 0) << end.err;
  EXPECT_THAT(end.out, Not(HasSubstr("noise")));
  EXPECT_THAT(end.out, HasSubstr("Total num output tokens:  12\n"));
}

TEST_F(offline_faults, include_prompts_that_do_not_fit) {
  EXPECT_THAT(throughput({"--max-model-len", "11"}),
              StartsWith("[1] request 0 has 8 prompt tokens and 4 output tokens, but the engine "
                         "has room for 11"));
  EXPECT_THAT(refusal(offline_box::latency({"--max-model-len", "11"})),
              StartsWith("[1] the prompt of 8 tokens and the output of 4 tokens exceed"));
}

TEST_F(offline_faults, include_a_profile_without_a_profiler) {
  EXPECT_THAT(throughput({"--profile"}), StartsWith("[1] --profile: the engine has no profiler"));
  EXPECT_THAT(refusal(offline_box::latency({"--profile"})),
              StartsWith("[1] --profile: the engine has no profiler"));
}

TEST_F(offline_faults, of_places_for_results_are_known_before_the_engine_starts) {
  const std::string below = box.where.write("file", "") + "/out.json";
  const std::string child = R"({"child": ")" + box.where.path("child") + "\"}";
  EXPECT_THAT(throughput({"--output-json", below}, child),
              StartsWith("[1] --output-json: cannot write to {folder}/file/out.json"));
  EXPECT_THAT(throughput({"--journal", below}, child), StartsWith("[1] --journal: "));
  EXPECT_THAT(throughput({"--reporter", "nobody"}, child),
              StartsWith("[1] no reporter is called nobody"));
  EXPECT_FALSE(std::filesystem::exists(box.where.path("child")));
}

}  // namespace
}  // namespace inferbench::testing
