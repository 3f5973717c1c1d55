#include "config/missing_plugin_flags.hpp"

#include <algorithm>
#include <cctype>

#include "base/text.hpp"
#include "base/units.hpp"
#include "config/upstream.hpp"
#include "options/check.hpp"
#include "options/refusal.hpp"

namespace inferbench::config {

namespace {

options::option option_of(const upstream::dataset_flag& e) {
  options::option out;
  out.table = "dataset";
  out.name = e.flag;
  out.flag = e.flag;
  out.type = e.type;
  if (e.type == IFB_BOOL) out.takes = options::arity::none;
  if (e.type == IFB_STRINGS) out.takes = options::arity::some;
  if (e.type == IFB_CHOICE)
    out.choices.assign(upstream::choices_of_subset.begin(), upstream::choices_of_subset.end());
  out.group = "dataset " + std::string(e.dataset);
  out.commands = options::for_serve | options::for_dataset_show;
  return out;
}

// Checks upstream's text of buckets, a Python dict: {(256, 256, 1): 0.7, "(64, 64, 8)": 0.3}.
class bucket_text {
 public:
  explicit bucket_text(std::string_view text) : rest_(text) {}

  bool is_good() {
    if (!take('{')) return false;
    while (!take('}')) {
      if (!key() || !take(':') || !number(&is_float)) return false;
      if (take(',')) continue;
      return take('}') && at_end();
    }
    return at_end();
  }

 private:
  static bool is_float(const std::string& text) { return base::parse_float(text).has_value(); }
  static bool is_whole(const std::string& text) { return base::parse_whole(text).has_value(); }

  void skip_blanks() {
    while (!rest_.empty() && std::isspace(static_cast<unsigned char>(rest_.front())) != 0)
      rest_.remove_prefix(1);
  }
  bool at_end() {
    skip_blanks();
    return rest_.empty();
  }
  bool take(char c) {
    skip_blanks();
    if (!rest_.starts_with(c)) return false;
    rest_.remove_prefix(1);
    return true;
  }
  bool number(bool (*reads)(const std::string&)) {
    skip_blanks();
    const auto length = std::min(rest_.find_first_of(",:(){} \t\n\"'"), rest_.size());
    const bool good = reads(std::string(rest_.substr(0, length)));
    rest_.remove_prefix(length);
    return good;
  }
  bool key() {
    for (const char quote : {'"', '\''})
      if (take(quote)) return triple() && take(quote);
    return triple();
  }
  bool triple() {
    if (!take('(')) return false;
    for (int i = 0; i < 3; ++i)
      if ((i > 0 && !take(',')) || !number(&is_whole)) return false;
    (void)take(',');
    return take(')');
  }

  std::string_view rest_;
};

// In this program a length may also be a distribution: "uniform(1, 9)".
bool is_distribution(std::string_view text) {
  const auto open = text.find('(');
  return open != std::string_view::npos && open > 0 && text.ends_with(')') &&
         std::ranges::all_of(text.substr(0, open), [](char c) { return c >= 'a' && c <= 'z'; });
}

}  // namespace

std::vector<options::option> missing_plugin_flags(const flag_table& known) {
  std::vector<options::option> out;
  for (const upstream::dataset_flag& e : upstream::dataset_flags())
    if (!known.contains(e.flag)) out.push_back(option_of(e));
  return out;
}

options::option_value check_idle(const options::option& declared, const options::node& given,
                                 const options::environment& env) {
  options::option typed = declared;
  typed.minimum = typed.maximum = 0;
  typed.above = false;
  options::option_value value = options::check(typed, given, env);
  if (declared.type != IFB_STRING) return value;
  const auto flags = upstream::dataset_flags();
  const auto theirs = std::ranges::find(flags, declared.flag, &upstream::dataset_flag::flag);
  if (theirs == flags.end()) return value;
  if (theirs->type == IFB_INT && !base::parse_whole(value.text) && !is_distribution(value.text))
    options::unexpected(option_of(*theirs), given);
  if (declared.flag == upstream::buckets_flag && !bucket_text(value.text).is_good())
    options::misread(declared, given.where,
                     "expected buckets with weights, not " + options::in_quotes(value.text),
                     "write {(HEIGHT, WIDTH, FRAMES): WEIGHT, ...}");
  return value;
}

}  // namespace inferbench::config
