#include "run_order.hpp"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <limits>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include <inferbench/random.hpp>

namespace row_media {

namespace {

class row_queue {
 public:
  row_queue(const ifb_dataset_request& request, std::uint64_t rows,
            const std::function<bool(std::uint64_t)>& work)
      : work_(&work) {
    const bool shuffled = (request.flags & IFB_DATASET_IN_ORDER) == 0;
    // The host refuses to shuffle more rows.
    if (shuffled && rows > std::numeric_limits<std::uint32_t>::max()) return;
    if (shuffled) {
      order_ = ifb::ascending<std::uint32_t>(static_cast<std::size_t>(rows));
      ifb::python_random(request.seed).shuffle(order_);
    }
    end_ = request.wanted > 0 ? std::min(rows, static_cast<std::uint64_t>(request.wanted)) : rows;
  }

  void work() noexcept {
    for (;;) {
      const std::uint64_t position = next_.fetch_add(1);
      if (position >= end_.load()) return;
      try {
        const std::uint64_t row =
            order_.empty() ? position : order_[static_cast<std::size_t>(position)];
        if (!(*work_)(row)) end_at(position);
      } catch (...) {
        fail_at(position, std::current_exception());
      }
    }
  }

  [[nodiscard]] std::uint64_t size() const { return end_.load(); }
  void rethrow() const {
    if (thrown_ != nullptr) std::rethrow_exception(thrown_);
  }

 private:
  void end_at(std::uint64_t position) {
    std::uint64_t end = end_.load();
    while (position < end && !end_.compare_exchange_weak(end, position)) {
    }
  }
  // Rows are begun in their order. So the rows before the first failure are all carried out, and
  // the same failure is first with any number of threads.
  void fail_at(std::uint64_t position, std::exception_ptr why) {
    end_at(position);
    const std::lock_guard lock(mutex_);
    if (thrown_ != nullptr && thrown_at_ < position) return;
    thrown_ = std::move(why);
    thrown_at_ = position;
  }

  const std::function<bool(std::uint64_t)>* work_;
  std::vector<std::uint32_t> order_;  // empty: the order of the file
  std::atomic<std::uint64_t> next_ = 0;
  std::atomic<std::uint64_t> end_ = 0;
  std::mutex mutex_;
  std::exception_ptr thrown_;
  std::uint64_t thrown_at_ = 0;
};

}  // namespace

void for_rows_of_run(const ifb_dataset_request& request, std::uint64_t rows, unsigned threads,
                     const std::function<bool(std::uint64_t row)>& work) {
  row_queue queue(request, rows, work);
  std::vector<std::thread> others;
  const std::uint64_t most = std::min<std::uint64_t>(threads, queue.size());
  try {
    others.reserve(static_cast<std::size_t>(most));
    while (others.size() + 1 < most)
      others.emplace_back([&queue] { queue.work(); });
  } catch (const std::exception&) {
    // The system refuses more threads; the others do the work.
  }
  queue.work();
  for (std::thread& each : others)
    each.join();
  queue.rethrow();
}

}  // namespace row_media
