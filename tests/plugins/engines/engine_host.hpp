// A host for the tests of engines: the real monotonic clock, a fixed Unix time, a log that keeps
// its lines, an arena, no services. Any thread may call the functions, but only one thread at a
// time may use the arena.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <ctime>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include <inferbench/draft/batch_engine.h>
#include <inferbench/host.hpp>
#include <inferbench/views.hpp>

struct ifb_arena {
  std::vector<std::unique_ptr<std::max_align_t[]>> chunks;
};

namespace engine_test {

inline std::uint64_t monotonic_ns() {
  timespec now{};
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000U +
         static_cast<std::uint64_t>(now.tv_nsec);
}

class engine_host {
 public:
  engine_host() {
    table_.c = {sizeof(ifb_host), IFB_ABI_MAJOR, IFB_ABI_MINOR, "0.1.0",    &log,
                &log_level,       &now,          &seed,         &cancelled, &alloc,
                &service,         &unix_now};
    table_.self = this;
  }
  engine_host(const engine_host&) = delete;
  engine_host& operator=(const engine_host&) = delete;

  [[nodiscard]] const ifb_host* table() const { return &table_.c; }
  [[nodiscard]] ifb::host host() const { return ifb::host{&table_.c}; }
  /// The arena of this host: always the same. Its memory is freed with the host.
  [[nodiscard]] ifb::arena arena() { return {&table_.c, &arena_}; }
  /// All lines of the log, each with a line break.
  [[nodiscard]] std::string logged() const {
    const std::lock_guard lock(mutex_);
    return lines_;
  }

  std::atomic<bool> stopping = false;  // the answer of ifb_host::cancelled

 private:
  struct linked {
    ifb_host c;
    engine_host* self;
  };
  static engine_host& of(const ifb_host* c) { return *reinterpret_cast<const linked*>(c)->self; }

  static void log(const ifb_host* c, std::uint32_t, ifb_str text) {
    const std::lock_guard lock(of(c).mutex_);
    of(c).lines_ += std::string(ifb::view(text)) + "\n";
  }
  static std::uint32_t log_level(const ifb_host*) { return 0; }
  static std::uint64_t now(const ifb_host*) { return monotonic_ns(); }
  static std::int64_t unix_now(const ifb_host*) { return 1'700'000'000'000'000'042; }
  static std::uint64_t seed(const ifb_host*, std::uint64_t stream) { return stream * 7; }
  static std::uint32_t cancelled(const ifb_host* c) { return of(c).stopping ? 1 : 0; }
  static void* alloc(const ifb_host*, ifb_arena* arena, std::size_t bytes) {
    const std::size_t units = bytes / sizeof(std::max_align_t) + 1;
    arena->chunks.push_back(std::make_unique<std::max_align_t[]>(units));  // zeroed
    return arena->chunks.back().get();
  }
  static const void* service(const ifb_host*, const char*) { return nullptr; }

  linked table_{};
  ifb_arena arena_;
  mutable std::mutex mutex_;
  std::string lines_;
};

/// The failure that `body` throws; code IFB_OK if it throws none.
template <typename call>
ifb::failure failure_of(call&& body) {
  try {
    body();
  } catch (const ifb::failure& e) {
    return e;
  }
  return {IFB_OK, "there was no failure"};
}
/// The message of the failure that `body` throws.
template <typename call>
std::string message_of(call&& body) {
  return failure_of(std::forward<call>(body)).message();
}

/// A batch of text prompts. `tokens`: the output length that each prompt asks for. `batch` points
/// into this object and is valid as long as the object.
class text_batch {
 public:
  explicit text_batch(std::vector<std::string> prompts, std::int64_t tokens = 2)
      : texts_(std::move(prompts)),
        parts_(texts_.size()),
        samples_(texts_.size()),
        items_(texts_.size()) {
    for (std::size_t i = 0; i < texts_.size(); ++i) {
      parts_[i] = ifb::text_part(texts_[i]);
      samples_[i] = ifb::blank_sample();
      samples_[i].shape = IFB_PROMPT_TEXT;
      samples_[i].prompt = ifb::list_of({&parts_[i], 1});
      samples_[i].output_tokens = tokens;
      items_[i] = {sizeof(ifb_batch_item), 0, &samples_[i], nullptr};
    }
    sampling.struct_size = sizeof sampling;
    sampling.flags = IFB_SAMPLING_IGNORE_EOS;
    sampling.n = sampling.beam_width = 1;
    sampling.temperature = sampling.top_p = 1;
    sampling.max_tokens = -1;
    batch.struct_size = sizeof batch;
    batch.mode = IFB_BATCH_GENERATE;
    batch.items = items_.data();
    batch.item_count = static_cast<std::uint32_t>(items_.size());
    batch.item_stride = sizeof(ifb_batch_item);
    batch.sampling = &sampling;
  }
  text_batch(const text_batch&) = delete;
  text_batch& operator=(const text_batch&) = delete;

  ifb_sample& sample(std::size_t i) { return samples_[i]; }
  ifb_batch_item& item(std::size_t i) { return items_[i]; }

  ifb_sampling sampling{};
  ifb_batch batch{};

 private:
  std::vector<std::string> texts_;
  std::vector<ifb_part> parts_;
  std::vector<ifb_sample> samples_;
  std::vector<ifb_batch_item> items_;
};

}  // namespace engine_test
