// One exchange of a codec, driven as the client drives it, but without sockets and in a hostile
// way: inputs are lent, bodies are cut where the test says. One thread at a time.
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
  bool complete = true;  // false: the connection breaks behind the body
};

class player {
 public:
  /// Subject and instance must outlive it.
  player(subject& s, instance_under_test& instance, lending how = {});
  player(const player&) = delete;
  player& operator=(const player&) = delete;
  /// Closes the exchange.
  ~player();

  /// Opens an exchange and closes the one before. `json`: the sample. The result is in
  /// status() and error().
  bool open(std::string_view json);
  bool open(const base::json_value& json, const std::string& place);
  /// Asks for the request: its text, one line for each header and then the body. Empty on a
  /// refusal.
  [[nodiscard]] std::string request();
  /// Feeds the answer: head, body cut at `cuts` (ascending) and framed, end. Whether the
  /// codec asked for another request.
  bool hear(const answer& from, std::span<const std::size_t> cuts = {});
  /// Asks for the request and feeds the answer, and does so again for each further request
  /// that the codec wants, a few times. False if the first request is refused.
  bool converse(const answer& from, std::span<const std::size_t> cuts = {});

  // The single steps, for tests that stop in between. False on a refusal.
  bool head(const answer& from);
  bool message(std::string_view event, std::string_view data);
  bool end();
  void close();
  /// Messages, each with the name of its event, as a body in the framing that head() chose.
  [[nodiscard]] std::string framed(
      std::span<const std::pair<std::string, std::string>> messages) const;

  [[nodiscard]] recorder& heard() noexcept { return *heard_; }
  [[nodiscard]] ifb_status status() const noexcept { return status_; }
  [[nodiscard]] const ifb_error& error() const noexcept { return error_; }
  /// The whole answer was heard without a refusal, and no end was reported.
  [[nodiscard]] bool silent() const noexcept { return silent_; }
  /// The first request of the exchange, as request() answered it.
  [[nodiscard]] const std::string& asked() const noexcept { return asked_; }
  /// The body of the last request.
  [[nodiscard]] const std::string& body() const noexcept { return body_; }
  [[nodiscard]] const std::string& target() const noexcept { return target_; }
  /// From now on refusals of calls are checked by judge_refusal().
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

/// The head of an answer that streams server-sent events.
[[nodiscard]] answer streamed(std::string body);

}  // namespace inferbench::check
