// The JSON frames of a worker as structs. Each read_ function throws violation with frame and field
// if the frame breaks docs/engine-protocol.md.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "json_place.hpp"

namespace python_engine {

inline constexpr std::int64_t protocol_version = 1;

struct welcome_message {
  std::string worker;
  std::string adapter;
  std::string engine;  // name and version, or empty
  std::string python;
  std::string executable;
};
[[nodiscard]] welcome_message read_welcome(const frame& in);

/// A duration of a stage ("s") or a counter ("1"). Times are of the worker's clock; 0: not known.
struct measure_message {
  std::string name;
  std::string unit;
  double value = 0;
  std::uint64_t began_ns = 0;
  std::uint64_t ended_ns = 0;
};

struct ready_message {
  std::uint64_t load_ns = 0;
  std::int64_t max_model_len = -1;
  std::int64_t max_adapters = -1;
  std::vector<std::string> capabilities = {"generate"};
  std::string profiler;
  std::string profile_path;
  std::vector<measure_message> measures;

  [[nodiscard]] bool can(std::string_view word) const;
};
[[nodiscard]] ready_message read_ready(const frame& in);

struct output_message {
  std::int64_t tokens = -1;
  std::string_view text;  // points into the document
  std::string_view finish_reason;
  bool finished = true;
};

struct result_message {
  std::string_view error;  // points into the document; not empty: there are no outputs
  std::int64_t prompt_tokens = -1;
  std::vector<output_message> outputs;
  std::uint64_t arrived_ns = 0;
  std::uint64_t first_token_ns = 0;
  std::uint64_t last_token_ns = 0;
  std::vector<measure_message> measures;
};
/// Reads the object of one result.
[[nodiscard]] result_message read_result(const json_place& from);
[[nodiscard]] std::vector<measure_message> read_measures(const json_place& list);

struct log_message {
  std::uint32_t level = 2;  // as in ifb_host.log
  std::string text;
};
[[nodiscard]] log_message read_log(const frame& in);

struct progress_message {
  std::uint64_t done = 0;
  std::uint64_t of = 0;
};
[[nodiscard]] progress_message read_progress(const frame& in);

struct error_message {
  std::string kind;
  std::string text;
  bool fatal = true;
  std::string package;
  std::string option;
  std::string frame;
  std::string field;
  std::string trace;
};
[[nodiscard]] error_message read_error(const frame& in);

/// The time stamp of pong: the 8 bytes of the ping and the worker's clock.
struct pong_message {
  std::uint64_t sent_ns = 0;
  std::uint64_t worker_ns = 0;
};
[[nodiscard]] pong_message read_pong(const frame& in);

}  // namespace python_engine
