// Documentation pages that the program generates, and their statements about upstream's flags.
#include <algorithm>
#include <map>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/json.hpp"
#include "config/upstream_flags.hpp"
#include "program/cli/process.hpp"
#include "support/golden.hpp"

namespace inferbench::testing {
namespace {

using cells = std::vector<std::string>;

cells split(const std::string& line, const std::string& separator) {
  cells out;
  std::size_t from = 0;
  for (;;) {
    const auto at = line.find(separator, from);
    out.push_back(line.substr(from, at == std::string::npos ? at : at - from));
    if (at == std::string::npos) return out;
    from = at + separator.size();
  }
}

std::string page() { return inferbench({"docs", "configuration"}).out; }

struct flag_row {
  std::string key, type, value, help;
};

/// The rows of the page by flag.
std::map<std::string, flag_row> rows() {
  std::map<std::string, flag_row> out;
  std::istringstream in(page());
  for (std::string line; std::getline(in, line);) {
    if (!line.starts_with("| `")) continue;
    const cells c = split(line.substr(2, line.size() - 4), " | ");
    if (c.size() < 5) continue;
    for (const std::string& flag : split(c[1], ", ")) {
      if (!flag.starts_with("`--")) continue;
      const auto end = flag.find('`', 1);
      // A switch that sets another option is off by default, whatever the default of that option
      // is.
      const bool sets = flag.find(" (", end) != std::string::npos;
      out.try_emplace(flag.substr(3, end - 3),
                      flag_row{c[0].substr(1, c[0].size() - 2), sets ? "boolean" : c[2],
                               sets && !c[3].empty() ? "`false`" : c[3], c[4]});
    }
  }
  return out;
}

std::string upstream_type(const flag_row& row) {
  static const std::map<std::string, std::string> names{
      {"text", "str"},          {"path", "str"},
      {"integer", "int"},       {"number", "float"},
      {"boolean", "switch"},    {"JSON", "json"},
      {"list", "list"},         {"pairs", "list"},
      {"duration", "duration"}, {"comma list", "comma list"}};
  if (const auto at = names.find(row.type); at != names.end()) return at->second;
  if (row.type.starts_with("goals")) return "list";
  return row.type.starts_with("`") ? "choice" : row.type;
}

std::string upstream_default(const flag_row& row) {
  std::string out = row.value.empty() ? "none" : row.value.substr(1, row.value.size() - 2);
  if (out.starts_with('"') || out.starts_with('\'')) out = out.substr(1, out.size() - 2);
  if (upstream_type(row) == "switch" && out == "false") return "off";
  return out;
}

/// The page without the backend llama-cpp, which is not in every build.
std::string page_of_every_build() {
  std::string out = page();
  const auto begin = out.find("\n### backend `llama-cpp`");
  if (begin == std::string::npos) return out;
  return out.erase(begin, out.find("\n##", begin + 1) - begin);
}

TEST(docs, of_the_configuration_are_equal_to_the_programs_output) {
  support::expect_golden(page_of_every_build(), INFERBENCH_SOURCE "/docs/configuration.md");
}

TEST(docs, know_no_other_page) {
  EXPECT_EQ(inferbench({"docs"}).status, 2);
  EXPECT_EQ(inferbench({"docs", "philosophy"}).err,
            "inferbench: inferbench docs does not know philosophy; there is inferbench docs "
            "configuration\n");
}

TEST(docs, of_the_configuration_have_a_row_for_each_flag_that_help_lists) {
  const auto known = rows();
  std::istringstream help(inferbench({"serve", "--help=all"}).out);
  std::size_t count = 0;
  for (std::string line; std::getline(help, line);) {
    if (!line.starts_with("  --")) continue;
    const std::string name = line.substr(4, line.find(' ', 4) - 4);
    if (name == "help" || name == "print-config" || name == "reporter") continue;
    EXPECT_TRUE(known.contains(name)) << name;
    ++count;
  }
  EXPECT_GT(count, 100U);
}

TEST(upstream_flags, that_config_knows_are_the_flags_of_the_snapshot) {
  std::istringstream snapshot(read(fixture("cli/upstream_flags.tsv")));
  std::vector<std::string> names;
  for (std::string line; std::getline(snapshot, line);)
    if (!line.starts_with('#')) names.push_back(split(line, "\t")[0]);
  EXPECT_GT(names.size(), 100U);
  for (const std::string& name : names)
    EXPECT_TRUE(config::of_upstream(name)) << name;
  for (const auto& [name, row] : rows())
    EXPECT_EQ(config::of_upstream(name), std::ranges::find(names, name) != names.end()) << name;
}

TEST(upstream_flags, are_ours_by_name_type_and_default) {
  const auto known = rows();
  std::istringstream snapshot(read(fixture("cli/upstream_flags.tsv")));
  std::string found;
  for (std::string line; std::getline(snapshot, line);) {
    if (line.starts_with('#')) continue;
    const cells c = split(line, "\t");
    ASSERT_GE(c.size(), 3U) << line;
    const std::string head = "--" + c[0] + "\n  upstream    " + c[1] + ", " + c[2] + "\n";
    const auto at = known.find(c[0]);
    ASSERT_NE(at, known.end()) << c[0];
    const flag_row& row = at->second;
    found += head + "  inferbench  " + upstream_type(row) + ", " + upstream_default(row) +
             (c.size() > 3 ? "  (" + c[3] + ")" : "") + "\n  " + row.key + ": " + row.help + "\n";
    if (c.size() > 3) continue;
    EXPECT_EQ(upstream_type(row), c[1]) << c[0];
    EXPECT_EQ(upstream_default(row), c[2]) << c[0];
  }
  support::expect_golden(found, fixture("cli/upstream_flags.txt"));
}

TEST(compatibility, is_described_for_every_flag_of_upstream) {
  const std::string page = read(INFERBENCH_SOURCE "/docs/vllm-compatibility.md");
  std::istringstream snapshot(read(fixture("cli/upstream_flags.tsv")));
  for (std::string line; std::getline(snapshot, line);) {
    if (line.starts_with('#')) continue;
    EXPECT_THAT(page, ::testing::HasSubstr("`--" + split(line, "\t")[0] + "`"));
  }
}

TEST(compatibility, is_described_for_every_key_of_a_result) {
  const std::string page = read(INFERBENCH_SOURCE "/docs/vllm-compatibility.md");
  const folder where;
  simulator server({"--ttft", "1ms", "--itl", "0"});
  const finished end = inferbench(
      {"serve", "--base-url", server.url(), "--model", "m", "--tokenizer-mode", "bytes",
       "--num-prompts", "3", "--random-input-len", "9", "--random-output-len", "3", "--save-result",
       "--save-detailed", "--result-dir", where.path(), "--report-cached-tokens"});
  ASSERT_EQ(end.status, 0) << end.err;
  const std::string path = where.only(".json");
  const auto json = base::parse_json(read(path), path);
  for (const auto& member : json.GetObject()) {
    const std::string key = member.name.GetString();
    // The page describes the four statistics of each metric only once.
    if (key.find("_tpot_") != std::string::npos || key.find("_itl_") != std::string::npos) continue;
    EXPECT_THAT(page, ::testing::HasSubstr("`" + key + "`"));
  }
}

}  // namespace
}  // namespace inferbench::testing
