// A backend for OpenAI's chat completions behind a server that checks AWS Signature Version 4.
//
// A signature is valid for five minutes, and the host serialises requests long before they are due.
// Therefore the work is divided: request() hashes the body, ahead of time; sign() signs the
// headers, right before the first byte is sent. sign() is part of the latency, so it does as little
// as possible; the run prints its cost ("Cost of backend sigv4: ... per signature").
//
// IFB_CODEC_AUTHORIZES tells the host to add no API key: it would replace the signature.

#include <array>
#include <cstdlib>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#include <inferbench/json_reader.hpp>
#include <inferbench/json_writer.hpp>
#include <inferbench/plugin.hpp>

#include "signature.hpp"

namespace {

constexpr std::string_view json_type = "application/json";

/// The value of an option; if it is not set, of an environment variable.
std::string given_or(const std::string& option, const char* variable) {
  if (!option.empty()) return option;
  const char* const found = std::getenv(variable);
  return found == nullptr ? "" : found;
}

class sigv4_chat {
 public:
  static constexpr const char* id = "sigv4";
  static constexpr const char* version = "1.0.0";
  static constexpr const char* summary =
      "OpenAI's chat completions, signed with AWS Signature Version 4.";
  static constexpr const char* license = "Apache-2.0";
  static constexpr std::uint32_t flags = IFB_CODEC_CHAT | IFB_CODEC_AUTHORIZES;

  struct options {
    std::string model;
    std::string endpoint;
    std::string access_key_id;
    std::string secret_access_key;
    std::string session_token;
    std::string region;
    std::string service;

    static constexpr auto schema() {
      return std::tuple{
          ifb::option{"model", &options::model, "Name of the model in each request.", nullptr,
                      IFB_OPT_REQUIRED}
              .general(),
          ifb::option{"endpoint", &options::endpoint, "Path of the streaming call.",
                      "\"/v1/chat/completions\""}
              .value_name("PATH")
              .general(),
          ifb::option{"access-key-id", &options::access_key_id,
                      "Id of the access key; if not given, $AWS_ACCESS_KEY_ID."},
          ifb::option{"secret-access-key", &options::secret_access_key,
                      "The secret access key; if not given, $AWS_SECRET_ACCESS_KEY.", nullptr,
                      IFB_OPT_SECRET},
          ifb::option{"session-token", &options::session_token,
                      "Token of temporary keys; if not given, $AWS_SESSION_TOKEN.", nullptr,
                      IFB_OPT_SECRET},
          ifb::option{"region", &options::region, "Region in the signature.", "\"us-east-1\""},
          ifb::option{"service", &options::service, "Service in the signature.", "\"bedrock\""},
      };
    }
  };

  class exchange {
   public:
    /// `owner` outlives the exchange; the other views point into the arena of the request.
    exchange(const sigv4_chat& owner, std::string_view body)
        : owner_(&owner), body_(ifb::bytes(body)) {}

    void request(ifb_http_request& out) {
      body_sha256_ = sigv4::hex_sha256(ifb::view(body_));
      headers_[0] = ifb::field("Content-Type", json_type);
      ifb::set_request(out, "POST", owner_->endpoint_, {headers_.data(), 1}, body_);
    }

    void sign(const ifb_http_target& to, ifb_http_request& request) {
      const sigv4::credentials& who = owner_->who_;
      const std::string_view target = ifb::view(request.target);
      const auto mark = target.find('?');
      const std::string path = std::string(ifb::view(to.prefix)).append(target.substr(0, mark));
      signed_ = sigv4::sign(
          who,
          {.method = ifb::view(request.method),
           .authority = ifb::view(to.authority),
           .path = path,
           .query = mark == std::string_view::npos ? std::string_view{} : target.substr(mark + 1),
           .content_type = json_type,
           .body_sha256 = body_sha256_},
          to.unix_ns);
      headers_[1] = ifb::field("X-Amz-Content-Sha256", body_sha256_);
      headers_[2] = ifb::field("X-Amz-Date", signed_.date);
      headers_[3] = ifb::field("Authorization", signed_.authorization);
      headers_[4] = ifb::field("X-Amz-Security-Token", who.session_token);
      request.headers = headers_.data();
      request.header_count = who.session_token.empty() ? 4 : 5;
    }

    ifb::heard on_message(const ifb::http_message& message, ifb::output out) {
      if (message.data() == "[DONE]") {
        out.done(reason_);
        return ifb::heard::enough;
      }
      const ifb::json_document event = ifb::read_json(message.data());
      if (const auto* error = ifb::find_path(event, "error.message"))
        throw ifb::failure{IFB_E_REMOTE, std::string(ifb::text_of(error))};
      if (const auto* choice = ifb::find_path(event, "choices.0")) {
        out.token(ifb::text_of(ifb::find_path(*choice, "delta.content")));
        if (const auto reason = ifb::text_of(ifb::find(choice, "finish_reason")); !reason.empty())
          reason_ = reason;
      }
      if (const auto* usage = ifb::find(event, "usage"); usage != nullptr && usage->IsObject())
        out.usage({.prompt = ifb::integer_of(ifb::find(usage, "prompt_tokens")),
                   .output = ifb::integer_of(ifb::find(usage, "completion_tokens"))});
      return ifb::heard::more;
    }

    // Nothing to do: the host detects a stream that ends without its last event.
    void on_end(ifb::output) {}

   private:
    const sigv4_chat* owner_;
    ifb_bytes body_;
    std::string body_sha256_;
    sigv4::signed_headers signed_;
    std::array<ifb_field, 5> headers_{};
    std::string reason_;
  };

  sigv4_chat(ifb::host, const options& given)
      : model_(given.model),
        endpoint_(given.endpoint),
        who_{given_or(given.access_key_id, "AWS_ACCESS_KEY_ID"),
             given_or(given.secret_access_key, "AWS_SECRET_ACCESS_KEY"),
             given_or(given.session_token, "AWS_SESSION_TOKEN"), given.region, given.service} {
    if (who_.access_key_id.empty())
      throw ifb::failure{IFB_E_CONFIG, "no access key: set it, or $AWS_ACCESS_KEY_ID",
                         "access-key-id"};
    if (who_.secret_access_key.empty())
      throw ifb::failure{IFB_E_CONFIG, "no secret access key: set it, or $AWS_SECRET_ACCESS_KEY",
                         "secret-access-key"};
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
    body.key("messages");
    body.begin_array();
    body.begin_object();
    body.member("role", "user");
    body.member("content", ifb::prompt_text(sample));
    body.end_object();
    body.end_array();
    if (sample.output_tokens >= 0) body.member("max_completion_tokens", sample.output_tokens);
    body.member("stream", true);
    body.key("stream_options");
    body.begin_object();
    body.member("include_usage", true);
    body.end_object();
    body.end_object();
    return {*this, arena.copy(body.take())};
  }

 private:
  std::string model_;
  std::string endpoint_;
  sigv4::credentials who_;
};

}  // namespace

INFERBENCH_PLUGINS(ifb::backend<sigv4_chat>)
