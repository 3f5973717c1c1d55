#include "observe/prometheus_text.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <unordered_map>
#include <vector>

#include "base/text.hpp"

namespace inferbench::observe {

namespace {

constexpr std::size_t longest_shown_line = 60;
constexpr std::size_t most_families = 50'000;  // the types of further families are unknown

bool letter(char c) noexcept { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool begins_label(char c) noexcept { return letter(c) || c == '_'; }
bool begins_metric(char c) noexcept { return begins_label(c) || c == ':'; }
bool number_char(char c) noexcept { return c >= '0' && c <= '9'; }
bool blank(char c) noexcept { return c == ' ' || c == '\t'; }

/// A position in one line.
class line_cursor {
 public:
  explicit line_cursor(std::string_view line) : line_(line) {}

  [[nodiscard]] bool over() const noexcept { return at_ == line_.size(); }
  [[nodiscard]] char next() const noexcept { return over() ? '\0' : line_[at_]; }
  [[nodiscard]] std::string_view from(std::size_t begin) const {
    return line_.substr(begin, at_ - begin);
  }
  [[nodiscard]] std::size_t at() const noexcept { return at_; }

  void step() noexcept { ++at_; }
  /// Returns whether at least one blank was skipped.
  bool skip_blanks() noexcept {
    const std::size_t begin = at_;
    while (!over() && blank(line_[at_]))
      ++at_;
    return at_ != begin;
  }
  bool skip(char c) noexcept {
    if (over() || line_[at_] != c) return false;
    ++at_;
    return true;
  }
  std::string_view word() noexcept {
    const std::size_t begin = at_;
    while (!over() && !blank(line_[at_]))
      ++at_;
    return from(begin);
  }
  std::string_view name(bool (*begins)(char)) noexcept {
    const std::size_t begin = at_;
    if (!begins(next())) return {};
    while (!over() && (begins(line_[at_]) || number_char(line_[at_])))
      ++at_;
    return from(begin);
  }

 private:
  std::string_view line_;
  std::size_t at_ = 0;
};

metric_type type_of(std::string_view word) {
  if (word == "counter") return metric_type::counter;
  if (word == "gauge") return metric_type::gauge;
  if (word == "histogram") return metric_type::histogram;
  if (word == "summary") return metric_type::summary;
  return metric_type::unknown;
}

std::optional<double> value_of_metric(std::string_view word) {
  // "nan(payload)" is a number in C only.
  if (word.find('(') != std::string_view::npos) return std::nullopt;
  return base::parse_float(word);
}

class page_reader {
 public:
  explicit page_reader(const std::function<void(const metric_sample&)>& take) : take_(take) {}

  page_summary read(std::string_view page) {
    for (std::size_t at = 0; at < page.size() && !ended_ && !out_.cut;) {
      const std::size_t end = std::min(page.find('\n', at), page.size());
      std::string_view line = page.substr(at, end - at);
      at = end + 1;
      if (line.ends_with('\r')) line.remove_suffix(1);
      if (line.size() > longest_metric_line || !read_line(line)) reject(line);
    }
    return std::move(out_);
  }

 private:
  void reject(std::string_view line) {
    if (out_.bad_lines++ != 0) return;
    out_.first_bad = base::one_line(line.substr(0, longest_shown_line));
    if (line.size() > longest_shown_line) out_.first_bad += "...";
  }

  bool read_line(std::string_view line) {
    line_cursor at(line);
    at.skip_blanks();
    if (at.over()) return true;
    if (at.skip('#')) {
      read_comment(at);
      return true;
    }
    return read_sample(at);
  }

  // A comment may hold any text, so it is never bad.
  void read_comment(line_cursor at) {
    at.skip_blanks();
    const std::string_view word = at.word();
    at.skip_blanks();
    if (word == "EOF" && at.over()) ended_ = true;
    if (word != "TYPE") return;
    const std::string_view name = at.word();
    at.skip_blanks();
    if (!name.empty() && types_.size() < most_families) types_[name] = type_of(at.word());
  }

  bool read_sample(line_cursor& at) {
    metric_sample one;
    const std::size_t begin = at.at();
    one.name = at.name(begins_metric);
    if (one.name.empty()) return false;
    one.series = one.name;
    bool apart = at.skip_blanks();
    labels_.clear();
    if (at.next() == '{') {
      if (!read_labels(at)) return false;
      one.series = at.from(begin);
      apart = at.skip_blanks() || !at.over();
    }
    if (!apart) return false;
    const auto value = value_of_metric(at.word());
    if (!value) return false;
    one.value = *value;
    at.skip_blanks();
    one.followed = !at.over();
    if (!at.over() && at.next() != '#') {
      if (!value_of_metric(at.word())) return false;
      at.skip_blanks();
      if (!at.over() && at.next() != '#') return false;
    }
    if (out_.samples == most_metric_samples) {
      out_.cut = true;
      return true;
    }
    ++out_.samples;
    one.labels = labels_;
    one.type = family_type(one.name);
    take_(one);
    return true;
  }

  bool read_labels(line_cursor& at) {
    at.step();
    unescaped_.clear();
    // The views of the labels point into this text, so it must not move.
    unescaped_.reserve(longest_metric_line);
    for (;;) {
      at.skip_blanks();
      if (at.skip('}')) return true;
      metric_label one;
      one.name = at.name(begins_label);
      at.skip_blanks();
      if (one.name.empty() || !at.skip('=')) return false;
      at.skip_blanks();
      if (!at.skip('"') || !read_label_value(at, one.value)) return false;
      if (labels_.size() == most_metric_labels) return false;
      labels_.push_back(one);
      at.skip_blanks();
      if (!at.skip(',') && at.next() != '}') return false;
    }
  }

  bool read_label_value(line_cursor& at, std::string_view& out) {
    const std::size_t begin = at.at();
    while (!at.over() && at.next() != '"' && at.next() != '\\')
      at.step();
    out = at.from(begin);
    if (at.skip('"')) return true;
    const std::size_t copied = unescaped_.size();
    unescaped_ += out;
    while (!at.over()) {
      const char c = at.next();
      at.step();
      if (c == '"') {
        out = std::string_view(unescaped_).substr(copied);
        return true;
      }
      if (c != '\\') {
        unescaped_ += c;
        continue;
      }
      if (at.over()) return false;
      const char escaped = at.next();
      at.step();
      if (escaped == 'n') {
        unescaped_ += '\n';
      } else {
        // Only \\ and \" are defined. Prometheus keeps the backslash before any other character.
        if (escaped != '\\' && escaped != '"') unescaped_ += '\\';
        unescaped_ += escaped;
      }
    }
    return false;
  }

  metric_type family_type(std::string_view name) const {
    if (const auto found = types_.find(name); found != types_.end()) return found->second;
    for (const std::string_view suffix :
         std::array<std::string_view, 5>{"_total", "_bucket", "_sum", "_count", "_created"}) {
      if (!name.ends_with(suffix)) continue;
      const auto found = types_.find(name.substr(0, name.size() - suffix.size()));
      if (found == types_.end()) return metric_type::unknown;
      return suffix == "_created" ? metric_type::gauge : found->second;
    }
    return metric_type::unknown;
  }

  const std::function<void(const metric_sample&)>& take_;
  page_summary out_;
  std::unordered_map<std::string_view, metric_type> types_;
  std::vector<metric_label> labels_;
  std::string unescaped_;
  bool ended_ = false;
};

}  // namespace

page_summary read_metrics(std::string_view page,
                          const std::function<void(const metric_sample&)>& take) {
  return page_reader(take).read(page);
}

}  // namespace inferbench::observe
