// Collects the plugin's reports about one request into the record of the request, for codecs and
// for engines. All times are in nanoseconds of the host's monotonic clock; the derived class sets
// `stamp_` before it calls the plugin. Used by one thread at a time. When the outcome is known
// (on_done, on_error, or a failure found by the client), further calls of the plugin change nothing
// in the record.
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

  /// Must be called when the request has its permit and is about to be sent: `now` becomes the
  /// start of the request.
  void start(std::uint64_t now);
  /// Fails the request at the time `stamp` for a reason that the plugin did not report: no
  /// connection, a time-out, or the end of the run. Replaces a reported success, but keeps an
  /// earlier failure.
  void fail(ifb_status status, std::string message, std::uint64_t stamp);
  [[nodiscard]] const record& current() const noexcept { return record_; }
  /// Returns and clears the remark: a message for the user about this backend; usually empty.
  [[nodiscard]] std::string take_remark() { return std::exchange(remark_, {}); }
  [[nodiscard]] bool has_remark() const noexcept { return !remark_.empty(); }

  // The plugin calls these functions through the table of events(). Their arguments must be valid
  // only during the call.
  void on_token(const ifb_token& token);
  void on_usage(const ifb_usage& usage);
  void on_attribute(std::string_view key, std::string_view value);
  void on_done(std::string_view reason);
  void on_error(const ifb_error& error);

 protected:
  /// `shared` must outlive the answer.
  explicit answer(const backend& shared) : shared_(shared) {}
  ~answer() = default;

  /// Begins a new record for the request that sends `sample`. Copies from `sample` whatever the
  /// record needs.
  void begin(const ifb_sample& sample, std::uint64_t sequence, std::uint64_t due_ns);
  /// Fails the request because the plugin's function `call` returned `status`, an error or a
  /// positive status that this call does not have. The meaning of such a positive status is not
  /// known, so it fails the request even after a reported success.
  void refuse(std::string_view call, ifb_status status, const ifb_error& error);
  /// Fails the request, unless it has already failed or succeeded.
  void fail_once(ifb_status status, std::string message);
  /// If the record would keep more than max_answer bytes, fails the request at the time `stamp` and
  /// returns true; otherwise returns false.
  [[nodiscard]] bool kept_too_much(std::uint64_t stamp);
  /// Makes `line` the remark and sets `told`, unless `told` is already true or there is a remark.
  /// `told` is a member of told_once, so the user gets each kind of remark once per run.
  void remark(std::atomic<bool>& told, std::string line);
  /// If the user has not been told of a fault of this backend, makes the remark that the plugin
  /// breaks the contract: "... it DID request 7BEHIND; ...", where DID is "called on_token for" and
  /// BEHIND is " after its end", for example.
  void blame(std::string_view did, std::string_view behind);

  const backend& shared_;
  record record_;
  std::uint64_t kept_bytes_ = 0;  // bytes of the record that come from the plugin's reports
  std::uint64_t stamp_ = 0;       // when the data of the current report were received
  std::uint64_t late_ = 0;        // upper bound of the time between their arrival and stamp_
  bool outcome_known_ = false;    // after on_done, on_error or a failure found by the client

 private:
  /// Returns whether the outcome is already known. If so, makes the remark that this call of the
  /// plugin came too late. `call`: "called on_token for".
  [[nodiscard]] bool is_over(std::string_view call);
  /// Copies a reported number of tokens to `kept`, except a negative number (not reported) and an
  /// impossibly large number, for which it makes a remark. `what`: the word in front of "tokens".
  void know(std::int64_t& kept, std::int64_t said, std::string_view what);

  std::string remark_;
  std::uint32_t kept_choice_ = 0;  // the choice whose text the record keeps; valid if the text is
                                   // not empty
};

/// An error message: "an event is longer than 64 MiB (--max-message)". `what`: "an event is";
/// `limit`: in bytes; `flag`: the flag that sets the limit.
[[nodiscard]] std::string longer_than(std::string_view what, std::uint64_t limit,
                                      std::string_view flag);

/// The table of functions that plugins get to report about a request. Their argument ifb_output
/// must be an `answer`. The table lives as long as the program.
[[nodiscard]] const ifb_events& events() noexcept;

}  // namespace inferbench::client
