// The source of jobs for a given number of clients with conversations (--conversation-clients), as
// in vLLM's benchmark_serving_multi_turn. A client has one request in flight at a time and its own
// conversations in progress. When its answer has arrived, and after a pause if one is wanted, it
// sends the next turn of one of them.
//
// Choice of the conversation: a client that has room takes new conversations, in the order of the
// data set. Round robin: new conversations first, then the conversation that waits longest.
// Random: any conversation of the client.
//
// A failed turn is sent again up to `retries` times, after 2^k seconds with a jitter of 10 percent,
// for k = 0, 1, ... If it still fails, its conversation ends; the client goes on.
//
// With an early stop the run ends as soon as a client has room for a conversation and there is no
// new one, or has sent its requests. Otherwise each client finishes its conversations.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include <inferbench/random.hpp>

#include "base/clock.hpp"
#include "dataset/feed.hpp"
#include "prompts/lora.hpp"
#include "run/open_conversation.hpp"
#include "run/sources.hpp"
#include "run/turn_body.hpp"

namespace inferbench::run {

/// The answers of a warm-up to the first turns, by the number of the conversation in the run.
struct first_answer {
  std::string text;
  std::int64_t tokens = -1;  // -1: unknown
};
using first_answers = std::unordered_map<std::uint64_t, first_answer>;

class conversation_clients final : public run_source {
 public:
  struct settings {
    std::size_t clients = 1;      // at least 1
    std::size_t active_each = 1;  // conversations in progress of a client, at least 1
    std::optional<std::uint64_t> requests_each{};  // turns that a client sends; nullopt: no limit
    bool random = false;
    double rate = 0;  // requests per second between the pauses of a client; 0: no pauses
    std::uint64_t retries = 0;
    bool early_stop = false;
    bool first_turns_only = false;  // for a warm-up
    std::uint64_t seed = 0;
    conversation_ids ids{};
    turn_body body{};
  };

  /// `known`: answers to first turns, which are then not sent; a conversation without further turns
  /// is skipped. Everything that is passed by reference must outlive this object. The feed must
  /// have been started.
  conversation_clients(dataset::feed& feed, const prompts::lora_modules& adapters,
                       const base::clock& clock, settings wanted, const first_answers& known);
  ~conversation_clients() override;

  [[nodiscard]] dataset::taken try_take(client::job& out) override;
  [[nodiscard]] bool scarce() const noexcept override { return true; }
  [[nodiscard]] std::uint64_t due_before(std::uint64_t offset_ns) override;
  void answered(client::record& of) override;
  [[nodiscard]] std::uint64_t planned(std::uint64_t of_feed) const override;
  /// Adds the fact "conversations", as the class conversations does, with the numbers of retries
  /// and of turns that the warm-up has answered.
  void add_facts(metrics::context& into) const override;

  /// The answers to first turns of this run. Call it after the run.
  [[nodiscard]] first_answers take_answers() { return std::move(answers_); }

 private:
  struct one_client {
    std::deque<open_conversation_ptr> fresh;  // not begun
    std::deque<open_conversation_ptr> ready;  // in the order of their answers
    open_conversation_ptr again;              // its turn is sent next, because it failed
    ifb::python_random random;
    std::size_t active = 0;  // conversations, also that of the request in flight
    std::uint64_t sent = 0;  // turns
    std::uint64_t free_ns = 0;
    bool busy = false;
    bool done = false;
  };

  void take_new(one_client& to, std::size_t number);
  void see_end(one_client& of);
  [[nodiscard]] open_conversation_ptr choose(one_client& of);
  void end_turn(one_client& of, std::uint64_t at);

  dataset::feed& feed_;
  const base::clock& clock_;
  const settings wanted_;
  const first_answers& known_;

  mutable std::mutex mutex_;
  conversation_requests requests_;
  std::vector<one_client> clients_;
  std::size_t turn_ = 0;  // the client that is asked first
  bool feed_ended_ = false;
  bool stopped_ = false;
  std::unordered_map<std::uint64_t, open_conversation_ptr> asking_;  // key: sequence in flight
  first_answers answers_;
  conversation_counts counts_;
  std::uint64_t retries_ = 0, warmed_ = 0;
  std::size_t active_ = 0;
};

}  // namespace inferbench::run
