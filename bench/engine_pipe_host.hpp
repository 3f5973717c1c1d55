// The host and the batch of the row engine-pipe: as little as the plugin python-engine needs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <inferbench/draft/batch_engine.h>
#include <inferbench/host.hpp>
#include <inferbench/views.hpp>

#include "common/system.hpp"

/// Blocks of zeroed memory, freed as a whole.
struct ifb_arena {
  static constexpr std::size_t block_size = std::size_t{1} << 20U;
  struct freed {
    void operator()(std::byte* memory) const { std::free(memory); }
  };
  std::vector<std::unique_ptr<std::byte, freed>> blocks = {};
  std::size_t left = 0;

  void* take(std::size_t bytes) {
    bytes = (bytes + 15) / 16 * 16;
    if (bytes > left) {
      left = bytes > block_size ? bytes : block_size;
      blocks.emplace_back(static_cast<std::byte*>(std::calloc(1, left)));
      next_ = blocks.back().get();
      if (next_ == nullptr) return nullptr;
    }
    left -= bytes;
    return std::exchange(next_, next_ + bytes);
  }

 private:
  std::byte* next_ = nullptr;
};

namespace inferbench::bench {

/// Shows warnings and errors on standard error. Any thread.
inline const ifb_host pipe_host = [] {
  ifb_host out{};
  out.struct_size = sizeof out;
  out.abi_major = IFB_ABI_MAJOR;
  out.abi_minor = IFB_ABI_MINOR;
  out.version = "0.1.0";
  out.log = [](const ifb_host*, std::uint32_t, ifb_str text) {
    std::fprintf(stderr, "%.*s\n", static_cast<int>(text.size), text.data);
  };
  out.log_level = [](const ifb_host*) { return std::uint32_t{3}; };
  out.now = [](const ifb_host*) { return now_ns(); };
  out.seed = [](const ifb_host*, std::uint64_t stream) { return stream; };
  out.cancelled = [](const ifb_host*) { return std::uint32_t{0}; };
  out.alloc = [](const ifb_host*, ifb_arena* arena, std::size_t bytes) {
    return arena->take(bytes);
  };
  out.service = [](const ifb_host*, const char*) -> const void* { return nullptr; };
  out.unix_now = [](const ifb_host*) { return std::int64_t{0}; };
  return out;
}();

/// `requests` equal samples with prompts of `prompt_tokens` ids or words.
class pipe_batch {
 public:
  pipe_batch(std::uint32_t requests, std::int64_t tokens, std::uint32_t prompt_tokens, bool ids)
      : ids_(ids ? prompt_tokens : 0, 7), text_([&] {
          std::string out;
          for (std::uint32_t i = 0; i < (ids ? 0 : prompt_tokens); ++i)
            out += "word ";
          return out;
        }()) {
    part_ = ifb::text_part(text_);
    if (ids) {
      part_.kind = IFB_PART_TOKENS;
      part_.data = {ids_.data(), ids_.size() * sizeof(std::uint32_t)};
    }
    sample_.shape = ids ? IFB_PROMPT_TOKENS : IFB_PROMPT_TEXT;
    sample_.prompt = ifb::list_of({&part_, 1});
    sample_.output_tokens = tokens;
    items_.assign(requests, {sizeof(ifb_batch_item), 0, &sample_, nullptr});
    sampling_.struct_size = sizeof sampling_;
    sampling_.flags = IFB_SAMPLING_IGNORE_EOS;
    sampling_.n = sampling_.beam_width = 1;
    sampling_.temperature = sampling_.top_p = 1;
    sampling_.max_tokens = -1;
    batch_.struct_size = sizeof batch_;
    batch_.mode = IFB_BATCH_GENERATE;
    batch_.flags = IFB_BATCH_STAMPS;
    batch_.items = items_.data();
    batch_.item_count = requests;
    batch_.item_stride = sizeof(ifb_batch_item);
    batch_.sampling = &sampling_;
  }
  pipe_batch(const pipe_batch&) = delete;
  pipe_batch& operator=(const pipe_batch&) = delete;

  [[nodiscard]] const ifb_batch& get() const noexcept { return batch_; }

 private:
  std::vector<std::uint32_t> ids_;
  std::string text_;
  ifb_part part_{};
  ifb_sample sample_ = ifb::blank_sample();
  std::vector<ifb_batch_item> items_;
  ifb_sampling sampling_{};
  ifb_batch batch_{};
};

}  // namespace inferbench::bench
