#include "observed.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>

#include "layout.hpp"

namespace reporters {
namespace {

using value = json_value;

struct shown_series {
  std::string_view name;
  std::string_view label;
  double scale;
  int digits;
  std::string_view unit;
};

constexpr std::array shown_names{
    shown_series{"running", "running", 1, 1, ""},
    shown_series{"waiting", "waiting", 1, 1, ""},
    shown_series{"kv_cache_usage", "KV cache", 100, 1, " %"},
    shown_series{"prefix_hit_rate", "prefix hits", 100, 1, " %"},
    shown_series{"gpu_utilization", "GPU", 100, 1, " %"},
    shown_series{"power_w", "power", 1, 0, " W"},
};

struct extent {
  double sum = 0;
  double largest = 0;
  std::size_t count = 0;
};

extent extent_of(const value* values) {
  extent out;
  if (values == nullptr || !values->IsArray()) return out;
  for (const auto& each : values->GetArray()) {
    if (!each.IsNumber()) continue;
    const double one = each.GetDouble();
    out.largest = out.count == 0 ? one : std::max(out.largest, one);
    out.sum += one;
    ++out.count;
  }
  return out;
}

std::string text_of_series(const value* all, const shown_series& wanted) {
  if (all == nullptr || !all->IsArray()) return {};
  for (const auto& each : all->GetArray()) {
    if (text_of(find(each, "name")) != wanted.name) continue;
    const extent found = extent_of(find(each, "values"));
    if (found.count == 0) return {};
    const double mean = found.sum / static_cast<double>(found.count);
    const auto with_unit = [&](double what) {
      return decimals(what * wanted.scale, wanted.digits).append(wanted.unit);
    };
    return std::string(wanted.label)
        .append(" ")
        .append(with_unit(mean))
        .append(" (")
        .append(with_unit(found.largest))
        .append(")");
  }
  return {};
}

/// Returns the URL without its scheme and without the usual path.
std::string short_url(std::string_view url) {
  if (const auto scheme = url.find("://"); scheme != std::string_view::npos)
    url.remove_prefix(scheme + 3);
  constexpr std::string_view usual = "/metrics";
  if (url.ends_with(usual)) url.remove_suffix(usual.size());
  return one_line(url);
}

std::uint64_t count_of(const value& source, const char* name) {
  const value* number = find(source, name);
  return number != nullptr && number->IsUint64() ? number->GetUint64() : 0;
}

std::string line_of(const value& source) {
  const std::uint64_t scrapes = count_of(source, "scrapes");
  const std::uint64_t failed = count_of(source, "failed");
  if (scrapes == 0) return {};
  std::string text;
  if (failed == scrapes) {
    text = "no reading succeeded: " + one_line(text_of(find(source, "first_error")));
  } else {
    for (const shown_series& wanted : shown_names)
      if (const std::string one = text_of_series(find(source, "series"), wanted); !one.empty())
        text += (text.empty() ? "" : ", ") + one;
    const value* all = find(source, "series");
    if (text.empty())
      text = std::to_string(all != nullptr && all->IsArray() ? all->Size() : 0) + " series";
    if (failed != 0)
      text += "; " + std::to_string(failed) + " of " + std::to_string(scrapes) + " readings failed";
  }
  const std::string server = one_line(text_of(find(source, "server")));
  return our_line("Observed " + server + (server.empty() ? "" : " ") +
                      short_url(text_of(find(source, "url"))) + ":",
                  text);
}

}  // namespace

std::string observed(const json_value& facts) {
  const value* sources = find(find(facts, "series"), "sources");
  if (sources == nullptr || !sources->IsArray()) return {};
  std::string out;
  for (const auto& source : sources->GetArray())
    out += line_of(source);
  return out;
}

}  // namespace reporters
