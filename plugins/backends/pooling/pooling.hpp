// One request with a single answer that is not streamed, for embeddings, pooling and rerank.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include <inferbench/abi.h>
#include <inferbench/backend.hpp>
#include <inferbench/host.hpp>

#include "backends/bodies/body.hpp"
#include "backends/bodies/post.hpp"
#include "backends/openai_family/options.hpp"

namespace openai {

/// The form of an answer, which the member encoding_format of its request chooses.
enum class answer_form : std::uint8_t {
  json,
  bytes,      // the usage is JSON in the header "metadata"
  bytes_only  // the answer has no usage: the length of the prompt is the client's count
};

/// Reports the usage and, in the attribute "num_input_sequences", the number of inputs. The rest of
/// the answer is only checked to be JSON.
class pooling_exchange {
 public:
  pooling_exchange(bodies::post request, answer_form form, std::int64_t client_tokens,
                   std::size_t inputs)
      : post_(std::move(request)), client_tokens_(client_tokens), inputs_(inputs), form_(form) {}

  void request(ifb_http_request& out) const { post_.request(out); }
  /// Throws ifb::failure, IFB_E_PROTOCOL, if the header "metadata" is not a JSON object.
  std::uint32_t on_head(const ifb_http_head& head);
  /// Throws ifb::failure: IFB_E_REMOTE with the server's error as JSON text, IFB_E_PROTOCOL if the
  /// data are not a JSON object.
  void on_message(const ifb::http_message& message, ifb::output out);
  void on_end(ifb::output out);

 private:
  bodies::post post_;
  std::int64_t client_tokens_;
  std::int64_t server_tokens_ = -1;
  std::size_t inputs_;
  answer_form form_;
};

/// Everything that the requests of an instance share, except for the layout of the body.
class pooling_way {
 public:
  /// Throws ifb::failure that names the option at fault.
  pooling_way(const common_options& chosen, const endpoint_rule& rule, std::string_view backend);

  /// `inputs` is the number of inputs of the sample.
  [[nodiscard]] pooling_exchange open(const bodies::request_layout& layout,
                                      const ifb_sample& sample, bodies::prompt_writer write_prompt,
                                      std::size_t inputs, ifb::arena memory) const;

 private:
  std::string endpoint_;
  std::string model_;  // the model's name as a JSON string
};

/// A backend with one layout. `kind` provides id, summary, endpoint (a TOML string), ending (the
/// end of the endpoint's path), example (such a path), lay_out(), write_prompt() and inputs().
template <typename kind>
class pooling {
 public:
  static constexpr const char* id = kind::id;
  static constexpr const char* version = "0.1.0";
  static constexpr const char* summary = kind::summary;
  static constexpr const char* license = "Apache-2.0";
  static constexpr std::uint32_t flags = IFB_CODEC_POOLING;

  struct options : common_options {
    static constexpr auto schema() { return common_schema(kind::endpoint); }
  };
  using exchange = pooling_exchange;

  /// Throws ifb::failure that names the option at fault.
  pooling(ifb::host, const options& chosen) : way_(chosen, {{kind::ending}, kind::example}, id) {
    kind::lay_out(layout_);
    finish(layout_, chosen);
  }
  [[nodiscard]] exchange open(const ifb_sample& sample, ifb::arena memory) const {
    return way_.open({layout_, sample}, sample, kind::write_prompt, kind::inputs(sample), memory);
  }

 private:
  pooling_way way_;
  bodies::body_layout layout_;
};

}  // namespace openai
