// A backend for the native streaming API of Text Generation Inference.
//
//   POST /generate_stream   {"inputs": "...", "parameters": {"max_new_tokens": 16, ...}}
//   data: {"token": {"id": 5, "text": " a", "special": false}, "generated_text": null, ...}
//   data: {"token": {...}, "generated_text": "... a", "details": {"finish_reason": "length",
//          "generated_tokens": 16, "input_length": 7}}
//   data: {"error": "...", "error_type": "..."}          when it fails half-way
//
// The host sends the request, splits the answer into events and measures all times. The plugin only
// writes one JSON text for the request and reads one JSON text for each event.

#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>

#include <inferbench/json_writer.hpp>
#include <inferbench/plugin.hpp>

#include "body.hpp"
#include "event.hpp"

namespace {

class tgi {
 public:
  static constexpr const char* id = "tgi";
  static constexpr const char* version = "1.0.0";
  static constexpr const char* summary =
      "Text Generation Inference through its own /generate_stream.";
  static constexpr const char* license = "Apache-2.0";

  struct options {
    std::string endpoint;
    ifb::json_text extra_body;

    static constexpr auto schema() {
      return std::tuple{
          ifb::option{"endpoint", &options::endpoint, "Path of the streaming call.",
                      "\"/generate_stream\""}
              .general()
              .value_name("PATH"),
          ifb::option{"extra-body", &options::extra_body,
                      "Table of members for \"parameters\", such as temperature."}
              .general(),
      };
    }
  };

  class exchange {
   public:
    /// Both views point into the arena of the request or into the plugin.
    exchange(std::string_view target, std::string_view body)
        : target_(target), body_(ifb::bytes(body)) {}

    void request(ifb_http_request& out) {
      static constexpr ifb_field headers[] = {ifb::field("Content-Type", "application/json")};
      ifb::set_request(out, "POST", target_, headers, body_);
    }

    ifb::heard on_message(const ifb::http_message& message, ifb::output out) {
      const tgi_event event = tgi_event::read(message.data());
      if (!event.error.empty()) throw ifb::failure{IFB_E_REMOTE, event.error};
      if (event.has_token) out.token(event.special ? std::string_view{} : event.text, 1);
      if (!event.last) return ifb::heard::more;
      out.usage({.prompt = event.input_length, .output = event.generated_tokens});
      out.done(event.finish_reason);
      return ifb::heard::enough;
    }

    // Nothing to do: the host detects a stream that ends without its last event.
    void on_end(ifb::output) {}

   private:
    std::string_view target_;
    ifb_bytes body_;
  };

  tgi(ifb::host, const options& given)
      : endpoint_(given.endpoint), extra_(given.extra_body.text, "extra-body") {
    if (!endpoint_.starts_with('/'))
      throw ifb::failure{IFB_E_CONFIG, "expected a path that begins with /", "endpoint"};
  }

  exchange open(const ifb_sample& sample, ifb::arena arena) const {
    json_members parameters;
    parameters.set("\"details\"", "true");
    if (sample.output_tokens >= 0)
      parameters.set("\"max_new_tokens\"", std::to_string(sample.output_tokens));
    parameters.lay_over(extra_);

    std::string prompt;
    ifb::append_json_string(prompt, ifb::prompt_text(sample));
    json_members body;
    body.set("\"inputs\"", prompt);
    body.set("\"parameters\"", parameters.text());
    body.lay_over({ifb::view(sample.overrides), ""});
    return {endpoint_, arena.copy(body.text())};
  }

 private:
  std::string endpoint_;
  json_members extra_;
};

}  // namespace

INFERBENCH_PLUGINS(ifb::backend<tgi>)
