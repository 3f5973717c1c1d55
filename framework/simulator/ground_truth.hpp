// The true times of each request, for comparison with a client's measurements: a file
// of JSON lines, described in docs/simulator.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>

#include "base/fd.hpp"
#include "client/record.hpp"

namespace inferbench::simulator {

/// The truth about one request. Stamps are from the server's clock, in ns; 0: it did not happen.
struct truth {
  std::string request_id;                // x-request-id of the client, else the server's own
  std::string_view path;                 // a literal: "/v1/completions"
  std::string_view outcome = "aborted";  // a literal: also "finished"
  std::uint64_t received_ns = 0;         // the read that brought its last byte returned
  std::uint64_t admitted_ns = 0;         // it left the queue
  std::uint64_t first_byte_ns = 0;       // just before the first write of the answer
  std::uint64_t end_ns = 0;              // just before the last one, or when it was cut short
  std::uint64_t prompt_tokens = 0;
  std::uint64_t output_tokens = 0;  // of the events that were written
  client::stamps events;            // just before the write that carried the event
  client::stamps written;           // just after it: by then the kernel had the event
  client::stamps planned;           // when the event was due
};

/// Keeps finished requests in memory until write_some() is called, when there is time to
/// write. One thread.
class ground_truth_log {
 public:
  /// Creates or empties the file. Throws base::error.
  explicit ground_truth_log(const std::string& path);

  void add(truth&& of_request);

  /// Memory of the requests that are not written yet, about.
  [[nodiscard]] std::size_t pending_bytes() const noexcept { return pending_; }

  /// Writes the oldest requests, at least one and about `bytes` of text. False once
  /// the file has refused: the rest is dropped, and error() says why.
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

/// The line of one request with its end.
void append_line(std::string& out, const truth& of_request);

}  // namespace inferbench::simulator
