// Parses HTTP with llhttp, the parser of Node.js, from Debian's package node-llhttp.
#pragma once

#include <string_view>

#include <llhttp.h>

namespace inferbench::bench {

class framing {
 public:
  framing() {
    llhttp_settings_init(&settings_);
    settings_.on_body = [](llhttp_t* parser, const char* at, std::size_t size) {
      const auto& me = *static_cast<framing*>(parser->data);
      me.call_(me.sink_, {at, size});
      return 0;
    };
    settings_.on_message_complete = [](llhttp_t* parser) {
      static_cast<framing*>(parser->data)->ended_ = true;
      return 0;
    };
    llhttp_init(&parser_, HTTP_RESPONSE, &settings_);
  }
  framing(const framing&) = delete;
  framing& operator=(const framing&) = delete;

  /// Calls sink(body bytes); returns true if the answer is complete.
  template <typename sink_type>
  [[nodiscard]] bool take(std::string_view bytes, sink_type&& sink) {
    parser_.data = this;
    sink_ = &sink;
    call_ = [](void* to, std::string_view body) { (*static_cast<sink_type*>(to))(body); };
    ended_ = false;
    failed_ = llhttp_execute(&parser_, bytes.data(), bytes.size()) != HPE_OK;
    return ended_;
  }
  [[nodiscard]] bool failed() const { return failed_; }

 private:
  llhttp_t parser_{};
  llhttp_settings_t settings_{};
  void* sink_ = nullptr;
  void (*call_)(void*, std::string_view) = nullptr;
  bool ended_ = false;
  bool failed_ = false;
};

}  // namespace inferbench::bench
