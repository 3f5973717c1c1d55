#include "plugin/breadcrumb.hpp"

#include <thread>

#include <gtest/gtest.h>
#include <signal.h>

#include "folder.hpp"
#include "plugin/instance.hpp"

namespace inferbench::plugin {
namespace {

using testing::KilledBySignal;

class crash_report : public testing::Test {
 protected:
  crash_report() { GTEST_FLAG_SET(death_test_style, "threadsafe"); }
};

ifb_plugin named(const char* id, const char* version) {
  ifb_plugin out{};
  out.kind = IFB_DATASET;
  out.id = id;
  out.version = version;
  return out;
}

void crash_inside_a_codec() {
  report_crashes();
  const services none;
  const instance made(load(IFB_BACKEND, fixture("good").string(), {}), {}, none);
  const codec ops = codec_of(made);
  ifb_exchange* exchange = nullptr;
  ifb_error error = empty_error();
  ops.open(made.get(), nullptr, nullptr, &exchange, &error);
  ops.on_message(exchange, nullptr, nullptr, nullptr, &error);
}

TEST_F(crash_report, names_plugin_and_call) {
  // The plugin was created without a log, so its line is dropped.
  EXPECT_EXIT(crash_inside_a_codec(), KilledBySignal(SIGSEGV),
              "inferbench: Segmentation fault: crash inside backend good 1.2.3, on_message\n");
}

TEST_F(crash_report, ends_with_the_advice_of_the_moment) {
  const ifb_plugin of = named("one", "1");
  EXPECT_EXIT(
      {
        report_crashes();
        const breadcrumb crumb(&of, "read");
        const parting_advice advice("inferbench report x shows it");
        ::raise(SIGABRT);
      },
      KilledBySignal(SIGABRT), "crash inside dataset one 1, read; inferbench report x shows it\n");
  EXPECT_EXIT(
      {
        report_crashes();
        {
          const parting_advice advice(std::string(10'000, 'x'));
        }
        const breadcrumb crumb(&of, "read");
        ::raise(SIGABRT);
      },
      KilledBySignal(SIGABRT), "crash inside dataset one 1, read\n");
}

TEST_F(crash_report, an_outer_call_is_named_again_after_an_inner_one) {
  const ifb_plugin outer = named("outer", "1");
  const ifb_plugin inner = named("inner", nullptr);
  EXPECT_EXIT(
      {
        report_crashes();
        const breadcrumb a(&outer, "prepare");
        {
          const breadcrumb b(&inner, "read");
        }
        ::raise(SIGABRT);
      },
      KilledBySignal(SIGABRT), "crash inside dataset outer 1, prepare\n");
  EXPECT_EXIT(
      {
        report_crashes();
        const breadcrumb a(&outer, "prepare");
        const breadcrumb b(&inner, "read");
        ::raise(SIGFPE);
      },
      KilledBySignal(SIGFPE), "crash inside dataset inner, read\n");
}

TEST_F(crash_report, names_only_the_call_of_the_crashing_thread) {
  const ifb_plugin one = named("one", "1");
  EXPECT_EXIT(
      {
        report_crashes();
        const breadcrumb a(&one, "prepare");
        std::thread([] { ::pthread_kill(::pthread_self(), SIGSEGV); }).join();
      },
      KilledBySignal(SIGSEGV), "crash outside of any plugin\n");
}

// Recurses with frames of 1 KiB. The addition prevents a tail call, which would need no new frame.
int deeper(std::size_t frames, volatile const int* above) {
  volatile int here[256] = {};
  here[0] = above == nullptr ? 0 : *above + 1;
  return frames == 0 ? 0 : deeper(frames - 1, here) + here[0];
}

TEST_F(crash_report, a_thread_that_ran_out_of_stack_still_says_where) {
  const ifb_plugin one = named("one", "1");
  EXPECT_EXIT(
      {
        report_crashes();
        std::thread([&] {
          const breadcrumb a(&one, "read");
          std::exit(deeper(SIZE_MAX, nullptr));
        }).join();
      },
      KilledBySignal(SIGSEGV), "crash inside dataset one 1, read\n");
}

TEST_F(crash_report, a_crash_while_loading_names_the_file) {
  EXPECT_EXIT(
      {
        report_crashes();
        (void)load(IFB_BACKEND, fixture("crashes").string(), {});
      },
      KilledBySignal(SIGSEGV), "crash inside plugin .*/crashes.so, while it is loaded\n");
}

TEST_F(crash_report, a_crash_of_the_entry_names_the_file_too) {
  EXPECT_EXIT(
      {
        report_crashes();
        (void)load(IFB_BACKEND, fixture("entry_crashes").string(), {});
      },
      KilledBySignal(SIGSEGV), "crash inside plugin .*/entry_crashes.so, while it is loaded\n");
}

}  // namespace
}  // namespace inferbench::plugin
