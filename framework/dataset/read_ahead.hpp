// Reads rows of a dataset on several threads, and passes them on in their order (datasets with
// IFB_DATASET_PARALLEL). Rows wait in a limited number and a limited amount of memory.
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

/// A row, and the result of the plugin's call.
struct read_row {
  std::uint64_t row = 0;
  sample_ptr data{};
  ifb_status status = IFB_OK;
  ifb_error error{};
};

/// The memory of rows that wait to be taken, in bytes of the arenas of their samples.
struct row_bytes {
  std::size_t most = SIZE_MAX;
  std::size_t expected = 0;  // of one row, before any row was read
};

/// next() and the destructor belong to one thread. The result does not depend on the number of
/// threads: rows come in the order of `rows`, with their own statuses. More rows may be read than
/// are taken, so the caller ignores the failures of rows that it does not take.
class read_ahead {
 public:
  /// The number of the next row; nullopt after the last. One thread at a time calls it.
  using numbers = std::function<std::optional<std::uint64_t>()>;
  /// Reads the row with the number `row`. Several threads call it at the same time. Must not throw
  /// anything but std::bad_alloc.
  using reader = std::function<void(read_row&)>;

  /// Starts `threads` threads of low priority. At most `most` rows are read. If the system refuses
  /// all threads, next() reads the rows itself. A row is counted with its bytes when it was read,
  /// and before that with the bytes that rows had lately. One row is always read, however large the
  /// row is.
  read_ahead(numbers rows, reader read, unsigned threads, std::uint64_t most,
             const row_bytes& bytes = {});
  read_ahead(const read_ahead&) = delete;
  read_ahead& operator=(const read_ahead&) = delete;
  /// Waits for the rows that are being read.
  ~read_ahead();

  /// Waits for the next row. Returns nullopt after the last.
  [[nodiscard]] std::optional<read_row> next();

 private:
  struct slot {
    read_row row;
    std::size_t bytes = 0;  // expected, or those of the row if it was made
    bool made = false;
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
  std::condition_variable room_;  // a thread may claim rows
  std::condition_variable made_;  // the row that next() waits for is there
  std::vector<slot> slots_;       // row i of the order waits in slot i modulo their number
  std::uint64_t taken_ = 0;
  std::uint64_t claimed_ = 0;
  std::size_t most_bytes_;
  std::size_t expected_bytes_;  // of the next row
  std::size_t bytes_ = 0;       // of the rows that are claimed and not taken
  std::uint64_t end_;           // the number of rows, or the limit until it is known
  bool stopping_ = false;
  std::vector<std::thread> threads_;
};

/// The number of threads that read rows: as many as the machine has cores, at most 8.
[[nodiscard]] unsigned usual_readers() noexcept;

}  // namespace inferbench::dataset
