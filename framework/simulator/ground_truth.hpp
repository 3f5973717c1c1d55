// Writes the true times of each request, for comparison with a client's measurements. The file has
// JSON lines, which docs/simulator.md describes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>

#include "base/fd.hpp"
#include "client/record.hpp"

namespace inferbench::simulator {

/// The true times of one request. Stamps are from the server's clock, in ns; 0: the event did not
/// happen.
struct truth {
  std::string request_id;                // the client's x-request-id; if there is none, the
                                         // server's own id
  std::string_view path;                 // a string literal: "/v1/completions"
  std::string_view outcome = "aborted";  // a string literal: "aborted" or "finished"
  bool streamed = true;                  // false: the answer has one event, its whole body
  std::uint64_t received_ns = 0;         // when the read of the request's last byte returned
  std::uint64_t admitted_ns = 0;         // when the request left the queue
  std::uint64_t first_byte_ns = 0;       // just before the first write of the answer
  std::uint64_t end_ns = 0;              // just before the last write of the answer, or when the
                                         // answer was cut short
  std::uint64_t prompt_tokens = 0;
  std::uint64_t output_tokens = 0;  // tokens of the events that were written
  client::stamps events;            // just before the write that contained the event
  client::stamps written;           // just after that write: at this time the kernel had the event
  client::stamps planned;           // when the event was due
};

/// Keeps finished requests in memory until write_some() is called. The caller does so when there is
/// time to write. One thread.
class ground_truth_log {
 public:
  /// Creates or empties the file. Throws base::error if this fails.
  explicit ground_truth_log(const std::string& path);

  void add(truth&& of_request);

  /// Approximate memory of the requests that are not written yet, in bytes.
  [[nodiscard]] std::size_t pending_bytes() const noexcept { return pending_; }

  /// Writes the oldest requests: about `bytes` of text, and at least one request. Returns false
  /// after a write error; in that case the other requests are dropped, and error() returns the
  /// reason.
  bool write_some(std::size_t bytes);
  bool write_all();

  [[nodiscard]] const std::string& error() const noexcept { return error_; }

 private:
  std::string path_;
  base::fd file_;
  std::deque<truth> waiting_;
  std::size_t pending_ = 0;
  std::string text_;
  std::string error_;
};

/// Appends the line of one request, including the line ending.
void append_line(std::string& out, const truth& of_request);

}  // namespace inferbench::simulator
