// Tests a rule of CONTRIBUTING.md about comments and documents: no sentence begins with one of the
// words Of, Who, That and Whoever.
#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <regex>
#include <string>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "layering/sources.hpp"

namespace {

namespace fs = std::filesystem;

/// The mark at the beginning of the comments of a file.
enum class comment_mark { none, slashes, hash, whole_line };

comment_mark mark_of(const fs::path& file) {
  const auto is_one_of = [](const std::string& text, const std::vector<std::string>& all) {
    return std::ranges::find(all, text) != all.end();
  };
  const std::string extension = file.extension();
  if (extension == ".md") return comment_mark::whole_line;
  if (is_one_of(extension, {".cpp", ".hpp", ".c", ".h", ".in", ".rs", ".js", ".mjs", ".css"}))
    return comment_mark::slashes;
  // Scripts have no extension.
  if (file.filename() == "CMakeLists.txt" || is_one_of(extension, {".cmake", ".py", ".sh", ""}))
    return comment_mark::hash;
  return comment_mark::none;
}

/// The comment in a line of code, with its mark; empty if there is none. A mark in a text literal
/// begins no comment.
std::string_view comment_in(std::string_view line, comment_mark mark) {
  const std::string_view code = line.substr(std::min(line.find_first_not_of(' '), line.size()));
  // A later line of a comment in C or JavaScript begins with an asterisk.
  if (mark == comment_mark::slashes && (code.starts_with("* ") || code.starts_with("*/")))
    return code;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    const char before = i == 0 ? ' ' : line[i - 1];
    const bool separates_digits =
        c == '\'' && std::isalnum(static_cast<unsigned char>(before)) != 0;
    if ((c == '"' || c == '\'' || c == '`') && !separates_digits) {
      std::size_t end = i + 1;
      while (end < line.size() && line[end] != c)
        end += line[end] == '\\' ? 2U : 1U;
      // A quotation mark without a second one is, for instance, part of a regular expression.
      if (end < line.size()) i = end;
    } else if (mark == comment_mark::hash) {
      if (c == '#' && before == ' ') return line.substr(i);
    } else if (line.substr(i).starts_with("//") || line.substr(i).starts_with("/*")) {
      return line.substr(i);
    }
  }
  return {};
}

/// The comments in a line, or the line itself in a document. `in_docstring`: whether the line
/// begins in a text of Python between three quotation marks, which counts as a comment; is set for
/// the next line.
std::vector<std::string> prose_in(const fs::path& file, std::string_view line, bool& in_docstring) {
  const comment_mark mark = mark_of(file);
  if (mark == comment_mark::whole_line) return {std::string(line)};
  if (file.extension() != ".py") return {std::string(comment_in(line, mark))};
  constexpr std::string_view quotes = "\"\"\"";
  std::vector<std::string> out;
  for (;; in_docstring = !in_docstring) {
    const std::size_t end = std::min(line.find(quotes), line.size());
    const std::string_view part = line.substr(0, end);
    out.emplace_back(in_docstring ? part : comment_in(part, mark));
    if (end == line.size()) return out;
    line.remove_prefix(end + quotes.size());
  }
}

/// The lines with a sentence that begins with one of the words. A line of a comment counts as the
/// beginning of a sentence.
std::vector<std::string> marked(const fs::path& file, const std::vector<std::string>& lines) {
  static constexpr std::array words{"Of", "Who", "That"};
  static const std::regex begins(
      R"re((^[^\w"'`]*|[.;:?!|][)"*]* +[(*]*)(Of|Who|That|Whoever)\b)re");
  std::vector<std::string> out;
  bool in_docstring = false;
  const bool is_python = file.extension() == ".py";
  for (const std::string& line : lines) {
    // The rest is slow, and few lines have one of the words. The lines of Python are all read,
    // because a text between quotation marks can have many lines.
    const bool has_word =
        std::ranges::any_of(words, [&](const char* word) { return line.find(word) != line.npos; });
    if (!has_word && !is_python) continue;
    for (const std::string& prose : prose_in(file, line, in_docstring))
      if (has_word && std::regex_search(prose, begins)) out.push_back(file.string() + ": " + line);
  }
  return out;
}

/// The files of the project that have comments or are documents.
std::vector<fs::path> files_with_prose() {
  std::vector<fs::path> out{layering::root() / ".ci/run", layering::root() / "CMakeLists.txt"};
  for (const char* name : {"CHANGELOG.md", "CONTRIBUTING.md", "README.md"})
    out.push_back(layering::root() / name);
  for (const char* folder : {"bench", "cmake", "docs", "figures", "framework", "media", "plugins",
                             "scripts", "sdk", "tests", "web"}) {
    const std::size_t before = out.size();
    for (fs::recursive_directory_iterator at(layering::root() / folder), end; at != end; ++at) {
      const fs::path name = at->path().filename();
      if (at->is_directory() && (name == "node_modules" || name == "__pycache__"))
        at.disable_recursion_pending();
      else if (at->is_regular_file() && mark_of(at->path()) != comment_mark::none)
        out.push_back(at->path());
    }
    EXPECT_GT(out.size(), before) << folder;
  }
  return out;
}

TEST(prose, no_sentence_begins_with_of_who_that_or_whoever) {
  const std::vector<fs::path> files = files_with_prose();
  ASSERT_GT(files.size(), 3000U);
  for (const fs::path& file : files)
    EXPECT_THAT(marked(fs::relative(file, layering::root()), layering::lines_of(file)),
                testing::IsEmpty());
}

TEST(prose, such_a_sentence_is_found_in_comments_and_documents_only) {
  EXPECT_EQ(
      marked("a.cpp", {"int a;  // Of several the last counts.", "// Who is late waits.",
                       "// The last \"one\" counts. That is rare.", "Of(a);", "// Offsets in ns.",
                       "f(\"// That is a text.\");", "f('\"', 1'000);  // Of 1,000 the first."})
          .size(),
      4U);
  EXPECT_EQ(marked("a.h", {"  /* Who is late waits. */", "   * Borrowed.  That is rare.", "int a;",
                           " * Offsets in ns; of the run."})
                .size(),
            2U);
  EXPECT_EQ(marked("a.js", {"/** Of a list. */", " * Whoever asks.",
                            "f('That', /'/);  // That is it.", "f('http://a. That is b');"})
                .size(),
            3U);
  EXPECT_EQ(marked("a.py", {"\"\"\"Of a list.", "That is rare.", "\"\"\"", "That = 1  # Who asks?",
                            "f(\"# That\")"})
                .size(),
            3U);
  EXPECT_EQ(
      marked("script", {"# Of a list.", "echo \"x. That is\" ${#a}", "a  # It ends. That is b."})
          .size(),
      2U);
  EXPECT_EQ(marked("CMakeLists.txt", {"f(a # That is b", "That()"}).size(), 1U);
  EXPECT_EQ(marked("a.md", {"That plugin is loaded.", "It is loaded.", "- **Of** a list",
                            "| a | That is b |", "It says \"That\" and `Of`."})
                .size(),
            3U);
  EXPECT_THAT(marked("a.txt", {"That is data."}), testing::SizeIs(0));
}

}  // namespace
