#include "schedule/pattern_text.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/text.hpp"
#include "base/units.hpp"

namespace inferbench::schedule {

namespace {

constexpr std::string_view sine_example = "sine:mean=20,amplitude=10,period=60s";
constexpr std::string_view steps_example = "steps:0s=10,30s=50";

std::string example(std::string_view of) { return "write for example " + std::string(of); }

struct parameter {
  std::string_view name;
  std::string_view value;
};

/// `what` describes a parameter in error messages: "NAME=VALUE of sine".
std::vector<parameter> parameters_of(std::string_view text, std::string_view what,
                                     std::string_view sample) {
  std::vector<parameter> out;
  for (const std::string_view item : base::split(text, ',')) {
    const auto at = item.find('=');
    const parameter found{base::trim(item.substr(0, at)),
                          at == item.npos ? "" : base::trim(item.substr(at + 1))};
    if (found.name.empty() || found.value.empty())
      throw base::error(fmt::format("expected {}, not \"{}\"", what, base::trim(item)),
                        example(sample));
    out.push_back(found);
  }
  return out;
}

/// A rate in requests per second; throws if it is below 0 or not finite.
double rate_of(const parameter& from) {
  const auto rate = base::parse_number(from.value);
  if (rate && std::isfinite(*rate) && *rate >= 0) return *rate;
  throw base::error(
      fmt::format("expected requests per second for {}, not \"{}\"", from.name, from.value),
      "give a number that is finite and not below 0");
}

std::int64_t duration_of(std::string_view text, std::string_view what) {
  const auto ns = base::parse_duration(text);
  if (ns && *ns >= 0) return *ns;
  throw base::error(fmt::format("expected {}, not \"{}\"", what, text),
                    "write it as 30s, 500ms or 2m");
}

sine sine_of(std::string_view text) {
  static const std::vector<std::string> names{"mean", "amplitude", "period"};
  std::array<std::optional<parameter>, 3> given;
  for (const parameter& each : parameters_of(text, "NAME=VALUE of sine", sine_example)) {
    const auto at = static_cast<std::size_t>(std::ranges::find(names, each.name) - names.begin());
    if (at == names.size()) {
      const std::string meant = base::did_you_mean(each.name, names);
      throw base::error(fmt::format("sine has no parameter \"{}\"", each.name),
                        meant.empty() ? "it has mean, amplitude and period" : meant);
    }
    if (given[at])
      throw base::error(fmt::format("sine is given its {} twice", each.name),
                        "leave one of them out");
    given[at] = each;
  }
  for (std::size_t i = 0; i < given.size(); ++i)
    if (!given[i]) throw base::error("sine needs its " + names[i], example(sine_example));
  const sine out{rate_of(*given[0]), rate_of(*given[1]),
                 duration_of(given[2]->value, "a period above 0")};
  if (out.amplitude >= out.mean)
    throw base::error(
        fmt::format("the amplitude of sine, {}, is not below its mean, {}: the rate would "
                    "reach 0",
                    given[1]->value, given[0]->value),
        "lower the amplitude or raise the mean");
  if (out.period_ns == 0)
    throw base::error("sine has a period of 0", "give a longer one, as period=60s");
  return out;
}

steps steps_of(std::string_view text) {
  steps out;
  std::string_view before;
  for (const parameter& each : parameters_of(text, "TIME=RATE of steps", steps_example)) {
    const step next{duration_of(each.name, "the time of a step"), rate_of(each)};
    if (out.list.empty() && next.from_ns != 0)
      throw base::error(fmt::format("the first step begins at {}", each.name),
                        "begin with a rate from 0s on, or with 0s=0 for a pause");
    if (!out.list.empty() && next.from_ns <= out.list.back().from_ns)
      throw base::error(
          fmt::format("the step at {} does not come after the step at {}", each.name, before),
          "give the steps in the order of their times");
    out.list.push_back(next);
    before = each.name;
  }
  if (out.list.back().rate == 0)
    throw base::error(fmt::format("the last step, at {}, has a rate of 0: later requests would "
                                  "never be sent",
                                  before),
                      "end with a rate above 0; --num-prompts ends the run");
  return out;
}

}  // namespace

pattern parse_pattern(std::string_view text) {
  text = base::trim(text);
  const auto colon = text.find(':');
  const std::string_view kind = base::trim(text.substr(0, colon));
  const std::string_view rest = colon == text.npos ? "" : text.substr(colon + 1);
  if (kind == "sine") return sine_of(rest);
  if (kind == "steps") return steps_of(rest);
  const std::string meant = base::did_you_mean(kind, std::vector<std::string>{"sine", "steps"});
  throw base::error(fmt::format("there is no traffic pattern \"{}\"", kind),
                    meant.empty() ? example(pattern_examples()) : meant);
}

std::string pattern_examples() { return fmt::format("{} or {}", sine_example, steps_example); }

std::string text_of(const sine& of) {
  return fmt::format("sine:mean={},amplitude={},period={}", of.mean, of.amplitude,
                     base::duration_text(of.period_ns));
}

std::string text_of(const steps& of) {
  std::string out;
  for (const step& each : of.list)
    out += fmt::format("{}{}={}", out.empty() ? "steps:" : ",", base::duration_text(each.from_ns),
                       each.rate);
  return out;
}

}  // namespace inferbench::schedule
