// Computes when each answer is due. Admits requests in the order of their arrival, up to a limit,
// and plans the time of every event. Does not use sockets or a clock; times are parameters, in ns.
//
// Plan of an answer: the first event is due at admitted + ttft. Each later event is due one gap
// after the planned time of the previous event. The real time of that event does not matter, so a
// late event does not delay other events. A gap is a sample of itl, multiplied by 1 + slowdown *
// (running - 1); `running` is the number of running requests when the previous event is done. A gap
// that has begun does not change. ttft and itl may grow with the load (load_delay.hpp): the load of
// itl is `running`, and the load of ttft is the number of running requests at the admission. Both
// numbers include the request itself, and requests without an event so far; they do not include
// requests that wait in the queue.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "simulator/load_delay.hpp"
#include "simulator/random.hpp"

namespace inferbench::simulator {

/// One answer to be scheduled. The caller owns it, and must not move it while a scheduler uses it.
struct job {
  std::uint64_t events = 1;    // the number of events that are still to come, at least 1; set
                               // before submit()
  random_stream draws;         // set before submit()
  std::uint64_t admitted = 0;  // when the answer began to run
  std::uint64_t due = 0;       // planned time of the next event
  bool paced = true;           // false: the gap before the next event is 0

 private:
  friend class scheduler;
  enum class place : std::uint8_t { none, waiting, heap, taken };
  place where_ = place::none;
  std::size_t index_ = 0;  // index in the heap
  job* before_ = nullptr;  // neighbours in the queue
  job* after_ = nullptr;
};

/// Owned by the service (service.hpp), and used only on its thread, the thread of the event loop.
class scheduler {
 public:
  struct timing {
    load_delay ttft;
    load_delay itl;
    double slowdown = 0;
    std::uint64_t max_running = 0;  // 0: no limit
  };
  explicit scheduler(const timing& plan) : plan_(plan) {}

  /// Adds a job. It runs from `now` on; if there is no free place, it waits at the end of the
  /// queue.
  void submit(job& what, std::uint64_t now);

  /// The job that is due first, if it is due at `now`; otherwise nullptr. The caller holds the
  /// returned job: it still counts as running, but none of its events is due until put() or
  /// remove().
  [[nodiscard]] job* take(std::uint64_t now);

  /// Call this after an event of a held job was emitted: plans the next event. Returns false if it
  /// was the last event.
  bool advance(job& what) noexcept;

  /// Gives a held job back. It comes after other jobs that are due at the same time.
  void put(job& what);

  /// True from take() until put() or remove().
  [[nodiscard]] static bool held(const job& what) noexcept {
    return what.where_ == job::place::taken;
  }

  /// Removes a finished or cancelled job, in any state. If a place becomes free, the first job in
  /// the queue gets it and is admitted at `now`.
  void remove(job& what, std::uint64_t now);

  /// When the first job is due. Held jobs and jobs in the queue do not count; UINT64_MAX if there
  /// is no other job.
  [[nodiscard]] std::uint64_t next_due() const noexcept;

  [[nodiscard]] std::size_t running() const noexcept { return running_; }
  [[nodiscard]] std::size_t waiting() const noexcept { return waiting_; }

 private:
  // A heap with four children for each node: it has half the depth of a binary heap, and siblings
  // lie side by side in memory. The key is stored next to the pointer, so that sifting accesses
  // only the jobs that it moves.
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
  job* first_ = nullptr;  // first job of the queue
  job* last_ = nullptr;
};

}  // namespace inferbench::simulator
