// The table of the paths that the server supports, and every answer that does not need the
// schedule.
#pragma once

#include <string>
#include <string_view>

#include "simulator/api.hpp"
#include "simulator/options.hpp"

namespace inferbench::simulator {

struct counters;
class prefix_cache;
class scheduler;

/// The state that answers report or change. All referenced objects outlive the call.
struct site {
  const options& settings;
  counters& counted;
  const scheduler& running;
  prefix_cache& cache;
  std::int64_t started_unix_s;
};

struct answer {
  int status = 200;
  std::string_view content_type;  // a string literal
  std::string body;
};

struct endpoint {
  std::string_view path;
  bool post;  // true: POST; false: GET and HEAD
  /// Makes the answer. nullptr: the path needs the model, and its answer of the kind `kind` is sent
  /// on the schedule.
  answer (*reply)(const site& about, std::string_view body);
  api_kind kind = api_kind::completion;
};

/// The endpoint for a path; nullptr if the path is unknown.
[[nodiscard]] const endpoint* find_endpoint(std::string_view path) noexcept;

}  // namespace inferbench::simulator
