// The outcome of a probe: one load, held for many requests, and judged by the parts of a goal.
#pragma once

#include <string_view>

namespace inferbench::limit {

enum class verdict { passed, failed, undecided };

/// Why a probe ended.
enum class ending {
  open,        // it has not ended
  proved,      // the evidence of a share reached its bound: `passed` or `failed`
  estimated,   // a mean or a rate was estimated: any verdict
  dependence,  // requests depend on each other more than the warm-up showed
  requests,    // the largest number of requests was reached
  time,        // the caller ended it, because its time was over
  stopped,     // the caller ended it, because the user interrupted
  data,        // the caller ended it, because there were no more requests
  client,      // the client did not keep up, so the requests say nothing about the server
  server,      // the server did not answer any more, so its failures say nothing about the load
};

/// "passed", "failed", "undecided": the words of console, page and JSON.
[[nodiscard]] std::string_view name_of(verdict value) noexcept;
/// The name of the value: the word of JSON.
[[nodiscard]] std::string_view name_of(ending value) noexcept;

}  // namespace inferbench::limit
