#include "base/text.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstring>
#include <fstream>
#include <memory>
#include <numeric>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <openssl/evp.h>
#include <sys/stat.h>
#include <unistd.h>

#include <inferbench/json_writer.hpp>

#include "base/error.hpp"
#include "base/fd.hpp"

namespace inferbench::base {

namespace {

// The optimal string alignment distance: the Levenshtein distance in which a swap of two
// neighbouring characters counts as one edit.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1);
  std::vector<std::size_t> last(b.size() + 1);
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(last.begin(), last.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t change = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, change});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = std::min(row[j], before[j - 2] + 1);
    }
    before.swap(last);
    last.swap(row);
  }
  return last[b.size()];
}

template <typename number>
std::optional<number> parse(std::string_view text) noexcept {
  number value{};
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (code != std::errc{} || end != text.data() + text.size() || text.empty()) return std::nullopt;
  return value;
}

[[noreturn]] void unreadable(const std::string& path) {
  throw error("cannot read " + path + ": " + std::strerror(errno));
}

// Calls `take` with each block of the file. Uses read() and no stream iterators: a folder can be
// opened like a file, and a stream iterator throws an exception without the path when it is read.
template <typename function>
void each_block(const std::string& path, function&& take) {
  std::ifstream in(path, std::ios::binary);
  if (!in) unreadable(path);
  std::array<char, 65536> block{};
  while (in.read(block.data(), block.size()) || in.gcount() > 0)
    take(std::string_view(block.data(), static_cast<std::size_t>(in.gcount())));
  if (in.bad()) unreadable(path);
}

std::string_view without_plus(std::string_view text) noexcept {
  if (text.size() > 1 && text[0] == '+' && text[1] != '-') text.remove_prefix(1);
  return text;
}

}  // namespace

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> out;
  for (;;) {
    const auto at = text.find(separator);
    out.push_back(text.substr(0, at));
    if (at == std::string_view::npos) return out;
    text.remove_prefix(at + 1);
  }
}

std::string lower_case(std::string_view text) {
  std::string out(text);
  for (char& c : out)
    c = lower_case(c);
  return out;
}

bool equal_letters(std::string_view a, std::string_view b) noexcept {
  if (a == b) return true;  // the common case of equal names
  return std::ranges::equal(a, b, [](char x, char y) { return lower_case(x) == lower_case(y); });
}

std::string nearest(std::string_view name, std::span<const std::string> candidates) {
  std::string best;
  std::size_t least = std::max<std::size_t>(name.size() / 3, 1) + 1;
  for (const std::string& candidate : candidates) {
    // The distance is at least the difference of the lengths, and it takes time to compute.
    const auto [shorter, longer] = std::minmax({name.size(), candidate.size()});
    if (longer - shorter >= least) continue;
    const std::size_t edits = distance(name, candidate);
    if (edits < least) {
      least = edits;
      best = candidate;
    }
  }
  return best;
}

std::string help_row(std::string left, std::string_view help, std::size_t indent,
                     std::size_t width) {
  std::string out = std::move(left);
  out.resize(std::max(indent, out.size() + 2), ' ');
  std::size_t column = out.size();
  for (const std::string_view word : split(help, ' ')) {
    if (column > indent && column + 1 + word.size() > width) {
      out += "\n" + std::string(indent, ' ');
      column = indent;
    } else if (column > indent && out.back() != ' ') {
      out += ' ';
      ++column;
    }
    out += word;
    column += word.size();
  }
  return out + '\n';
}

std::string shell_word(std::string_view word) {
  constexpr std::string_view plain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./:=,+@%";
  if (!word.empty() && word.find_first_not_of(plain) == std::string_view::npos)
    return std::string(word);
  std::string out = "'";
  for (const char c : word) {
    if (c == '\'')
      out += "'\\''";
    else
      out += c;
  }
  return out + "'";
}

std::string did_you_mean(std::string_view name, std::span<const std::string> candidates) {
  const std::string best = nearest(name, candidates);
  return best.empty() ? std::string{} : "did you mean " + best + "?";
}

std::optional<std::int64_t> parse_int(std::string_view text) noexcept {
  return parse<std::int64_t>(without_plus(text));
}

std::optional<double> parse_float(std::string_view text) noexcept {
  return parse<double>(without_plus(text));
}

std::string shortest(double value) {
  std::string out;
  ifb::append_python_float(out, value);
  return out;
}

std::string whole_or_shortest(double value) {
  return value == std::floor(value) && std::abs(value) < 1e15 ? fmt::format("{:.0f}", value)
                                                              : shortest(value);
}

std::string read_file(const std::string& path) {
  std::string out;
  each_block(path, [&](std::string_view block) { out += block; });
  return out;
}

std::string read_regular_file(const std::string& path, std::size_t most) {
  // With O_NONBLOCK, open() does not wait for a writer of a named pipe.
  const fd in(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
  struct stat about{};
  if (!in || ::fstat(in.get(), &about) != 0) unreadable(path);
  if (!S_ISREG(about.st_mode)) throw error(path + " is not a regular file");
  std::string out;
  std::array<char, 65536> block{};
  for (;;) {
    const ssize_t got = ::read(in.get(), block.data(), block.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) unreadable(path);
    if (got == 0) return out;
    out.append(block.data(), static_cast<std::size_t>(got));
    if (out.size() > most) throw error(path + " has more than " + std::to_string(most) + " bytes");
  }
}

std::string sha256_of_file(const std::string& path) {
  const std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context(EVP_MD_CTX_new(),
                                                                        EVP_MD_CTX_free);
  EVP_DigestInit_ex(context.get(), EVP_sha256(), nullptr);
  each_block(path, [&](std::string_view block) {
    EVP_DigestUpdate(context.get(), block.data(), block.size());
  });
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned int size = 0;
  EVP_DigestFinal_ex(context.get(), digest.data(), &size);
  std::string out;
  for (unsigned int i = 0; i < size; ++i) {
    constexpr std::string_view digits = "0123456789abcdef";
    out += digits[digest[i] >> 4U];
    out += digits[digest[i] & 15U];
  }
  return out;
}

std::string valid_utf8(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size();) {
    const auto [length, good] = ifb::utf8_sequence(text.substr(i));
    if (good)
      out.append(text, i, length);
    else
      out += "\xEF\xBF\xBD";
    i += length;
  }
  return out;
}

std::string one_line(std::string_view text) {
  std::string out = valid_utf8(text);
  for (char& c : out)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) c = ' ';
  return out;
}

}  // namespace inferbench::base
