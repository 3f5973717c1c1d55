// A worker against scripted workers: scripted_worker.cpp has the scripts.
#include "engines/python-engine/worker.hpp"

#include <atomic>
#include <charconv>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include "engine_host.hpp"

namespace python_engine {
namespace {

using engine_test::engine_host;
using engine_test::failure_of;
using engine_test::text_batch;
using std::chrono::milliseconds;
using std::chrono::seconds;
using testing::AllOf;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::StartsWith;

class workers : public testing::Test {
 protected:
  static worker_settings settings(const std::string& script) {
    worker_settings out;
    out.command = {SCRIPTED_WORKER, "worker.py", script};
    out.limits = {seconds(60), seconds(60), seconds(60), seconds(60), seconds(60)};
    return out;
  }
  /// Everything from the start to the end of one batch.
  ifb::failure failure_with(const worker_settings& how) {
    return failure_of([&] {
      worker with(host_.host(), how);
      static_cast<void>(with.run(what_.batch, host_.arena()));
    });
  }
  ifb::failure failure_with(const std::string& script) { return failure_with(settings(script)); }
  std::string message_with(const std::string& script) { return failure_with(script).message(); }

  engine_host host_;
  text_batch what_{{"one", "two", "three"}};
};

TEST_F(workers, carry_out_batches_one_after_the_other) {
  worker with(host_.host(), settings("good"));
  EXPECT_EQ(with.about().engine, "scripted 1.0");
  EXPECT_EQ(with.load().max_model_len, 4096);
  EXPECT_GE(with.clock().bound_ns(), 0);
  EXPECT_EQ(with.clock().offset_ns(), 0) << "both processes read the same clock";
  for (int i = 0; i < 3; ++i) {
    const auto before = host_.host().now();
    const auto answer = with.run(what_.batch, host_.arena());
    const ifb_batch_report& report = answer->report();
    ASSERT_EQ(report.result_count, 3U);
    EXPECT_GE(report.began_ns, before);
    EXPECT_LE(report.began_ns + report.elapsed_ns, host_.host().now());
    EXPECT_EQ(report.results[2].outputs[0].tokens, 2);
    EXPECT_EQ(ifb::view(report.results[2].outputs[0].text), "a b");
    EXPECT_GE(report.results[1].first_token_ns, report.began_ns);
    ASSERT_EQ(report.measures.count, 1U);
    EXPECT_EQ(ifb::view(report.measures.first[0].name), "steps");
  }
}

TEST_F(workers, with_another_clock_are_tied_to_the_clock_of_the_host) {
  worker with(host_.host(), settings("other-clock"));
  with.load();
  EXPECT_GT(with.clock().offset_ns(), 4'900'000'000);
}

TEST_F(workers, get_environment_and_options) {
  worker_settings how = settings("options");
  how.environment = {"SCRIPTED_ENGINE=from the environment"};
  how.engine_options = R"({"max_model_len": 4096})";
  worker with(host_.host(), how);
  EXPECT_EQ(with.about().engine, "from the environment");
  EXPECT_EQ(with.load().max_model_len, 4096);
}

TEST_F(workers, may_print_and_log) {
  {
    worker with(host_.host(), settings("logs"));
    with.load();
  }
  EXPECT_THAT(host_.logged(), AllOf(HasSubstr("worker: to standard output\n"),
                                    HasSubstr("worker: from the adapter\n")));
}

TEST_F(workers, that_cannot_be_started_are_an_error_of_the_option) {
  worker_settings how = settings("good");
  how.command.front() = "no-such-python";
  const ifb::failure missing = failure_with(how);
  EXPECT_EQ(missing.code(), IFB_E_CONFIG);
  EXPECT_EQ(missing.option(), "python");
  EXPECT_EQ(missing.message(),
            "cannot start no-such-python: No such file or directory; --python names the Python in "
            "which the engine is installed");
  how.command.front() = "/etc/passwd";
  EXPECT_THAT(failure_with(how).message(),
              StartsWith("cannot start /etc/passwd: Permission denied; "));
}

TEST_F(workers, that_are_no_python_or_end_early_say_so) {
  const ifb::failure other = failure_with("exits");
  EXPECT_EQ(other.option(), "python");
  EXPECT_THAT(other.message(),
              AllOf(HasSubstr(") ended with exit status 0 while it started; --python must name an "
                              "interpreter of Python 3.8 or later in which the engine is "
                              "installed; it has printed nothing")));
  EXPECT_THAT(message_with("writes-and-exits"),
              AllOf(HasSubstr("exit status 1 while it started: SyntaxError: invalid syntax; "),
                    HasSubstr("; the last lines of its output:\nTraceback (most recent call last):"
                              "\nSyntaxError: invalid syntax")));
}

TEST_F(workers, without_a_package_name_it_and_the_command_that_installs_it) {
  const ifb::failure missing = failure_with("import");
  EXPECT_EQ(missing.code(), IFB_E_CONFIG);
  EXPECT_THAT(
      missing.message(),
      AllOf(HasSubstr(" does not have the package vllm: No module named 'vllm'; install it "),
            HasSubstr(" -m pip install vllm), or name another Python with --python")));
}

TEST_F(workers, that_violate_the_protocol_are_named_by_frame_and_field) {
  EXPECT_THAT(message_with("garbage"), StartsWith("the worker violates the protocol: frame 1 ("));
  EXPECT_THAT(message_with("too-long"),
              HasSubstr("frame 1 (welcome): the length 268435457 is above the limit of "));
  EXPECT_THAT(message_with("kind-of-host"),
              HasSubstr("frame 1 (hello): only the host sends this kind of frame"));
  EXPECT_THAT(message_with("version"),
              HasSubstr("frame 1 (welcome): protocol: the worker speaks "));
  EXPECT_THAT(message_with("wrong-type"), HasSubstr("frame 1 (welcome): pid: not an integer"));
  EXPECT_THAT(message_with("ready-first"),
              HasSubstr("frame 1 (ready): it is not allowed here; the host waits for welcome"));
  EXPECT_THAT(message_with("load-progress"), HasSubstr("(progress): done: greater than 2"));
  EXPECT_THAT(message_with("unknown-item"),
              HasSubstr("(tokens): events[0].item: 99, and the batch has 3 items"));
  const ifb::failure bad = failure_with("bad-result");
  EXPECT_EQ(bad.code(), IFB_E_PROTOCOL);
  EXPECT_THAT(bad.message(), HasSubstr("(results): results[1].prompt_tokens: not an integer"));
}

TEST_F(workers, that_cut_a_frame_are_named_by_it_unless_they_have_ended) {
  EXPECT_THAT(message_with("cut"), HasSubstr("ended with exit status 0 while it started"));
  EXPECT_THAT(message_with("cut-and-open"),
              HasSubstr("frame 1 (welcome): the socket ended after 5 of 100 bytes"));
  EXPECT_THAT(
      message_with("closes-socket"),
      StartsWith("the worker closed its socket in the middle of a batch without an error "));
}

TEST_F(workers, that_violate_the_protocol_in_the_words_of_a_cut_frame_are_named_by_it) {
  EXPECT_THAT(message_with("quotes-cut"),
              AllOf(StartsWith("the worker violates the protocol: frame 1 (log): "),
                    HasSubstr("the key \"the socket ended\" comes twice")));
}

TEST_F(workers, that_cannot_load_the_engine_say_why) {
  const ifb::failure option = failure_with("load-option");
  EXPECT_EQ(option.option(), "engine");
  EXPECT_EQ(option.message(), "the engine refuses the option max_model_len: not a number: 'x'");
  const ifb::failure memory = failure_with("load-memory");
  EXPECT_EQ(memory.code(), IFB_E_MEMORY);
  EXPECT_THAT(memory.message(), AllOf(StartsWith("out of memory while the engine was being loaded: "
                                                 "CUDA out of memory. Tried"),
                                      HasSubstr("give the engine less to hold")));
  EXPECT_THAT(
      message_with("load-killed"),
      HasSubstr("ended with signal 9 (Killed) while the engine was being loaded; the system "
                "does this when its memory is exhausted"));
}

TEST_F(workers, that_die_in_the_middle_are_one_error_with_their_last_lines) {
  EXPECT_THAT(message_with("dies-silently"), HasSubstr("exit status 7 in the middle of a batch"));
  EXPECT_THAT(message_with("dies"),
              AllOf(HasSubstr("ended with signal 15 (Terminated) in the middle of a batch: "
                              "RuntimeError: device lost"),
                    HasSubstr("; the last lines of its output:\nRuntimeError: device lost")));
}

TEST_F(workers, that_return_fewer_outputs_can_still_be_used) {
  worker with(host_.host(), settings("fewer"));
  for (int i = 0; i < 2; ++i)
    EXPECT_THAT(
        failure_of([&] { static_cast<void>(with.run(what_.batch, host_.arena())); }).message(),
        StartsWith("the engine returned 2 results for 3 prompts"));
}

TEST_F(workers, refuse_a_batch_and_can_still_be_used) {
  worker with(host_.host(), settings("unsupported"));
  for (int i = 0; i < 2; ++i) {
    const ifb::failure no =
        failure_of([&] { static_cast<void>(with.run(what_.batch, host_.arena())); });
    EXPECT_EQ(no.code(), IFB_E_UNSUPPORTED);
    EXPECT_EQ(no.message(), "the engine cannot do this: n > 1");
  }
}

TEST_F(workers, that_never_answer_are_killed_after_the_limit) {
  worker_settings how = settings("silent");
  how.limits.start = milliseconds(50);
  const ifb::failure start = failure_with(how);
  EXPECT_EQ(start.code(), IFB_E_TIMEOUT);
  EXPECT_THAT(start.message(),
              StartsWith("the worker has not sent the frame welcome within 0.05 s while it started "
                         "and was killed; if the engine needs longer, raise "
                         "--python-engine-start-timeout"));
  how = settings("load-silent");
  how.limits.load = milliseconds(50);
  EXPECT_THAT(failure_with(how).message(), HasSubstr("the frame ready within 0.05 s"));
  how = settings("batch-silent");
  how.limits.silence = milliseconds(50);
  EXPECT_THAT(failure_with(how).message(),
              // A slow worker may not even have sent the frame began.
              AllOf(ContainsRegex("the frame (began|ended) within 0.05 s in the middle of a batch"),
                    HasSubstr("--python-engine-silence-timeout")));
  how = settings("ignores-bye");
  how.limits.stop = milliseconds(50);
  EXPECT_EQ(failure_with(how).code(), IFB_OK);
}

TEST_F(workers, end_a_batch_that_is_cancelled) {
  worker with(host_.host(), settings("until-cancelled"));
  with.load();
  std::thread other([&] {
    while (host_.logged().find("running") == std::string::npos)
      std::this_thread::yield();
    with.cancel();
  });
  const ifb::failure stopped =
      failure_of([&] { static_cast<void>(with.run(what_.batch, host_.arena())); });
  other.join();
  EXPECT_EQ(stopped.code(), IFB_E_CANCELLED);
  EXPECT_EQ(stopped.message(), "the batch was cancelled");
}

TEST_F(workers, that_do_not_obey_a_cancel_are_killed) {
  worker_settings how = settings("batch-silent");
  how.limits.cancel = milliseconds(20);
  worker with(host_.host(), how);
  with.load();
  host_.stopping = true;
  for (int i = 0; i < 2; ++i) {
    const ifb::failure stopped =
        failure_of([&] { static_cast<void>(with.run(what_.batch, host_.arena())); });
    EXPECT_EQ(stopped.code(), IFB_E_CANCELLED);
  }
}

TEST_F(workers, that_do_not_read_a_large_batch_can_be_stopped) {
  const text_batch large({std::string(8U << 20U, 'x')});
  worker with(host_.host(), settings("never-reads"));
  with.load();
  host_.stopping = true;
  EXPECT_EQ(failure_of([&] { static_cast<void>(with.run(large.batch, host_.arena())); }).message(),
            "the run was stopped while the batch was being sent");
}

TEST_F(workers, that_do_not_read_a_large_batch_are_killed_after_the_limit) {
  const text_batch large({std::string(8U << 20U, 'x')});
  worker_settings how = settings("never-reads");
  how.limits.silence = milliseconds(50);
  worker with(host_.host(), how);
  const ifb::failure silent =
      failure_of([&] { static_cast<void>(with.run(large.batch, host_.arena())); });
  EXPECT_EQ(silent.code(), IFB_E_TIMEOUT);
  EXPECT_THAT(silent.message(), HasSubstr("the frame began within 0.05 s in the middle of a"));
}

TEST_F(workers, leave_no_process_behind) {
  pid_t grandchild = 0;
  {
    worker with(host_.host(), settings("children"));
    static_cast<void>(with.run(what_.batch, host_.arena()));
    std::string log = host_.logged();
    while (log.find("grandchild ") == std::string::npos)
      log = host_.logged();
    const char* const digits = log.data() + log.find("grandchild ") + 11;
    std::from_chars(digits, log.data() + log.size(), grandchild);
    ASSERT_GT(grandchild, 1);
    EXPECT_EQ(::kill(grandchild, 0), 0);
  }
  EXPECT_EQ(::kill(grandchild, 0), -1) << "it is in another session, and its parent has ended";
  EXPECT_EQ(errno, ESRCH);
}

TEST_F(workers, refuse_samples_that_the_protocol_cannot_express_before_they_send_any) {
  worker with(host_.host(), settings("good"));
  what_.sample(1).output_tokens = -1;
  EXPECT_EQ(failure_of([&] { static_cast<void>(with.run(what_.batch, host_.arena())); }).message(),
            "item 1: no length of the output is known");
  what_.sample(1).output_tokens = 2;
  what_.sample(2).shape = IFB_PROMPT_TEXTS;
  EXPECT_EQ(failure_of([&] { static_cast<void>(with.run(what_.batch, host_.arena())); }).message(),
            "item 2: an engine takes one prompt as text, token ids, content parts or messages");
  what_.sample(2).shape = IFB_PROMPT_TEXT;
  EXPECT_EQ(with.run(what_.batch, host_.arena())->report().result_count, 3U);
}

}  // namespace
}  // namespace python_engine
