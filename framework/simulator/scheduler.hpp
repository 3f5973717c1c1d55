// When each answer is due: admission under a cap, first-come first-served, and the
// planned time of every event. Knows no socket and no clock; times come in as
// parameters, ns.
//
// Plan of an answer: admitted + ttft for its first event, then each event one gap
// after the planned time, not the real one, of the event before it: a late event
// delays no other. A gap is a sample of itl times 1 + slowdown * (running - 1), with
// the requests that run when the event before it is done.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "simulator/distribution.hpp"

namespace inferbench::simulator {

/// One answer to be scheduled. Owned by the caller, who keeps it in place while it
/// is known to a scheduler.
struct job {
  std::uint64_t events = 1;    // how many are to come, at least 1; set before submit()
  random_stream draws;         // set before submit()
  std::uint64_t admitted = 0;  // when it began to run
  std::uint64_t due = 0;       // planned time of the next event
  bool paced = true;           // `due` is later than the event before it

 private:
  friend class scheduler;
  enum class place : std::uint8_t { none, waiting, heap, taken };
  place where_ = place::none;
  std::size_t index_ = 0;  // in the heap
  job* before_ = nullptr;  // in the queue
  job* after_ = nullptr;
};

class scheduler {
 public:
  struct timing {
    distribution ttft;
    distribution itl;
    double slowdown = 0;
    std::uint64_t max_running = 0;  // 0: no cap
  };
  explicit scheduler(const timing& plan) : plan_(plan) {}

  /// Runs from `now` on, or waits for a free place at the end of the queue.
  void submit(job& what, std::uint64_t now);

  /// The job that is due first, if it is due at `now`, else nullptr. The caller then
  /// holds it: it still runs, and nothing is due for it until put() or remove().
  [[nodiscard]] job* take(std::uint64_t now);

  /// An event of a job that is held was emitted: plans the next. False: it was the last.
  bool advance(job& what) noexcept;

  /// Gives a held job back; it comes after those that are due at the same time.
  void put(job& what);

  /// Between take() and put().
  [[nodiscard]] static bool held(const job& what) noexcept {
    return what.where_ == job::place::taken;
  }

  /// Forgets a job wherever it stands: finished or cancelled. A place that becomes
  /// free is taken by the first in the queue, admitted at `now`.
  void remove(job& what, std::uint64_t now);

  /// When the first job is due; UINT64_MAX without any.
  [[nodiscard]] std::uint64_t next_due() const noexcept;

  [[nodiscard]] std::size_t running() const noexcept { return running_; }
  [[nodiscard]] std::size_t waiting() const noexcept { return waiting_; }

 private:
  // A heap of four children: half the depth of a binary one, siblings in one cache
  // line. The key stands beside the pointer so that sifting touches no job but the
  // moved ones.
  struct entry {
    std::uint64_t due;
    std::uint64_t order;
    job* what;
    [[nodiscard]] bool before(const entry& other) const noexcept {
      return due != other.due ? due < other.due : order < other.order;
    }
  };
  void admit(job& what, std::uint64_t now);
  void erase(std::size_t index);
  void up(std::size_t index, entry value);
  void down(std::size_t index, entry value);
  void place_at(std::size_t index, entry value) noexcept;

  timing plan_;
  std::vector<entry> heap_;
  std::size_t running_ = 0;
  std::size_t waiting_ = 0;
  std::uint64_t order_ = 0;
  job* first_ = nullptr;  // of the queue
  job* last_ = nullptr;
};

}  // namespace inferbench::simulator
