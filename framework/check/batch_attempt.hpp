// Common parts of the tests of engines of the draft inferbench.batch-engine: a run whose report is
// judged, and a run on a thread of its own. Used by one thread at a time, except for functions that
// are marked [any].
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include "check/batch_session.hpp"

namespace inferbench::check {

struct batch_attempt {
  enum class end : std::uint8_t {
    sound,    // every sample has a sound result
    refused,  // run answered IFB_E_UNSUPPORTED, or a sample has this status
    faulty    // findings were added
  };
  end how = end::sound;
  std::string reason{};  // of a refusal

  [[nodiscard]] bool sound() const noexcept { return how == end::sound; }
  [[nodiscard]] bool refused() const noexcept { return how == end::refused; }
};

/// Has a loaded engine carry out the batch, and judges the answer.
batch_attempt try_batch(subject& s, batch_session& engine, const wanted_batch& wanted);

/// Whether run has answered IFB_OK with a report without failures. Only such a report may be read.
[[nodiscard]] bool is_sound(const batch_session& engine, const wanted_batch& wanted,
                            const batch_reply& reply);

/// A batch that the loaded engine carries out twice: a prompt or, if it takes none, a chat. Skips
/// the test if a run fails or its report is not sound; the test batch-run reports the reason.
[[nodiscard]] wanted_batch usable_batch(batch_session& engine);

/// A call of run on a thread of its own.
class batch_in_flight {
 public:
  batch_in_flight(std::shared_ptr<batch_engine_under_test> engine, wanted_batch wanted);
  batch_in_flight(const batch_in_flight&) = delete;
  batch_in_flight& operator=(const batch_in_flight&) = delete;
  /// Waits for the return of run, unless the run was left behind.
  ~batch_in_flight();

  [[nodiscard]] bool wait(std::chrono::milliseconds limit);
  /// The answer of a run that has returned. Throws again what has left run.
  [[nodiscard]] batch_reply answer();
  /// For a run that does not return: engine and thread are kept until the process ends.
  void leave_behind(subject& s);

 private:
  struct state {
    std::shared_ptr<batch_engine_under_test> engine;
    wanted_batch wanted;
    std::mutex mutex;
    std::condition_variable returns;
    bool returned = false;
    batch_reply reply;
    std::exception_ptr thrown;
  };
  std::shared_ptr<state> state_;
  std::thread thread_;
};

}  // namespace inferbench::check
