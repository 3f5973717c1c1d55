// Drives one exchange of a codec like the client, but without sockets and in a hostile way: inputs
// are in lent memory, and bodies are cut where the test chooses. Used by one thread at a time.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <inferbench/abi.h>

#include "base/json.hpp"
#include "check/host.hpp"
#include "check/instance_under_test.hpp"
#include "check/recorder.hpp"

namespace inferbench::check {

/// An answer of a server.
struct answer {
  std::uint32_t status = 200;
  std::vector<std::pair<std::string, std::string>> headers{};
  std::string body{};
  bool complete = true;  // false: the connection breaks after the body
};

class player {
 public:
  /// `s` and `instance` must outlive this object.
  player(subject& s, instance_under_test& instance, lending how = {});
  player(const player&) = delete;
  player& operator=(const player&) = delete;
  /// Closes the exchange.
  ~player();

  /// Closes the current exchange, if there is one, and opens a new exchange. `json`: the sample.
  /// Returns false on a refusal; status() and error() contain the result.
  bool open(std::string_view json);
  bool open(const base::json_value& json, const std::string& place);
  /// Calls `request` of the codec. Returns the request as text: method and target, one line for
  /// each header, and the body. Empty on a refusal.
  [[nodiscard]] std::string request();
  /// Feeds the answer to the codec: the head, the body as messages, and the end. The body is cut
  /// into reads at the offsets `cuts`, which are ascending. Returns whether the codec wants to send
  /// another request.
  bool hear(const answer& from, std::span<const std::size_t> cuts = {});
  /// Gets the request and feeds the answer. Repeats this, at most four times in all, while the
  /// codec wants to send another request. False if the first request is refused.
  bool converse(const answer& from, std::span<const std::size_t> cuts = {});

  // The single steps, for tests that stop between them. They return false on a refusal.
  bool head(const answer& from);
  bool message(std::string_view event, std::string_view data);
  bool end();
  void close();
  /// A body that contains the messages in the framing that the codec chose in head(). Each message
  /// is the name of an event and data.
  [[nodiscard]] std::string framed(
      std::span<const std::pair<std::string, std::string>> messages) const;

  [[nodiscard]] recorder& heard() noexcept { return *heard_; }
  [[nodiscard]] ifb_status status() const noexcept { return status_; }
  [[nodiscard]] const ifb_error& error() const noexcept { return error_; }
  /// Whether the codec got the whole answer without a refusal and reported no end.
  [[nodiscard]] bool silent() const noexcept { return silent_; }
  /// The first request of the exchange, as returned by request().
  [[nodiscard]] const std::string& asked() const noexcept { return asked_; }
  /// The body of the last request.
  [[nodiscard]] const std::string& body() const noexcept { return body_; }
  [[nodiscard]] const std::string& target() const noexcept { return target_; }
  /// From now on each call's status and error are checked by judge_refusal().
  void judge() noexcept { judging_ = true; }

 private:
  enum class framing : std::uint8_t { whole, sse, lines, raw, refused };
  [[nodiscard]] ifb_error* lend();
  bool call(const char* what, ifb_status status);
  [[nodiscard]] bool play(std::string_view body, std::span<const std::size_t> cuts);

  subject& s_;
  instance_under_test& instance_;
  lending how_;
  plugin::codec codec_;
  arena arena_;
  lent_memory sample_;  // lives as long as the exchange
  lent_memory call_;    // lives as long as one call
  ifb_exchange* exchange_ = nullptr;
  std::unique_ptr<recorder> heard_;
  ifb_status status_ = IFB_OK;
  ifb_error error_;
  ifb_error* lent_error_ = nullptr;
  std::string asked_;
  std::string body_;
  std::string target_;
  framing framing_ = framing::whole;
  bool enough_ = false;
  bool judging_ = false;
  bool silent_ = false;
};

/// An answer with status 200 whose body is a stream of server-sent events.
[[nodiscard]] answer streamed(std::string body);

}  // namespace inferbench::check
