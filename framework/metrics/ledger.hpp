// The accounts of a run: the fate of each request, and the reasons of failures. These equations
// always hold:
//
//   planned = sent + never_sent        sent = ok + failed + cancelled
//
// In a report from the journal of a run that was killed, planned also includes the requests of
// which the journal does not say whether they were sent (not_recorded).
//
// "sent" means that the client started the request, even if it did not send a byte.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <tuple>

#include "client/record.hpp"
#include "metrics/resolve.hpp"

namespace ifb {
class json_writer;
}

namespace inferbench::metrics {

/// The name of a failure's class: "remote", "timeout", ...
[[nodiscard]] std::string_view class_of(ifb_status status) noexcept;

/// Whether the client never started the request: it was cancelled while it waited. It has a record,
/// but figures do not include it.
[[nodiscard]] bool never_sent(const client::record& record) noexcept;

class ledger {
 public:
  void add(const client::record& record, token_source source);

  [[nodiscard]] std::uint64_t sent() const noexcept { return ok_ + failed_ + cancelled_; }
  [[nodiscard]] std::uint64_t ok() const noexcept { return ok_; }
  [[nodiscard]] std::uint64_t failed() const noexcept { return failed_; }
  [[nodiscard]] std::uint64_t cancelled() const noexcept { return cancelled_; }
  /// Successful requests without an end mark, and successful requests shorter than promised. A
  /// request may count in both.
  [[nodiscard]] std::uint64_t unmarked() const noexcept { return unmarked_; }
  [[nodiscard]] std::uint64_t cut_short() const noexcept { return short_; }

  /// Writes the members `accounting`, `http_status` and `errors` into the open JSON object.
  /// `planned` is the number of requests in the schedule. `broken_off`: the fate of some requests
  /// is not known, and the member `not_recorded` counts them.
  void write(ifb::json_writer& out, std::int64_t planned, bool broken_off = false) const;
  /// Writes the member `output_tokens_from`: the number of successful requests for each
  /// token_source.
  void write_token_sources(ifb::json_writer& out) const;

 private:
  struct failure {
    std::uint64_t count = 0;
    std::uint64_t first_sequence = 0;
    std::string first;  // the error of that request, cut to 2 KiB

    void add(std::uint64_t sequence, const std::string& error);
  };
  /// Failures of one kind: class, HTTP status, and the beginning of the message without its
  /// numbers.
  using kind = std::tuple<ifb_status, std::uint32_t, std::string>;
  struct family {
    failure all;
    std::map<std::string, failure> members;  // the key is the message; empty if `many` is true
    bool many = false;                       // there are more messages than the ledger keeps
  };

  std::uint64_t ok_ = 0;
  std::uint64_t failed_ = 0;
  std::uint64_t cancelled_ = 0;
  std::uint64_t never_sent_ = 0;
  std::uint64_t sent_again_ = 0;
  std::uint64_t unmarked_ = 0;
  std::uint64_t short_ = 0;
  std::uint64_t counted_[3] = {};  // successful requests; the index is the token_source
  std::map<std::uint32_t, std::uint64_t> statuses_;
  std::map<kind, family> failures_;

  void add_failure(const client::record& record);
};

}  // namespace inferbench::metrics
