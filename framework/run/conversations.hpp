// The source of jobs for datasets of conversations. There is one schedule for all requests. At each
// due time of the schedule, the next turn of one conversation is sent. It contains the server's
// answers instead of the answers recorded in the dataset.
//
// Choice of the conversation: below the limit of active conversations, a new conversation begins.
// At the limit, the active conversation with the longest wait since its last answer continues.
// Without a limit, a new conversation begins only if no active conversation waits for its next
// turn. So as few conversations as possible are active at a given request rate.
//
// Due time of a turn: the time in the schedule, but not before the previous answer of the
// conversation has arrived, and a pause if one is wanted. A conversation ends when one of its
// requests fails.
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

#include "base/clock.hpp"
#include "dataset/feed.hpp"
#include "prompts/lora.hpp"
#include "run/open_conversation.hpp"
#include "run/sources.hpp"
#include "run/turn_body.hpp"
#include "schedule/timetable.hpp"

namespace inferbench::run {

/// The settings of --multi-turn that the result reports.
struct multi_turn_settings {
  std::optional<std::int64_t> concurrency{};  // limit of requests in flight; nullopt: no limit
  std::string session_header{};
};

class conversations final : public run_source {
 public:
  struct settings {
    std::optional<std::size_t> most_active{};  // nullopt: no limit
    conversation_ids ids{};
    turn_body body{};
    std::uint64_t pause_ns = 0;  // between an answer and the next turn of its conversation
    /// Set for --multi-turn: the fact then has the member `multi_turn` with these settings.
    std::optional<multi_turn_settings> multi_turn{};
  };

  /// `due` has a time for each request of the feed. If it is empty, a conversation begins at its
  /// sample's arrival_ns, and each later turn is due when the previous answer has arrived.
  /// Everything that is passed by reference must outlive this object. The feed must have been
  /// started.
  conversations(dataset::feed& feed, const schedule::timetable& due,
                const prompts::lora_modules& adapters, const base::clock& clock, settings wanted);
  ~conversations() override;

  [[nodiscard]] dataset::taken try_take(client::job& out) override;
  [[nodiscard]] bool scarce() const noexcept override { return true; }
  [[nodiscard]] std::uint64_t due_before(std::uint64_t offset_ns) override;
  void answered(client::record& of) override;
  /// Adds the fact "conversations": the numbers of conversations that began, finished and ended
  /// early, of requests that were not sent for this reason, of conversations active at once, and
  /// the means of their requests and durations.
  void add_facts(metrics::context& into) const override;

 private:
  [[nodiscard]] bool may_begin(std::uint64_t now) const noexcept;
  [[nodiscard]] bool one_is_ready(std::uint64_t now) const noexcept;
  [[nodiscard]] open_conversation_ptr begin(std::uint64_t now, client::job& out);
  [[nodiscard]] open_conversation_ptr next(std::uint64_t now, client::job& out);
  void make_room(std::uint64_t ended_ns);

  dataset::feed& feed_;
  const schedule::timetable& due_;
  const base::clock& clock_;
  const settings wanted_;

  mutable std::mutex mutex_;
  conversation_requests requests_;
  schedule::timetable_walk walk_;
  dataset::sample_ptr waiting_;  // the next conversation, taken from the feed but not begun
  bool feed_ended_ = false;
  bool separate_turns_ = false;              // a conversation without history has begun
  std::deque<open_conversation_ptr> ready_;  // conversations that wait for their next
                                             // turn, in FIFO order
  std::unordered_map<std::uint64_t, open_conversation_ptr>
      asking_;  // key: sequence of the request in flight
  conversation_counts counts_;
  std::uint64_t freed_ns_ = 0;  // when the number of active conversations last fell below the limit
};

}  // namespace inferbench::run
