// Where the jobs of conversations come from: one schedule of requests, and at each of its
// times the next turn of some conversation, with the server's answers in the place of the
// recorded ones.
//
// Which one. Below the limit of active conversations a new one begins; else it is the turn
// of the one that has waited longest since its answer. Without a limit a new one begins only
// when none waits, so that a rate keeps as few going as it needs.
//
// When. A turn is due when the schedule wants a request, but not before the answer before it
// is there. A conversation in which a request fails ends there.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/clock.hpp"
#include "dataset/conversation.hpp"
#include "dataset/feed.hpp"
#include "prompts/lora.hpp"
#include "run/sources.hpp"

namespace inferbench::run {

class conversations final : public run_source {
 public:
  struct settings {
    std::optional<std::size_t> most_active{};  // none: as few as will do
    std::string id_prefix;
  };

  /// As of scheduled; `due` has one offset for each request of the feed.
  conversations(dataset::feed& feed, std::span<const std::uint64_t> due,
                const prompts::lora_modules& adapters, const base::clock& clock, settings wanted);
  ~conversations() override;

  [[nodiscard]] dataset::taken try_take(client::job& out) override;
  [[nodiscard]] bool scarce() const noexcept override { return true; }
  void answered(const client::record& of) override;
  /// "conversations": how many began, finished and ended early, and what was not sent.
  void add_facts(metrics::context& into) const override;

 private:
  struct talk {
    dataset::sample_ptr row;
    std::string session;
    std::vector<dataset::turn> turns;
    std::vector<std::string> answers;  // room for all was made: their text stays in place
    std::int64_t tokens = 0;           // of what was said before this turn; -1: unknown
    std::uint64_t ready_ns = 0;        // when its latest answer was there
  };
  using talk_ptr = std::unique_ptr<talk>;

  [[nodiscard]] bool may_begin() const noexcept;
  [[nodiscard]] talk_ptr begin(std::uint64_t now, client::job& out);
  [[nodiscard]] talk_ptr next(std::uint64_t now, client::job& out);
  void fill(client::job& out, const talk& from);
  void make_room(std::uint64_t ended_ns);

  dataset::feed& feed_;
  std::span<const std::uint64_t> due_;
  const prompts::lora_modules& adapters_;
  const base::clock& clock_;
  const settings wanted_;

  mutable std::mutex mutex_;
  dataset::pool pool_;           // of the jobs' samples
  dataset::sample_ptr waiting_;  // a conversation whose time has not come
  bool feed_ended_ = false;
  std::uint64_t sequence_ = 0;
  std::deque<talk_ptr> ready_;                          // the one that waits longest first
  std::unordered_map<std::uint64_t, talk_ptr> asking_;  // by the request in flight
  std::uint64_t begun_ = 0, finished_ = 0, ended_early_ = 0, not_sent_ = 0;
  std::size_t most_ = 0;        // active at once
  std::uint64_t freed_ns_ = 0;  // when the limit last gave room for another
};

}  // namespace inferbench::run
