#include "sweep/command.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>

#include <inferbench/text.hpp>

#include "base/error.hpp"
#include "base/text.hpp"
#include "pytext/python_text.hpp"

namespace inferbench::sweep {

namespace {

/// Splits by the rules of the shell's quoting (POSIX.1-2017, Shell Command Language, 2.2).
class word_splitter {
 public:
  word_splitter(std::string_view line, const std::string& flag) : line_(line), flag_(flag) {}

  std::vector<std::string> words() {
    while (at_ < line_.size()) {
      const char c = line_[at_++];
      switch (c) {
        case ' ':
        case '\t':
        case '\r':
        case '\n': finish(); break;
        case '\'': single_quoted(); break;
        case '"': double_quoted(); break;
        case '\\': escaped(); break;
        default: word() += c;
      }
    }
    finish();
    if (words_.empty())
      throw base::error("the command is empty", "give the program and its arguments", {flag_});
    if (words_.front().empty())
      throw base::error("the command begins with an empty word", "begin it with a program",
                        {flag_});
    return std::move(words_);
  }

 private:
  std::string& word() { return word_ ? *word_ : word_.emplace(); }

  void finish() {
    if (word_) words_.push_back(std::move(*word_));
    word_.reset();
  }

  void single_quoted() {
    const auto end = line_.find('\'', at_);
    if (end == std::string_view::npos) unclosed('\'');
    word() += line_.substr(at_, end - at_);
    at_ = end + 1;
  }

  void double_quoted() {
    word();
    for (; at_ < line_.size(); ++at_) {
      const char c = line_[at_];
      if (c == '"') {
        ++at_;
        return;
      }
      const char next = at_ + 1 < line_.size() ? line_[at_ + 1] : '\0';
      if (c == '\\' && (next == '"' || next == '\\')) {
        word() += next;
        ++at_;
      } else if (c == '\\' && next == '\n') {
        ++at_;
      } else {
        // Nothing is expanded here, so "\$" and "\`" keep the backslash, as in Python's
        // shlex.split().
        word() += c;
      }
    }
    unclosed('"');
  }

  void escaped() {
    if (at_ == line_.size())
      throw base::error("the command ends with a backslash", "remove it, or write \\\\", {flag_});
    const char c = line_[at_++];
    // shlex.split() makes a word of such a line break; a command that is continued on the next line
    // is meant.
    if (c != '\n') word() += c;
  }

  [[noreturn]] void unclosed(char quote) const {
    throw base::error(std::string("the quotation mark ") + quote + " is not closed",
                      "close it, or write \\" + std::string(1, quote), {flag_});
  }

  std::string_view line_;
  const std::string& flag_;
  std::size_t at_ = 0;
  std::optional<std::string> word_;  // the word that is being read
  std::vector<std::string> words_;
};

/// "--" and the key, with `from` as `to` in the part before the first dot.
std::string option_of(std::string_view key, char from, char to) {
  std::string out = "--" + std::string(key);
  const auto dot = std::min(out.find('.'), out.size());
  std::replace(out.begin() + 2, out.begin() + static_cast<std::ptrdiff_t>(dot), from, to);
  return out;
}

/// The tokens that say key and value.
std::vector<std::string> tokens_of(const std::string& key, const options::node& value) {
  using enum options::node::kind;
  const bool dotted = key.find('.') != std::string::npos;
  if (value.is(boolean) && dotted)
    return {option_of(key, '_', '-') + (value.boolean ? "=true" : "=false")};
  if (value.is(boolean)) return {option_of(value.boolean ? key : "no-" + key, '_', '-')};
  return {option_of(key, '_', '-'),
          value.is(table) ? pytext::python_json(value) : pytext::python_text(value)};
}

/// Whether the value of an option, of a key or of an environment variable with this name is secret.
bool names_secret(std::string_view name) {
  const std::string low = base::lower_case(name);
  const auto ends = [&low](std::string_view end) { return low.ends_with(end); };
  return ends("key") || ends("token") || ends("password") || ends("secret");
}

/// Whether a word is an option and not a value: -5 is a value.
bool is_option(std::string_view word) {
  return word.size() > 1 && word.front() == '-' && !base::parse_float(word);
}

}  // namespace

std::vector<std::string> split_words(std::string_view line, const std::string& flag) {
  return word_splitter(line, flag).words();
}

std::vector<std::string> applied(std::vector<std::string> command, const item& with) {
  for (std::size_t i = 0; i < with.table().items.size(); ++i) {
    const std::string& key = with.table().names[i];
    if (key == name_key) continue;
    std::vector<std::string> tokens = tokens_of(key, with.table().items[i]);
    auto place = command.end();
    for (const std::string& spelling :
         {option_of(key, '_', '-'), option_of(key, '-', '_'), "--" + key}) {
      place = std::ranges::find(command, spelling);
      if (place != command.end()) break;
    }
    for (std::string& token : tokens) {
      if (place == command.end()) {
        command.push_back(std::move(token));
        place = command.end();
      } else {
        *place++ = std::move(token);
      }
    }
  }
  return command;
}

std::vector<std::string> without_secrets(std::vector<std::string> command) {
  bool secret = false;  // the words up to the next option
  bool header = false;
  for (std::string& word : command) {
    std::size_t begin = 0;  // where the value begins
    if (is_option(word)) {
      const auto end = std::min(word.find('='), word.size());
      const std::string_view name = std::string_view(word).substr(0, end);
      secret = names_secret(name);
      header = name == "--header" || name == "--headers" || name == "-H";
      begin = std::min(end + 1, word.size());
    }
    const std::string_view value = std::string_view(word).substr(begin);
    // KEY=VALUE or KEY: VALUE; a header in any other form is cut as a whole.
    const auto mark = header ? value.find_first_of("=:") : value.find('=');
    const bool pair =
        mark != std::string_view::npos && (header || names_secret(value.substr(0, mark)));
    if (pair && !secret) begin += mark + 1;
    if ((secret || header || pair) && begin < word.size())
      word.replace(begin, std::string::npos, "(cut)");
    else
      word = ifb::without_password(word);
  }
  return command;
}

}  // namespace inferbench::sweep
