// A thread that takes the finished records of all workers from the channel and passes them to the
// results of the run.
#pragma once

#include <thread>

#include "base/clock.hpp"
#include "records/channel.hpp"
#include "run/results.hpp"

namespace inferbench::run {

class collector {
 public:
  /// Starts the thread, which ends when every producer of `from` has closed. `from`, `to` and
  /// `clock` must outlive this object. Until join(), only the thread uses `to`.
  collector(records::channel& from, results& to, const base::clock& clock);
  collector(const collector&) = delete;
  collector& operator=(const collector&) = delete;
  ~collector() { join(); }

  void join();

 private:
  std::thread thread_;
};

}  // namespace inferbench::run
