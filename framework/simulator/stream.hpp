// One generated answer, from its request to its last event: its content and its bytes. The
// scheduler decides when each event is sent, and the service on which connection.
#pragma once

#include <cstdint>
#include <string>

#include "simulator/api.hpp"
#include "simulator/ground_truth.hpp"
#include "simulator/replay.hpp"
#include "simulator/scheduler.hpp"
#include "simulator/wire.hpp"

namespace inferbench::simulator {

class connection;

struct stream : job {
  connection* to = nullptr;
  event_writer events_out;
  truth log;
  const recorded_answer* recorded = nullptr;  // its pieces are sent instead of generated events
  usage used;                                 // completion_tokens is the final number of tokens
  std::uint64_t done = 0;                     // tokens sent so far; for a recorded answer, pieces
                                              // sent so far
  std::uint64_t first_word = 0;
  std::uint64_t resumed_ns = 0;  // events that were due before this time had to wait for the client
  std::string id;
  std::string model;
  std::string fields;  // further header fields of the answer
  std::int64_t created = 0;
  api_kind kind = api_kind::completion;
  bool streamed = false;
  bool include_usage = false;
  bool keep_alive = true;
  bool chunked = true;
  bool head_sent = false;
  bool cut = false;  // the answer ends by its limit: finish_reason "length"

  /// Prepares the bytes that all events share. Call this after the members above are set.
  void begin_events();

  // The functions below append to `out`. A streamed answer begins with append_head().
  void append_head(std::string& out);
  /// Appends the next event, with `tokens` tokens; the last event has all remaining tokens. For a
  /// recorded answer, appends the next piece. Returns the number of tokens in the event; a piece
  /// counts as 1.
  std::uint64_t append_event(std::string& out, std::uint64_t tokens);
  /// Appends the bytes after the last event.
  void append_end(std::string& out) const;
  /// Appends head and body of an answer that is not streamed.
  void append_answer(std::string& out) const;

 private:
  [[nodiscard]] identity who() const noexcept { return {kind, id, model, created}; }
};

}  // namespace inferbench::simulator
