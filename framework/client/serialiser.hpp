// Threads that serialise large requests for one worker. Serialising some megabytes on the worker's
// thread would delay the stamps of the answers that arrive meanwhile, and the requests that become
// due. The threads give way to the workers. A thread is started when it is first needed.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <mutex>
#include <thread>
#include <vector>

#include "transport/event_loop.hpp"

namespace inferbench::client {

/// Owned by the fleet of a worker. All functions are called on the worker's thread. The worker's
/// descriptor table is also the table of the threads, because the worker starts them.
class serialiser {
 public:
  static constexpr std::size_t most_threads = 4;

  /// A request to be serialised.
  class task {
   public:
    /// [a thread of the serialiser] Lets the codec serialise the request.
    virtual void serialise() = 0;
    /// [worker's thread] Called by collect() after serialise() has returned.
    virtual void on_serialised() = 0;

   protected:
    task() = default;
    task(const task&) = default;
    task& operator=(const task&) = default;
    ~task() = default;
  };

  /// `loop` must outlive this object; it is woken when a task is done.
  explicit serialiser(transport::event_loop& loop) : loop_(loop) {}
  serialiser(const serialiser&) = delete;
  serialiser& operator=(const serialiser&) = delete;
  /// Ends the threads. No task may be waiting or in progress.
  ~serialiser();

  /// Lets a thread serialise `what`, after the tasks that wait already. `what` must live until
  /// on_serialised() was called or withdraw() has returned true. Returns false if the system grants
  /// no thread: the caller then serialises the request itself.
  [[nodiscard]] bool begin(task& what);

  /// Takes a task back. Returns false if a thread has begun it; on_serialised() will then be
  /// called.
  [[nodiscard]] bool withdraw(task& what);

  /// Calls on_serialised() of the tasks that are done, in the order in which they became done. Call
  /// this when the event loop was woken.
  void collect();

  /// The number of threads that were started.
  [[nodiscard]] std::size_t threads() const noexcept { return threads_.size(); }

 private:
  void work();

  transport::event_loop& loop_;
  std::vector<task*> collected_;  // used in collect() only; a member, so that its memory is reused
  std::vector<std::thread> threads_;  // used on the worker's thread only

  std::mutex mutex_;  // guards the members below
  std::condition_variable changed_;
  std::deque<task*> waiting_;
  std::vector<task*> done_;
  std::size_t idle_ = 0;  // threads without a task
  bool over_ = false;
};

}  // namespace inferbench::client
