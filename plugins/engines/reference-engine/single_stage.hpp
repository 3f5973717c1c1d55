// Requests that follow a schedule (inferbench.engine/1): one thread reports the tokens of all of
// them when they are due.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include <inferbench/engine.hpp>
#include <inferbench/host.hpp>

#include "reference_options.hpp"
#include "request_facts.hpp"

namespace reference_engine {

/// The model of batch_schedule.hpp, in real time: `max-batch` requests run at once, and others wait
/// in the order of their arrival. A request that waited starts at the computed end of the request
/// that made room. Each token has its computed time as its time stamp, so a late thread does not
/// change a figure. Any thread may call the functions.
class single_stage {
 public:
  /// One request. It lives in the arena of the request, and nothing of it is used after its end.
  class actor {
   public:
    actor(request_facts facts, std::uint64_t number, ifb::engine_output out)
        : facts_(facts), number_(number), out_(out) {}

   private:
    friend class single_stage;
    request_facts facts_;
    std::uint64_t number_;  // of all requests of the stage, from 0
    ifb::engine_output out_;
    std::int64_t said_ = 0;  // tokens
    bool stopped_ = false;   // under the mutex of the stage
  };

  /// `given` must outlive this object.
  single_stage(ifb::host host, const reference_options& given, std::uint64_t seed);
  single_stage(const single_stage&) = delete;
  single_stage& operator=(const single_stage&) = delete;
  ~single_stage();

  /// A number for the next request.
  [[nodiscard]] std::uint64_t reserve();
  /// The request begins. It ends with exactly one report of its end, unless the stage ends before.
  void enter(actor& request);
  /// The request ends soon; it need not have entered.
  void dismiss(actor& request) noexcept;

 private:
  void work();
  void start_waiting(std::uint64_t freed_at);
  void begin(actor& request, std::uint64_t at);
  void end_stopped(std::unique_lock<std::mutex>& lock);
  [[nodiscard]] std::optional<std::uint64_t> step(actor& request, std::uint64_t due) const;

  struct waiting_actor {
    actor* request;
    std::uint64_t arrived;
  };

  ifb::host host_;
  const reference_options& given_;
  std::uint64_t seed_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::uint64_t next_ = 0;
  std::deque<waiting_actor> waiting_;
  std::multimap<std::uint64_t, actor*> due_;  // running requests, by the time of the next token
  std::int64_t running_ = 0;
  std::vector<actor*> stopped_;  // waiting or running no longer, to be ended
  bool over_ = false;
  std::thread thread_;  // last member: it uses all others
};

}  // namespace reference_engine
