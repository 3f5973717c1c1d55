#include "prompts/parallel.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <thread>
#include <vector>

#include "base/cpu.hpp"

namespace inferbench::prompts {

void for_each_index(std::size_t count, std::size_t threads,
                    const std::function<void(std::size_t)>& work) noexcept {
  std::atomic<std::size_t> next = 0;
  const auto work_on = [&] {
    for (std::size_t i = 0; (i = next.fetch_add(1)) < count;)
      work(i);
  };
  std::vector<std::thread> others;
  try {
    while (others.size() + 1 < std::min(threads, count))
      others.emplace_back([&work_on] {
        base::give_way();
        work_on();
      });
  } catch (const std::exception&) {
    // No further thread can be started: the threads that are already running do the work.
  }
  work_on();
  for (std::thread& one : others)
    one.join();
}

}  // namespace inferbench::prompts
