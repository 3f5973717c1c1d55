// Plugins of kinds that a later version may add: drafts of a metric, a schedule, the life of a
// server and a scorer. This host lists them, skips them, and says so if a user asks for one of
// them.
#include <array>
#include <stdexcept>

#include <dlfcn.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fixtures/plugins/later_kinds/drafts.h"
#include "folder.hpp"
#include "plugin/host.hpp"
#include "plugin/instance.hpp"

namespace inferbench::plugin {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

fs::path drafts_file(const char* name = "later_kinds") {
  return fs::path(LATER_LIBRARIES) / (std::string(name) + ".so");
}

std::string refusal(const std::string& name, const search_path& search = {}) {
  return error_of([&] { (void)load(IFB_BACKEND, name, search); });
}

std::string of_kind(int kind) {
  return "needs plugin ABI " + std::to_string(IFB_ABI_MAJOR) + "." +
         std::to_string(IFB_ABI_MINOR + 1) + ": it is of kind " + std::to_string(kind) +
         ", which this host does not know";
}

class later_kinds : public folder_test {
 protected:
  static std::vector<std::string> ids(const std::vector<described>& all) {
    std::vector<std::string> out;
    for (const described& d : all)
      out.push_back(d.name);
    return out;
  }
  probe_command command{.words = {PLUGIN_PROBE}};
};

TEST_F(later_kinds, leave_the_other_plugins_of_their_library_usable) {
  const services none;
  const instance made(load(IFB_BACKEND, drafts_file().string(), {}), {}, none);
  EXPECT_EQ(made.library().id(), "plain");
  EXPECT_FALSE(engine_of(made).blocks());
}

TEST_F(later_kinds, are_described_as_skipped) {
  const auto all = describe_all(drafts_file(), false, command);
  EXPECT_THAT(ids(all), ElementsAre("plain", "answers", "steps", "local", "exact"));
  EXPECT_FALSE(all[0].later);
  for (std::size_t i = 1; i < all.size(); ++i) {
    EXPECT_TRUE(all[i].later);
    EXPECT_EQ(all[i].kind, DRAFT_METRIC + i - 1);
    EXPECT_EQ(all[i].trouble, of_kind(DRAFT_METRIC + static_cast<int>(i) - 1));
  }
  EXPECT_THAT(ids(describe(drafts_file(), false, command)), ElementsAre("plain"));
}

TEST_F(later_kinds, are_listed_after_the_plugins_that_can_be_used) {
  link(drafts_file(), "backends/later_kinds.so");
  link(drafts_file(), "backends/plain.so");
  const auto all = list(search, command);
  EXPECT_THAT(ids(all), ElementsAre("plain", "later_kinds:answers", "later_kinds:steps",
                                    "later_kinds:local", "later_kinds:exact"));
  EXPECT_EQ(all.back().found_at, root / "backends/later_kinds.so");
}

TEST_F(later_kinds, make_a_library_with_nothing_else_no_misplaced_file) {
  link(drafts_file("only_later"), "backends/only_later.so");
  const auto all = list(search, command);
  ASSERT_EQ(all.size(), 4U);
  EXPECT_TRUE(all.front().later);
  const auto described = describe(drafts_file("only_later"), false, command);
  ASSERT_EQ(described.size(), 1U);
  EXPECT_THAT(
      described.front().trouble,
      HasSubstr("holds no plugin that this host can use; answers " + of_kind(DRAFT_METRIC)));
}

TEST_F(later_kinds, are_refused_with_the_version_that_they_need) {
  EXPECT_THAT(refusal(drafts_file().string() + ":exact"),
              HasSubstr("plugin exact of " + fs::canonical(drafts_file()).string() + " " +
                        of_kind(DRAFT_GRADER) + "; use a later release of inferbench"));
  EXPECT_THAT(refusal(drafts_file("only_later").string()),
              HasSubstr("holds no backend; it holds answers, which " + of_kind(DRAFT_METRIC)));
}

// A host of a later version: it knows the kinds, and finds the raw descriptions.
class later_host : public testing::Test {
 protected:
  static const ifb_plugin& find(std::uint32_t kind) {
    void* const file = ::dlopen(drafts_file().c_str(), RTLD_NOW | RTLD_LOCAL);
    const auto entry = reinterpret_cast<ifb_entry>(::dlsym(file, IFB_ENTRY_NAME));
    const ifb_library* const content = entry(IFB_ABI_MAJOR, IFB_ABI_MINOR + 1);
    for (std::uint32_t i = 0; i < content->plugin_count; ++i)
      if (content->plugins[i]->kind == kind) return *content->plugins[i];
    throw std::runtime_error("the library has no such plugin");
  }

  /// Creates the plugin of the kind and returns its table.
  template <typename table>
  const table& make(std::uint32_t kind, const char* id) {
    const ifb_plugin& plugin = find(kind);
    const ifb_config config{sizeof(ifb_config), 0, nullptr, &plugin, drafts_file().c_str()};
    EXPECT_EQ(plugin.create(shown.table(), &config, &self, &error), IFB_OK);
    return *static_cast<const table*>(plugin.query(&plugin, id));
  }

  const services none;
  const host shown{none, "draft"};
  ifb_instance* self = nullptr;
  ifb_error error = empty_error();
};

TEST_F(later_host, gets_the_figures_of_a_metric) {
  const auto& metric = make<draft_metric>(DRAFT_METRIC, DRAFT_METRIC_OPS);
  std::array<ifb_record, 2> records{};
  records[0].output_tokens = 10;
  records[1].output_tokens = 30;
  ASSERT_EQ(metric.add(self, records.data(), records.size(), sizeof(ifb_record), &error), IFB_OK);
  ifb_snapshot figures{};
  figures.struct_size = sizeof figures;
  ASSERT_EQ(metric.figures(self, &figures, &error), IFB_OK);
  ASSERT_EQ(figures.metric_count, 1U);
  EXPECT_STREQ(figures.metrics[0].name, "tokens_per_answer");
  EXPECT_EQ(figures.metrics[0].value, 20);
}

TEST_F(later_host, gets_the_times_of_a_schedule) {
  const auto& schedule = make<draft_schedule>(DRAFT_SCHEDULE, DRAFT_SCHEDULE_OPS);
  draft_load load{};
  load.struct_size = sizeof load;
  load.number = 2;
  load.since_ns = 50'000'000;
  std::uint64_t due_ns = 0;
  ASSERT_EQ(schedule.next(self, &load, &due_ns, &error), IFB_OK);
  EXPECT_EQ(due_ns, 20'000'000U);
  load.in_flight = 2;
  ASSERT_EQ(schedule.next(self, &load, &due_ns, &error), IFB_OK);
  EXPECT_EQ(due_ns, 60'000'000U);
  load.number = 3;
  EXPECT_EQ(schedule.next(self, &load, &due_ns, &error), IFB_END);
}

TEST_F(later_host, starts_a_server_and_gets_its_address) {
  const auto& server = make<draft_server>(DRAFT_SERVER, DRAFT_SERVER_OPS);
  draft_server_state state{};
  state.struct_size = sizeof state;
  ASSERT_EQ(server.start(self, &error), IFB_OK);
  EXPECT_EQ(server.ready(self, &state, &error), IFB_MORE);
  ASSERT_EQ(server.ready(self, &state, &error), IFB_OK);
  EXPECT_EQ(view(state.base_url), "http://127.0.0.1:8000");
  EXPECT_EQ(server.stop(self, &error), IFB_OK);
}

TEST_F(later_host, gets_the_score_of_an_answer) {
  const auto& scorer = make<draft_grader>(DRAFT_GRADER, DRAFT_GRADER_OPS);
  ifb_sample sample = IFB_SAMPLE_INIT;
  ifb_record record{};
  record.struct_size = sizeof record;
  record.text = str("42");
  draft_score score{};
  score.struct_size = sizeof score;
  EXPECT_EQ(scorer.score(self, &sample, &record, &score, &error), IFB_E_DATA);
  const ifb_field expected{str("expected"), str("42")};
  sample.metadata = &expected;
  sample.metadata_count = 1;
  ASSERT_EQ(scorer.score(self, &sample, &record, &score, &error), IFB_OK);
  EXPECT_EQ(score.value, 1);
  record.text = str("41");
  ASSERT_EQ(scorer.score(self, &sample, &record, &score, &error), IFB_OK);
  EXPECT_EQ(score.value, 0);
}

}  // namespace
}  // namespace inferbench::plugin
