// Tests the option --live, which chooses the progress display on standard error, and the reporter
// that `--live screen` adds.
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "config/request.hpp"
#include "framework/config/fake_catalog.hpp"

namespace inferbench::config {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class live_of_serve : public testing::Test {
 protected:
  plan plan_of(std::vector<std::string> args) { return parse_serve(args, env_, plugins_).plan; }
  static std::vector<std::string> reporters_of(const plan& p) {
    std::vector<std::string> out;
    for (const options::plugin_choice& each : p.reporters)
      out.push_back(each.use);
    return out;
  }
  std::string complaint(std::vector<std::string> args) {
    return complaint_of([&] { (void)plan_of(std::move(args)); });
  }

 private:
  options::environment env_ = test_environment();
  fake_catalog plugins_;
};

TEST_F(live_of_serve, is_a_line_by_default_and_not_marked_as_asked_for) {
  const plan p = plan_of({});
  EXPECT_EQ(p.live.shown, live_display::view::line);
  EXPECT_FALSE(p.live.asked);
}

TEST_F(live_of_serve, is_the_display_that_the_flag_names) {
  EXPECT_EQ(plan_of({"--live", "none"}).live.shown, live_display::view::none);
  const plan p = plan_of({"--live", "line"});
  EXPECT_EQ(p.live.shown, live_display::view::line);
  EXPECT_TRUE(p.live.asked);
  EXPECT_THAT(complaint({"--live", "film"}), HasSubstr("screen"));
}

TEST_F(live_of_serve, with_the_value_screen_adds_the_screen_reporter_once) {
  const plan p = plan_of({"--live", "screen"});
  EXPECT_EQ(p.live.shown, live_display::view::screen);
  EXPECT_THAT(reporters_of(p), ElementsAre("console", "screen"));
  EXPECT_THAT(reporters_of(plan_of({"--live", "screen", "--reporter", "screen"})),
              ElementsAre("console", "screen"));
}

TEST_F(live_of_serve, is_none_with_disable_tqdm) {
  const plan p = plan_of({"--live", "screen", "--disable-tqdm"});
  EXPECT_EQ(p.live.shown, live_display::view::none);
  EXPECT_THAT(reporters_of(p), ElementsAre("console"));
}

}  // namespace
}  // namespace inferbench::config
