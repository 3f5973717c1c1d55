#include <algorithm>
#include <chrono>
#include <cmath>
#include <fstream>
#include <iterator>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "folder.hpp"
#include "plugin/probe.hpp"

namespace inferbench::plugin {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class listing : public folder_test {
 protected:
  std::vector<std::pair<std::string, std::string>> names() const {
    std::vector<std::pair<std::string, std::string>> out;
    for (const described& d : list(search, command))
      out.emplace_back(d.name, d.id);
    return out;
  }
  std::string trouble(const std::string& name) const {
    const auto all = describe(fixture(name), false, command);
    EXPECT_EQ(all.size(), 1U);
    return all.front().trouble;
  }

  /// The folder is that of the program's own plugins, whose libraries may share a child. The
  /// command also writes a line to a file for each child that is started.
  void count_children() {
    search.builtin = root;
    command.limit = std::chrono::minutes(1);
    command.words = {"/bin/sh", "-c", "echo >>\"$0\"; exec " PLUGIN_PROBE " \"$@\"", counted};
  }
  std::size_t children() const {
    std::ifstream in(counted);
    return static_cast<std::size_t>(
        std::count(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>(), '\n'));
  }

  std::string counted = (root / "children").string();
  probe_command command{.words = {PLUGIN_PROBE}};
};

TEST_F(listing, a_plugin_is_described_whole) {
  const auto all = describe(fixture("good"), false, command);
  ASSERT_EQ(all.size(), 1U);
  const described& good = all[0];
  EXPECT_EQ(good.trouble, "");
  EXPECT_EQ(good.kind, ifb_kind{IFB_BACKEND});
  EXPECT_EQ(good.name, "good");
  EXPECT_EQ(good.id, "good");
  EXPECT_EQ(good.version, "1.2.3");
  EXPECT_EQ(good.summary, "Does it right.");
  EXPECT_EQ(good.license, "Apache-2.0");
  EXPECT_EQ(good.sdk, "fixture");
  EXPECT_EQ(good.file, fs::canonical(fixture("good")));
  EXPECT_THAT(good.interfaces, ElementsAre(IFB_HTTP_CODEC));
  ASSERT_EQ(good.options.size(), 3U);
  EXPECT_EQ(good.options[0].name, "model");
  EXPECT_EQ(good.options[0].flags, unsigned{IFB_OPT_REQUIRED | IFB_OPT_GENERAL});
  EXPECT_EQ(good.options[0].value_name, "NAME");
  EXPECT_EQ(good.options[1].type, ifb_type{IFB_CHOICE});
  EXPECT_EQ(good.options[1].flag, "colour");
  EXPECT_EQ(good.options[1].fallback, "\"red\"");
  EXPECT_THAT(good.options[1].choices, ElementsAre("red", "green"));
  EXPECT_EQ(good.options[2].help, "A \"ratio\".");
  EXPECT_EQ(good.options[2].minimum, -1);
  EXPECT_EQ(good.options[2].maximum, 1.5);
}

TEST_F(listing, several_plugins_of_one_file_are_all_described) {
  const auto all = describe(fixture("two"), false, command);
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(all[0].id, "first");
  EXPECT_EQ(all[1].id, "second");
}

TEST_F(listing, names_include_the_names_of_links) {
  put("two", "backends/two.so");
  link("two.so", "backends/first.so");
  link("two.so", "backends/second.so");
  put("good", "backends/good.so");
  link("good.so", "backends/vllm.so");
  EXPECT_THAT(names(), ElementsAre(std::pair("first", "first"), std::pair("good", "good"),
                                   std::pair("second", "second"), std::pair("vllm", "good")));
}

TEST_F(listing, plugins_without_a_link_are_listed_with_their_id) {
  put("two", "backends/two.so");
  link("two.so", "backends/second.so");
  EXPECT_THAT(names(), ElementsAre(std::pair("second", "second"), std::pair("two:first", "first")));
}

TEST_F(listing, the_listing_goes_on_after_trouble) {
  put("crashes", "backends/a.so");
  put("good", "backends/good.so");
  put("good", "datasets/good.so");
  write("reporters/x.so", "garbage");
  const auto all = list(search, command);
  ASSERT_EQ(all.size(), 4U);
  EXPECT_EQ(all[0].name, "a");
  EXPECT_EQ(all[0].trouble, "died of Segmentation fault while loading");
  EXPECT_EQ(all[1].trouble, "");
  EXPECT_EQ(all[2].kind, ifb_kind{IFB_DATASET});
  EXPECT_EQ(all[2].trouble, "holds no dataset, but lies in datasets");
  EXPECT_EQ(all[3].name, "x");
  EXPECT_THAT(all[3].trouble, HasSubstr("is not a shared library"));
}

TEST_F(listing, a_child_describes_several_libraries) {
  count_children();
  for (int i = 0; i < 17; ++i)
    put("good", "backends/" + std::to_string(i) + ".so");
  const auto all = list(search, command);
  ASSERT_EQ(all.size(), 17U);
  for (const described& plugin : all) {
    EXPECT_EQ(plugin.trouble, "");
    EXPECT_EQ(plugin.name, plugin.file.stem().string() + ":good");
    EXPECT_EQ(plugin.file, plugin.found_at);
  }
  EXPECT_EQ(children(), 2U);
}

TEST_F(listing, libraries_that_did_not_come_with_the_program_have_a_child_each) {
  count_children();
  search.builtin = root / "elsewhere";
  put("good", "backends/a.so");
  put("good", "backends/b.so");
  EXPECT_EQ(list(search, command).size(), 2U);
  EXPECT_EQ(children(), 2U);
}

TEST_F(listing, trouble_belongs_to_the_library_that_has_it) {
  count_children();
  put("good", "backends/a.so");
  put("two", "backends/b.so");
  for (const char* bad : {"crashes", "exits", "aborts"}) {
    const fs::path file = put(bad, "backends/bad.so");
    const auto all = list(search, command);
    ASSERT_EQ(all.size(), 4U) << bad;
    EXPECT_EQ(all[0].trouble, "");
    EXPECT_EQ(all[1].name, "b:first");
    EXPECT_EQ(all[2].name, "b:second");
    EXPECT_EQ(all[3].name, "bad");
    EXPECT_EQ(all[3].trouble, trouble(bad)) << bad;
    fs::remove(file);
  }
  // A child for all three, a child for each of them, and the child of trouble().
  EXPECT_EQ(children(), 3U * (1 + 3 + 1));
}

TEST_F(listing, a_library_that_does_not_load_beside_others_is_described_alone) {
  count_children();
  put("good", "backends/a.so");
  put("unresolved", "backends/bad.so");
  const auto all = list(search, command);
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(all[0].id, "good");
  EXPECT_THAT(all[1].trouble, HasSubstr("undefined symbol"));
  EXPECT_EQ(children(), 2U);
}

TEST_F(listing, a_child_that_does_not_describe_each_library_is_not_believed) {
  search.builtin = root;
  put("good", "backends/a.so");
  put("good", "backends/b.so");
  const std::string line = to_json(describe(fixture("good"), false, command));
  write("line", line);
  for (const char* said : {"", "[]", "hello", "[]\n[]", "$line", "$line\n[]", "$line\n$line\n$line",
                           "$line\n$line\n"}) {
    command.words = {"/bin/sh", "-c",
                     "line=$(cat '" + (root / "line").string() +
                         "'); [ $# = 1 ] || { printf '%s\n' \"" + said +
                         "\"; exit; }; exec " PLUGIN_PROBE " \"$@\"",
                     "sh"};
    const auto all = list(search, command);
    ASSERT_EQ(all.size(), 2U) << said;
    EXPECT_EQ(all[0].name, "a:good") << said;
    EXPECT_EQ(all[1].file, root / "backends/b.so") << said;
  }
}

TEST_F(listing, the_place_of_a_link_is_kept) {
  put("two", "backends/two.so");
  link("two.so", "backends/first.so");
  const auto all = list(search, command);
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(all[0].found_at, root / "backends/first.so");
  EXPECT_EQ(all[0].file, root / "backends/two.so");
  EXPECT_EQ(all[1].found_at, root / "backends/two.so");
}

TEST_F(listing, a_plugin_that_needs_a_later_host_comes_last) {
  put("later", "backends/later.so");
  put("good", "backends/good.so");
  const auto all = list(search, command);
  ASSERT_EQ(all.size(), 3U);
  EXPECT_EQ(all[0].name, "good");
  EXPECT_EQ(all[1].name, "later:plain");
  EXPECT_EQ(all[1].trouble, "");
  EXPECT_EQ(all[2].name, "later:later");
  EXPECT_TRUE(all[2].later);
  EXPECT_THAT(all[2].trouble, HasSubstr("its option colour has type 11"));
  EXPECT_EQ(describe(fixture("later"), false, command).size(), 1U);
  EXPECT_EQ(describe_all(fixture("later"), false, command).size(), 2U);
}

TEST_F(listing, an_empty_search_path_lists_nothing) {
  search.folders = {root / "none"};
  EXPECT_THAT(list(search, command), IsEmpty());
}

TEST_F(listing, a_library_that_ends_the_process_is_found_out) {
  EXPECT_EQ(trouble("crashes"), "died of Segmentation fault while loading");
  EXPECT_EQ(trouble("exits"), "exited with status 3 while loading");
  EXPECT_EQ(trouble("aborts"), "died of Aborted while the process ended");
}

TEST_F(listing, a_library_that_hangs_is_stopped) {
  command.limit = std::chrono::milliseconds(300);
  EXPECT_EQ(trouble("hangs"), "still busy after 0.3 s of loading");
}

TEST_F(listing, output_of_a_library_does_not_mix_with_its_description) {
  EXPECT_EQ(trouble("talks"), "");
}

TEST_F(listing, errors_of_loading_are_passed_on) {
  EXPECT_THAT(trouble("unresolved"), HasSubstr("undefined symbol: a_function_that_nobody_has"));
  EXPECT_THAT(trouble("wrong_major"), HasSubstr("was built for plugin ABI 2.4"));
  EXPECT_THAT(trouble("no_entry"), HasSubstr("not an inferbench plugin"));
}

TEST_F(listing, invalid_output_of_the_child_is_not_taken_as_a_description) {
  const char* const garbage = "sent no valid description";
  for (const char* said : {"", "hello", "[", "{}", "[1]", "[{\"kind\": 1}]"}) {
    command.words = {"/bin/sh", "-c", "echo '" + std::string(said) + "'"};
    EXPECT_THAT(trouble("good"), HasSubstr(garbage)) << said;
  }
  command.words = {"/bin/true"};
  EXPECT_EQ(trouble("good"), "exited with status 0 while loading");
  command.words = {"/nowhere/probe"};
  EXPECT_THAT(trouble("good"), HasSubstr("cannot start /nowhere/probe"));
}

TEST(description, numbers_that_json_cannot_say_survive) {
  described plugin;
  plugin.options.emplace_back().minimum = -INFINITY;
  plugin.options.back().maximum = INFINITY;
  const auto back = from_json(to_json({plugin}), "x.so");
  ASSERT_EQ(back.size(), 1U);
  EXPECT_EQ(back[0].options[0].minimum, -INFINITY);
  EXPECT_EQ(back[0].options[0].maximum, INFINITY);
}

}  // namespace
}  // namespace inferbench::plugin
