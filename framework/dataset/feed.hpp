// Makes the samples of a run from the rows of a dataset. The plugin provides the rows; the feed
// decides which rows are read, in which order, how many times, and under which id:
//
//   rows -> [shuffle] -> read until num_prompts are accepted -> [oversample] -> ids
//
// Shuffle and oversampling draw as Python's `random` does, each freshly seeded, so that a seed
// picks the same rows in the same order as upstream.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include <inferbench/abi.h>

#include "base/log.hpp"
#include "dataset/order.hpp"
#include "dataset/queue.hpp"
#include "dataset/sample.hpp"
#include "dataset/skips.hpp"
#include "plugin/instance.hpp"
#include "plugin/operations.hpp"

namespace inferbench::dataset {

struct settings {
  std::int64_t num_prompts = 1000;  // <= 0: all rows
  std::uint64_t seed = 0;
  bool shuffle = true;     // if the dataset allows it
  bool oversample = true;  // if the dataset allows it
  std::string request_id_prefix;
};

/// Life cycle: prepare(), then either next() until the end, or start() and take() from other
/// threads, and the same again for another run. For one control thread, except take(), try_take()
/// and trouble(), which any thread may call. The feed must outlive the samples that it gave out.
class feed {
 public:
  /// Changes samples before they are taken; must not throw.
  using stage = std::function<void(std::span<const sample_ptr>)>;

  /// `dataset` and `log` must outlive the feed. Throws base::error if the plugin offers no dataset
  /// interface.
  feed(const plugin::instance& dataset, settings wanted, base::log& log);
  feed(const feed&) = delete;
  feed& operator=(const feed&) = delete;
  /// Calls stop().
  ~feed();

  /// Lets the plugin load, fixes the order, finds sample 0 and the number of samples. If
  /// oversampling fills up the run or the rows are synthetic, the number is known without reading
  /// all rows; otherwise, and for conversations, the rows are read once and dropped. Throws
  /// plugin::refused for refusals of the plugin, base::error if no row yields a sample.
  void prepare();

  // The members below need prepare().

  /// Number of samples of this run, at least 1.
  [[nodiscard]] std::uint64_t total() const noexcept { return total_; }

  /// Number of requests of this run: one for each sample, several for a conversation.
  [[nodiscard]] std::uint64_t requests() const noexcept { return requests_; }

  /// Whether each sample is a conversation (conversation.hpp).
  [[nodiscard]] bool conversations() const noexcept {
    return (info_.flags & IFB_DATASET_SESSIONS) != 0;
  }

  /// Bits of ifb_dataset_flag.
  [[nodiscard]] std::uint32_t flags() const noexcept { return info_.flags; }

  /// Sample 0, or the first request of a conversation, with an empty id, for ready check and
  /// warm-up; any number of requests may share it. Valid as long as the feed.
  [[nodiscard]] const sample& first() const noexcept { return *first_; }

  /// The next sample, or null after the last. Throws base::error if the dataset fails. Rows that
  /// yielded no sample are logged after the last row, in one line per reason. Not after start().
  [[nodiscard]] sample_ptr next();

  /// From now on samples go through `what`: first() at once, the others on the feeding thread, up
  /// to `at_once` together. Samples of next() do not. Call this before start().
  void pass_through(stage what, std::size_t at_once);

  /// Starts the feeding thread at the first sample of the run; the thread keeps `capacity` samples
  /// ready. May be called again only after stop().
  void start(std::size_t capacity);

  /// Waits until `capacity` samples, or all remaining ones, are ready, so that traffic does not
  /// begin with a wait for data. False if that took longer than `limit`.
  bool wait_until_ready(std::chrono::milliseconds limit = std::chrono::hours(1000)) {
    return queue_.wait_until_full(limit);
  }

  /// Waits for the next sample. Null: the end, stop(), or an error, see trouble().
  [[nodiscard]] sample_ptr take() { return queue_.pop(); }

  /// The same without waiting: `later` if no sample is ready yet.
  [[nodiscard]] taken try_take(sample_ptr& out) { return queue_.try_pop(out); }

  /// Why the samples ended early: the dataset failed. Empty otherwise. Final once take() has
  /// returned null.
  [[nodiscard]] std::string trouble() const;

  /// Drops the samples that are ready, ends the feeding thread and waits for it; take() returns
  /// null at once. May be repeated.
  void stop() noexcept;

 private:
  enum class reading : std::uint8_t { sample, skipped, end };

  [[nodiscard]] reading read(std::uint64_t row, sample& out);
  [[nodiscard]] bool read_on(sample& out);
  void count();
  void count_turns();
  void rewind();
  void rows_are_done();
  void give_id(sample& out) const;
  void run() noexcept;
  [[nodiscard]] bool hand_over() noexcept;
  [[nodiscard]] std::string called() const;
  [[nodiscard]] const char* samples_word() const noexcept;
  [[nodiscard]] bool limited() const noexcept { return wanted_.num_prompts > 0; }
  [[nodiscard]] std::uint64_t limit() const noexcept {
    return static_cast<std::uint64_t>(wanted_.num_prompts);
  }

  const plugin::instance* dataset_;
  plugin::dataset operations_;
  settings wanted_;
  base::log* log_;
  pool pool_;  // declared before all members that hold samples

  ifb_dataset_info info_{};
  order order_;
  sample_ptr first_;
  std::uint64_t total_ = 0;
  std::uint64_t requests_ = 0;
  bool made_to_order_ = false;  // each row is a sample
  bool fills_up_ = false;       // oversampling is allowed and on

  // The current position.
  std::uint64_t position_ = 0;  // in the order
  std::uint64_t accepted_ = 0;
  std::uint64_t sequence_ = 0;
  bool more_rows_ = true;
  bool told_ = false;
  skips skips_;
  std::vector<std::uint64_t> again_;  // accepted rows, kept if they may be repeated
  std::optional<repetition> repetition_;

  stage stage_;
  std::size_t batch_size_ = 1;
  std::vector<sample_ptr> batch_;  // the feeding thread's
  queue queue_;
  std::thread thread_;
  mutable std::mutex trouble_mutex_;
  std::string trouble_;
};

}  // namespace inferbench::dataset
