#include "length.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <system_error>
#include <utility>

#include <rapidjson/document.h>

#include <inferbench/guard.hpp>
#include <inferbench/json_writer.hpp>
#include <inferbench/text.hpp>

#include "bell.hpp"
#include "datasets/common/text_file.hpp"

namespace synthetic {

namespace {

constexpr double longest_plain = 2147483647;

[[noreturn]] void refuse(const std::string& what, const char* option) {
  throw ifb::failure(IFB_E_CONFIG, what, option);
}

std::optional<double> number_of(std::string_view text) {
  double out = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
  if (error != std::errc{} || end != text.data() + text.size() || !std::isfinite(out))
    return std::nullopt;
  return out;
}

bool whole(double value) { return value == std::floor(value); }

std::uint32_t clamped(double value) {
  return static_cast<std::uint32_t>(
      std::clamp(std::nearbyint(value), 1.0, static_cast<double>(longest_drawn)));
}

std::string spelled(double value) {
  std::string out;
  ifb::append_python_float(out, value);
  if (out.ends_with(".0")) out.resize(out.size() - 2);
  return out;
}

// The host expands "~" in options that are paths. This path is only a part of an option, so it is
// expanded here.
std::string expanded(std::string_view path) {
  const char* home = std::getenv("HOME");
  if (home != nullptr && (path == "~" || path.starts_with("~/")))
    return home + std::string(path.substr(1));
  return std::string(path);
}

std::string_view without_quotes(std::string_view text) {
  if (text.size() >= 2 && text.front() == text.back() &&
      (text.front() == '"' || text.front() == '\''))
    return text.substr(1, text.size() - 2);
  return text;
}

std::uint32_t checked(std::optional<double> value, const files::text_file& file, std::size_t offset,
                      const char* option) {
  if (value && whole(*value) && *value >= 0 && *value <= static_cast<double>(longest_drawn))
    return clamped(*value);
  throw ifb::failure(IFB_E_DATA,
                     file.place(offset) + ": the length is not a whole number from 0 to " +
                         std::to_string(longest_drawn),
                     option);
}

std::vector<std::uint32_t> numbers_in(const files::text_file& file, const char* option) {
  std::vector<std::uint32_t> out;
  const std::string_view text = file.text();
  if (ifb::trim(text).starts_with('[')) {
    rapidjson::Document list;
    list.Parse<rapidjson::kParseIterativeFlag>(text.data(), text.size());
    if (list.HasParseError() || !list.IsArray())
      throw ifb::failure(IFB_E_DATA, file.place(list.GetErrorOffset()) + ": malformed JSON",
                         option);
    for (const auto& each : list.GetArray())
      out.push_back(checked(each.IsNumber() ? std::optional(each.GetDouble()) : std::nullopt, file,
                            0, option));
    return out;
  }
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view line = ifb::trim(text.substr(at, end - at));
    if (!line.empty()) out.push_back(checked(number_of(line), file, at, option));
    at = end + 1;
  }
  return out;
}

}  // namespace

length length::parse(std::string_view text, const char* option) {
  const std::string_view bare = ifb::trim(text);
  const auto open = bare.find('(');
  if (open != std::string_view::npos && bare.ends_with(')'))
    return of_call(ifb::trim(bare.substr(0, open)),
                   ifb::trim(bare.substr(open + 1, bare.size() - open - 2)), option);
  const auto value = number_of(bare);
  if (!value || !whole(*value))
    refuse(
        "a length is a whole number, uniform(A, B), normal(MEAN, SD), lognormal(MEAN, SIGMA) or "
        "file(PATH), not \"" +
            std::string(bare.substr(0, 80)) + "\"",
        option);
  if (*value < 0 || *value > longest_plain)
    refuse("a length is from 0 to 2147483647 tokens, not " + std::string(bare.substr(0, 80)),
           option);
  length out;
  out.first_ = *value;
  out.text_ = spelled(*value);
  return out;
}

length length::of_call(std::string_view name, std::string_view inside, const char* option) {
  length out;
  if (name == "file") {
    out.kind_ = kind::file;
    out.read(expanded(without_quotes(inside)), option);
    return out;
  }
  constexpr std::array<std::pair<std::string_view, kind>, 3> known{
      {{"uniform", kind::uniform}, {"normal", kind::normal}, {"lognormal", kind::lognormal}}};
  const auto* const found =
      std::ranges::find(known, name, &std::pair<std::string_view, kind>::first);
  if (found == known.end())
    refuse("there is no distribution \"" + std::string(name.substr(0, 80)) +
               "\" of lengths: uniform, normal, lognormal or file",
           option);
  out.kind_ = found->second;
  const auto comma = inside.find(',');
  const auto first = number_of(ifb::trim(inside.substr(0, comma)));
  const auto second = comma == std::string_view::npos
                          ? std::nullopt
                          : number_of(ifb::trim(inside.substr(comma + 1)));
  if (!first || !second)
    refuse(std::string(name) + "(" + std::string(inside.substr(0, 80)) +
               ") does not contain two numbers; write " + std::string(name) +
               (out.kind_ == kind::lognormal ? "(1024, 0.4)" : "(1024, 2048)"),
           option);
  out.first_ = *first;
  out.second_ = *second;
  out.text_ = std::string(name) + "(" + spelled(*first) + ", " + spelled(*second) + ")";
  const auto most = static_cast<double>(longest_drawn);
  if (out.kind_ == kind::uniform) {
    if (!whole(*first) || !whole(*second) || *first < 0 || *second < *first || *second > most)
      refuse(out.text_ + ": the limits are not whole numbers from 0 to " +
                 std::to_string(longest_drawn) + ", the lower limit first",
             option);
  } else if (!(*first > 0 && *first <= most)) {
    refuse(out.text_ + ": the mean is not above 0 and at most " + std::to_string(longest_drawn),
           option);
  } else if (!(*second >= 0 && *second <= (out.kind_ == kind::lognormal ? 10 : most))) {
    refuse(out.text_ +
               (out.kind_ == kind::lognormal
                    ? ": sigma is not from 0 to 10"
                    : ": the standard deviation is not from 0 to " + std::to_string(longest_drawn)),
           option);
  }
  return out;
}

void length::read(const std::string& path, const char* option) {
  try {
    const files::text_file file(path);
    numbers_ = numbers_in(file, option);
  } catch (const ifb::failure& e) {
    // the error names the option "path", but this option has another name
    throw ifb::failure(e.code(), e.message(), option);
  }
  if (numbers_.empty()) throw ifb::failure(IFB_E_DATA, "there are no lengths in " + path, option);
  text_ = std::to_string(numbers_.size()) +
          (numbers_.size() == 1 ? " length of " : " lengths of ") + path;
}

std::optional<std::int64_t> length::plain() const noexcept {
  if (kind_ != kind::plain) return std::nullopt;
  return static_cast<std::int64_t>(first_);
}

std::uint32_t length::draw(ifb::numpy_pcg64& random) const {
  switch (kind_) {
    case kind::plain: break;
    case kind::uniform:
      return clamped(static_cast<double>(random.integer(static_cast<std::int64_t>(first_),
                                                        static_cast<std::int64_t>(second_) + 1)));
    case kind::normal: return clamped(first_ + second_ * bell(random));
    // The mean of exp(N(m, s)) is exp(m + s*s/2).
    case kind::lognormal:
      return clamped(std::exp(std::log(first_) - second_ * second_ / 2 + second_ * bell(random)));
    case kind::file:
      return numbers_[static_cast<std::size_t>(
          random.integer(0, static_cast<std::int64_t>(numbers_.size())))];
  }
  return clamped(first_);
}

std::uint32_t length::least() const noexcept {
  if (kind_ == kind::uniform) return clamped(first_);
  if (kind_ == kind::file) return *std::ranges::min_element(numbers_);
  return 1;
}

std::string length::key() const {
  if (kind_ != kind::file) return text_;
  std::string out = "file(";
  for (const std::uint32_t each : numbers_)
    out += std::to_string(each) + ",";
  return out + ")";
}

}  // namespace synthetic
