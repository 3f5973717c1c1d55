// One answer of the model, from its request to its last event: its content and its bytes. The
// scheduler decides when each event is sent, and the service on which connection.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "simulator/api.hpp"
#include "simulator/event_writer.hpp"
#include "simulator/ground_truth.hpp"
#include "simulator/pooled_answer.hpp"
#include "simulator/replay.hpp"
#include "simulator/response_writer.hpp"
#include "simulator/scheduler.hpp"
#include "simulator/token_text.hpp"

namespace inferbench::simulator {

class connection;

struct stream : job {
  connection* to = nullptr;
  event_writer events_out;
  response_writer response_out;  // instead of events_out for a response
  pooled_answer pooled;          // the content, if the answer has no generated text
  truth log;
  const recorded_answer* recorded = nullptr;  // its pieces are sent instead of generated events
  usage used;                                 // completion_tokens is the final number of tokens
  std::uint64_t done = 0;                     // tokens sent so far; for a recorded answer, pieces
                                              // sent so far
  std::uint64_t first_word = 0;
  token_pieces fixed;            // the text of a structured answer or the arguments of a call;
                                 // without a text: words
  std::string tool;              // the name of the tool that the answer calls; empty: none
  std::uint64_t limit = 0;       // the largest number of tokens that the answer could have
  std::uint64_t resumed_ns = 0;  // events that were due before this time had to wait for the client
  std::string id;
  std::string model;
  std::string fields;  // further header fields of the answer
  std::int64_t created = 0;
  double sound_seconds = 0;
  api_kind kind = api_kind::completion;
  bool streamed = false;
  bool include_usage = false;
  bool continuous_usage = false;  // every event reports the usage so far
  bool keep_alive = true;
  bool chunked = true;
  bool head_sent = false;
  bool cut = false;  // the answer ends by its limit: finish_reason "length"

  /// Prepares the bytes that all events share. Call this after the members above are set.
  void begin_events();

  // The functions below append to `out`. A streamed answer begins with append_head(). The head of a
  // response is followed by its first two events, which have no tokens.
  void append_head(std::string& out);
  /// Appends the next event, with `tokens` tokens; the last event has all remaining tokens. For a
  /// recorded answer, appends the next piece. Returns the number of tokens in the event; a piece
  /// counts as 1.
  std::uint64_t append_event(std::string& out, std::uint64_t tokens);
  /// Appends the bytes after the last event.
  void append_end(std::string& out);
  /// Appends head and body of an answer that is not streamed.
  void append_answer(std::string& out) const;

  /// The text of the answer, from its first token on. Refers to this object.
  [[nodiscard]] token_text text() const noexcept { return {first_word, &fixed}; }

 private:
  [[nodiscard]] std::string_view finish_reason() const noexcept {
    if (cut) return "length";
    return tool.empty() ? "stop" : "tool_calls";
  }
  [[nodiscard]] identity who() const noexcept { return {kind, id, model, created}; }
};

}  // namespace inferbench::simulator
