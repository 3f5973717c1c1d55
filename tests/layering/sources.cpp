#include "sources.hpp"

#include <algorithm>
#include <cctype>
#include <fstream>
#include <iterator>
#include <regex>
#include <sstream>
#include <tuple>

namespace layering {

namespace fs = std::filesystem;

namespace {

bool is_source(const fs::path& file) {
  const fs::path extension = file.extension();
  return extension == ".cpp" || extension == ".hpp" || extension == ".c" || extension == ".h";
}

template <typename iterator>
std::vector<fs::path> sources_of(iterator entries) {
  std::vector<fs::path> files;
  for (const auto& entry : entries)
    if (entry.is_regular_file() && is_source(entry.path())) files.push_back(entry.path());
  std::ranges::sort(files);
  return files;
}

std::string text_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return std::move(text).str();
}

bool is_capitals(std::string_view word) {
  return !word.empty() && std::isupper(static_cast<unsigned char>(word.front())) != 0 &&
         word.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") == word.npos;
}

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

bool is_name_part(std::string_view token) {
  return token == "::" || (!token.empty() && is_word(token.front()));
}

/// Splits C++ text into words and single punctuation marks ("::" is one token). Comments, literals
/// and preprocessor lines are left out.
std::vector<std::string> tokens_of(std::string_view text) {
  std::vector<std::string> tokens;
  bool line_begins = true;
  for (std::size_t i = 0; i < text.size();) {
    const char c = text[i];
    const std::string_view rest = text.substr(i);
    if (c == '\n') {
      line_begins = true;
      ++i;
    } else if (std::isspace(static_cast<unsigned char>(c)) != 0) {
      ++i;
    } else if (rest.starts_with("//")) {
      i = std::min(text.find('\n', i), text.size());
    } else if (rest.starts_with("/*")) {
      i = std::min(text.find("*/", i + 2), text.size() - 2) + 2;
    } else if (c == '#' && line_begins) {
      while (i < text.size() && text[i] != '\n')
        i += text[i] == '\\' ? 2U : 1U;
    } else if (rest.starts_with("R\"")) {
      const std::size_t open = text.find('(', i);
      const std::string close = ")" + std::string(text.substr(i + 2, open - i - 2)) + "\"";
      i = std::min(text.find(close, open), text.size() - close.size()) + close.size();
      line_begins = false;
    } else if (c == '"' || c == '\'') {
      for (++i; i < text.size() && text[i] != c; ++i)
        if (text[i] == '\\') ++i;
      ++i;
      line_begins = false;
    } else {
      std::size_t end = i + 1;
      // The apostrophe in 1'000 is part of the number.
      const bool number = std::isdigit(static_cast<unsigned char>(c)) != 0;
      if (is_word(c))
        while (end < text.size() && (is_word(text[end]) || (number && text[end] == '\'')))
          ++end;
      else if (rest.starts_with("::"))
        end = i + 2;
      tokens.emplace_back(text.substr(i, end - i));
      i = end;
      line_begins = false;
    }
  }
  return tokens;
}

/// Finds definitions of classes. Braces determine their scope.
class class_finder {
 public:
  class_finder(std::string_view text, const fs::path& file)
      : tokens_(tokens_of(text)), file_(file) {}

  std::vector<definition> find() {
    for (at_ = 0; at_ < tokens_.size(); ++at_) {
      const std::string& token = tokens_[at_];
      if (token == "namespace")
        open_namespace();
      else if (token == "class" || token == "struct" || token == "union" || token == "enum")
        open_class();
      else if (token == "template")
        skip_parameters();
      else if (token == "extern" && this->token(at_ + 1) == "{")  // the literal "C" is left out
        scopes_.push_back({"", true}), ++at_;
      else if (token == "{")
        scopes_.push_back({"", false});
      else if (token == "}" && !scopes_.empty())
        scopes_.pop_back();
    }
    return std::move(found_);
  }

 private:
  struct scope {
    std::string name;
    bool seen;  // its members are visible to other files if the outer scope is visible
  };

  [[nodiscard]] const std::string& token(std::size_t at) const {
    static const std::string none;
    return at < tokens_.size() ? tokens_[at] : none;
  }
  [[nodiscard]] std::string qualified(const std::string& name) const {
    std::string out;
    for (const scope& each : scopes_)
      if (!each.name.empty()) out.append(each.name).append("::");
    return out + name;
  }

  void open_namespace() {
    std::string name;
    std::size_t at = at_ + 1;
    while (is_name_part(token(at)))
      name += token(at++);
    if (token(at) != "{") return;  // an alias, or `using namespace`
    scopes_.push_back({name, !name.empty()});
    at_ = at;
  }

  /// Skips `template <...>`, because `class` in it declares a parameter.
  void skip_parameters() {
    if (token(at_ + 1) != "<") return;
    int depth = 0;
    do {
      ++at_;
      if (token(at_) == "<") ++depth;
      if (token(at_) == ">") --depth;
    } while (depth != 0 && at_ < tokens_.size());
  }

  void open_class() {
    std::size_t at = at_ + 1;
    if (token(at) == "class" || token(at) == "struct") ++at;  // enum class
    while (token(at) == "[" || token(at) == "alignas") {      // attributes
      const std::string close = token(at) == "[" ? "]" : ")";
      while (at < tokens_.size() && token(at) != close)
        ++at;
      while (token(at) == close)
        ++at;
    }
    std::string name;
    // The last of several words is the name; the words before it are macros.
    bool joined = false;
    for (; is_name_part(token(at)); ++at) {
      if (token(at) == "final") continue;
      if (token(at) != "::" && !joined) name.clear();
      joined = token(at) == "::";
      name += token(at);
    }
    const bool specialized = token(at) == "<";
    // Skip the base classes. With a semicolon or a parenthesis before it, no brace defines a class.
    while (at < tokens_.size() && token(at) != "{" && token(at) != ";" && token(at) != "(" &&
           token(at) != ")" && token(at) != "=")
      ++at;
    if (token(at) != "{") return;
    const bool seen = !name.empty() && !specialized &&
                      std::ranges::all_of(scopes_, [](const scope& each) { return each.seen; });
    if (seen) found_.push_back({qualified(name), file_});
    scopes_.push_back({name, seen});
    at_ = at;
  }

  std::vector<std::string> tokens_;
  const fs::path& file_;
  std::size_t at_ = 0;
  std::vector<scope> scopes_;
  std::vector<definition> found_;
};

}  // namespace

const fs::path& root() {
  static const fs::path folder = INFERBENCH_SOURCE;
  return folder;
}

std::vector<std::string> lines_of(const fs::path& file) {
  std::ifstream in(file);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);)
    lines.push_back(line);
  return lines;
}

std::vector<fs::path> sources_below(const fs::path& folder) {
  return sources_of(fs::recursive_directory_iterator(folder));
}

std::vector<fs::path> sources_in(const fs::path& folder) {
  return sources_of(fs::directory_iterator(folder));
}

std::vector<fs::path> linked_sources() {
  std::vector<fs::path> files;
  for (const char* folder : {"media", "figures", "sdk/include"})
    std::ranges::move(sources_below(root() / folder), std::back_inserter(files));
  return files;
}

std::vector<include> includes_of(const std::vector<fs::path>& files) {
  static const std::regex directive(R"(^\s*#\s*include\s*[<"]([^>"]+)[>"])");
  std::vector<include> found;
  for (const fs::path& file : files)
    for (const std::string& line : lines_of(file))
      // Few lines need the regular expression, which is slow.
      if (std::smatch m; line.find("include") != line.npos && std::regex_search(line, m, directive))
        found.push_back({fs::relative(file, root()), m[1]});
  return found;
}

std::vector<include> includes_below(const fs::path& folder) {
  return includes_of(sources_below(folder));
}

std::string first_part(const std::string& path) { return path.substr(0, path.find('/')); }

bool is_roundabout(const std::string& path) {
  return path.starts_with('/') || std::ranges::any_of(fs::path(path), [](const fs::path& part) {
           return part == "." || part == ".." || part == "framework" || part == "plugins";
         });
}

std::vector<std::string> cmake_call::values(std::string_view keyword) const {
  std::vector<std::string> out;
  auto at = std::ranges::find(arguments, keyword);
  if (at == arguments.end()) return out;
  for (++at; at != arguments.end() && !is_capitals(*at); ++at)
    out.push_back(*at);
  return out;
}

std::vector<cmake_call> calls_of(const fs::path& cmake_file, std::string_view function) {
  std::string text;
  for (const std::string& line : lines_of(cmake_file))
    text.append(line, 0, line.find('#')).append("\n");
  std::vector<cmake_call> calls;
  for (auto at = text.find(function); at != text.npos; at = text.find(function, at + 1)) {
    const std::size_t open = at + function.size();
    if (open >= text.size() || text[open] != '(' || (at != 0 && is_word(text[at - 1]))) continue;
    std::istringstream words(text.substr(open + 1, text.find(')', open) - open - 1));
    using word = std::istream_iterator<std::string>;
    calls.push_back({std::vector<std::string>(word(words), word())});
  }
  return calls;
}

std::vector<definition> definitions_in(std::string_view text, const fs::path& file) {
  return class_finder(text, file).find();
}

std::vector<definition> definitions_of(const std::vector<fs::path>& files) {
  std::vector<definition> found;
  for (const fs::path& file : files)
    std::ranges::move(definitions_in(text_of(file), fs::relative(file, root())),
                      std::back_inserter(found));
  return found;
}

std::vector<std::string> defined_twice(std::vector<definition> definitions) {
  std::ranges::sort(definitions, {},
                    [](const definition& each) { return std::tie(each.name, each.file); });
  std::vector<std::string> messages;
  for (std::size_t i = 1; i < definitions.size(); ++i) {
    const auto& [name, file] = definitions[i];
    const auto& [other_name, other] = definitions[i - 1];
    if (name == other_name && file != other)
      messages.push_back(name + " is defined in " + other.string() + " and in " + file.string());
  }
  return messages;
}

}  // namespace layering
