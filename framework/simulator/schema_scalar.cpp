#include "simulator/schema_scalar.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string_view>
#include <utility>
#include <vector>

#include "base/text.hpp"
#include "simulator/sample_pattern.hpp"

namespace inferbench::simulator {

namespace {

using base::find;
using base::json_value;
using base::text_of;

constexpr std::array<std::pair<std::string_view, std::string_view>, 9> sample_formats{{
    {"date-time", "2026-01-31T12:00:00Z"},
    {"date", "2026-01-31"},
    {"time", "12:00:00Z"},
    {"email", "tide@example.com"},
    {"hostname", "example.com"},
    {"ipv4", "192.0.2.1"},
    {"ipv6", "2001:db8::1"},
    {"uri", "https://example.com/"},
    {"uuid", "123e4567-e89b-42d3-a456-426614174000"},
}};

constexpr std::array<std::string_view, 8> sample_words{"tide", "boat", "sand", "lamp",
                                                       "wind", "gull", "oar",  "net"};

}  // namespace

std::optional<std::uint64_t> count_in(const json_value& schema, const char* name) {
  const json_value* value = find(schema, name);
  if (value == nullptr || !value->IsNumber() || value->GetDouble() < 0 ||
      value->GetDouble() > static_cast<double>(largest_schema_value))
    return std::nullopt;
  return static_cast<std::uint64_t>(value->GetDouble());
}

bool append_text_value(std::string& out, const json_value& schema, std::size_t& next_word) {
  const std::uint64_t least = count_in(schema, "minLength").value_or(0);
  const std::uint64_t most = count_in(schema, "maxLength").value_or(largest_schema_value);
  if (find(schema, "minLength") != nullptr && !count_in(schema, "minLength")) return false;
  std::string text;
  if (const json_value* pattern = find(schema, "pattern")) {
    const auto samples =
        pattern->IsString() ? samples_of(text_of(pattern)) : std::optional<pattern_samples>();
    if (!samples) return false;
    text = samples->matching;
  } else if (const json_value* format = find(schema, "format")) {
    const auto* const known = std::ranges::find(sample_formats, std::string_view(text_of(format)),
                                                [](const auto& each) { return each.first; });
    if (known == sample_formats.end()) return false;
    text = known->second;
  } else {
    text = sample_words[next_word++ % sample_words.size()];
    while (text.size() < least)
      text += sample_words[next_word++ % sample_words.size()];
    if (text.size() > most) text.resize(most);
  }
  if (text.size() < least || text.size() > most) return false;
  ifb::append_json_string(out, text);
  return true;
}

// The smallest number that fits, but 1 if it fits.
bool append_number_value(std::string& out, const json_value& schema, bool whole) {
  const auto limit = [&](const char* name) {
    const json_value* value = find(schema, name);
    return value != nullptr && value->IsNumber() ? std::optional(value->GetDouble())
                                                 : std::optional<double>();
  };
  const auto strict = [&](const char* name) {  // draft 4
    const json_value* value = find(schema, name);
    return value != nullptr && value->IsTrue();
  };
  constexpr double infinite = std::numeric_limits<double>::infinity();
  const double low =
      std::max(limit("minimum").value_or(-infinite), limit("exclusiveMinimum").value_or(-infinite));
  const double high =
      std::min(limit("maximum").value_or(infinite), limit("exclusiveMaximum").value_or(infinite));
  const auto fits = [&](double value) {
    return value >= low && value <= high && limit("exclusiveMinimum") != value &&
           limit("exclusiveMaximum") != value &&
           !(strict("exclusiveMinimum") && value == limit("minimum")) &&
           !(strict("exclusiveMaximum") && value == limit("maximum"));
  };
  const double step = limit("multipleOf").value_or(whole ? 1 : 0);
  if (step < 0 || (whole && step != std::floor(step))) return false;
  std::vector<double> tried;
  if (step > 0) {
    const double base = std::isfinite(low) ? std::ceil(low / step) : std::floor(high / step);
    for (const double k : {std::isfinite(base) ? base : 1, base + 1, base - 1})
      tried.push_back(k * step);
    tried.insert(tried.begin(), step);
  } else {
    tried = {1, low, high, low / 2 + high / 2, low + 1, high - 1};
  }
  for (const double value : tried) {
    if (!std::isfinite(value) || std::abs(value) > 1e15 || !fits(value)) continue;
    out += value == std::floor(value) ? std::to_string(static_cast<std::int64_t>(value))
                                      : base::shortest(value);
    return true;
  }
  return false;
}

}  // namespace inferbench::simulator
