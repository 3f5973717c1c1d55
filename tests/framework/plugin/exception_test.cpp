// Exceptions that leave a call of a plugin, against rule R7: the host reports plugin and call.
#include <stdexcept>
#include <string>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include "base/error.hpp"
#include "folder.hpp"
#include "plugin/instance.hpp"

namespace inferbench::plugin {
namespace {

using testing::ExitedWithCode;
using testing::KilledBySignal;

std::string_view where;  // the call that throws; set before the plugin is made

void boom(std::string_view call) {
  if (where == call) throw std::runtime_error("boo\nfrom " + std::string(call));
}

ifb_status prepare(ifb_instance*, const ifb_dataset_request*, ifb_dataset_info*, ifb_error*) {
  boom("prepare");
  return IFB_OK;
}
ifb_status read(ifb_instance*, std::uint64_t, ifb_arena*, ifb_sample*, ifb_error*) {
  if (where == "other") throw 7;
  boom("read");
  return IFB_OK;
}
constexpr ifb_dataset table{sizeof(ifb_dataset), 0, &prepare, &read};

ifb_plugin thrower() {
  ifb_plugin out{};
  out.struct_size = sizeof out;
  out.kind = IFB_DATASET;
  out.id = "thrower";
  out.version = "1.0.0";
  out.create = [](const ifb_host*, const ifb_config*, ifb_instance** made, ifb_error*) {
    boom("create");
    static int any = 0;
    *made = reinterpret_cast<ifb_instance*>(&any);
    return ifb_status{IFB_OK};
  };
  out.destroy = [](ifb_instance*) { boom("destroy"); };
  out.query = [](const ifb_plugin*, const char*) -> const void* {
    boom("query");
    return &table;
  };
  return out;
}
const ifb_plugin the_thrower = thrower();
const services none;

instance made() {
  return {loaded{.plugin = &the_thrower, .file = {}, .sha256 = {}, .sdk = {}}, {}, none};
}

std::string message(const std::string& call) {
  return "dataset thrower 1.0.0, " + call +
         ": an exception left the call, against rule R7: boo from " + call +
         "; report it to the plugin's author";
}

TEST(exception_of_a_plugin, names_the_call_on_the_main_thread) {
  where = "create";
  EXPECT_EQ(error_of([] { made(); }), message("create"));
  where = "query";
  EXPECT_EQ(error_of([] { (void)dataset_of(made()); }), message("query"));
  where = "prepare";
  ifb_dataset_info info{};
  EXPECT_EQ(error_of([&] {
              const instance one = made();
              (void)dataset_of(one).prepare(one.get(), nullptr, &info, nullptr);
            }),
            message("prepare"));
  where = "read";
  EXPECT_EQ(error_of([] {
              const instance one = made();
              (void)dataset_of(one).read(one.get(), 0, nullptr, nullptr, nullptr);
            }),
            message("read"));
  where = "other";
  EXPECT_THAT(error_of([] {
                const instance one = made();
                (void)dataset_of(one).read(one.get(), 0, nullptr, nullptr, nullptr);
              }),
              testing::HasSubstr("R7: an object that is not a std::exception"));
  where = "";
}

TEST(exception_of_a_plugin, names_a_plugin_without_a_version_by_its_id) {
  where = "create";
  ifb_plugin plain = thrower();
  plain.version = "";
  EXPECT_THAT(error_of([&] {
                const loaded one{.plugin = &plain, .file = {}, .sha256 = {}, .sdk = {}};
                (void)instance(one, {}, none);
              }),
              testing::StartsWith("dataset thrower, create: an exception left the call"));
  where = "";
}

class exception_of_a_plugin_death : public testing::Test {
 protected:
  exception_of_a_plugin_death() { GTEST_FLAG_SET(death_test_style, "threadsafe"); }
};

TEST_F(exception_of_a_plugin_death, ends_the_process_on_another_thread) {
  EXPECT_EXIT(
      {
        where = "read";
        report_crashes();
        const instance one = made();
        const dataset rows = dataset_of(one);
        std::thread([&] { (void)rows.read(one.get(), 0, nullptr, nullptr, nullptr); }).join();
      },
      KilledBySignal(SIGABRT),
      "Aborted: crash inside dataset thrower 1.0.0, read: an exception left the call, against rule "
      "R7: boo");
}

TEST_F(exception_of_a_plugin_death, ends_the_process_in_a_destructor) {
  EXPECT_EXIT(
      {
        where = "destroy";
        report_crashes();
        made();
      },
      KilledBySignal(SIGABRT), "crash inside dataset thrower 1.0.0, destroy: an exception left");
}

TEST_F(exception_of_a_plugin_death, does_not_cross_another_plugin) {
  EXPECT_EXIT(
      {
        where = "read";
        report_crashes();
        const instance one = made();
        const dataset rows = dataset_of(one);
        ifb_plugin outer{};
        outer.id = "outer";
        const breadcrumb crumb(&outer, "create");  // it asks a service of the thrower
        (void)rows.read(one.get(), 0, nullptr, nullptr, nullptr);
      },
      KilledBySignal(SIGABRT), "crash inside dataset thrower 1.0.0, read: an exception left");
}

// Before a run, Ctrl-C ends the process at once. The message names the call that has not returned.
TEST_F(exception_of_a_plugin_death, a_signal_names_the_call_that_the_main_thread_is_in) {
  EXPECT_EXIT(
      {
        report_crashes();
        const breadcrumb crumb(&the_thrower, "prepare");
        ::raise(SIGINT);
      },
      KilledBySignal(SIGINT), "inferbench: stopped inside dataset thrower 1.0.0, prepare\n");
  EXPECT_EXIT(
      {
        report_crashes();
        ::raise(SIGTERM);
      },
      KilledBySignal(SIGTERM), "^$");
  EXPECT_EXIT(
      {
        ::signal(SIGHUP, SIG_IGN);
        report_crashes();
        ::raise(SIGHUP);
        ::_exit(3);
      },
      ExitedWithCode(3), "");
}

}  // namespace
}  // namespace inferbench::plugin
