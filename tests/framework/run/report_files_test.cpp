#include "run/report_files.hpp"

#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/output.hpp"
#include "base/text.hpp"
#include "support/temporary_folder.hpp"

namespace inferbench::run {
namespace {

namespace fs = std::filesystem;

// A reporter with the options `file`, `result-filename` and `append-result`.
class report_files_test : public ::testing::Test {
 protected:
  report_files_test() {
    for (std::size_t i = 0; i < options.size(); ++i) {
      options[i].struct_size = sizeof(ifb_option);
      options[i].name = names[i];
      options[i].flags = i == 0 ? 0 : IFB_OPT_GENERAL;
    }
    plugin.struct_size = sizeof plugin;
    plugin.kind = IFB_REPORTER;
    plugin.id = "r";
    plugin.options = options.data();
    plugin.option_count = static_cast<std::uint32_t>(options.size());
    plugin.option_stride = sizeof(ifb_option);
  }

  options::plugin_choice choice(const std::string& file, const std::string& result = {},
                                bool append = false) {
    options::plugin_choice out;
    out.library.plugin = &plugin;
    out.use = "r";
    out.values.resize(options.size());
    const auto set = [](options::option_value& value, const std::string& text) {
      value.is_set = !text.empty();
      value.text = text;
    };
    set(out.values[0], file);
    set(out.values[1], result);
    out.values[2].is_set = append;
    out.values[2].integer = append ? 1 : 0;
    return out;
  }

  std::string settled(options::plugin_choice one, const place_in_series& which = {}) {
    files.settle(one, "inferbench-now", which);
    return one.values[0].text;
  }

  static constexpr std::array names{"file", "result-filename", "append-result"};
  std::array<ifb_option, 3> options{};
  ifb_plugin plugin{};
  support::temporary_folder folder;
  report_files files;
};

TEST_F(report_files_test, the_placeholder_is_the_name_of_the_run) {
  EXPECT_EQ(settled(choice("out/{result}.csv")), "out/inferbench-now.csv");
  EXPECT_EQ(settled(choice("{result}", {}, true), {2, 3}), "inferbench-now");
  EXPECT_EQ(settled(choice("")), "");
}

TEST_F(report_files_test, a_name_is_numbered_where_the_run_is_one_of_several) {
  EXPECT_EQ(settled(choice("a/b.csv"), {2, 3}), "a/b-run2.csv");
  EXPECT_EQ(settled(choice("a/b.csv", {}, true), {2, 3}), "a/b.csv");
  EXPECT_EQ(settled(choice("a/b.csv")), "a/b.csv");
  options::plugin_choice both = choice("", "r.json");
  files.settle(both, "x", {2, 3});
  EXPECT_EQ(both.values[1].text, "r-run2.json");
}

TEST_F(report_files_test, an_option_of_the_reporters_own_also_keeps_all_runs_in_one_file) {
  options[2].flags = 0;
  EXPECT_EQ(settled(choice("a/b.db", {}, true), {2, 3}), "a/b.db");
  EXPECT_EQ(settled(choice("a/b.db"), {2, 3}), "a/b-run2.db");
}

TEST_F(report_files_test, the_folder_of_a_file_that_the_host_has_chosen_is_made) {
  (void)settled(choice(folder.path("new/a.csv")));
  EXPECT_TRUE(fs::is_directory(folder.path("new")));
}

TEST_F(report_files_test, the_folder_of_a_reporter_that_the_line_names_is_made) {
  options::plugin_choice one = choice(folder.path("new/a.csv"));
  one.values[0].where.file = "a.toml";
  (void)settled(one);
  EXPECT_FALSE(fs::exists(folder.path("new")));
  one.named = true;
  (void)settled(one);
  EXPECT_TRUE(fs::is_directory(folder.path("new")));
}

TEST_F(report_files_test, output_to_standard_output_is_printed_whole_and_leaves_no_file) {
  std::string first;
  {
    report_files own;
    options::plugin_choice one = choice("-");
    options::plugin_choice other = choice("-");
    options::plugin_choice failed = choice("-");
    for (options::plugin_choice* each : {&one, &other, &failed})
      own.settle(*each, "x", {2, 3});
    first = one.values[0].text;
    EXPECT_NE(first, other.values[0].text);
    std::ofstream(first) << "{}";
    std::ofstream(other.values[0].text) << "a\nb\n";
    const std::string path = folder.path("out");
    std::FILE* const stream = std::fopen(path.c_str(), "w");
    base::output to(stream);
    services::console out(to);
    out.artifact("result", first);
    out.artifact("page", "p.html");
    own.hide_from(out);
    out.print_artifacts();
    own.print(out);
    std::fclose(stream);
    EXPECT_EQ(base::read_file(path), "Saved page: p.html\n{}\na\nb\n");
  }
  EXPECT_FALSE(fs::exists(fs::path(first).parent_path()));
}

TEST_F(report_files_test, a_result_may_still_be_called_by_a_dash) {
  options::plugin_choice one = choice("", "-");
  files.settle(one, "x", {});
  EXPECT_EQ(one.values[1].text, "-");
}

}  // namespace
}  // namespace inferbench::run
