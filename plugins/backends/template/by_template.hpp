// Backend "template": a protocol over HTTP that a file describes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include <inferbench/backend.hpp>
#include <inferbench/host.hpp>
#include <inferbench/options.hpp>

#include "backends/bodies/json.hpp"
#include "body.hpp"
#include "description.hpp"
#include "template_exchange.hpp"

namespace template_backend {

/// Accepts the prompts that the placeholders of the template can carry.
class by_template {
 public:
  static constexpr const char* id = "template";
  static constexpr const char* version = "0.1.0";
  static constexpr const char* summary = "Any protocol over HTTP, as a TOML file describes it.";
  static constexpr const char* license = "Apache-2.0";
  static constexpr std::uint32_t flags = IFB_CODEC_SAMPLING;

  struct options {
    ifb::path file;
    std::string model;
    std::string endpoint;
    bool whole = false;
    bool ignore_eos = false;
    std::optional<std::int64_t> logprobs;
    ifb::json_text extra_body;

    static constexpr auto schema() {
      return std::tuple{
          ifb::option{"file", &options::file, "The template: request and answer described in TOML.",
                      nullptr, IFB_OPT_REQUIRED},
          ifb::option{"model", &options::model, "Name of the model, {{model}} in the template.",
                      nullptr, IFB_OPT_REQUIRED}
              .general(),
          ifb::option{"endpoint", &options::endpoint,
                      "Path of the endpoint, appended to the base URL; empty: the template's.",
                      "\"\""}
              .general()
              .value_name("PATH"),
          ifb::option{"whole", &options::whole,
                      "Ask for a whole answer, [whole] of the template, where it has both.",
                      "false"},
          ifb::option{"ignore-eos", &options::ignore_eos,
                      "Ask the server to generate on after an end-of-sequence token.", "false"}
              .general(),
          ifb::option{"logprobs", &options::logprobs,
                      "How many log probabilities to ask for with each token."}
              .general(),
          ifb::option{"extra-body", &options::extra_body,
                      "Members for the placeholders of their names; the others are laid over the "
                      "request body."}
              .general()
              .value_name("OBJECT")};
    }
  };
  using exchange = template_exchange;

  /// Throws ifb::failure that names the option at fault.
  by_template(ifb::host host, const options& chosen);
  /// Throws ifb::failure: IFB_E_UNSUPPORTED for a prompt that no placeholder carries, IFB_E_DATA if
  /// the overrides are not a JSON object.
  [[nodiscard]] exchange open(const ifb_sample& sample, ifb::arena memory) const;

 private:
  /// All parts of a request, except for the values of its sample.
  struct plan {
    const section* of;
    pattern path;
    std::vector<std::pair<std::string_view, pattern>> headers;
    std::optional<body> content;

    [[nodiscard]] bool uses(slot what) const;
  };

  [[nodiscard]] ifb::failure no_whole(const char* option) const;
  /// Returns whether the request asks for a stream. If extra-body and `over` contain several
  /// members "stream", the last member decides.
  [[nodiscard]] bool streams(const std::vector<bodies::member>& over) const;
  [[nodiscard]] parameters shared_by(const std::vector<bodies::member>& over, bool streamed) const;
  [[nodiscard]] pattern path_of(const section& of, parameters& shared) const;
  [[nodiscard]] plan make(parameters& shared, bool streamed) const;
  void check() const;
  [[nodiscard]] slot input_of(const plan& made, const ifb_sample& sample) const;
  /// `lasts`: `made` outlives the request.
  [[nodiscard]] exchange write(const plan& made, const ifb_sample& sample, ifb::arena memory,
                               bool lasts) const;

  options chosen_;
  description description_;
  std::vector<bodies::member> extra_;
  std::optional<plan> made_;  // the plan for samples without overrides
};

}  // namespace template_backend
