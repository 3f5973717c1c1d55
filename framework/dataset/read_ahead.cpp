#include "dataset/read_ahead.hpp"

#include <algorithm>
#include <exception>
#include <new>
#include <utility>

#include "base/cpu.hpp"

namespace inferbench::dataset {

namespace {

// Rows that a thread reads between two uses of the lock: waking a thread takes longer than reading
// a short row.
constexpr std::size_t batch = 4;

// Rows for each thread that may wait to be taken.
constexpr std::size_t room_for_each = 2 * batch;

// Rows with this many bytes are claimed one by one, so that each thread gets a share.
constexpr std::size_t large_row = std::size_t{64} << 10U;

constexpr unsigned most_readers = 8;

}  // namespace

unsigned usual_readers() noexcept {
  return std::clamp(std::thread::hardware_concurrency(), 1U, most_readers);
}

read_ahead::read_ahead(numbers rows, reader read, unsigned threads, std::uint64_t most,
                       const row_bytes& bytes)
    : rows_(std::move(rows)),
      read_(std::move(read)),
      slots_(threads * room_for_each),
      most_bytes_(bytes.most),
      expected_bytes_(bytes.expected),
      end_(most) {
  start(threads);
}

read_ahead::~read_ahead() { stop(); }

void read_ahead::start(unsigned threads) {
  // An exception in the loop must not destroy a thread that runs.
  threads_.reserve(threads);
  try {
    for (unsigned i = 0; i < threads; ++i)
      threads_.emplace_back([this] {
        base::give_way();
        work();
      });
  } catch (const std::exception&) {  // no thread, or no memory for it
    // The rows are read by fewer threads.
  }
}

void read_ahead::stop() noexcept {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  room_.notify_all();
  for (std::thread& each : threads_)
    each.join();
}

void read_ahead::read(read_row& into) const {
  into.status = IFB_OK;
  try {
    read_(into);
  } catch (const std::bad_alloc&) {
    into.status = IFB_E_MEMORY;
  }
}

bool read_ahead::short_of_memory() const noexcept {
  return claimed_ != taken_ && bytes_ + expected_bytes_ > most_bytes_;
}

bool read_ahead::room() const noexcept {
  return claimed_ < end_ && claimed_ - taken_ < slots_.size() && !short_of_memory();
}

// Claims up to `batch` rows, and stores their numbers in their slots. The lock is held.
std::size_t read_ahead::claim() {
  const std::size_t most = expected_bytes_ < large_row ? batch : 1;
  std::size_t count = 0;
  while (count < most && room()) {
    const std::optional<std::uint64_t> row = rows_();
    if (!row) {
      end_ = claimed_;
      made_.notify_all();
      break;
    }
    slot& mine = slots_[claimed_++ % slots_.size()];
    mine.row.row = *row;
    mine.bytes = expected_bytes_;
    bytes_ += expected_bytes_;
    ++count;
  }
  return count;
}

// Marks a row as made. A large row raises the expectation at once; smaller rows lower it slowly, so
// that rows of very different sizes do not exceed the limit by much. The lock is held.
void read_ahead::finish(slot& one) noexcept {
  const std::size_t bytes = one.row.data ? one.row.data->arena.used() : 0;
  bytes_ = bytes_ - one.bytes + bytes;
  one.bytes = bytes;
  one.made = true;
  expected_bytes_ = std::max(bytes, expected_bytes_ - expected_bytes_ / 8);
}

void read_ahead::work() {
  std::unique_lock lock(mutex_);
  for (;;) {
    room_.wait(lock, [this] { return stopping_ || room(); });
    if (stopping_) return;
    const std::uint64_t first = claimed_;
    const std::size_t count = claim();
    lock.unlock();
    // No other thread uses these slots until they are marked as made.
    for (std::size_t i = 0; i < count; ++i)
      read(slots_[(first + i) % slots_.size()].row);
    lock.lock();
    const bool was_short = short_of_memory();
    for (std::size_t i = 0; i < count; ++i)
      finish(slots_[(first + i) % slots_.size()]);
    if (taken_ - first < count) made_.notify_one();
    if (was_short && room()) room_.notify_all();
  }
}

std::optional<read_row> read_ahead::next() {
  if (threads_.empty()) {
    const std::optional<std::uint64_t> row = taken_ < end_ ? rows_() : std::nullopt;
    if (!row) return std::nullopt;
    ++taken_;
    read_row out;
    out.row = *row;
    read(out);
    return out;
  }
  std::unique_lock lock(mutex_);
  slot& mine = slots_[taken_ % slots_.size()];
  made_.wait(lock, [&] { return mine.made || taken_ == end_; });
  if (!mine.made) return std::nullopt;
  std::optional<read_row> out(std::move(mine.row));
  const bool was_short = short_of_memory();
  bytes_ -= mine.bytes;
  mine = {};
  ++taken_;
  // The threads are not woken for each row, because waking a thread takes longer than a short row.
  // Rows that fill the memory are not short.
  const bool half_is_free = claimed_ - taken_ == slots_.size() / 2;
  const bool memory_is_free = was_short && room();
  lock.unlock();
  if (half_is_free || memory_is_free) room_.notify_all();
  return out;
}

}  // namespace inferbench::dataset
