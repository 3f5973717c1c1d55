#include "run/collector.hpp"

#include <chrono>
#include <utility>
#include <vector>

#include "base/cpu.hpp"

namespace inferbench::run {

namespace {

// A batch is passed to the results after this time, even if it is not full.
constexpr std::chrono::milliseconds patience{100};

void collect(records::channel& from, results& to, const base::clock& clock, scoring* scores) {
  for (bool more = true; more;) {
    std::vector<client::record> batch;
    more = from.pop_all(batch, std::chrono::steady_clock::now() + patience);
    if (scores != nullptr) {
      if (!batch.empty()) scores->push(std::move(batch));
      batch = scores->take();
    }
    if (!batch.empty()) to.take(std::move(batch));
    to.tick(clock.now());
  }
  if (scores == nullptr) return;
  if (std::vector<client::record> last = scores->finish(); !last.empty()) to.take(std::move(last));
}

}  // namespace

collector::collector(records::channel& from, results& to, const base::clock& clock, scoring* scores)
    : thread_([&from, &to, &clock, scores] {
        base::give_way();
        collect(from, to, clock, scores);
      }) {}

void collector::join() {
  if (thread_.joinable()) thread_.join();
}

}  // namespace inferbench::run
