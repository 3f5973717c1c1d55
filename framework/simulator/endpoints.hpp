// The table of what the server answers to, and every answer that needs no schedule.
#pragma once

#include <string>
#include <string_view>

#include "simulator/api.hpp"
#include "simulator/options.hpp"

namespace inferbench::simulator {

struct counters;
class prefix_cache;
class scheduler;

/// The state that answers report. All of it outlives the call.
struct site {
  const options& settings;
  const counters& counted;
  const scheduler& running;
  prefix_cache& cache;
  std::int64_t started_unix_s;
};

struct answer {
  int status = 200;
  std::string_view content_type;  // a literal
  std::string body;
};

struct endpoint {
  std::string_view path;
  bool post;  // else GET and HEAD
  /// nullptr: a generation, of the kind `generates`.
  answer (*reply)(const site& about, std::string_view body);
  api_kind generates = api_kind::completion;
};

/// nullptr for an unknown path.
[[nodiscard]] const endpoint* find_endpoint(std::string_view path) noexcept;

}  // namespace inferbench::simulator
