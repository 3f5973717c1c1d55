// Tests what the user gets if a plugin breaks a rule of the contract on the main thread: an
// exception leaves a call, or a call does not return.
#include <chrono>
#include <csignal>
#include <filesystem>
#include <memory>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "program/cli/process.hpp"

namespace inferbench::testing {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::Not;

void pause_a_moment() { std::this_thread::sleep_for(std::chrono::milliseconds(5)); }

TEST(exception_of_a_plugin, is_told_with_the_plugin_and_the_call) {
  for (const std::string call : {"create", "query", "prepare", "read"}) {
    const finished end =
        inferbench({"dataset", "show", "--dataset-name", THROWING_DATASET, "--throwing-call", call,
                    "--tokenizer-mode", "bytes", "--num-prompts", "1"});
    EXPECT_NE(end.status, 0) << call;
    EXPECT_THAT(end.err,
                HasSubstr("dataset throwing 0.1.0, " + call +
                          ": an exception left the call, against rule R7: boo from " + call));
    EXPECT_THAT(end.err, Not(HasSubstr("unexpected")));
  }
}

TEST(exception_of_a_plugin, in_destroy_ends_the_process_like_a_crash) {
  const finished end =
      inferbench({"dataset", "show", "--dataset-name", THROWING_DATASET, "--throwing-call",
                  "destroy", "--tokenizer-mode", "bytes", "--num-prompts", "1"});
  EXPECT_EQ(end.status, 128 + SIGABRT);
  EXPECT_THAT(end.err, HasSubstr("inferbench: Aborted: crash inside dataset throwing 0.1.0, "
                                 "destroy: an exception left the call"));
}

// A run with a reporter whose call never returns.
class blocked_run {
 public:
  blocked_run(const simulator& server, const std::string& call)
      : run_({"serve",
              "--base-url",
              server.url(),
              "--tokenizer-mode",
              "bytes",
              "--dataset-name",
              "random",
              "--random-input-len",
              "4",
              "--random-output-len",
              "2",
              "--num-prompts",
              "2",
              "--disable-tqdm",
              "--reporter",
              BLOCKING_REPORTER,
              "--blocking-call",
              call,
              "--blocking-mark",
              mark()}) {}

  /// Waits until the call has begun.
  void wait_for_call() {
    while (run_.running() && !fs::exists(mark()))
      pause_a_moment();
    ASSERT_TRUE(run_.running()) << run_.err_so_far();
  }
  void wait_for(const std::string& line) {
    while (run_.running() && run_.err_so_far().find(line) == std::string::npos)
      pause_a_moment();
    ASSERT_TRUE(run_.running()) << run_.err_so_far();
  }
  process& program() { return run_; }

 private:
  [[nodiscard]] std::string mark() const { return where_.path("mark"); }

  folder where_;
  process run_;
};

TEST(blocked_call, is_named_after_a_signal_in_every_part_of_a_run) {
  const simulator server;
  blocked_run begin(server, "begin");
  blocked_run destroy(server, "destroy");
  for (blocked_run* one : {&begin, &destroy}) {
    one->wait_for_call();
    one->program().signal(SIGINT);
  }
  for (const auto& [one, call] : {std::pair(&begin, "begin"), std::pair(&destroy, "destroy")}) {
    one->wait_for("the run does not end yet: a thread is inside reporter blocking 0.1.0, " +
                  std::string(call) + "; the next signal ends the process at once\n");
    one->program().signal(SIGINT);
    EXPECT_EQ(one->program().wait().status, 128 + SIGINT);
  }
}

// Before the run, the first signal ends the process. It names the call at once.
TEST(blocked_call, is_named_by_the_signal_that_ends_the_set_up) {
  const simulator server;
  blocked_run create(server, "create");
  create.wait_for_call();
  create.program().signal(SIGINT);
  const finished end = create.program().wait();
  EXPECT_EQ(end.status, 128 + SIGINT);
  EXPECT_THAT(end.err, HasSubstr("stopped inside reporter blocking 0.1.0, create\n"));
}

TEST(blocked_call, is_named_while_a_library_is_loaded) {
  const std::string library = FAULTY_LIBRARIES "/hangs.so";
  process run({"serve", "--backend", library});
  const std::string maps = "/proc/" + std::to_string(run.pid()) + "/maps";
  while (run.running() && read(maps).find(library) == std::string::npos)
    pause_a_moment();
  run.signal(SIGTERM);
  const finished end = run.wait();
  EXPECT_EQ(end.status, 128 + SIGTERM);
  EXPECT_EQ(end.err, "inferbench: stopped inside plugin " + fs::canonical(library).string() +
                         ", while it is loaded\n");
}

}  // namespace
}  // namespace inferbench::testing
