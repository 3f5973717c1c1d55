// Reads rows of a dataset on several threads before they are needed, and passes them on in order.
// For datasets with the flag IFB_DATASET_PARALLEL. The number of waiting rows and their memory are
// limited.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include <inferbench/abi.h>

#include "dataset/sample.hpp"

namespace inferbench::dataset {

/// A row, and the result of the call in which the plugin made a sample from it.
struct read_row {
  std::uint64_t row = 0;  // number of the row in the dataset, from 0
  sample_ptr data{};
  ifb_status status = IFB_OK;
  ifb_error error{};
};

/// The memory of the rows that wait for next(), in bytes. A row counts with the used bytes of its
/// sample's arena.
struct row_bytes {
  std::size_t most = SIZE_MAX;  // the limit for all waiting rows together
  std::size_t expected = 0;     // the estimate for one row before any row was read
};

/// One thread at a time calls next() and the destructor. The result does not depend on the number
/// of threads: next() returns the rows in the order of `rows`, each with its own status. More rows
/// may be read than next() returns; the failures of the other rows are not reported.
class read_ahead {
 public:
  /// Returns the number of the next row; nullopt after the last row. Called by one thread at a
  /// time, on any of the threads. Must not throw.
  using numbers = std::function<std::optional<std::uint64_t>()>;
  /// Reads the row with the number read_row::row, and fills in the other members. Several threads
  /// call it at the same time. Must throw nothing but std::bad_alloc, which becomes the status
  /// IFB_E_MEMORY.
  using reader = std::function<void(read_row&)>;

  /// Starts `threads` threads of low priority, which read at most `most` rows. If the system grants
  /// fewer threads, these read all rows; without any thread, next() reads the rows itself. For the
  /// limit of `bytes`, a row that is being read counts with an estimate from the latest rows, and a
  /// row that was read with its own bytes. If no row waits, one row is read even if it exceeds the
  /// limit.
  read_ahead(numbers rows, reader read, unsigned threads, std::uint64_t most,
             const row_bytes& bytes = {});
  read_ahead(const read_ahead&) = delete;
  read_ahead& operator=(const read_ahead&) = delete;
  /// Waits for the rows that are being read.
  ~read_ahead();

  /// Waits for the next row. Returns nullopt after the last row.
  [[nodiscard]] std::optional<read_row> next();

 private:
  struct slot {
    read_row row;
    std::size_t bytes = 0;  // the estimate; after reading, the bytes of the row
    bool made = false;      // the row was read
  };

  void start(unsigned threads);
  void stop() noexcept;
  void work();
  [[nodiscard]] bool short_of_memory() const noexcept;
  [[nodiscard]] bool room() const noexcept;
  [[nodiscard]] std::size_t claim();
  void finish(slot& one) noexcept;
  void read(read_row& into) const;

  numbers rows_;
  reader read_;
  std::mutex mutex_;
  std::condition_variable room_;  // signalled when a thread may claim rows
  std::condition_variable made_;  // signalled when the row for which next() waits was read, and
                                  // when the number of rows becomes known
  std::vector<slot> slots_;       // row i of the order waits in slot i modulo the number of slots
  std::uint64_t taken_ = 0;       // number of rows that next() has returned
  std::uint64_t claimed_ = 0;     // number of rows that threads have begun to read
  std::size_t most_bytes_;
  std::size_t expected_bytes_;  // estimate for the next row
  std::size_t bytes_ = 0;       // bytes of the rows that are claimed and not taken
  std::uint64_t end_;           // the number of rows; `most` until this number is known
  bool stopping_ = false;
  std::vector<std::thread> threads_;
};

/// The number of threads that read rows: as many as the machine has cores, at most 8.
[[nodiscard]] unsigned usual_readers() noexcept;

}  // namespace inferbench::dataset
