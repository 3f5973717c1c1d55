// A conversation in progress, and the requests that are made of it.
#pragma once

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

  /// The turn that is sent next or was sent last; answers.size() must be less than turns.size().
  [[nodiscard]] const dataset::turn& now() const { return turns[answers.size()]; }
  [[nodiscard]] bool over() const noexcept { return answers.size() == turns.size(); }

  /// Adds an answer. `counted`: its tokens; -1: not known, so the requested length is used.
  void add_answer(std::string text, std::int64_t counted);
};
using open_conversation_ptr = std::unique_ptr<open_conversation>;

/// The conversations of a run by their fate.
struct conversation_counts {
  std::uint64_t begun = 0;
  std::uint64_t finished = 0;
  std::uint64_t ended_early = 0;
  std::uint64_t requests_given_up = 0;  // requests of conversations that ended early
  std::uint64_t most_active = 0;
};
/// Writes the members of the fact "conversations" into an open object.
void write_counts(ifb::json_writer& out, const conversation_counts& of);

/// Makes the requests of the conversations of a run. Used by one thread at a time.
class conversation_requests {
 public:
  /// `adapters` must outlive this object.
  conversation_requests(const prompts::lora_modules& adapters, std::string id_prefix,
                        turn_body body = {});

  /// Begins the conversation of `row`.
  [[nodiscard]] open_conversation_ptr open(dataset::sample_ptr row);

  /// Fills in the request of the next turn of `from`, which must outlive the request, with the
  /// answers so far in place of the recorded answers.
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
  const std::string id_prefix_;
  const turn_body body_;
  dataset::pool pool_;  // memory for the samples of the jobs
  std::uint64_t begun_ = 0;
  std::uint64_t sequence_ = 0;
};

}  // namespace inferbench::run
