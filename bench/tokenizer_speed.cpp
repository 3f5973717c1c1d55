// Measures the tokenizer "hf" without a host, for bench/tokenizer, and prints a line of JSON.
// tokenizer_reference.js has the first two of these command lines and prints the same members.
//
//   tokenizer_speed FILE                    load
//   tokenizer_speed FILE TEXT               load, then encode the texts of the file TEXT, which are
//                                           separated by zero bytes
//   tokenizer_speed FILE prompts N TOKENS   load, then make N random prompts of TOKENS tokens each
#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <exception>
#include <fstream>
#include <iterator>
#include <random>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "tokenizers/hf/tokenizer.hpp"
namespace {

/// Measures CPU time of the process, which does not depend on other load on the machine.
class stopwatch {
 public:
  [[nodiscard]] double seconds() const { return now() - begin_; }

 private:
  static double now() {
    timespec out{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &out);
    return static_cast<double>(out.tv_sec) + static_cast<double>(out.tv_nsec) / 1e9;
  }
  double begin_ = now();
};

std::string read_file(const char* name) {
  std::ifstream in(name, std::ios::binary | std::ios::ate);
  std::string out(in ? static_cast<std::size_t>(in.tellg()) : 0, '\0');
  in.seekg(0);
  if (!in.read(out.data(), static_cast<std::streamsize>(out.size())))
    throw std::runtime_error(std::string("cannot read ") + name);
  return out;
}

/// Memory of this program in KiB. `which`: "VmRSS:" for its resident memory now, "VmHWM:" for the
/// peak. The peak of getrusage() would include the program that started this process.
long kib(std::string_view which) {
  std::ifstream in("/proc/self/status");
  for (std::string line; std::getline(in, line);)
    if (line.starts_with(which)) return std::stol(line.substr(which.size()));
  return 0;
}

std::size_t number(const char* text) {
  const std::string_view digits = text;
  std::size_t out = 0;
  const auto end = digits.data() + digits.size();
  if (std::from_chars(digits.data(), end, out).ptr != end || out == 0)
    throw std::runtime_error("expected a number of at least 1, not " + std::string(text));
  return out;
}

void encode_texts(const tokenizers::hf::tokenizer& tokens, const char* file) {
  const std::string all = read_file(file);
  std::vector<std::string_view> texts;
  for (std::size_t from = 0; from < all.size();) {
    const auto end = std::min(all.find('\0', from), all.size());
    texts.push_back(std::string_view(all).substr(from, end - from));
    from = end + 1;
  }
  std::size_t count = 0;
  std::uint64_t digest = 0;
  double seconds = 0;
  for (const std::string_view text : texts) {
    const stopwatch watch;
    const auto ids = tokens.encode(text, false);
    seconds += watch.seconds();
    count += ids.size();
    for (const auto id : ids)
      digest = digest * 1'000'003 + id;
  }
  std::printf(", \"seconds\": %.6f, \"bytes\": %zu, \"tokens\": %zu, \"digest\": \"%llx\"", seconds,
              all.size(), count, static_cast<unsigned long long>(digest));
}

/// Makes prompts like the dataset "random": takes consecutive ids, and decodes and encodes them
/// until the length is right, at most eleven times.
void make_prompts(const tokenizers::hf::tokenizer& tokens, std::size_t prompts,
                  std::size_t length) {
  std::vector<std::uint32_t> allowed;
  const auto special = tokens.special_ids();
  for (std::uint32_t id = 0; id < tokens.size(); ++id)
    if (!std::ranges::binary_search(special, id)) allowed.push_back(id);
  std::mt19937_64 random(0);
  std::size_t exact = 0;
  std::size_t passes = 0;
  const stopwatch watch;
  for (std::size_t n = 0; n < prompts; ++n) {
    std::vector<std::uint32_t> ids;
    for (std::size_t i = 0, from = random() % allowed.size(); i < length; ++i)
      ids.push_back(allowed[(from + i) % allowed.size()]);
    for (int pass = 0; pass < 11; ++pass) {
      ++passes;
      ids = tokens.encode(tokens.decode(ids, false), false);
      if (ids.size() == length) {
        ++exact;
        break;
      }
      while (ids.size() < length)
        ids.push_back(static_cast<std::uint32_t>(random() % tokens.size()));
      ids.resize(length);
    }
  }
  std::printf(", \"seconds\": %.3f, \"prompts\": %zu, \"exact\": %zu, \"passes\": %zu",
              watch.seconds(), prompts, exact, passes);
}

}  // namespace

int main(int count, char** words) try {
  if (count != 2 && count != 3 && count != 5) {
    std::fputs("tokenizer_speed FILE [TEXT | prompts N TOKENS]\n", stderr);
    return 2;
  }
  const long before = kib("VmRSS:");
  const stopwatch watch;
  const tokenizers::hf::tokenizer tokens(read_file(words[1]));
  std::printf("{\"load_ms\": %.3f, \"load_kib\": %ld", watch.seconds() * 1e3,
              kib("VmHWM:") - before);
  if (count == 3) encode_texts(tokens, words[2]);
  if (count == 5) make_prompts(tokens, number(words[3]), number(words[4]));
  std::puts("}");
  return 0;
} catch (const std::exception& e) {
  std::fprintf(stderr, "%s\n", e.what());
  return 1;
}
