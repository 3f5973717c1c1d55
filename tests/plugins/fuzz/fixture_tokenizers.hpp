// The tokenizers of tests/fixtures/tokenizers/synthetic, loaded once.
#pragma once

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "tokenizers/hf/tokenizer.hpp"

namespace fuzz {

inline const tokenizers::hf::tokenizer& fixture_tokenizer(std::uint8_t choice) {
  static const std::vector<tokenizers::hf::tokenizer> all = [] {
    const std::filesystem::path folder = INFERBENCH_FIXTURES "/tokenizers/synthetic";
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator(folder))
      files.push_back(entry.path());
    std::ranges::sort(files);
    std::vector<tokenizers::hf::tokenizer> out;
    for (const auto& file : files) {
      std::ifstream in(file, std::ios::binary);
      out.emplace_back(std::string(std::istreambuf_iterator<char>(in), {}));
    }
    return out;
  }();
  return all[choice % all.size()];
}

}  // namespace fuzz
