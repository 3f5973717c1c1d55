// One generated answer, from its request to its last event: its content and its bytes.
// The scheduler knows when each event leaves, the service on which connection.
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
  const recorded_answer* recorded = nullptr;  // sent instead of made-up events
  usage used;                                 // completion_tokens: how many there will be
  std::uint64_t done = 0;                     // tokens so far; of a recorded answer its pieces
  std::uint64_t first_word = 0;
  std::uint64_t resumed_ns = 0;  // events due before it were held up by the client
  std::string id;
  std::string model;
  std::string fields;  // of the answer's head
  std::int64_t created = 0;
  api_kind kind = api_kind::completion;
  bool streamed = false;
  bool include_usage = false;
  bool keep_alive = true;
  bool chunked = true;
  bool head_sent = false;
  bool cut = false;  // it ends by its limit: finish_reason "length"

  /// Lays out the bytes that all events share. Call when the members above are set.
  void begin_events();

  // All append to `out`. The first of a streamed answer is its head.
  void append_head(std::string& out);
  /// The next event, of `tokens` at most or all that are left if it is the last. How many it has.
  std::uint64_t append_event(std::string& out, std::uint64_t tokens);
  /// The bytes after the last event.
  void append_end(std::string& out) const;
  /// Everything at once, head and body, of an answer that is not streamed.
  void append_answer(std::string& out) const;

 private:
  [[nodiscard]] identity who() const noexcept { return {kind, id, model, created}; }
};

}  // namespace inferbench::simulator
