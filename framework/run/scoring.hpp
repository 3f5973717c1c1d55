// Gives each answer its score: a thread between the collector and the results of the run, which
// calls the scorer. The score becomes two attributes of the record (inferbench/draft/scorer.h), so
// that journal, figures and reporters have it.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "base/arena.hpp"
#include "base/log.hpp"
#include "client/record.hpp"
#include "plugin/instance.hpp"
#include "plugin/scorer.hpp"

namespace inferbench::run {

/// push(), take() and finish() are called by one thread; failed() by any thread after finish().
class scoring {
 public:
  /// Starts the thread. `by` and `log` must outlive this object. Throws base::error if the plugin
  /// does not offer the interface.
  scoring(const plugin::instance& by, base::log& log);
  scoring(const scoring&) = delete;
  scoring& operator=(const scoring&) = delete;
  ~scoring();

  /// Records are scored in the order in which they are pushed. Waits while more than most_waiting
  /// records wait: a scorer that is slower than the server must not fill the memory, and the
  /// records behind it are safe in the channel of the workers.
  void push(std::vector<client::record> batch);
  /// The records that were scored since the last call. Does not wait.
  [[nodiscard]] std::vector<client::record> take();
  /// Waits until all records are scored, returns them, and ends the thread.
  [[nodiscard]] std::vector<client::record> finish();

  /// Whether the scorer has failed. It is then not called any more; a warning has the reason.
  [[nodiscard]] bool failed() const noexcept { return failed_; }

  static constexpr std::size_t most_waiting = 4096;

 private:
  void work();
  void score(client::record& of);
  void give_up(const std::string& reason);

  const plugin::instance& by_;
  plugin::scorer operations_;
  base::log& log_;
  base::arena memory_;
  std::vector<ifb_field> attributes_;  // of the record that is being scored
  bool failed_ = false;                // only the thread writes it, until it has ended

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<client::record> waiting_;
  std::vector<client::record> scored_;
  bool over_ = false;
  std::thread thread_;
};

}  // namespace inferbench::run
