#include "run/engine_load.hpp"

#include <atomic>
#include <csignal>
#include <functional>
#include <string>

#include <gtest/gtest.h>
#include <unistd.h>

#include "base/clock.hpp"
#include "base/error.hpp"
#include "framework/batch/batch_plugin.hpp"

namespace inferbench::run {
namespace {

using batch::engine_script;

/// An engine whose load is written in the test.
class engine_loading : public ::testing::Test {
 protected:
  engine_loading() {
    chosen_.use = "my-engine";
    chosen_.library.plugin = &plugin_;
    chosen_.library.file = "/plugins/my-engine.so";
    engine_script::now() = {};
    engine_script::now().load = [this](ifb_loaded_engine*, ifb_error* error) {
      ++loads_;
      return load_(error);
    };
    signals_.hold();
  }
  ~engine_loading() override { engine_script::now() = {}; }

  /// The error of load_engine(); empty if there is none.
  std::string refusal() {
    try {
      const auto made = chosen_.create({.clock = &clock_, .cancelled = &stopped_});
      load_engine(chosen_, *made, signals_, [this] {
        stopped_ = true;
        stopped_.notify_all();
      });
    } catch (const base::error& e) {
      return e.what();
    }
    return {};
  }

  const base::monotonic_clock clock_;
  ifb_plugin plugin_ = batch::scripted_plugin("my-engine");
  options::plugin_choice chosen_;
  interrupt signals_;
  std::atomic<bool> stopped_ = false;
  std::function<ifb_status(ifb_error*)> load_ = [](ifb_error*) { return IFB_OK; };
  int loads_ = 0;
};

TEST_F(engine_loading, happens_once) {
  EXPECT_EQ(refusal(), "");
  EXPECT_EQ(loads_, 1);
  EXPECT_EQ(engine_script::now().cancels, 0);
}

TEST_F(engine_loading, is_left_out_for_a_plugin_without_this_call) {
  static const char* const none[] = {nullptr};
  plugin_.interfaces = none;
  plugin_.query = [](const ifb_plugin*, const char*) -> const void* { return nullptr; };
  EXPECT_EQ(refusal(), "");
  EXPECT_EQ(loads_, 0);
}

TEST_F(engine_loading, that_fails_names_the_engine_and_the_reason) {
  load_ = [](ifb_error* error) { return batch::fail_with(error, IFB_E_REMOTE, "there is no GPU"); };
  EXPECT_EQ(refusal(), "engine my-engine: load: there is no GPU");
}

TEST_F(engine_loading, is_cancelled_if_the_user_stops_the_program) {
  load_ = [this](ifb_error* error) {
    EXPECT_EQ(::kill(::getpid(), SIGINT), 0);
    stopped_.wait(false);
    return batch::fail_with(error, IFB_E_CANCELLED, "cancelled");
  };
  EXPECT_EQ(refusal(), "stopped before the measurement began");
  EXPECT_EQ(engine_script::now().cancels, 1);
}

TEST_F(engine_loading, does_not_begin_after_a_signal) {
  ASSERT_EQ(::kill(::getpid(), SIGINT), 0);
  while (!signals_.came())
    ::usleep(1000);
  EXPECT_EQ(refusal(), "stopped before the measurement began");
  EXPECT_EQ(loads_, 0);
}

}  // namespace
}  // namespace inferbench::run
