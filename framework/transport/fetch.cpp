#include "transport/fetch.hpp"

#include <algorithm>
#include <array>
#include <span>

#include "base/text.hpp"
#include "transport/connection.hpp"
#include "transport/event_loop.hpp"
#include "transport/http1_request_writer.hpp"
#include "transport/http1_response_parser.hpp"
#include "transport/proxy.hpp"
#include "transport/redirect.hpp"

namespace inferbench::transport {

namespace {

constexpr int most_redirects = 5;
constexpr std::uint64_t look_ns = 50 * base::ns_per_ms;  // time between two calls of `stop`

constexpr std::string_view server_remedy =
    "check that the server runs, and --base-url or --host and --port";

std::string seconds(std::uint64_t ns) {
  if (ns % base::ns_per_s == 0) return std::to_string(ns / base::ns_per_s) + " s";
  return base::shortest(static_cast<double>(ns) / static_cast<double>(base::ns_per_s)) + " s";
}

class exchange final : public connection_listener {
 public:
  exchange(const base::clock& clock, const endpoint& where, const fetch_request& what)
      : where_(where),
        what_(what),
        url_(url_of(where, what)),
        loop_(clock, {.batch = 4, .scratch_bytes = std::size_t{128} * 1024}),
        connection_(loop_),
        too_late_(timer::action::to<&exchange::on_too_late>(*this)),
        look_(timer::action::to<&exchange::on_look>(*this)),
        slow_(timer::action::to<&exchange::on_slow>(*this)) {}

  fetch_result perform() {
    if (!write_head()) {
      give_up("the request for " + url_ + " holds characters that HTTP does not allow",
              "check headers and endpoint for line ends and blanks");
      return std::move(result_);
    }
    const std::uint64_t now = loop_.clock().now();
    if (what_.on_slow) loop_.arm(slow_, now + what_.slow_ns);
    if (what_.stop) on_look(now);
    if (done_) return std::move(result_);
    parser_.begin(what_.method == "HEAD");
    loop_.arm(too_late_, timer_queue::after(now, what_.total_timeout_ns));
    connection_.set_listener(*this);
    connection_.connect(where_, 0, timer_queue::after(now, time_to_connect()));
    while (!done_)
      loop_.run_once(true);
    return std::move(result_);
  }

 private:
  static std::string url_of(const endpoint& where, const fetch_request& what) {
    url full = where.where;
    full.target += what.target;
    return full.text();
  }

  static ifb_field field(std::string_view name, std::string_view value) {
    return {{name.data(), name.size()}, {value.data(), value.size()}};
  }

  bool write_head() {
    std::vector<ifb_field> fields;
    for (const auto& [name, value] : what_.headers)
      fields.push_back(field(name, value));
    fields.push_back(field("Connection", "close"));
    const std::string authority = where_.where.authority();
    if (!where_.proxy_authorization.empty())
      fields.push_back(field("Proxy-Authorization", where_.proxy_authorization));
    http1_request_head head;
    head.method = what_.method;
    head.absolute = where_.absolute;
    head.prefix = where_.where.target;
    head.target = what_.target;
    head.host = authority;
    head.headers = fields;
    if (!what_.body.empty() || (what_.method != "GET" && what_.method != "HEAD"))
      head.body_bytes = what_.body.size();
    return write_request_head(head_, head);
  }

  void on_connected(connection&, std::uint64_t) override {
    body_[0] = {what_.body.data(), what_.body.size()};
    connection_.send(head_, body_);
  }

  void on_bytes(connection&, std::string_view bytes, std::uint64_t stamp) override {
    while (!done_) {
      const auto piece = parser_.next(bytes);
      switch (piece.kind) {
        case http1_piece::more: return;
        case http1_piece::head:
          keep_head();
          if (is_error())
            loop_.arm(too_late_,
                      std::min(too_late_.deadline(), loop_.clock().now() + what_.error_body_ns));
          break;
        case http1_piece::body:
          if (is_error()) {
            const std::size_t room = what_.max_error_bytes - result_.body.size();
            result_.body += piece.data.substr(0, room);
            done_ = piece.data.size() >= room;
          } else if (what_.on_body && result_.status / 100 == 2) {
            what_.on_body(piece.data, stamp);
          } else if (result_.body.size() + piece.data.size() > what_.max_body_bytes) {
            give_up("the answer of " + url_ + " is longer than " +
                        std::to_string(what_.max_body_bytes) + " bytes",
                    std::string(server_remedy));
          } else {
            result_.body += piece.data;
          }
          break;
        case http1_piece::end: done_ = true; break;
        case http1_piece::failed: fail_parse(); break;
      }
    }
    connection_.close();
  }

  void on_eof(connection&, std::uint64_t) override {
    if (parser_.finish() == http1_piece::failed) fail_parse();
    done_ = true;
  }

  [[nodiscard]] std::string remedy() const {
    return std::string(where_.proxy.empty() ? server_remedy : proxy_remedy);
  }

  void on_failure(connection&, const connection_failure& why, std::uint64_t) override {
    using phase = connection_failure::phase;
    if (why.when == phase::connect_timeout && !why.remedy.empty()) {
      give_up("no connection to " + url_ + ": " + why.text, why.remedy);
      result_.timed_out = true;
    } else if (why.when == phase::connect_timeout) {
      give_up("cannot connect to " + url_ + " within " + seconds(time_to_connect()),
              "check the address, and the network and firewalls on the way to it");
      result_.timed_out = true;
    } else if (why.when == phase::connect) {
      give_up("no connection to " + url_ + ": " + why.text, remedy());
    } else if (why.when == phase::tls || why.when == phase::proxy) {
      give_up("no connection to " + url_ + ": " + why.text,
              why.remedy.empty() ? remedy() : why.remedy);
    } else if (!end_with_status()) {
      give_up("no answer from " + url_ + ": " + why.text,
              why.remedy.empty() ? "see the server's log" : why.remedy);
    }
  }

  /// Whether the answer is an error whose body need not be read to its end.
  [[nodiscard]] bool is_error() const { return result_.status >= 400 && !what_.whole_errors; }

  /// Ends the fetch without an error if the status of the answer is a sufficient reason, so that
  /// the rest of the body is not needed. Returns false, without effect, otherwise.
  [[nodiscard]] bool end_with_status() {
    if (is_error()) done_ = true;
    return is_error();
  }

  [[nodiscard]] std::uint64_t time_to_connect() const {
    return what_.total_timeout_ns == 0 ? what_.connect_timeout_ns
                                       : std::min(what_.connect_timeout_ns, what_.total_timeout_ns);
  }

  void on_too_late(std::uint64_t) {
    connection_.close();
    if (end_with_status()) return;
    give_up("no complete answer from " + url_ + " within " + seconds(what_.total_timeout_ns),
            "see the server's log");
    result_.timed_out = true;
  }

  void on_look(std::uint64_t now) {
    if (done_) return;
    if (!what_.stop()) {
      loop_.arm(look_, now + look_ns);
      return;
    }
    connection_.close();
    give_up("the wait for " + url_ + " was stopped", "");
    result_.stopped = true;
  }

  void on_slow(std::uint64_t) { what_.on_slow(); }

  void keep_head() {
    const ifb_http_head head = parser_.head();
    result_.status = head.status;
    result_.reason = parser_.reason();
    for (const ifb_field& field : std::span(head.headers, head.header_count))
      result_.headers.emplace_back(std::string(field.name.data, field.name.size),
                                   std::string(field.value.data, field.value.size));
  }

  void fail_parse() {
    if (end_with_status()) return;
    give_up("no usable answer from " + url_ + ": " + parser_.error(), std::string(server_remedy));
  }

  void give_up(std::string error, std::string remedy) {
    result_.error = std::move(error);
    result_.remedy = std::move(remedy);
    done_ = true;
  }

  const endpoint& where_;
  const fetch_request& what_;
  std::string url_;
  event_loop loop_;
  connection connection_;
  timer too_late_;
  timer look_;
  timer slow_;
  http1_response_parser parser_;
  std::string head_;
  std::array<ifb_bytes, 1> body_{};
  fetch_result result_;
  bool done_ = false;
};

std::string location_of(const fetch_result& result) {
  const auto found = std::ranges::find_if(result.headers, [](const auto& field) {
    return base::equal_no_case(field.first, "location");
  });
  return found == result.headers.end() ? std::string() : found->second;
}

bool is_redirect(const fetch_result& result) {
  constexpr std::array<std::uint32_t, 5> codes{301, 302, 303, 307, 308};
  return result.ok() && std::ranges::find(codes, result.status) != codes.end() &&
         !location_of(result).empty();
}

fetch_result refused(const std::string& from, const std::string& why) {
  fetch_result out;
  out.error = from + " " + why;
  out.remedy = "give the final address with --base-url";
  return out;
}

}  // namespace

fetch_result fetch(const base::clock& clock, const endpoint& where, const fetch_request& what) {
  const std::uint64_t deadline = timer_queue::after(clock.now(), what.total_timeout_ns);
  fetch_result result = exchange(clock, where, what).perform();
  if (what.method != "GET" && what.method != "HEAD") return result;

  fetch_request next = what;
  endpoint there = where;
  there.where.target += what.target;
  next.target.clear();
  for (int hops = 0; is_redirect(result); ++hops) {
    const std::string from = there.where.text();
    if (hops == most_redirects)
      return refused(from, "redirects, after " + std::to_string(most_redirects) + " others");
    const std::string location = location_of(result);
    try {
      const url to = redirected(there.where, location);
      if (!to.same_origin(there.where)) {
        if (to.tls < there.where.tls || !there.where.socket.empty())
          return refused(from, "redirects to " + to.text() + ", which is not followed");
        next.headers.clear();
        there = resolve(to, what.routes == nullptr ? route_options{} : *what.routes);
      }
      there.where.target = to.target;
    } catch (const base::error& e) {
      return refused(from, "redirects to an unusable address: " + e.message());
    }
    const std::uint64_t now = clock.now();
    if (what.total_timeout_ns != 0) next.total_timeout_ns = deadline > now ? deadline - now : 1;
    result = exchange(clock, there, next).perform();
  }
  return result;
}

}  // namespace inferbench::transport
