// From rows to the samples of a run. The plugin knows rows; the feed decides which
// of them are asked for, in which order, how many times, and under which id:
//
//   rows -> [shuffle] -> read until num_prompts are accepted -> [oversample] -> ids
//
// Shuffle and oversampling draw as Python's `random` does, each freshly seeded, so
// that a seed picks the same rows in the same order as upstream.
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
  bool shuffle = true;     // where the dataset allows it
  bool oversample = true;  // where the dataset allows it
  std::string request_id_prefix;
};

/// Life: prepare(), then either next() until the end, or start() and take() from
/// other threads, and so again for another run. One control thread, but for take(),
/// try_take() and trouble(), which any thread may call. It must outlive the samples that
/// it handed out.
class feed {
 public:
  /// Changes samples before anybody takes them; must not throw.
  using stage = std::function<void(std::span<const sample_ptr>)>;

  /// `dataset` and `log` must outlive the feed. Throws base::error when the plugin
  /// offers no dataset interface.
  feed(const plugin::instance& dataset, settings wanted, base::log& log);
  feed(const feed&) = delete;
  feed& operator=(const feed&) = delete;
  /// Stops.
  ~feed();

  /// Lets the plugin load, fixes the order, finds sample 0 and the number of
  /// samples. That number is known without reading all rows when the run is filled
  /// up by oversampling or the rows are made to order (synthetic); otherwise, and where
  /// rows are conversations, the rows are read once and dropped. Throws plugin::refused
  /// for what the plugin refuses, base::error when no row yields a sample.
  void prepare();

  // The rest needs prepare().

  /// Samples of this run, at least 1.
  [[nodiscard]] std::uint64_t total() const noexcept { return total_; }

  /// Requests of this run: of each sample one, of each conversation its turns.
  [[nodiscard]] std::uint64_t requests() const noexcept { return requests_; }

  /// Each sample is a conversation (conversation.hpp).
  [[nodiscard]] bool conversations() const noexcept {
    return (info_.flags & IFB_DATASET_SESSIONS) != 0;
  }

  /// ifb_dataset_flag.
  [[nodiscard]] std::uint32_t flags() const noexcept { return info_.flags; }

  /// Sample 0, of a conversation its first request, with an empty id, for ready check and
  /// warm-up; any number of requests may share it. Valid as long as the feed.
  [[nodiscard]] const sample& first() const noexcept { return *first_; }

  /// The next sample, or null after the last. Throws base::error when the dataset
  /// fails. Rows that yielded no sample are logged when the last row has been read,
  /// a line for each reason. Not after start().
  [[nodiscard]] sample_ptr next();

  /// From here on samples go through `what`: first() at once, the others on the feeding
  /// thread, up to `at_once` together. Those of next() do not. Before start().
  void pass_through(stage what, std::size_t at_once);

  /// Starts the feeding thread, which keeps `capacity` samples ready, at the first sample
  /// of the run. Again only after stop().
  void start(std::size_t capacity);

  /// Waits until `capacity` samples are ready or the last is, so that traffic does
  /// not begin with a wait for data. False when that took longer than `limit`.
  bool wait_until_ready(std::chrono::milliseconds limit = std::chrono::hours(1000)) {
    return queue_.wait_until_full(limit);
  }

  /// The next sample; waits for it. Null: the end, or stop(), or see trouble().
  [[nodiscard]] sample_ptr take() { return queue_.pop(); }

  /// The same without waiting: `later` when none is ready yet.
  [[nodiscard]] taken try_take(sample_ptr& out) { return queue_.try_pop(out); }

  /// Why the samples ended early: the dataset failed. Empty otherwise. Settled once
  /// take() has returned null.
  [[nodiscard]] std::string trouble() const;

  /// Drops what is ready, ends the feeding thread and waits for it; takers get null
  /// at once. May be repeated.
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
  pool pool_;  // before everything that holds samples

  ifb_dataset_info info_{};
  order order_;
  sample_ptr first_;
  std::uint64_t total_ = 0;
  std::uint64_t requests_ = 0;
  bool made_to_order_ = false;  // each row is a sample
  bool fills_up_ = false;       // oversampling is allowed and on

  // Where reading stands.
  std::uint64_t position_ = 0;  // in the order
  std::uint64_t accepted_ = 0;
  std::uint64_t sequence_ = 0;
  bool more_rows_ = true;
  bool told_ = false;
  skips skips_;
  std::vector<std::uint64_t> again_;  // accepted rows, kept where they may be repeated
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
