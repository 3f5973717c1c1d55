// Hands the media of requests from the thread that answers to the thread that checks. The answering
// thread never waits: it takes no lock that the other thread, which has a lower priority, could
// hold.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <semaphore.h>

#include "simulator/sent_medium.hpp"

namespace inferbench::simulator {

/// The media of one request.
struct media_job {
  std::string body;  // of the request; the contents of `media` point into it
  std::string request_id;
  std::string_view path;  // a string literal
  std::vector<sent_medium> media;

  /// The memory of the job.
  [[nodiscard]] std::size_t bytes() const noexcept;
};

/// A ring for one producer and one consumer, each on its own thread.
class media_queue {
 public:
  struct limits {
    std::size_t entries = 256;
    std::size_t bytes = std::size_t{256} << 20U;  // of jobs, including the job in progress
  };

  explicit media_queue(const limits& bounds);
  media_queue(const media_queue&) = delete;
  media_queue& operator=(const media_queue&) = delete;
  ~media_queue();

  /// [producer] Adds a job, except if the queue would exceed its limits; a job of any size is added
  /// if there is no other. Returns whether the job was added; if not, `job` is unchanged.
  [[nodiscard]] bool push(media_job&& job) noexcept;
  /// [producer] Ends the queue: no push() may follow.
  void close() noexcept;

  /// [consumer] Waits for the next job. The job that was taken before must have been destroyed.
  /// nullopt: the queue is closed, and all jobs were taken.
  [[nodiscard]] std::optional<media_job> pop() noexcept;

 private:
  const limits bounds_;
  std::vector<media_job> ring_;
  std::atomic<std::uint64_t> pushed_ = 0;
  std::atomic<std::uint64_t> popped_ = 0;
  std::atomic<std::size_t> held_ = 0;  // bytes of all jobs that are not destroyed
  std::size_t in_progress_ = 0;        // bytes of the job that was taken last; [consumer]
  // A post() needs no lock, and a system call only if the consumer waits.
  sem_t ready_{};
};

}  // namespace inferbench::simulator
