#include "path.hpp"

#include <charconv>

namespace template_backend {
namespace {

constexpr std::string_view special = ".[]\"' \t";

class path_parser {
 public:
  path_parser(std::string_view text, std::string& why) : rest_(text), why_(why) {}

  std::optional<path> parse() {
    if (rest_.empty()) return fail("it is empty");
    path out;
    bool dot = false;  // a dot was read, so a name must follow
    while (!rest_.empty() || dot) {
      if (!rest_.empty() && rest_.front() == '[' && !dot) {
        if (!bracket(out.emplace_back())) return std::nullopt;
      } else if (!name(out.emplace_back())) {
        return std::nullopt;
      }
      if (out.size() > longest_path)
        return fail("it has more than " + std::to_string(longest_path) + " steps");
      if (rest_.empty()) break;
      dot = rest_.front() == '.';
      if (dot) rest_.remove_prefix(1);
      if (!dot && rest_.front() != '[') return fail("a dot or [ has to come before " + shown());
    }
    return out;
  }

 private:
  std::nullopt_t fail(std::string why) {
    why_ = std::move(why);
    return std::nullopt;
  }
  [[nodiscard]] std::string shown() const { return "\"" + std::string(rest_) + "\""; }

  bool name(step& out) {
    const auto end = std::min(rest_.find_first_of(special), rest_.size());
    if (end == 0) {
      fail(rest_.empty() ? "a name has to come after the last dot"
                         : "a name has to come before " + shown() +
                               R"(; one with special characters is written ["like this"])");
      return false;
    }
    out.key = rest_.substr(0, end);
    rest_.remove_prefix(end);
    return true;
  }

  bool bracket(step& out) {
    rest_.remove_prefix(1);
    const bool good = !rest_.empty() && rest_.front() == '"' ? quoted(out.key) : number(out);
    if (!good || rest_.empty() || rest_.front() != ']') {
      fail(R"(brackets hold a number from 0 on or a name in quotes: a[0], a["b.c"])");
      return false;
    }
    rest_.remove_prefix(1);
    return true;
  }

  bool number(step& out) {
    const char* const end = rest_.data() + rest_.size();
    const auto [stop, error] = std::from_chars(rest_.data(), end, out.index);
    if (error != std::errc()) return false;
    out.in_list = true;
    rest_.remove_prefix(static_cast<std::size_t>(stop - rest_.data()));
    return true;
  }

  bool quoted(std::string& out) {
    for (std::size_t i = 1; i < rest_.size(); ++i) {
      if (rest_[i] == '"') {
        rest_.remove_prefix(i + 1);
        return true;
      }
      if (rest_[i] == '\\') ++i;
      if (i == rest_.size()) return false;
      out += rest_[i];
    }
    return false;
  }

  std::string_view rest_;
  std::string& why_;
};

}  // namespace

std::optional<path> parse_path(std::string_view text, std::string& why) {
  return path_parser(text, why).parse();
}

}  // namespace template_backend
