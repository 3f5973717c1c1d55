// Tests of engine_of(), which checks the table of an engine, and of codec_of() and is_engine().
#include <csignal>
#include <cstring>

#include <gtest/gtest.h>

#include "folder.hpp"
#include "plugin/instance.hpp"

namespace inferbench::plugin {
namespace {

using testing::KilledBySignal;

loaded found(const ifb_plugin& plugin) {
  loaded out;
  out.plugin = &plugin;
  return out;
}

/// A backend in this program instead of in a library.
template <const ifb_engine& table>
struct toy {
  static ifb_status create(const ifb_host*, const ifb_config*, ifb_instance** out, ifb_error*) {
    static int any = 0;
    *out = reinterpret_cast<ifb_instance*>(&any);
    return IFB_OK;
  }
  static void destroy(ifb_instance*) {}
  static const void* query(const ifb_plugin*, const char* id) {
    return std::strcmp(id, IFB_ENGINE) == 0 ? &table : nullptr;
  }
  static constexpr const char* interfaces[] = {IFB_ENGINE, nullptr};

  static const ifb_plugin& descriptor() {
    static const ifb_plugin out = [] {
      ifb_plugin p{};
      p.struct_size = sizeof p;
      p.kind = IFB_BACKEND;
      p.id = "toy";
      p.version = "1.0.0";
      p.create = &create;
      p.destroy = &destroy;
      p.interfaces = interfaces;
      p.query = &query;
      return p;
    }();
    return out;
  }
  static instance make(const services& shared) { return {found(descriptor()), {}, shared}; }
};

ifb_status submit(ifb_instance*, const ifb_sample*, ifb_arena*, const ifb_events*, ifb_output*,
                  ifb_call** out, ifb_error*) {
  *out = reinterpret_cast<ifb_call*>(out);
  return IFB_MORE;
}
void crash(ifb_call*) { ::raise(SIGSEGV); }
void release(ifb_call*) {}

constexpr ifb_engine good{sizeof(ifb_engine), IFB_ENGINE_BLOCKING, &submit, &crash, &release};
constexpr ifb_engine no_cancel{sizeof(ifb_engine), 0, &submit, nullptr, &release};
constexpr ifb_engine too_short{16, 0, &submit, &crash, &release};

TEST(engine_of, passes_calls_on_to_the_plugin) {
  const services none;
  const instance made = toy<good>::make(none);
  const engine ops = engine_of(made);
  EXPECT_TRUE(ops.blocks());
  EXPECT_EQ(ops.plugin, made.library().plugin);
  ifb_call* call = nullptr;
  ifb_error error = empty_error();
  EXPECT_EQ(ops.submit(made.get(), nullptr, nullptr, nullptr, nullptr, &call, &error), IFB_MORE);
  EXPECT_NE(call, nullptr);
  ops.release(call);
}

TEST(engine_of, refuses_a_table_without_a_required_function) {
  const services none;
  const instance missing = toy<no_cancel>::make(none);
  EXPECT_EQ(error_of([&] { (void)engine_of(missing); }),
            "backend toy offers inferbench.engine/1 without cancel; report it to the plugin's "
            "author");
  const instance short_one = toy<too_short>::make(none);
  EXPECT_EQ(error_of([&] { (void)engine_of(short_one); }),
            "backend toy offers inferbench.engine/1 with a struct_size of 16, less than the 32 of "
            "version 1.0; report it to the plugin's author");
}

void crash_inside_cancel() {
  report_crashes();
  const services none;
  const instance made = toy<good>::make(none);
  engine_of(made).cancel(nullptr);
}

TEST(engine_of, a_crash_names_the_call) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(crash_inside_cancel(), KilledBySignal(SIGSEGV),
              "crash inside backend toy 1.0.0, cancel\n");
}

TEST(is_engine, is_true_for_a_backend_with_an_engine_and_no_codec) {
  const auto offers = [](std::initializer_list<const char*> ids) {
    std::vector<const char*> list(ids);
    list.push_back(nullptr);
    ifb_plugin p{};
    p.interfaces = list.data();
    return is_engine(found(p));
  };
  EXPECT_TRUE(offers({IFB_ENGINE}));
  EXPECT_TRUE(offers({"acme.extra/1", IFB_ENGINE}));
  EXPECT_FALSE(offers({IFB_HTTP_CODEC}));
  EXPECT_FALSE(offers({IFB_ENGINE, IFB_HTTP_CODEC}));
  EXPECT_FALSE(offers({}));
}

TEST(codec_of, names_the_interfaces_that_a_backend_may_offer) {
  const services none;
  const instance made = toy<good>::make(none);
  EXPECT_EQ(error_of([&] { (void)codec_of(made); }),
            "backend toy offers inferbench.engine/1; this host speaks inferbench.http-codec/1 and "
            "inferbench.engine/1; use a build of the plugin that offers it");
}

}  // namespace
}  // namespace inferbench::plugin
