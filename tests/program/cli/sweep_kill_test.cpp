// A sweep that is killed at random moments by SIGKILL, which no program can handle.
#include <algorithm>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <random>
#include <string>
#include <thread>

#include <gtest/gtest.h>

#include "program/cli/process.hpp"
#include "program/cli/sweep_box.hpp"

namespace inferbench::testing {
namespace {

constexpr int kills = 20;
constexpr const char* killed_experiment = "killed";

std::ptrdiff_t printed_lines(const std::string& text) { return std::ranges::count(text, '\n'); }

/// Makes an experiment, and kills its sweeps.
class killer {
 public:
  killer(const sweep_box& box, std::ptrdiff_t lines, unsigned seed)
      : box_(box), lines_(lines), random_(seed) {}

  /// Starts or resumes the sweep, and kills it at a random moment. The number of printed lines says
  /// how far the sweep is, on a fast and on a slow machine. False if it ended before.
  bool kill_once() {
    process sweep(box_.arguments(killed_experiment, resume_flag()), 0, box_.through());
    const auto line = std::uniform_int_distribution<std::ptrdiff_t>(0, lines_ - 1)(random_);
    while (sweep.running() && printed_lines(sweep.out_so_far()) < line)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    std::this_thread::sleep_for(
        std::chrono::microseconds(std::uniform_int_distribution<>(0, 15'000)(random_)));
    if (!sweep.running()) return false;
    sweep.signal(SIGKILL);
    sweep.wait();
    return true;
  }

  finished finish() { return inferbench(box_.arguments(killed_experiment, resume_flag())); }

 private:
  [[nodiscard]] std::vector<std::string> resume_flag() const {
    if (std::filesystem::exists(box_.experiment(killed_experiment))) return {"--resume"};
    return {};
  }

  const sweep_box& box_;
  std::ptrdiff_t lines_;
  std::mt19937 random_;
};

TEST(killed_sweep, leaves_no_process_and_has_the_results_of_an_undisturbed_one_when_resumed) {
  const sweep_box box;
  const finished undisturbed = inferbench(box.arguments("undisturbed"));
  ASSERT_EQ(undisturbed.status, 0) << undisturbed.err;
  const auto expected = box.results("undisturbed");
  const unsigned seed = std::random_device()();
  killer killing(box, printed_lines(undisturbed.out), seed);
  for (int killed = 0; killed < kills;) {
    if (killing.kill_once()) {
      ++killed;
      box.await_no_process();
      if (killed < kills) continue;
    }
    // The sweep has ended, or was killed often enough.
    const finished end = killing.finish();
    ASSERT_EQ(end.status, 0) << end.err << "seed " << seed;
    ASSERT_EQ(box.results(killed_experiment), expected) << "seed " << seed;
    std::filesystem::remove_all(box.experiment(killed_experiment));
  }
}

}  // namespace
}  // namespace inferbench::testing
