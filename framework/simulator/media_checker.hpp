// The thread that decodes the images, videos and sounds of requests, and compares them with what
// their senders say about them. The thread that answers only hands them over.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>
#include <thread>

#include "simulator/media_check.hpp"
#include "simulator/media_facts.hpp"
#include "simulator/media_queue.hpp"
#include "simulator/media_totals.hpp"

namespace inferbench::base {
class log;
}

namespace inferbench::simulator {

/// Belongs to the thread that answers. Its own thread has a lower priority.
class media_checker {
 public:
  struct settings {
    std::string facts = {};  // path of the file with a line for each medium; empty: no file
    media_queue::limits queue = {};
    std::size_t warnings = 20;  // mismatches that are logged; all others are only counted
  };

  /// Starts the thread. Throws base::error if the file cannot be written. `log` must outlive this
  /// object.
  media_checker(const settings& chosen, media_inspector inspect, base::log& log);
  media_checker(const media_checker&) = delete;
  media_checker& operator=(const media_checker&) = delete;
  ~media_checker() { finish(); }

  /// Hands over the media of a request. Never waits: if too many others wait, the media are only
  /// counted. The path of the job must be a string literal.
  void submit(media_job&& job) noexcept;

  /// Checks all media that were handed over, and ends the thread. After this, submit() may not be
  /// called. A second call does nothing.
  void finish();

  /// Whether the file of facts was written without an error, which is logged when it happens. Call
  /// this after finish().
  [[nodiscard]] bool facts_complete() const noexcept { return facts_.error().empty(); }

  /// [any thread] The figures so far, without `not_chosen`. Complete after finish().
  [[nodiscard]] media_totals totals() const noexcept;

 private:
  void work() noexcept;
  void check(const media_job& job);
  void note(const media_job& job, const sent_medium& medium, const media_verdict& verdict);
  void warn(const media_job& job, const sent_medium& medium, const std::string& reason);

  struct shared_totals {
    std::atomic<std::uint64_t> checked, mismatches, queue_full, remote, no_codec;
    std::atomic<std::uint64_t> images, videos, sounds, pixels, frames;
    std::atomic<double> video_seconds, sound_seconds;
  };

  const settings settings_;
  const media_inspector inspect_;
  base::log& log_;
  media_facts_file facts_;  // used on the checker's thread
  // facts_.wanted() for submit(), which may not ask facts_ itself: the checker's thread closes the
  // file after an error. submit() reads nothing else of facts_, so the order is relaxed.
  std::atomic<bool> writes_facts_;
  media_queue queue_;
  shared_totals totals_{};
  std::atomic<bool> no_codec_ = false;  // nothing can be decoded, so nothing is handed over
  std::thread thread_;                  // last member: it uses all members above
};

}  // namespace inferbench::simulator
