// Collects the plugin's reports about one request into the record of the request, for codecs and
// for engines. The owner of the answer sets the time stamps. Used by one thread at a time. Calls
// after the end of the request change nothing in the record.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include <inferbench/abi.h>

#include "client/backend.hpp"
#include "client/record.hpp"

/// The output that a plugin reports to. The struct is in the global namespace, because the C
/// contract names it.
struct ifb_output {};

namespace inferbench::client {

class answer : public ifb_output {
 public:
  answer(const answer&) = delete;
  answer& operator=(const answer&) = delete;

  /// Call this when the request has its permit and is sent: `now` becomes the start of the request.
  void start(std::uint64_t now);
  /// Fails the request for a reason that the plugin did not report: no connection, a time-out, or
  /// the end of the run.
  void fail(ifb_status status, std::string message, std::uint64_t stamp);
  [[nodiscard]] const record& current() const noexcept { return record_; }
  /// Returns and clears a message for the user about this backend; usually empty.
  [[nodiscard]] std::string take_remark() { return std::exchange(remark_, {}); }
  [[nodiscard]] bool has_remark() const noexcept { return !remark_.empty(); }

  // The plugin calls these functions through the contract.
  void on_token(const ifb_token& token);
  void on_usage(const ifb_usage& usage);
  void on_attribute(std::string_view key, std::string_view value);
  void on_done(std::string_view reason);
  void on_error(const ifb_error& error);

 protected:
  /// `shared` must outlive the answer.
  explicit answer(const backend& shared) : shared_(shared) {}
  ~answer() = default;

  /// Begins a new record for the request that sends `sample`.
  void begin(const ifb_sample& sample, std::uint64_t sequence, std::uint64_t due_ns);
  /// Fails the request because the plugin's function `call` returned `status`, an error or a
  /// positive status that this call does not have. The meaning of such a positive status is not
  /// known, so it fails the request even after a reported success.
  void refuse(std::string_view call, ifb_status status, const ifb_error& error);
  void fail_once(ifb_status status, std::string message);
  /// Fails the request and returns true if the record would keep more than max_answer bytes.
  [[nodiscard]] bool kept_too_much(std::uint64_t stamp);
  /// Makes `line` the remark, unless `told` is already true. `told` is a member of told_once.
  void remark(std::atomic<bool>& told, std::string line);
  /// Makes the remark, if no fault has been told, that the plugin did something wrong with this
  /// request: "... it `did` request 7`behind`; ...".
  void blame(std::string_view did, std::string_view behind);

  const backend& shared_;
  record record_;
  std::uint64_t kept_bytes_ = 0;  // bytes of the record that come from the plugin's reports
  std::uint64_t stamp_ = 0;       // stamp of the current report
  std::uint64_t late_ = 0;        // upper bound of the time between arrival and stamp
  bool outcome_known_ = false;    // after on_done, on_error or a failure found by the client

 private:
  [[nodiscard]] bool is_over(std::string_view call);
  void know(std::int64_t& kept, std::int64_t said, std::string_view what);

  std::string remark_;
  std::uint32_t kept_choice_ = 0;  // the choice whose text the record keeps; valid if the text is
                                   // not empty
};

/// An error message: "an event is longer than 64 MiB (--max-message)".
[[nodiscard]] std::string longer_than(std::string_view what, std::uint64_t limit,
                                      std::string_view flag);

/// The table of functions that codecs get. The functions expect an answer as ifb_output.
[[nodiscard]] const ifb_events& events() noexcept;

}  // namespace inferbench::client
