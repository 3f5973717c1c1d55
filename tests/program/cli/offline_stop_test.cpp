// Ctrl-C ends the engine's whole process group, also a child that an engine has on a GPU.
#include <chrono>
#include <csignal>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "program/cli/offline_box.hpp"

namespace inferbench::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class stopped_benchmarks : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!offline_box::is_here()) GTEST_SKIP() << "there is no python3";
  }
  /// Starts the benchmark, sends a signal when the engine is loaded, has a child and has got a
  /// batch or is about to get it, and waits for the end of all processes. `script`: members of the
  /// stand-in's script.
  finished stop(std::vector<std::string> args, const std::string& script, int number = SIGINT) {
    const std::string child = box.where.path("child");
    args.insert(args.end(), {"--output-json", box.where.path("out.json"),
                             "--python-engine-cancel-timeout", "100ms"});
    process running(offline_box::with_python(args), 0,
                    box.through("{\"child\": \"" + child + "\", " + script + "}"));
    while (running.running() && running.out_so_far().find("Warming up") == std::string::npos)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    EXPECT_FALSE(read(child).empty());
    EXPECT_TRUE(running.running());
    running.signal(number);
    const finished end = running.wait();
    box.await_no_process();
    EXPECT_FALSE(std::filesystem::exists(box.where.path("out.json")));
    return end;
  }

  const offline_box box;
};

TEST_F(stopped_benchmarks, leave_no_process_and_no_result_if_the_engine_hangs) {
  for (const auto& args :
       {offline_box::throughput({"--num-warmups", "1"}), offline_box::latency()}) {
    const finished end = stop(args, R"("hangs_in_step": 1)");
    EXPECT_EQ(end.status, 1) << end.err;
    EXPECT_THAT(end.err, HasSubstr("inferbench: "));
    EXPECT_THAT(end.out, Not(HasSubstr("latency:")));
    EXPECT_THAT(end.out, Not(HasSubstr("Throughput:")));
    std::filesystem::remove(box.where.path("child"));
  }
}

TEST_F(stopped_benchmarks, end_between_steps_of_an_engine_that_works) {
  const finished end =
      stop(offline_box::latency({"--output-len", "100000", "--max-model-len", "200000"}),
           R"("step_s": 0.005, "max_model_len": 200000)");
  EXPECT_EQ(end.status, 1) << end.err;
  EXPECT_THAT(end.out, Not(HasSubstr("Avg latency:")));
}

TEST_F(stopped_benchmarks, end_if_they_are_terminated) {
  EXPECT_EQ(stop(offline_box::latency(), R"("hangs_in_step": 0)", SIGTERM).status, 1);
}

TEST_F(stopped_benchmarks, leave_no_process_if_they_are_killed) {
  EXPECT_EQ(stop(offline_box::latency(), R"("hangs_in_step": 1)", SIGKILL).status, 128 + SIGKILL);
}

TEST_F(stopped_benchmarks, end_while_the_engine_loads) {
  process running(offline_box::with_python(offline_box::latency()), 0,
                  box.through(R"({"load_s": 600})"));
  // The first process is the program, the second the worker.
  while (running.running() && box.processes_left().size() < 2)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  running.signal(SIGINT);
  const finished end = running.wait();
  box.await_no_process();
  EXPECT_EQ(end.status, 1) << end.err;
  EXPECT_THAT(end.out, Not(HasSubstr("Warming up")));
}

}  // namespace
}  // namespace inferbench::testing
