// What a plugin reports of one request, collected into its record: the part that a codec
// and an engine have in common. Whoever feeds it says when; one thread at a time.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

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

  const backend& shared_;
  record record_;
  std::uint64_t kept_bytes_ = 0;  // of the record, by the plugin's doing
  std::uint64_t stamp_ = 0;       // of what is being reported
  bool heard_enough_ = false;     // a success stands, whatever becomes of the rest
  bool outcome_known_ = false;    // on_done, on_error or a failure of ours
};

/// "an event is longer than 64 MiB (--max-message)"
[[nodiscard]] std::string longer_than(std::string_view what, std::uint64_t limit,
                                      std::string_view flag);

/// The table handed to codecs; its functions take an answer as ifb_output.
[[nodiscard]] const ifb_events& events() noexcept;

}  // namespace inferbench::client
