// Access to the fixtures of tests/fixtures/tokenizers, and to the real tokenizer files, which are
// not in the source tree (see the README there).
#pragma once

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>
#include <rapidjson/document.h>

#include "support/tokenizer_cache.hpp"

namespace hf_test {

inline std::string fixture(std::string_view name) {
  return std::string(INFERBENCH_FIXTURES) + "/tokenizers/" + std::string(name);
}

inline std::string read_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  EXPECT_TRUE(in) << path;
  return {std::istreambuf_iterator<char>(in), {}};
}

/// The output of `gzip -dc` for a file.
inline std::string unzip(const std::string& path) {
  std::FILE* pipe = ::popen(("gzip -dc '" + path + "'").c_str(), "r");
  std::string out;
  if (pipe == nullptr) return out;
  char chunk[65536];
  for (std::size_t n = 0; (n = std::fread(chunk, 1, sizeof chunk, pipe)) > 0;)
    out.append(chunk, n);
  ::pclose(pipe);
  return out;
}

using inferbench::support::tokenizer_cache;

/// The tokenizer.json of a real model; empty if it has not been fetched.
inline std::optional<std::string> real_tokenizer(const std::string& name) {
  const std::string packed = fixture(name + "/tokenizer.json.gz");
  if (std::filesystem::exists(packed)) return unzip(packed);
  const auto file = tokenizer_cache() / name / "tokenizer.json";
  if (std::filesystem::exists(file)) return read_file(file.string());
  return std::nullopt;
}

/// For a test that needs the file: skips the test without it, or fails if all files are required.
#define HF_TEST_NEEDS(name, into)                                              \
  auto into = ::hf_test::real_tokenizer(name);                                 \
  if (!(into)) {                                                               \
    const char* const required = std::getenv("INFERBENCH_REQUIRE_TOKENIZERS"); \
    if (required != nullptr && std::string_view(required) == "1")              \
      FAIL() << (name) << " is not in " << ::hf_test::tokenizer_cache()        \
             << "; tests/tools/fetch_tokenizers fetches it";                   \
    GTEST_SKIP() << (name) << " is not in " << ::hf_test::tokenizer_cache()    \
                 << "; tests/tools/fetch_tokenizers fetches it";               \
  }

/// Calls `take(const rapidjson::Value&)` for each line.
template <typename taker>
std::size_t for_each_line(const std::string& path, taker&& take) {
  const std::string all = read_file(path);
  std::size_t lines = 0;
  std::string_view rest = all;
  while (!rest.empty()) {
    const auto end = std::min(rest.find('\n'), rest.size());
    const std::string_view line = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (line.empty()) continue;
    rapidjson::Document row;
    row.Parse(line.data(), line.size());
    EXPECT_FALSE(row.HasParseError()) << path << ", line " << lines + 1;
    take(static_cast<const rapidjson::Value&>(row));
    ++lines;
  }
  return lines;
}

inline std::string_view text_of(const rapidjson::Value& value) {
  return {value.GetString(), value.GetStringLength()};
}
template <typename number = std::uint32_t>
std::vector<number> numbers_of(const rapidjson::Value& list) {
  std::vector<number> out;
  for (const auto& it : list.GetArray())
    out.push_back(static_cast<number>(it.GetUint()));
  return out;
}

}  // namespace hf_test
