// A conversation in progress, and the requests that are made of it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <inferbench/json_writer.hpp>

#include "client/record.hpp"
#include "client/source.hpp"
#include "dataset/conversation.hpp"
#include "dataset/sample.hpp"
#include "prompts/lora.hpp"
#include "run/turn_body.hpp"

namespace inferbench::run {

struct open_conversation {
  dataset::sample_ptr row;
  std::string session;
  std::vector<dataset::turn> turns;
  std::vector<std::string> answers;  // capacity for all turns, so that texts never move: jobs have
                                     // views of them
  std::int64_t tokens = 0;           // tokens of all messages before this turn; -1: unknown
  std::uint64_t ready_ns = 0;        // the earliest time at which the next turn may be sent
  std::uint64_t attempts = 0;        // of this turn that have failed
  std::size_t client = 0;            // number of its client
  std::size_t warmed = 0;            // number of answers that are those of the warm-up
  std::uint64_t began_ns = 0;        // when its first request was due
  std::uint64_t seen_ns = 0;         // end of its last request; 0: none has ended

  /// The turn that is sent next or was sent last; answers.size() must be less than turns.size().
  [[nodiscard]] const dataset::turn& now() const { return turns[answers.size()]; }
  [[nodiscard]] bool over() const noexcept { return answers.size() == turns.size(); }

  /// Adds an answer. `counted`: its tokens; -1: not known, so the requested length is used.
  void add_answer(std::string text, std::int64_t counted);
};
using open_conversation_ptr = std::unique_ptr<open_conversation>;

/// Counts the conversations of a run by their ends, and adds up their durations.
class conversation_counts {
 public:
  /// Adds the time up to the end of a request of the conversation, whether it succeeded or not.
  void add_request(open_conversation& of, const client::record& ended);
  void add_finished() noexcept { ++finished_; }
  /// Adds a conversation whose last request has failed.
  void add_ended_early(const open_conversation& of);
  /// Remembers the largest number of active conversations.
  void see_active(std::size_t now) noexcept { most_active_ = std::max(most_active_, now); }

  /// Writes the members of the fact "conversations" into an open object. `begun`: conversations
  /// that have begun; `turns`: requests that were made of them, without retries.
  void write(ifb::json_writer& out, std::uint64_t begun, std::uint64_t turns) const;

 private:
  std::uint64_t finished_ = 0;
  std::uint64_t ended_early_ = 0;
  std::uint64_t requests_given_up_ = 0;  // requests that were not sent after a failure
  std::uint64_t lasted_ns_ = 0;          // from the first due time to the last answer, summed
  std::size_t most_active_ = 0;
};

/// The names of conversations and of their requests.
struct conversation_ids {
  std::string prefix{};
  /// Session PREFIXconv-3 and request PREFIXconv-3-turn0, as vLLM's Rust client names them;
  /// otherwise PREFIXsession-3 and a number for each request of the run.
  bool by_turn = false;
};

/// Makes the requests of the conversations of a run. Used by one thread at a time.
class conversation_requests {
 public:
  /// `adapters` must outlive this object.
  conversation_requests(const prompts::lora_modules& adapters, conversation_ids ids,
                        turn_body body = {});

  /// Begins the conversation of `row`.
  [[nodiscard]] open_conversation_ptr open(dataset::sample_ptr row);

  /// Fills in the request of the next turn of `from`, which must outlive the request, with the
  /// answers so far in place of the recorded answers. A row without history sends the messages of
  /// this turn alone.
  void fill(client::job& out, const open_conversation& from);

  /// Adds to the record of the last turn of `from`, before its answer is added, what a report of
  /// conversations needs, as attributes: "client", "messages" (that were sent), "question_tokens"
  /// (not sent before), "answer.chunks" (events with text of the answer), "answer.first_bytes" (of
  /// the first of them), "attempt" (from 2 on), and "warm_up_answer" in the first turn after it.
  void describe(const open_conversation& from, client::record& of) const;

  /// The numbers of conversations that have begun and of requests that were made.
  [[nodiscard]] std::uint64_t begun() const noexcept { return begun_; }
  [[nodiscard]] std::uint64_t made() const noexcept { return sequence_; }

 private:
  const prompts::lora_modules& adapters_;
  const conversation_ids ids_;
  const turn_body body_;
  dataset::pool pool_;  // memory for the samples of the jobs
  std::uint64_t begun_ = 0;
  std::uint64_t sequence_ = 0;
};

}  // namespace inferbench::run
