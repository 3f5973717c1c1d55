// Tests a rule of CONTRIBUTING.md about comments and documents: no sentence begins with Of, Who,
// That or Whoever.
#include <filesystem>
#include <regex>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "layering/sources.hpp"

namespace {

namespace fs = std::filesystem;

/// The comment in a line of source, with the mark at its beginning; a line of a document as it is.
std::string prose_of(const fs::path& file, const std::string& line) {
  if (file.extension() == ".md") return line;
  for (const char* mark : {"//", "/*"})
    if (const auto at = line.find(mark); at != std::string::npos) return line.substr(at);
  // A later line of a comment in C begins with an asterisk.
  const auto at = line.find_first_not_of(' ');
  return at != std::string::npos && line.compare(at, 2, "* ") == 0 ? line.substr(at) : "";
}

std::vector<std::string> marked(const fs::path& file, const std::vector<std::string>& lines) {
  static const std::regex begins(R"(([.;:] +|^//[/!]? |^/?\* |^)(Of|Who|That|Whoever) [a-z])");
  std::vector<std::string> out;
  for (const std::string& line : lines) {
    const std::string prose = prose_of(file, line);
    if (std::regex_search(prose, begins) && prose.find('"') == std::string::npos)
      out.push_back(file.string() + ": " + line);
  }
  return out;
}

TEST(prose, no_sentence_begins_with_of_who_that_or_whoever) {
  std::vector<fs::path> files;
  for (const char* folder : {"figures", "framework", "media", "plugins", "sdk"})
    for (const fs::path& file : layering::sources_below(layering::root() / folder))
      files.push_back(file);
  for (const auto& entry : fs::recursive_directory_iterator(layering::root() / "sdk"))
    if (entry.path().extension() == ".rs") files.push_back(entry.path());
  for (const auto& entry : fs::directory_iterator(layering::root() / "docs"))
    if (entry.path().extension() == ".md") files.push_back(entry.path());
  files.push_back(layering::root() / "README.md");
  ASSERT_GT(files.size(), 500U);
  for (const fs::path& file : files)
    EXPECT_THAT(marked(fs::relative(file, layering::root()), layering::lines_of(file)),
                testing::IsEmpty());
}

TEST(prose, such_a_sentence_is_found_in_comments_and_documents_only) {
  EXPECT_EQ(marked("a.cpp", {"int a;  // Of several the last counts.", "// Who is late waits.",
                             "// The last counts. That is rare.", "Of(a);", "// Offsets in ns."})
                .size(),
            3U);
  EXPECT_EQ(marked("a.h", {"  /* Who is late waits. */", "   * Borrowed.  That is rare.", "int a;",
                           " * Offsets in ns; of the run."})
                .size(),
            2U);
  EXPECT_EQ(marked("a.md", {"That plugin is loaded.", "It is loaded."}).size(), 1U);
}

}  // namespace
