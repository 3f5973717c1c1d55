#include "startup/server_startup.hpp"

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.hpp"

namespace inferbench::startup {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

/// Starts nothing: the n-th start takes n seconds.
class scripted_start final : public repeatable_start {
 public:
  start_sample start(std::span<const std::string> environment) override {
    ++count;
    if (count == failing) throw base::error("out of memory", "use less", {"--x"});
    environments.emplace_back(environment.begin(), environment.end());
    for (const std::string& each : environments.back()) {
      const fs::path folder = each.substr(each.find('=') + 1);
      EXPECT_TRUE(fs::is_empty(folder));
      folders.push_back(folder.string());
      if (!filled.empty() && each.starts_with(filled)) std::ofstream(folder / "graph") << "x";
    }
    start_sample out;
    out.startup_s = count;
    if (compiles) out.compilation_s = count / 10.0;
    if (count == 5) out.encoder_s = 0.5;
    out.remarks = remarks;
    return out;
  }

  int count = 0, failing = 0;
  bool compiles = false;
  std::string filled;
  std::vector<std::string> remarks;
  std::vector<std::vector<std::string>> environments;
  std::vector<std::string> folders;
};

class flow_box {
 public:
  flow_box() {
    options.cold = 2;
    options.warmups = 1;
    options.warm = 3;
  }

  startup_outcome run() { return measure_startup(options, starts, console); }
  std::string refusal() {
    try {
      static_cast<void>(run());
    } catch (const base::error& e) {
      return e.what();
    }
    return "none";
  }

  offline::startup_options options;
  scripted_start starts;
  std::vector<std::string> warnings, steps;
  int stop_at = -1;
  int looks = 0;
  std::FILE* nowhere = std::fopen("/dev/null", "w");
  base::output out{nowhere};
  base::log log{base::log_level::info,
                [this](base::log_level, std::string_view line) { warnings.emplace_back(line); }};
  startup_console console{out, log,
                          [this] {
                            if (looks++ == stop_at) throw base::error("stopped");
                          },
                          [this](const char* label, std::size_t done, std::size_t all) {
                            steps.push_back(std::string(label) + " " + std::to_string(done) + "/" +
                                            std::to_string(all));
                          }};
};

TEST(server_startup, makes_cold_starts_then_fills_the_caches_then_makes_warm_starts) {
  flow_box box;
  const startup_outcome found = box.run();
  EXPECT_THAT(found.result.cold.startup, ElementsAre(1, 2));
  EXPECT_THAT(found.result.warm.startup, ElementsAre(4, 5, 6));
  EXPECT_THAT(found.result.warm.encoder, ElementsAre(0, 0.5, 0));
  EXPECT_THAT(found.cold, SizeIs(2));
  EXPECT_THAT(found.warm, SizeIs(3));
  EXPECT_THAT(box.steps, ElementsAre("Cold starts 0/2", "Cold starts 1/2", "Cold starts 2/2",
                                     "Warm-up starts 0/1", "Warm-up starts 1/1", "Warm starts 0/3",
                                     "Warm starts 1/3", "Warm starts 2/3", "Warm starts 3/3"));
}

TEST(server_startup, gives_each_cold_start_new_folders_and_removes_them) {
  flow_box box;
  box.options.cold_environment = {"XDG_CACHE_HOME"};
  const startup_outcome found = box.run();
  for (std::size_t i = 0; i < box.starts.environments.size(); ++i)
    EXPECT_THAT(box.starts.environments[i], SizeIs(i < 2 ? 4 : 0)) << i;
  ASSERT_THAT(box.starts.folders, SizeIs(8));
  EXPECT_NE(box.starts.folders[0], box.starts.folders[4]);
  for (const std::string& folder : box.starts.folders)
    EXPECT_FALSE(fs::exists(folder));
  EXPECT_THAT(found.variables, ElementsAre("VLLM_CACHE_ROOT", "TORCHINDUCTOR_CACHE_DIR",
                                           "TRITON_CACHE_DIR", "XDG_CACHE_HOME"));
}

TEST(server_startup, warns_if_no_cold_start_has_used_its_folders) {
  flow_box unused;
  EXPECT_THAT(unused.run().used, IsEmpty());
  ASSERT_THAT(unused.warnings, SizeIs(1));
  EXPECT_THAT(unused.warnings[0], HasSubstr("by --cold-env"));
  flow_box used;
  used.starts.filled = "TRITON_CACHE_DIR";
  EXPECT_THAT(used.run().used, ElementsAre("TRITON_CACHE_DIR"));
  EXPECT_THAT(used.warnings, IsEmpty());
}

TEST(server_startup, has_times_of_compilation_if_they_were_measured) {
  flow_box box;
  EXPECT_THAT(box.run().result.cold.compilation, IsEmpty());
  flow_box compiling;
  compiling.starts.compiles = true;
  EXPECT_THAT(compiling.run().result.cold.compilation, ElementsAre(0.1, 0.2));
}

TEST(server_startup, repeats_a_remark_once) {
  flow_box box;
  box.starts.filled = "TRITON_CACHE_DIR";
  box.starts.remarks = {"no first token", "killed"};
  static_cast<void>(box.run());
  EXPECT_THAT(box.warnings, ElementsAre("no first token", "killed"));
}

TEST(server_startup, ends_with_the_first_start_that_fails) {
  const std::pair<int, const char*> cases[] = {
      {2, "--x: cold start 2 of 2: out of memory; use less"},
      {3, "--x: warm-up start 1 of 1: out of memory; use less"},
      {6, "--x: warm start 3 of 3: out of memory; use less"}};
  for (const auto& [failing, text] : cases) {
    flow_box box;
    box.starts.failing = failing;
    EXPECT_EQ(box.refusal(), text);
    EXPECT_EQ(box.starts.count, failing);
    for (const std::string& folder : box.starts.folders)
      EXPECT_FALSE(fs::exists(folder));
  }
}

TEST(server_startup, ends_between_two_starts_when_the_user_stops_it) {
  flow_box box;
  box.stop_at = 1;
  EXPECT_EQ(box.refusal(), "stopped");
  EXPECT_EQ(box.starts.count, 1);
}

TEST(server_startup, starts_nothing_if_a_variable_has_no_valid_name) {
  flow_box box;
  box.options.cold_environment = {"A=b"};
  EXPECT_THAT(box.refusal(), HasSubstr("--cold-env: \"A=b\" is no name"));
  EXPECT_EQ(box.starts.count, 0);
}

TEST(server_startup, has_no_warm_up_if_none_is_wanted) {
  flow_box box;
  box.options.warmups = 0;
  EXPECT_THAT(box.run().result.warm.startup, ElementsAre(3, 4, 5));
}

}  // namespace
}  // namespace inferbench::startup
