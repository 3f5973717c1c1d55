// A dataset plugin with a tokenizer of numbers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <inferbench/views.hpp>

#include "plugins/datasets/tokenizers.hpp"

namespace support {

struct dataset_bench {
  dataset_bench(const char* id, const settings& given, number_tokenizer t = {})
      : tokenizer(std::move(t)), box(id) {
    tokenizer.offer(box.host);
    EXPECT_EQ(box.create(given), IFB_OK) << box.message();
  }

  /// The prompt of each row, with one line for each part.
  std::vector<std::string> prompts() {
    std::vector<std::string> out;
    for (std::int64_t i = 0; i < box.info.rows; ++i) {
      EXPECT_EQ(box.read(static_cast<std::uint64_t>(i)), IFB_OK) << box.message();
      out.push_back(box.prompt());
      for (std::size_t k = 1; k < box.sample.prompt.count; ++k)
        out.back() += "\n" + box.prompt(k);
    }
    return out;
  }

  /// The ids of each row of shape TOKENS.
  std::vector<std::vector<std::uint32_t>> ids() {
    std::vector<std::vector<std::uint32_t>> out;
    for (std::int64_t i = 0; i < box.info.rows; ++i) {
      EXPECT_EQ(box.read(static_cast<std::uint64_t>(i)), IFB_OK) << box.message();
      EXPECT_EQ(box.sample.shape, std::uint32_t{IFB_PROMPT_TOKENS});
      const auto some = ifb::tokens_of(ifb::view(box.sample.prompt).front());
      out.emplace_back(some.begin(), some.end());
      EXPECT_EQ(box.sample.input_tokens, static_cast<std::int64_t>(some.size()));
    }
    return out;
  }

  number_tokenizer tokenizer;
  dataset_box box;
};

/// Row 0 of a prepared dataset needs more than `allocations` allocations; with fewer, reading it
/// fails with the status for memory.
inline void expect_memory_needed(dataset_box& box, std::size_t allocations) {
  for (std::size_t allowed = 0; allowed < allocations; ++allowed) {
    arena small(allowed);
    ifb_sample sample{};
    sample.struct_size = sizeof sample;
    EXPECT_EQ(box.operations().read(box.get(), 0, small.handle(), &sample, &box.error),
              IFB_E_MEMORY)
        << allowed;
  }
}

/// A tokenizer whose first two ids are special, so that the random dataset leaves them out.
inline number_tokenizer two_special() {
  number_tokenizer out;
  out.special = {0, 1};
  return out;
}

}  // namespace support
