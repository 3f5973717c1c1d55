// A backend for servers with OpenAI's completions:
//
//   POST /v1/completions   {"model": "m", "prompt": "...", "max_tokens": 16, "stream": true, ...}
//   data: {"choices": [{"text": " a", "finish_reason": null}]}
//   data: {"choices": [], "usage": {"prompt_tokens": 7, "completion_tokens": 16}}
//   data: [DONE]
//
// The host sends the request, splits the answer into events and measures all times. The plugin only
// writes one JSON text for the request and reads one JSON text for each event.

#include <string>
#include <string_view>
#include <tuple>

#include <inferbench/json_reader.hpp>
#include <inferbench/json_writer.hpp>
#include <inferbench/plugin.hpp>

namespace {

class my_example_backend {
 public:
  static constexpr const char* id = "my-example";
  static constexpr const char* version = "0.1.0";
  static constexpr const char* summary = "Servers with OpenAI's completions.";
  static constexpr const char* license = "Apache-2.0";

  struct options {
    std::string model;
    std::string endpoint;

    static constexpr auto schema() {
      return std::tuple{
          // Both options are general: they take the values of the flags --model and --endpoint.
          ifb::option{"model", &options::model, "Name of the model in each request.", "\"\""}
              .general(),
          ifb::option{"endpoint", &options::endpoint, "Path to call.", "\"/v1/completions\""}
              .general()
              .value_name("PATH"),
      };
    }
  };

  /// One request.
  class exchange {
   public:
    /// Both views point into the plugin or into the arena of the request.
    exchange(std::string_view target, std::string_view body)
        : target_(target), body_(ifb::bytes(body)) {}

    void request(ifb_http_request& out) {
      static constexpr ifb_field headers[] = {ifb::field("Content-Type", "application/json")};
      ifb::set_request(out, "POST", target_, headers, body_);
    }

    ifb::heard on_message(const ifb::http_message& message, ifb::output out) {
      if (message.data() == "[DONE]") {
        out.done(finish_reason_);
        return ifb::heard::enough;
      }
      const ifb::json_document event = ifb::read_json(message.data());
      if (const auto* error = ifb::find_path(event, "error.message"))
        throw ifb::failure{IFB_E_REMOTE, std::string(ifb::text_of(error))};
      if (const auto reason = ifb::text_of(ifb::find_path(event, "choices.0.finish_reason"));
          !reason.empty())
        finish_reason_ = reason;
      if (const auto* text = ifb::find_path(event, "choices.0.text")) out.token(ifb::text_of(text));
      if (const auto* usage = ifb::find(event, "usage"); usage != nullptr && usage->IsObject())
        out.usage({.prompt = ifb::integer_of(ifb::find(usage, "prompt_tokens")),
                   .output = ifb::integer_of(ifb::find(usage, "completion_tokens"))});
      return ifb::heard::more;
    }

    // Nothing to do: the host detects a stream that ends without its last event.
    void on_end(ifb::output) {}

   private:
    std::string_view target_;
    ifb_bytes body_;
    std::string finish_reason_;
  };

  my_example_backend(ifb::host, const options& given)
      : model_(given.model), endpoint_(given.endpoint) {
    if (!endpoint_.starts_with('/'))
      throw ifb::failure{IFB_E_CONFIG, "expected a path that begins with /", "endpoint"};
  }

  exchange open(const ifb_sample& sample, ifb::arena arena) const {
    if (sample.overrides.size != 0)
      throw ifb::failure{IFB_E_UNSUPPORTED, "this backend sends no overrides of samples"};
    ifb::json_writer body;
    body.begin_object();
    body.member("model",
                sample.model.size == 0 ? std::string_view(model_) : ifb::view(sample.model));
    body.member("prompt", ifb::prompt_text(sample));
    if (sample.output_tokens >= 0) body.member("max_tokens", sample.output_tokens);
    body.member("stream", true);
    body.key("stream_options");
    body.raw(R"({"include_usage": true})");
    body.end_object();
    return {endpoint_, arena.copy(body.text())};
  }

 private:
  std::string model_;
  std::string endpoint_;
};

}  // namespace

INFERBENCH_PLUGINS(ifb::backend<my_example_backend>)
