// Tests the section "What a change touches" of docs/architecture.md: only the row of a figure names
// the figure, only the folder of a traffic pattern names the pattern, and config reads every key.
// Code elsewhere that names them would have to change with them; layering_test.cpp has the test
// that only config names a key. The names come from the source text that defines them, so a new
// name is guarded as soon as it is there.
#include <algorithm>
#include <array>
#include <cstddef>
#include <filesystem>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "layering/sources.hpp"

namespace {

/// The files below `folder` with a line that `pattern` matches, relative to the source folder.
/// Each match contains one of `parts`; only lines with such a part are matched, because a regular
/// expression is slow.
std::set<std::string> files_with(const std::string& folder, const std::vector<std::string>& parts,
                                 const std::regex& pattern) {
  std::set<std::string> out;
  for (const std::filesystem::path& file : layering::sources_below(layering::root() / folder))
    for (const std::string& line : layering::lines_of(file))
      if (std::ranges::any_of(parts,
                              [&](const auto& part) { return line.find(part) != line.npos; }) &&
          std::regex_search(line, pattern))
        out.insert(std::filesystem::relative(file, layering::root()).string());
  return out;
}

/// The lines of a file below the source folder, each with its newline.
std::string whole_text(const std::filesystem::path& file) {
  std::string out;
  for (const std::string& line : layering::lines_of(layering::root() / file))
    out += line + "\n";
  return out;
}

/// The texts that the first group of `pattern` matches.
std::set<std::string> matches_of(const std::string& text, const std::regex& pattern) {
  std::set<std::string> out;
  for (std::sregex_iterator each(text.begin(), text.end(), pattern), end; each != end; ++each)
    out.insert((*each)[1]);
  return out;
}

/// "a|b|c" for a regular expression.
std::string alternatives(const std::set<std::string>& names) {
  std::string out;
  for (const std::string& each : names)
    out += (out.empty() ? "" : "|") + each;
  return out;
}

/// For each file of framework/ except the table of figures: the ids of figures that it names.
std::map<std::string, std::set<std::string>> figures_by_file() {
  const std::regex id(R"(\bmetric::([a-z]\w*))");
  std::map<std::string, std::set<std::string>> out;
  for (const std::filesystem::path& file : layering::sources_below(layering::root() / "framework"))
    for (const std::string& line : layering::lines_of(file))
      if (line.find("metric::") != line.npos)
        out[std::filesystem::relative(file, layering::root()).string()].merge(matches_of(line, id));
  std::erase_if(out, [](const auto& each) {
    return each.first.starts_with("framework/metrics/table.") || each.second.empty();
  });
  return out;
}

// A figure that no record contains is also named by the code that measures it. The other names are
// exceptions, with the figures for which the code exists.
TEST(changes, only_the_row_of_a_figure_names_the_figure) {
  const std::map<std::string, std::set<std::string>> exceptions{
      // The simulator knows the true values of these times.
      {"framework/calibration/findings.cpp", {"ttft", "itl", "e2el"}},
      // The times of starts have no rows in the table, so they have no number of a figure.
      {"framework/experiment/startup_figures.cpp", {"count"}},
      // The figures of the live view.
      {"framework/metrics/accumulator.cpp",
       {"duration", "completed", "failed", "request_throughput", "output_throughput", "ttft"}},
      // The notes on prompts without tokens, and on TTFT and the time of the first text.
      {"framework/metrics/report.cpp", {"total_input_tokens", "completed", "ttft", "ttft_text"}},
      // The latencies of each turn, which are those of vLLM's Rust client.
      {"framework/metrics/turns.cpp", {"ttft", "tpot", "e2el"}}};
  std::map<std::string, std::set<std::string>> found = figures_by_file();
  const std::set<std::string> measured = matches_of(
      whole_text("framework/metrics/table.cpp"), std::regex(R"(\bcontext_row\(\s*metric::(\w+))"));
  EXPECT_FALSE(measured.empty());
  for (const std::string& figure : measured) {
    std::size_t places = 0;
    for (auto& [file, named] : found)
      places += named.erase(figure);
    EXPECT_EQ(places, 1U) << figure << " is measured in one file";
  }
  std::erase_if(found, [](const auto& each) { return each.second.empty(); });
  EXPECT_EQ(found, exceptions);
}

// Upstream's patterns have flags of their own. The parser has the names of all other patterns.
TEST(changes, only_schedule_names_a_pattern_over_time) {
  const std::string header = whole_text("framework/schedule/pattern.hpp");
  constexpr std::array upstreams{"at_once", "constant", "ramp"};
  std::set<std::string> types = matches_of(header, std::regex(R"(\bstruct (\w+) \{)"));
  for (const char* each : upstreams)
    EXPECT_EQ(types.erase(each), 1U) << each;
  const std::set<std::string> names = matches_of(whole_text("framework/schedule/pattern_text.cpp"),
                                                 std::regex(R"~(\bkind == "([a-z-]+)")~"));
  const std::set<std::string> variant = matches_of(header, std::regex(R"(\bvariant<([^>]*)>)"));
  ASSERT_EQ(variant.size(), 1U);
  const auto patterns = 1 + static_cast<std::size_t>(std::ranges::count(*variant.begin(), ','));
  ASSERT_EQ(names.size(), patterns - upstreams.size()) << "names: " << alternatives(names);

  const std::string type = "(" + alternatives(types) + ")";
  const std::regex outside("\\bschedule::" + type + "\\b|\\bstd::(get|get_if|holds_alternative)<" +
                           type + ">");
  EXPECT_THAT(files_with("framework", {"schedule::", "std::get", "std::holds"}, outside),
              testing::IsEmpty());
  const std::vector<std::string> parts(types.begin(), types.end());
  for (const std::string& file :
       files_with("framework/schedule", parts, std::regex("\\b" + type + "\\b")))
    EXPECT_TRUE(file.starts_with("framework/schedule/pattern")) << file;
  // A literal with the name alone, or with the name before its parameters.
  const std::regex literal("\"(" + alternatives(names) + ")[\"\\\\:]");
  std::vector<std::string> begins;
  for (const std::string& each : names)
    begins.push_back('"' + each);
  for (const char* folder : {"framework", "plugins"})
    for (const std::string& file : files_with(folder, begins, literal))
      EXPECT_TRUE(file.starts_with("framework/schedule/pattern_text.")) << file;
}

/// A line without the comment at its end.
std::string without_comment(const std::string& line) {
  const auto at = line.find("// ");
  const bool is_comment = at == 0 || (at != line.npos && line[at - 1] == ' ');
  return is_comment ? line.substr(0, at) : line;
}

// A key that the plan builder forgets would be printed and documented, but have no effect. Keys
// that are handed on reach the plugin by their name. Some files name keys without taking a value to
// the plan: they refuse values, print them, or list keys.
TEST(changes, config_reads_every_key_that_it_declares) {
  const std::set<std::string> no_readers{"command_echo.cpp", "find_request.cpp",
                                         "flag_settings.cpp", "keys.cpp", "rules.cpp"};
  const std::regex declared(
      R"~(\.table = "([a-z]+)",\s*\.name = "([a-z0-9-]+)"|switched\(\s*"([a-z]+)",\s*"([a-z0-9-]+)")~");
  const std::regex handed_on(R"~(\b(handed_on|general)\()~");
  std::string keys;
  std::string readers;
  for (const char* folder : {"framework/config", "framework/options"})
    for (const std::filesystem::path& file : layering::sources_below(layering::root() / folder)) {
      const std::string name = file.filename().string();
      if (no_readers.contains(name)) continue;
      for (const std::string& line : layering::lines_of(file))
        (name.starts_with("keys_") ? keys : readers) += without_comment(line) + "\n";
    }
  std::size_t checked = 0;
  for (std::sregex_iterator m(keys.begin(), keys.end(), declared), end; m != end; ++m) {
    const std::size_t at = static_cast<std::size_t>(m->position());
    const std::string before =
        keys.substr(at - std::min<std::size_t>(at, 40), std::min<std::size_t>(at, 40));
    if (std::regex_search(before, handed_on)) continue;
    const std::string path =
        (*m)[1].matched ? (*m)[1].str() + "." + (*m)[2].str() : (*m)[3].str() + "." + (*m)[4].str();
    ++checked;
    // The flag has no effect, as in `vllm bench serve`; rules.cpp warns of it.
    if (path == "backend.use-beam-search") continue;
    EXPECT_NE(readers.find('"' + path + '"'), std::string::npos) << path;
  }
  EXPECT_GT(checked, 100U);
}

}  // namespace
