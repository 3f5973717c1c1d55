// Makes the samples of a run from the rows of a dataset. The plugin provides the rows. The feed
// decides which rows are read, in which order and how often, and gives each sample an id:
//
//   rows -> [shuffle] -> read until num_prompts are accepted -> [oversample] -> ids
//
// Shuffle and oversampling each seed a new random generator that works like Python's `random`. So a
// seed yields the same rows in the same order as upstream. If the dataset allows it, several
// threads read rows in advance; this does not change the samples.
//
// If the run ends at a time, it may have any number of samples: the rows of an endless dataset, or
// repetitions without an end.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
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
#include "dataset/read_ahead.hpp"
#include "dataset/sample.hpp"
#include "dataset/skips.hpp"
#include "plugin/instance.hpp"
#include "plugin/operations.hpp"

namespace inferbench::dataset {

struct settings {
  // <= 0: all rows, once. nullopt: as many samples as are taken until the run ends at a time; the
  // rows are repeated if the dataset and `oversample` allow it.
  std::optional<std::int64_t> num_prompts = 1000;
  std::uint64_t seed = 0;
  bool shuffle = true;     // only if the dataset allows it
  bool oversample = true;  // only if the dataset allows it
  std::string request_id_prefix;
  // Rows whose prompt and wanted output together have more tokens are skipped, if both lengths are
  // known, and turns of conversations are left out (cut_to()); nullopt: no limit.
  std::optional<std::int64_t> max_tokens{};
  bool timed = false;     // the run ends at a time, so the dataset may be endless
  bool own_times = true;  // requests are sent at the times of the dataset, if it has any: the rows
                          // keep their order and are not repeated
  unsigned readers = usual_readers();  // threads that read rows, if the dataset allows it; 1: none
  // Memory of the rows that these threads have read or are reading, bytes.
  std::size_t bytes_ahead = std::size_t{64} << 20U;
};

/// Life cycle: prepare(), then either next() until the end, or start() and then take() from other
/// threads. After stop(), start() begins another run. Used by one control thread; any thread may
/// call take(), try_take() and trouble(). The feed must outlive the samples that it gave out.
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

  /// The number of samples of a feed without an end.
  static constexpr std::uint64_t no_end = std::numeric_limits<std::uint64_t>::max();

  /// Lets the plugin load its data, decides the order of the rows, and finds sample 0 and the
  /// number of samples. The number is known without reading all rows if oversampling fills up the
  /// run or the rows are synthetic. Otherwise, and always for conversations with an end, the rows
  /// are read once and dropped. Throws plugin::refused for refusals of the plugin and for rows that
  /// break the contract. Throws base::error if no row yields a sample, or if neither a number nor a
  /// time limits an endless dataset.
  void prepare();

  // The members below need prepare().

  /// Number of samples of this run, at least 1; or no_end.
  [[nodiscard]] std::uint64_t total() const noexcept { return total_; }

  /// Number of requests of this run: one for each sample, several for a conversation; or no_end.
  [[nodiscard]] std::uint64_t requests() const noexcept { return requests_; }

  /// Whether the samples have no end.
  [[nodiscard]] bool endless() const noexcept { return total_ == no_end; }

  /// Whether each sample is a conversation (conversation.hpp).
  [[nodiscard]] bool conversations() const noexcept {
    return (info_.flags & IFB_DATASET_SESSIONS) != 0;
  }

  /// Bits of ifb_dataset_flag: the dataset's static flags and those of its info.
  [[nodiscard]] std::uint32_t flags() const noexcept { return info_.flags; }

  /// Sample 0, reduced to the first request of a conversation and with an empty id; for ready check
  /// and warm-up. Any number of requests may share this sample. Valid as long as the feed.
  [[nodiscard]] const sample& first() const noexcept { return *first_; }

  /// The next sample, or null after the last. Throws base::error if the dataset fails. Rows that
  /// yielded no sample are logged after the last row, with one line for each reason; a dataset that
  /// ends before the number of rows it announced is logged once. Do not call this after start().
  [[nodiscard]] sample_ptr next();

  /// The name of a row (sample::row) in messages, which count from 1: "dataset random, row 3".
  [[nodiscard]] std::string place_of(std::uint64_t row) const;

  /// Calls `what` for first() immediately, and later on the feeding thread for all samples of
  /// take() and try_take(), with up to `at_once` samples in one call, or fewer if they are large.
  /// Samples of next() are not passed to `what`. Call this before start().
  void pass_through(stage what, std::size_t at_once);

  /// The memory of the samples that are ready, if start() is given no other.
  static constexpr waiting_bytes usual_bytes{std::size_t{32} << 20U};

  /// Starts the feeding thread at the first sample of the run; the thread keeps `capacity` samples
  /// ready, or fewer samples that take as much memory as `bytes` allows. May be called again only
  /// after stop().
  void start(std::size_t capacity, const waiting_bytes& bytes = usual_bytes);

  /// Waits until as many samples are ready as start() allows, or all remaining samples, so that
  /// traffic does not begin with a wait for data. False if this takes longer than `limit`.
  bool wait_until_ready(std::chrono::milliseconds limit = std::chrono::hours(1000)) {
    return queue_.wait_until_full(limit);
  }

  /// Waits for the next sample. Returns null after the last sample, after stop(), and after an
  /// error, see trouble().
  [[nodiscard]] sample_ptr take() { return queue_.pop(); }

  /// Takes the next sample without waiting. Returns `later` if no sample is ready yet.
  [[nodiscard]] taken try_take(sample_ptr& out) { return queue_.try_pop(out); }

  /// The reason why the dataset failed and the samples ended early; otherwise empty. The result is
  /// final when take() has returned null.
  [[nodiscard]] std::string trouble() const;

  /// Drops the samples that are ready, ends the feeding thread and waits for its end. take() then
  /// returns null without waiting. May be called repeatedly.
  void stop() noexcept;

 private:
  enum class reading : std::uint8_t { sample, skipped, end };

  void decide();
  void find_first();
  void find_total();
  [[nodiscard]] read_row call(std::uint64_t row, sample_ptr data) const;
  void call_into(read_row& row) const;
  [[nodiscard]] reading judge(const read_row& row);
  [[noreturn]] void fail(const read_row& row, const std::string& text, ifb_status code) const;
  [[nodiscard]] bool is_too_long(const ifb_sample& row) const noexcept;
  void ended_at(std::uint64_t row);
  void refuse_endless_search(std::uint64_t skipped_in_a_row) const;
  void check_arrival(const read_row& row);
  void read_in_advance(read_ahead::numbers rows, std::uint64_t most);
  [[nodiscard]] std::optional<read_row> next_row(sample_ptr& scratch);
  [[nodiscard]] bool read_on(sample_ptr& out);
  [[nodiscard]] sample_ptr repeat(sample_ptr scratch);
  void count();
  void count_turns();
  void rewind();
  void rows_are_done();
  void give_id(sample& out) const;
  void run() noexcept;
  [[nodiscard]] bool batch_is_full() const noexcept;
  [[nodiscard]] bool hand_over() noexcept;
  [[nodiscard]] std::string called() const;
  [[nodiscard]] std::string samples(std::uint64_t count) const;
  [[nodiscard]] bool has(std::uint32_t flag) const noexcept { return (info_.flags & flag) != 0; }
  [[nodiscard]] bool limited() const noexcept { return wanted_.num_prompts.value_or(0) > 0; }
  [[nodiscard]] std::uint64_t limit() const noexcept {
    return static_cast<std::uint64_t>(*wanted_.num_prompts);
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
  bool own_times_ = false;      // requests are sent at the times of the dataset
  bool parallel_ = false;       // several threads may read rows

  // The current position.
  std::uint64_t position_ = 0;  // position in `order_`
  std::uint64_t accepted_ = 0;
  std::uint64_t sequence_ = 0;
  std::uint64_t passed_over_ = 0;  // rows of an endless dataset since the last that was accepted
  bool more_rows_ = true;
  bool told_ = false;
  bool told_end_ = false;  // that the dataset has fewer rows than announced
  skips skips_;
  std::uint64_t turns_left_out_ = 0;  // of conversations that are too long
  std::uint64_t arrived_row_ = 0;     // the latest row with a time of its own
  std::int64_t arrived_ns_ = 0;       // its time
  std::vector<std::uint64_t> again_;  // accepted rows; kept only if rows may be repeated
  std::optional<repetition> repetition_;
  // Rows that are read in advance: rows of `order_`, and then repetitions. Its threads use the
  // members above.
  std::optional<read_ahead> ahead_;

  stage stage_;
  std::size_t batch_size_ = 1;
  std::vector<sample_ptr> batch_;  // used by the feeding thread only
  std::size_t batch_bytes_ = 0;    // of the arenas of the samples in `batch_`
  queue queue_;
  std::thread thread_;
  mutable std::mutex trouble_mutex_;
  std::string trouble_;
};

}  // namespace inferbench::dataset
