#include "chart.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <vector>

#include <inferbench/guard.hpp>
#include <inferbench/json_writer.hpp>
#include <inferbench/text.hpp>
#include <inferbench/views.hpp>

#include "page.hpp"

namespace reporters {
namespace {

constexpr std::uint64_t ns_per_us = 1000;
constexpr double ns_per_ms = 1e6;
// a multiple of three, so that each piece is whole base64
constexpr std::size_t piece = std::size_t{48} << 10U;

/// Appends seven bits per byte; the lowest bits come first.
void append_number(std::string& out, std::uint64_t value) {
  for (; value >= 128; value >>= 7U)
    out += static_cast<char>((value & 127U) | 128U);
  out += static_cast<char>(value);
}

std::uint64_t count(std::int64_t value) {
  return static_cast<std::uint64_t>(std::max<std::int64_t>(value, 0));
}

/// Rounds to a whole number like Python.
std::string whole(double value) {
  char text[400];
  std::snprintf(text, sizeof text, "%.0f", value);
  return text;
}

/// Returns JSON that can stand in a script element, because no text in it can end the script.
std::string in_script(std::string json) {
  for (std::size_t at = 0; (at = json.find('<', at)) != std::string::npos;)
    json.replace(at, 1, "\\u003c");
  return json;
}

}  // namespace

thresholds thresholds_of(std::string_view text) {
  const auto refuse = [&]() -> thresholds {
    throw ifb::failure{IFB_E_CONFIG,
                       "\"" + std::string(text) +
                           "\" is not two numbers of ms, the smaller first, as in \"25,50\"",
                       "itl-thresholds"};
  };
  const auto comma = text.find(',');
  if (comma == std::string_view::npos) return refuse();
  thresholds out{};
  for (std::size_t i = 0; i < out.size(); ++i) {
    const std::string_view part =
        ifb::trim(i == 0 ? text.substr(0, comma) : text.substr(comma + 1));
    const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), out[i]);
    if (error != std::errc() || end != part.data() + part.size() || !std::isfinite(out[i]))
      return refuse();
  }
  return out[0] <= out[1] ? out : refuse();
}

void chart::add(const ifb_record& r) {
  request& to = requests_.emplace_back();
  to.sequence = r.sequence;
  to.start_ns = r.start_ns;
  to.ttft_ns = r.first_token_ns > r.start_ns ? r.first_token_ns - r.start_ns : 0;
  to.input = r.prompt_tokens;
  to.output = r.status == IFB_OK ? r.output_tokens : 0;
  const auto stamps = ifb::stamps_of(r);
  if (stamps.empty()) return;
  to.events = stamps.size() - 1;
  segments_ += to.events;
  to.itl.reserve(to.events);
  for (std::size_t i = 1; i < stamps.size(); ++i)
    to.itl.push(stamps[i] > stamps[i - 1] ? stamps[i] - stamps[i - 1] : 0);
}

std::size_t chart::share() const noexcept {
  return segments_ <= most_ ? 1 : (segments_ + most_ - 1) / most_;
}

// The stamps, and not the intervals, are cut to microseconds, so that the rounding errors of a long
// answer do not add up. The class is determined from the exact interval.
void chart::encode(const request& r, std::uint64_t zero, std::size_t share,
                   std::string& out) const {
  std::uint64_t ns = r.start_ns - zero;
  std::uint64_t us = ns / ns_per_us;
  const auto step = [&](std::uint64_t gap) {
    ns += gap;
    const std::uint64_t before = us;
    us = ns / ns_per_us;
    return us - before;
  };
  append_number(out, us);
  append_number(out, step(r.ttft_ns));
  append_number(out, count(r.input));
  append_number(out, count(r.output));
  append_number(out, (r.events + share - 1) / share);
  std::size_t held = 0;
  std::uint64_t sum = 0;
  std::uint64_t longest = 0;
  const auto flush = [&] {
    if (held == 0) return;
    const double ms = static_cast<double>(longest) / ns_per_ms;
    const std::uint64_t kind = ms < limits_[0] ? 0 : ms < limits_[1] ? 1 : 2;
    append_number(out, 3 * step(sum) + kind);
    held = 0;
    sum = longest = 0;
  };
  r.itl.for_each([&](std::uint64_t gap) {
    sum += gap;
    longest = std::max(longest, gap);
    if (++held == share) flush();
  });
  flush();
}

void chart::write(std::string_view title, const sink& out) const {
  std::vector<const request*> order;
  std::uint64_t zero = UINT64_MAX;
  for (const request& r : requests_) {
    order.push_back(&r);
    zero = std::min(zero, r.start_ns);
  }
  std::ranges::sort(order, {}, &request::sequence);

  ifb::json_writer about;
  about.begin_object();
  about.member("title", title);
  about.member("requests", requests_.size());
  about.member("grouped", share());
  about.key("labels");
  about.begin_array();
  for (const double limit : limits_)
    about.string(whole(limit));
  about.end_array();
  about.end_object();

  const auto up_to = [](std::string_view mark, std::size_t from) { return page.find(mark, from); };
  constexpr std::string_view about_mark = "{{about}}";
  constexpr std::string_view data_mark = "{{data}}";
  const std::size_t first = up_to(about_mark, 0);
  const std::size_t second = up_to(data_mark, first);
  out(page.substr(0, first));
  out(in_script(about.take()));
  out(page.substr(first + about_mark.size(), second - first - about_mark.size()));
  std::string bytes;
  const auto flush = [&](std::size_t size) {
    out(ifb::base64(std::string_view(bytes).substr(0, size)));
    bytes.erase(0, size);
  };
  const std::size_t together = share();
  for (const request* r : order) {
    encode(*r, zero, together, bytes);
    if (bytes.size() >= piece) flush(bytes.size() / 3 * 3);
  }
  flush(bytes.size());
  out(page.substr(second + data_mark.size()));
}

}  // namespace reporters
