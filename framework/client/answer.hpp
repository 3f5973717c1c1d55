// What a plugin reports of one request, collected into its record: the part that a codec
// and an engine have in common. Its owner says when; one thread at a time. Calls that break the
// contract change nothing in the record.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include <inferbench/abi.h>

#include "client/backend.hpp"
#include "client/record.hpp"

/// The plugin's name for what it reports to; global, because the C contract names it.
struct ifb_output {};

namespace inferbench::client {

class answer : public ifb_output {
 public:
  answer(const answer&) = delete;
  answer& operator=(const answer&) = delete;

  /// It has its permit and leaves now; stamps count from here.
  void start(std::uint64_t now);
  /// Ends it from outside: no connection, time-out, stop.
  void fail(ifb_status status, std::string message, std::uint64_t stamp);
  [[nodiscard]] const record& current() const noexcept { return record_; }
  /// A line for the user about this backend, which none has had before; empty as a rule.
  [[nodiscard]] std::string take_remark() { return std::exchange(remark_, {}); }
  [[nodiscard]] bool has_remark() const noexcept { return !remark_.empty(); }

  // What the plugin calls through the contract.
  void on_token(const ifb_token& token);
  void on_usage(const ifb_usage& usage);
  void on_attribute(std::string_view key, std::string_view value);
  void on_done(std::string_view reason);
  void on_error(const ifb_error& error);

 protected:
  /// `shared` must outlive it.
  explicit answer(const backend& shared) : shared_(shared) {}
  ~answer() = default;

  /// A new record, of the request for `sample`.
  void begin(const ifb_sample& sample, std::uint64_t sequence, std::uint64_t due_ns);
  /// The plugin refused a call.
  void refuse(ifb_status status, const ifb_error& error);
  void fail_once(ifb_status status, std::string message);
  /// True where the record would keep more than max_answer; it has failed then.
  [[nodiscard]] bool kept_too_much(std::uint64_t stamp);
  /// Makes `line` the remark, unless the user has been told of it before: `told` is of told_once.
  void remark(std::atomic<bool>& told, std::string line);

  const backend& shared_;
  record record_;
  std::uint64_t kept_bytes_ = 0;  // of the record, by the plugin's doing
  std::uint64_t stamp_ = 0;       // of what is being reported
  std::uint64_t late_ = 0;        // at most so long after its arrival
  bool heard_enough_ = false;     // a success stands, whatever becomes of the rest
  bool outcome_known_ = false;    // on_done, on_error or a failure of ours

 private:
  [[nodiscard]] bool is_over(std::string_view call);
  void blame(std::string_view did, std::string_view behind);
  void know(std::int64_t& kept, std::int64_t said, std::string_view what);

  std::string remark_;
  std::uint32_t kept_choice_ = 0;  // whose text the record keeps; of use while it has some
};

/// "an event is longer than 64 MiB (--max-message)"
[[nodiscard]] std::string longer_than(std::string_view what, std::uint64_t limit,
                                      std::string_view flag);

/// The table handed to codecs; its functions take an answer as ifb_output.
[[nodiscard]] const ifb_events& events() noexcept;

}  // namespace inferbench::client
