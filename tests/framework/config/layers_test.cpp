#include "config/layers.hpp"

#include <gtest/gtest.h>

#include "framework/config/fake_catalog.hpp"
#include "support/temporary_folder.hpp"

namespace inferbench::config {
namespace {

class layers : public testing::Test {
 protected:
  /// Writes the texts to files a.toml, b.toml and so on, and reads them as layers.
  options::node read(const std::vector<std::string>& texts) {
    std::vector<std::string> paths;
    for (const std::string& text : texts) {
      const auto letter = static_cast<char>('a' + paths.size());
      paths.push_back(files.write(letter + std::string(".toml"), text));
    }
    return read_layers(paths, env);
  }
  std::string joined(const std::vector<std::string>& texts) { return to_json(read(texts)); }
  std::string complaint(const std::vector<std::string>& texts) {
    std::string out = complaint_of([&] { (void)read(texts); });
    if (out.starts_with(folder)) out.erase(0, folder.size());
    return out;
  }

  const support::temporary_folder files;
  const std::string folder = files.path() + "/";
  options::environment env = test_environment();
};

TEST_F(layers, a_later_file_replaces_values_and_keeps_the_rest) {
  EXPECT_EQ(joined({"[run]\nseed = 1\nlabel = 'a'\n",
                    "[run]\nseed = 2\n[load]\nmax-concurrency = 3\n", "[run]\nlabel = 'c'\n"}),
            R"({"run": {"seed": 2, "label": "c"}, "load": {"max-concurrency": 3}})");
}

TEST_F(layers, tables_inside_values_are_merged_and_lists_replaced) {
  EXPECT_EQ(joined({"[backend]\nextra-body = { a = 1, b = { c = 2, d = [1, 2] } }\n",
                    "[backend]\nextra-body = { b = { d = [3] }, e = 4 }\n"}),
            R"({"backend": {"extra-body": {"a": 1, "b": {"c": 2, "d": [3]}, "e": 4}}})");
}

TEST_F(layers, reporters_of_a_later_file_replace_those_of_the_earlier_files) {
  EXPECT_EQ(
      joined({"[[reporter]]\nuse = 'a'\n[[reporter]]\nuse = 'b'\n", "[[reporter]]\nuse = 'c'\n"}),
      R"({"reporter": [{"use": "c"}]})");
}

TEST_F(layers, extend_adds_reporters_to_those_of_the_earlier_files) {
  const std::string below = "[[reporter]]\nuse = 'a'\n";
  const std::string above = "[[reporter]]\nuse = 'b'\n[[reporter]]\nextend = true\nuse = 'c'\n";
  EXPECT_EQ(joined({below, above}), R"({"reporter": [{"use": "a"}, {"use": "b"}, {"use": "c"}]})");
  EXPECT_EQ(joined({below, "[run]\nseed = 1\n", above}),
            R"({"reporter": [{"use": "a"}, {"use": "b"}, {"use": "c"}], "run": {"seed": 1}})");
}

TEST_F(layers, extend_without_an_earlier_list_and_extend_false_change_nothing) {
  EXPECT_EQ(joined({"[[reporter]]\nextend = true\nuse = 'a'\n"}),
            R"({"reporter": [{"use": "a"}]})");
  EXPECT_EQ(joined({"[[reporter]]\nuse = 'a'\n", "[[reporter]]\nextend = false\nuse = 'b'\n"}),
            R"({"reporter": [{"use": "b"}]})");
}

TEST_F(layers, each_value_keeps_its_file_and_line) {
  const options::node both = read({"[run]\nseed = 1\n", "[run]\n\nlabel = 'a'\n"});
  EXPECT_EQ(both.find("run")->find("seed")->where.file, folder + "a.toml");
  EXPECT_EQ(both.find("run")->find("label")->where.file, folder + "b.toml");
  EXPECT_EQ(both.find("run")->find("label")->where.line, 3U);
}

TEST_F(layers, a_fault_is_reported_with_its_own_file) {
  EXPECT_EQ(complaint({"", "[serve]\n"}), "b.toml:1:1: unknown table serve; did you mean server?");
  EXPECT_EQ(
      complaint({"", "[[reporter]]\nextend = 'yes'\nuse = 'a'\n"}),
      "b.toml:2:10: reporter.extend must be true or false, not a text; write extend = true to "
      "keep the reporters of the earlier files");
}

}  // namespace
}  // namespace inferbench::config
