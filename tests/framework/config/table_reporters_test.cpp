#include "config/table_reporters.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "framework/config/fake_catalog.hpp"
#include "options/refusal.hpp"
#include "options/toml.hpp"

namespace inferbench::config {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// A reporter of several runs with the usual options: `file`, a folder, and others.
const void* sheet_query(const ifb_plugin*, const char* id) {
  static constexpr ifb_table_reporter table{
      sizeof(ifb_table_reporter), 0, nullptr, nullptr, nullptr, nullptr};
  return std::strcmp(id, IFB_TABLE_REPORTER_OPS) == 0 ? &table : nullptr;
}

class catalog_with_sheets final : public catalog {
 public:
  catalog_with_sheets() {
    const auto add = [&](const char* id, std::vector<ifb_option>& options) {
      ifb_plugin out{};
      out.struct_size = sizeof out;
      out.kind = IFB_REPORTER;
      out.id = id;
      out.version = "1.0.0";
      out.summary = "For tests.";
      out.license = "Apache-2.0";
      out.options = options.data();
      out.option_count = static_cast<std::uint32_t>(options.size());
      out.option_stride = sizeof(ifb_option);
      out.query = &sheet_query;
      plugins_.push_back(out);
    };
    add("sheet", sheet_);
    add("folder", folder_);
    add("bare", none_);
    add("strict", strict_);
  }
  void look_in(std::vector<std::filesystem::path> folders, bool allow_unsafe) override {
    rest_.look_in(std::move(folders), allow_unsafe);
  }
  plugin::loaded load(ifb_kind kind, std::string_view name, const plugin::pin& meant) override {
    for (const ifb_plugin& each : plugins_)
      if (kind == IFB_REPORTER && name == each.id) {
        pins.push_back(meant.sha256);
        plugin::loaded out;
        out.plugin = &each;
        out.file = "/plugins/" + std::string(name) + ".so";
        out.hides = hides;
        return out;
      }
    return rest_.load(kind, name, meant);
  }
  bool came_with_program(const plugin::loaded& one) override {
    return rest_.came_with_program(one);
  }
  bool installed(ifb_kind kind, std::string_view name) override {
    return rest_.installed(kind, name);
  }
  std::vector<plugin::described> list(const std::vector<std::string>& also) override {
    return rest_.list(also);
  }

  std::vector<std::string> pins;
  std::vector<std::filesystem::path> hides;

 private:
  using fake = fake_catalog;
  fake_catalog rest_;
  std::vector<ifb_option> sheet_{
      fake::option("file", IFB_PATH, "File to write.", "\"{result}.sheet\""),
      fake::option("wide", IFB_BOOL, "More columns.", "false")};
  std::vector<ifb_option> folder_{
      fake::general(fake::option("result-dir", IFB_PATH, "Folder.", nullptr)),
      fake::general(fake::option("result-filename", IFB_PATH, "File.", nullptr))};
  std::vector<ifb_option> none_;
  std::vector<ifb_option> strict_{
      fake::required(fake::option("target", IFB_STRING, "Address.", nullptr))};
  std::deque<ifb_plugin> plugins_;
};

class table_reporters_of : public testing::Test {
 protected:
  table_reporters read(const std::string& toml, const std::vector<std::string>& named = {}) {
    std::vector<options::node> entries;
    const options::node file = options::parse_toml(toml, "base.toml", env);
    if (const options::node* list = file.find("reporter")) entries = list->items;
    return read_table_reporters({named, entries, "results/night"}, env, plugins);
  }
  std::string complaint(const std::string& toml, const std::vector<std::string>& named = {}) {
    try {
      (void)read(toml, named);
    } catch (const options::usage_error& e) {
      return std::string("2: ") + e.what();
    } catch (const base::error& e) {
      return std::string("1: ") + e.what();
    }
    return "accepted";
  }
  static std::string text(const table_reporters& from, std::size_t index, const char* option) {
    const options::option_value* value = from.reporters.at(index).find(option);
    return value == nullptr ? "not set" : value->text;
  }

  options::environment env = test_environment();
  catalog_with_sheets plugins;
};

TEST_F(table_reporters_of, an_experiment_are_those_of_the_file_and_then_the_named) {
  const table_reporters found =
      read("[[reporter]]\nuse = 'sheet'\nwide = true\n[[reporter]]\nuse = 'bare'\n",
           {"folder", "sheet=~/x.sheet"});
  ASSERT_EQ(found.reporters.size(), 4U);
  EXPECT_EQ(found.reporters[0].use, "sheet");
  EXPECT_EQ(found.reporters[0].find("wide")->integer, 1);
  EXPECT_EQ(found.reporters[1].use, "bare");
  EXPECT_EQ(found.reporters[2].use, "folder");
  EXPECT_EQ(text(found, 3, "file"), "/home/me/x.sheet");
  EXPECT_EQ(found.reporters[3].find("wide")->integer, 0);
  EXPECT_THAT(found.warnings, IsEmpty());
  for (const options::plugin_choice& each : found.reporters)
    EXPECT_EQ(each.values.size(), each.library.options().size());
}

TEST_F(table_reporters_of, an_experiment_write_into_its_folder_unless_a_file_is_named) {
  EXPECT_EQ(text(read("", {"sheet"}), 0, "file"), "results/night/{result}.sheet");
  EXPECT_EQ(text(read("[[reporter]]\nuse = 'sheet'\n"), 0, "file"), "results/night/{result}.sheet");
  EXPECT_EQ(text(read("[[reporter]]\nuse = 'sheet'\nfile = 'a/b'\n"), 0, "file"), "a/b");
  EXPECT_EQ(text(read("", {"sheet=b"}), 0, "file"), "b");
  EXPECT_EQ(text(read("", {"sheet=-"}), 0, "file"), "-");
  EXPECT_EQ(text(read("", {"folder"}), 0, "result-dir"), "results/night");
  EXPECT_EQ(text(read("", {"folder"}), 0, "result-filename"), "not set");
  const table_reporters named = read("", {"folder=/x/y.f"});
  EXPECT_EQ(text(named, 0, "result-dir"), "not set");
  EXPECT_EQ(text(named, 0, "result-filename"), "/x/y.f");
}

TEST_F(table_reporters_of, an_experiment_may_be_one_build_only) {
  (void)read("[[reporter]]\nuse = 'bare'\nsha256 = 'abc'\n");
  EXPECT_THAT(plugins.pins, ElementsAre("abc"));
}

TEST_F(table_reporters_of, an_experiment_get_the_proxies_of_the_environment) {
  env.variables["HTTPS_PROXY"] = "http://p:1";
  (void)read("", {"bare"});
  EXPECT_TRUE(read("", {}).reporters.empty());
}

TEST_F(table_reporters_of, an_experiment_may_hide_other_builds_with_a_warning) {
  plugins.hides = {"/other/bare.so"};
  EXPECT_THAT(read("", {"bare"}).warnings,
              ElementsAre("reporter bare of /plugins/bare.so hides /other/bare.so"));
}

TEST_F(table_reporters_of, one_run_are_refused) {
  EXPECT_EQ(complaint("", {"json"}),
            "1: --reporter: reporter json shows one run, and not the runs of a sweep; use a "
            "reporter of several runs: console");
  EXPECT_THAT(complaint("[[reporter]]\nuse = 'json'\n"), HasSubstr("1: base.toml:2:7: reporter"));
}

TEST_F(table_reporters_of, wrong_entries_are_refused_with_their_place) {
  EXPECT_EQ(complaint("[[reporter]]\n"),
            "2: base.toml:1:1: the reporter has no name of a plugin; add use = \"NAME\"");
  EXPECT_THAT(complaint("[[reporter]]\nuse = 5\n"),
              HasSubstr("2: base.toml:2:7: the reporter has"));
  EXPECT_THAT(complaint("[[reporter]]\nuse = ''\n"), HasSubstr("2: base.toml:2:7: the reporter"));
  EXPECT_EQ(complaint("[[reporter]]\nuse = 'sheet'\nwied = true\n"),
            "2: base.toml:3:8: unknown key wied with reporter sheet; did you mean wide?");
  EXPECT_THAT(complaint("[[reporter]]\nuse = 'sheet'\nwide = 'x'\n"),
              HasSubstr("2: base.toml:3:8: reporter.wide: expected"));
  EXPECT_EQ(complaint("[[reporter]]\nuse = 'bare'\nsha256 = 5\n"),
            "2: base.toml:3:10: sha256 must be a text, not a whole number; copy it from inferbench "
            "plugin show");
  EXPECT_EQ(complaint("[[reporter]]\nuse = 'strict'\n"),
            "1: base.toml:1:1: reporter strict needs target; add target = ...");
}

TEST_F(table_reporters_of, wrong_names_are_refused) {
  EXPECT_EQ(complaint("", {"nobody"}),
            "1: --reporter: no reporter is called nobody (tried /plugins/nobody.so); build it");
  EXPECT_EQ(complaint("", {"sheet="}),
            "2: --reporter: expected NAME, NAME=FILE or NAME=-, not \"sheet=\"; for example "
            "--reporter json=result.json");
  EXPECT_THAT(complaint("", {"=x"}), HasSubstr("expected NAME, NAME=FILE or NAME=-"));
  EXPECT_EQ(complaint("", {"bare=x"}),
            "1: --reporter: reporter bare cannot be told to write to x: it has no option file; "
            "leave =x out");
  EXPECT_EQ(complaint("", {"strict"}),
            "1: --reporter: reporter strict needs target; name it in a file: [[sweep.reporter]]");
}

TEST_F(table_reporters_of, one_file_are_refused) {
  EXPECT_THAT(complaint("", {"sheet", "sheet"}), HasSubstr("reporter sheet would twice write"));
  EXPECT_THAT(complaint("[[reporter]]\nuse = 'sheet'\nfile = 'a'\n", {"sheet=./a"}),
              HasSubstr("reporter sheet would twice write"));
  EXPECT_EQ(complaint("", {"sheet=a", "sheet=b"}), "accepted");
}

TEST(reporters_with, lists_the_names_by_interface) {
  fake_catalog plugins;
  plugins.show_all();
  EXPECT_EQ(reporters_with(IFB_TABLE_REPORTER_OPS, plugins), "console, sides");
  EXPECT_EQ(reporters_with("inferbench.nothing/1", plugins), "");
}

}  // namespace
}  // namespace inferbench::config
