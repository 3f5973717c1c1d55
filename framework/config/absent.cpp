#include "config/absent.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <ranges>
#include <utility>

#include <fmt/format.h>

#include "base/text.hpp"
#include "base/units.hpp"
#include "options/check.hpp"
#include "options/refusal.hpp"

namespace inferbench::config {

namespace {

struct entry {
  std::string_view flag;
  std::string_view dataset;
  ifb_type type = IFB_STRING;
};

// Every flag of upstream's datasets, by its type there.
constexpr entry entries[] = {
    {"asr-max-audio-len-sec", "hf", IFB_FLOAT},
    {"asr-min-audio-len-sec", "hf", IFB_FLOAT},
    {"bfcl-categories", "hf", IFB_STRINGS},
    {"blazedit-max-distance", "hf", IFB_FLOAT},
    {"blazedit-min-distance", "hf", IFB_FLOAT},
    {"custom-ensure-client-side-data", "custom_image", IFB_BOOL},
    {"custom-output-len", "custom", IFB_INT},
    {"hf-name", "hf"},
    {"hf-output-len", "hf", IFB_INT},
    {"hf-split", "hf"},
    {"hf-subset", "hf"},
    {"no-reranker", "random-rerank", IFB_BOOL},
    {"prefix-repetition-num-prefixes", "prefix_repetition", IFB_INT},
    {"prefix-repetition-output-len", "prefix_repetition", IFB_INT},
    {"prefix-repetition-prefix-len", "prefix_repetition", IFB_INT},
    {"prefix-repetition-suffix-len", "prefix_repetition", IFB_INT},
    {"random-batch-size", "random", IFB_INT},
    {"random-input-len", "random", IFB_INT},
    {"random-mm-base-items-per-request", "random-mm", IFB_INT},
    {"random-mm-bucket-config", "random-mm"},
    {"random-mm-limit-mm-per-prompt", "random-mm", IFB_JSON},
    {"random-mm-num-mm-items-range-ratio", "random-mm", IFB_FLOAT},
    {"random-output-len", "random", IFB_INT},
    {"random-prefix-len", "random", IFB_INT},
    {"random-range-ratio", "random"},
    {"sharegpt-output-len", "sharegpt", IFB_INT},
    {"sonnet-input-len", "sonnet", IFB_INT},
    {"sonnet-output-len", "sonnet", IFB_INT},
    {"sonnet-prefix-len", "sonnet", IFB_INT},
    {"spec-bench-category", "spec_bench"},
    {"spec-bench-output-len", "spec_bench", IFB_INT},
    {"speed-bench-category", "speed_bench"},
    {"speed-bench-dataset-subset", "speed_bench", IFB_CHOICE},
    {"speed-bench-output-len", "speed_bench", IFB_INT},
    {"timed-trace-chunk-hash-size", "timed_trace", IFB_INT},
    {"timed-trace-label-hash-ids", "timed_trace"},
    {"timed-trace-label-input-length", "timed_trace"},
    {"timed-trace-label-output-length", "timed_trace"},
    {"timed-trace-label-timestamp", "timed_trace"},
    {"timed-trace-sec-multiplier", "timed_trace", IFB_FLOAT},
};

constexpr std::string_view buckets_flag = "random-mm-bucket-config";

options::option option_of(const entry& e) {
  options::option out;
  out.table = "dataset";
  out.name = e.flag;
  out.flag = e.flag;
  out.type = e.type;
  if (e.type == IFB_BOOL) out.takes = options::arity::none;
  if (e.type == IFB_STRINGS) out.takes = options::arity::some;
  if (e.type == IFB_CHOICE)
    out.choices = {"qualitative",   "throughput_1k",  "throughput_2k",
                   "throughput_8k", "throughput_16k", "throughput_32k"};
  out.group = "dataset " + std::string(e.dataset);
  out.commands = options::for_serve | options::for_dataset_show;
  return out;
}

// Reads upstream's text of buckets, a Python dict: {(256, 256, 1): 0.7, "(64, 64, 8)": 0.3}.
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

// A length of ours may be drawn: "uniform(1, 9)".
bool is_distribution(std::string_view text) {
  const auto open = text.find('(');
  return open != std::string_view::npos && open > 0 && text.ends_with(')') &&
         std::ranges::all_of(text.substr(0, open), [](char c) { return c >= 'a' && c <= 'z'; });
}

struct served {
  std::string_view id;
  std::string_view dataset;
};
constexpr std::array on_hub{served{"gorilla-llm/Berkeley-Function-Calling-Leaderboard", "bfcl"}};

}  // namespace

std::vector<options::option> absent_options(const flag_table& known) {
  std::vector<options::option> out;
  for (const entry& e : entries)
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
  const auto upstream = std::ranges::find(entries, declared.flag, &entry::flag);
  if (upstream == std::end(entries)) return value;
  if (upstream->type == IFB_INT && !base::parse_whole(value.text) && !is_distribution(value.text))
    options::unexpected(option_of(*upstream), given);
  if (declared.flag == buckets_flag && !bucket_text(value.text).is_good())
    options::misread(declared, given.where,
                     "expected buckets with weights, not " + options::in_quotes(value.text),
                     "write {(HEIGHT, WIDTH, FRAMES): WEIGHT, ...}");
  return value;
}

std::string_view dataset_of_hub_id(std::string_view id) noexcept {
  const auto found = std::ranges::find(on_hub, id, &served::id);
  return found == on_hub.end() ? std::string_view{} : found->dataset;
}

std::string instead_of_dataset(std::string_view name) {
  if (name == hub_dataset) {
    return fmt::format(
        "of its data sets there is {}; give rows of others as a file of JSON lines to "
        "--dataset-name custom",
        fmt::join(on_hub | std::views::transform(&served::id), ", "));
  }
  constexpr std::array<std::string_view, 4> media{"random-mm", "custom_image", "custom_audio",
                                                  "custom_mm"};
  if (std::ranges::find(media, name) == media.end()) return {};
  return "choose a dataset of text; inferbench plugin list shows those there are";
}

}  // namespace inferbench::config
