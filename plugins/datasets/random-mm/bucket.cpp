#include "bucket.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <system_error>

#include <inferbench-media/media.hpp>

#include <inferbench/guard.hpp>
#include <inferbench/text.hpp>

namespace random_mm {

namespace {

[[noreturn]] void refuse_buckets(const std::string& what) {
  throw ifb::failure(IFB_E_CONFIG, what, "bucket-config");
}

template <typename number>
std::optional<number> number_of(std::string_view text) {
  if (text.starts_with('+') && !text.starts_with("+-")) text.remove_prefix(1);
  number out{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return out;
}

using triple = std::array<std::int64_t, 3>;

std::string text_of(const triple& key) {
  return "(" + std::to_string(key[0]) + ", " + std::to_string(key[1]) + ", " +
         std::to_string(key[2]) + ")";
}

bucket checked(const triple& key) {
  const auto [height, width, frames] = key;
  const std::string text = text_of(key);
  if (frames < 1)
    refuse_buckets(text + " is an invalid multimodal item configuration: it has " +
                   std::to_string(frames) + " frames; give 1 for an image, more for a video");
  if (std::min(height, width) < 1 || std::max(height, width) > longest_side)
    refuse_buckets(text + " is an invalid multimodal item configuration: height and width are " +
                   "not from 1 to " + std::to_string(longest_side) + " pixels");
  const auto pixels = static_cast<std::uint64_t>(height) * static_cast<std::uint64_t>(width);
  if (pixels > inferbench::media::most_pixels)
    refuse_buckets(text + " has more than " + std::to_string(inferbench::media::most_pixels) +
                   " pixels in a frame; choose a smaller size");
  if (frames > 1 && static_cast<std::uint64_t>(frames) > most_video_bytes / (pixels * 3))
    refuse_buckets(text +
                   " is a video of more than 2 GiB of pixels; choose fewer frames or a "
                   "smaller size");
  return {static_cast<std::uint32_t>(height), static_cast<std::uint32_t>(width),
          static_cast<std::uint32_t>(frames), 0};
}

class bucket_parser {
 public:
  explicit bucket_parser(std::string_view text) : all_(text), rest_(text) {}

  std::vector<bucket> buckets() {
    std::vector<bucket> out;
    expect('{', "\"{\"");
    while (!take('}')) {
      const bucket size = key();
      expect(':', "\":\" and a weight");
      put(out, size, weight());
      if (take(',')) continue;
      expect('}', "\",\" or \"}\"");
      break;
    }
    skip_blanks();
    if (!rest_.empty()) fail("the end");
    return out;
  }

 private:
  [[noreturn]] void fail(const std::string& expected) {
    skip_blanks();
    constexpr std::size_t shown = 20;
    const std::string found =
        rest_.empty() ? "the end" : "\"" + std::string(ifb::cut_utf8(rest_, shown)) + "\"";
    refuse_buckets("the buckets at character " + std::to_string(all_.size() - rest_.size() + 1) +
                   ": expected " + expected + ", not " + found +
                   "; write {(HEIGHT, WIDTH, FRAMES): WEIGHT, ...}");
  }

  void skip_blanks() {
    rest_.remove_prefix(std::min(rest_.find_first_not_of(" \t\r\n"), rest_.size()));
  }

  bool take(char c) {
    skip_blanks();
    if (!rest_.starts_with(c)) return false;
    rest_.remove_prefix(1);
    return true;
  }

  void expect(char c, const char* expected) {
    if (!take(c)) fail(expected);
  }

  // Returns the quotation mark if the text goes on with one.
  std::optional<char> quote() {
    for (const char mark : {'"', '\''})
      if (take(mark)) return mark;
    return std::nullopt;
  }

  void end_quote(std::optional<char> mark) {
    if (mark && !take(*mark)) fail("the end of the string");
  }

  template <typename number>
  number value(const char* expected) {
    skip_blanks();
    const std::size_t size = std::min(rest_.find_first_of(",:(){}\"' \t\r\n"), rest_.size());
    const auto out = number_of<number>(rest_.substr(0, size));
    if (!out) fail(expected);
    rest_.remove_prefix(size);
    return *out;
  }

  bucket key() {
    constexpr const char* expected = "a tuple of three whole numbers, (HEIGHT, WIDTH, FRAMES)";
    const auto mark = quote();
    expect('(', expected);
    triple out{};
    for (std::size_t i = 0; i < out.size(); ++i) {
      if (i != 0) expect(',', expected);
      out[i] = value<std::int64_t>(expected);
    }
    static_cast<void>(take(','));
    expect(')', expected);
    end_quote(mark);
    return checked(out);
  }

  double weight() {
    const auto mark = quote();
    const auto out = value<double>("a weight, such as 0.5");
    end_quote(mark);
    if (!std::isfinite(out)) refuse_buckets("a weight of the buckets is not finite");
    if (out < 0) refuse_buckets("a weight of the buckets is negative; give weights of at least 0");
    return out;
  }

  static void put(std::vector<bucket>& all, bucket size, double weight) {
    const auto known = std::ranges::find_if(all, [&](const bucket& each) {
      return each.height == size.height && each.width == size.width && each.frames == size.frames;
    });
    (known == all.end() ? all.emplace_back(size) : *known).weight = weight;
  }

  std::string_view all_;
  std::string_view rest_;
};

}  // namespace

std::string bucket::text() const { return text_of({height, width, frames}); }

std::vector<bucket> parse_buckets(std::string_view text) { return bucket_parser(text).buckets(); }

}  // namespace random_mm
