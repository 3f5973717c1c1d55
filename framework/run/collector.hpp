// A thread that takes the finished records of all workers from the channel and passes them to the
// results of the run, through the scorer if the run has a scorer. It also calls results::tick().
#pragma once

#include <thread>

#include "base/clock.hpp"
#include "records/channel.hpp"
#include "run/results.hpp"
#include "run/scoring.hpp"

namespace inferbench::run {

class collector {
 public:
  /// Starts the thread, which ends when every producer of `from` has closed and all records are
  /// scored. `from`, `to`, `clock` and `scores`, which may be null, must outlive this object. Until
  /// join(), only the thread uses `to` and `scores`.
  collector(records::channel& from, results& to, const base::clock& clock,
            scoring* scores = nullptr);
  collector(const collector&) = delete;
  collector& operator=(const collector&) = delete;
  ~collector() { join(); }

  /// Waits until the thread has ended.
  void join();

 private:
  std::thread thread_;
};

}  // namespace inferbench::run
