// Parses HTTP with Boost.Beast: with its basic_parser, which passes bodies on without a copy.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <boost/asio/buffer.hpp>
#include <boost/beast/http/basic_parser.hpp>

namespace inferbench::bench {

/// Calls call(sink, bytes) for the bytes of the body.
class beast_parser final : public boost::beast::http::basic_parser<false> {
 public:
  void* sink = nullptr;
  void (*call)(void*, std::string_view) = nullptr;

 private:
  using code = boost::beast::error_code;
  using text = boost::beast::string_view;
  using verb = boost::beast::http::verb;
  using field = boost::beast::http::field;

  std::size_t body(text bytes) {
    call(sink, {bytes.data(), bytes.size()});
    return bytes.size();
  }
  void on_request_impl(verb, text, text, int, code&) override {}
  void on_response_impl(int, text, int, code&) override {}
  void on_field_impl(field, text, text, code&) override {}
  void on_header_impl(code&) override {}
  void on_body_init_impl(const boost::optional<std::uint64_t>&, code&) override {}
  std::size_t on_body_impl(text bytes, code&) override { return body(bytes); }
  void on_chunk_header_impl(std::uint64_t, text, code&) override {}
  std::size_t on_chunk_body_impl(std::uint64_t, text bytes, code&) override { return body(bytes); }
  void on_finish_impl(code&) override {}
};

class framing {
 public:
  framing() { begin(); }

  /// Calls sink(body bytes); returns true if the answer is complete.
  template <typename sink_type>
  [[nodiscard]] bool take(std::string_view bytes, sink_type&& sink) {
    parser_->sink = &sink;
    parser_->call = [](void* to, std::string_view body) { (*static_cast<sink_type*>(to))(body); };
    if (!left_.empty()) {
      left_ += bytes;
      bytes = left_;
    }
    while (!bytes.empty() && !parser_->is_done()) {
      boost::beast::error_code error;
      bytes.remove_prefix(parser_->put(boost::asio::buffer(bytes.data(), bytes.size()), error));
      if (error == boost::beast::http::error::need_more) break;
      if (error) {
        failed_ = true;
        return false;
      }
    }
    // The parser does not consume an incomplete line, so the line is given to it again.
    left_ = std::string(bytes);
    if (!parser_->is_done()) return false;
    begin();
    return true;
  }
  [[nodiscard]] bool failed() const { return failed_; }

 private:
  void begin() {
    parser_.emplace();
    parser_->eager(true);
    parser_->body_limit(boost::none);
  }

  std::optional<beast_parser> parser_;
  std::string left_;
  bool failed_ = false;
};

}  // namespace inferbench::bench
