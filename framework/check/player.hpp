// Drives one exchange of a codec like the client, but without sockets and in a hostile way: inputs
// are in lent memory, and bodies are cut where the test chooses. Used by one thread at a time.
// player.cpp has the request, and player_answer.cpp the answer.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <inferbench/abi.h>

#include "base/json.hpp"
#include "check/asked_request.hpp"
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
  std::vector<std::pair<std::string, std::string>> trailers{};
};

/// The line of the recorder for IFB_END of on_message.
inline constexpr const char* early_end = "end early";

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
  /// Calls `request` of the codec. Returns false on a refusal; otherwise asked() is the request.
  bool request();
  /// Calls `sign` of the codec, as the host does right before the first byte of each request, also
  /// if it sends the request again. Returns false on a refusal. Does nothing for a codec without
  /// sign.
  bool sign(std::uint32_t server = 0);
  /// Feeds the answer to the codec: the head, the body as messages, and the end. The body is cut
  /// into reads at the offsets `cuts`, which are ascending. Returns whether the codec wants to send
  /// another request.
  bool hear(const answer& from, std::span<const std::size_t> cuts = {});
  /// Gets the request and feeds the answer. Repeats this, at most four times in all, while the
  /// codec wants to send another request. False if the first request is refused.
  bool converse(const answer& from, std::span<const std::size_t> cuts = {});

  // The single steps, for tests that stop between them. They return false on a refusal. head()
  // signs the request if it is not signed. After a message at which the codec ended the request,
  // message() does nothing.
  bool head(const answer& from);
  bool message(std::string_view event, std::string_view data);
  bool end(const answer& from = {});
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
  /// Whether the codec ended the request at a message (IFB_END).
  [[nodiscard]] bool ended_early() const noexcept { return enough_; }
  /// The last request of the exchange, before it was signed.
  [[nodiscard]] const asked_request& asked() const noexcept { return asked_; }
  /// The parts of the exchange's first request that must be the same for the same sample.
  [[nodiscard]] const std::string& first_asked() const noexcept { return first_asked_; }
  /// The request after the last sign().
  [[nodiscard]] const asked_request& signed_request() const noexcept { return signed_; }
  /// The first fault in the requests of the exchange and in their signing, for the tests
  /// codec-request and codec-sign; their texts are empty if there is none.
  [[nodiscard]] const finding& request_fault() const noexcept { return request_fault_; }
  [[nodiscard]] const finding& sign_fault() const noexcept { return sign_fault_; }
  /// From now on each call's status and error are checked by judge_refusal().
  void judge() noexcept { judging_ = true; }
  /// From now on open and request are called on another thread than all other calls.
  void ask_elsewhere() noexcept { elsewhere_ = true; }

 private:
  enum class framing : std::uint8_t { whole, sse, lines, raw, refused };
  [[nodiscard]] ifb_error* lend();
  [[nodiscard]] std::vector<ifb_field> lend_fields(
      const std::vector<std::pair<std::string, std::string>>& from);
  [[nodiscard]] ifb_status anywhere(const std::function<ifb_status()>& call) const;
  bool call(const char* what, ifb_status status);
  bool heard_failure();
  [[nodiscard]] bool play(const answer& from, std::span<const std::size_t> cuts);

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
  ifb_http_request filled_{};  // the members that this host knows, as the codec filled them in
  asked_request asked_;
  asked_request signed_;
  std::string first_asked_;
  finding request_fault_;
  finding sign_fault_;
  std::uint64_t messages_at_ = 5'000'000'000'000;  // the arrival of the last message
  framing framing_ = framing::whole;
  bool unsigned_ = false;   // the request has to be signed before the head of its answer
  bool body_over_ = false;  // the whole body of the answer is known
  bool enough_ = false;
  bool judging_ = false;
  bool silent_ = false;
  bool elsewhere_ = false;
};

/// An answer with status 200 whose body is a stream of server-sent events.
[[nodiscard]] answer streamed(std::string body);

}  // namespace inferbench::check
