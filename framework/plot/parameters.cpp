#include "plot/parameters.hpp"

#include <algorithm>
#include <array>

#include "base/text.hpp"
#include "plot/run_values.hpp"

namespace inferbench::plot {

namespace {

constexpr const char* repetition_key = "run_number";

/// Settings that a result of a benchmark has before its figures.
constexpr std::array<std::string_view, 8> settings_of_results{
    "backend",      "model_id",   "tokenizer_id",    "num_prompts",
    "request_rate", "burstiness", "max_concurrency", "label"};

bool names_key(const std::vector<std::string>& names, std::string_view key) {
  return std::ranges::any_of(names, [&](const std::string& name) { return same_key(name, key); });
}

std::vector<std::string> parameters_of(std::span<const run_row> rows) {
  std::vector<std::string> out;
  for (const run_row& row : rows) {
    bool added_by_the_sweep = false;
    for (const auto& member : row.object->GetObject()) {
      const std::string_view name = base::text_of(&member.name);
      if (name == repetition_key)
        added_by_the_sweep = true;
      else if ((added_by_the_sweep || std::ranges::count(settings_of_results, name) > 0) &&
               !names_key(out, name))
        out.emplace_back(name);
    }
  }
  return out;
}

/// 1 and 1.0 are the same value.
std::string comparable(const run_row& row, const std::string& key) {
  const base::json_value* const value = value_of_any_spelling(row, key);
  if (value == nullptr || value->IsNull()) return text_of_value(nullptr);
  if (const auto number = number_of(value)) return base::shortest(*number);
  return text_of_value(value);
}

}  // namespace

bool same_key(std::string_view a, std::string_view b) noexcept {
  const auto plain = [](char c) { return c == '-' ? '_' : c; };
  return std::ranges::equal(a, b, {}, plain, plain);
}

std::vector<std::string> differing_parameters(std::span<const run_row> rows) {
  std::vector<std::string> out = parameters_of(rows);
  std::erase_if(out, [&](const std::string& key) {
    const std::string first = comparable(rows.front(), key);
    return std::ranges::all_of(rows,
                               [&](const run_row& row) { return comparable(row, key) == first; });
  });
  return out;
}

}  // namespace inferbench::plot
