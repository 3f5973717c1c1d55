// The options that all backends of the OpenAI family have, and their checks.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <tuple>

#include <inferbench/options.hpp>

#include "backends/bodies/body.hpp"

namespace openai {

struct common_options {
  std::string model;
  std::string endpoint;
  bool ignore_eos = false;
  ifb::json_text extra_body;
};

/// Returns the lines of a schema for common_options; `endpoint` is a TOML string.
constexpr auto common_schema(const char* endpoint) {
  return std::tuple{
      ifb::option{"model", &common_options::model, "Name of the model in each request.", nullptr,
                  IFB_OPT_REQUIRED}
          .general(),
      ifb::option{"endpoint", &common_options::endpoint,
                  "Path of the endpoint, appended to the base URL.", endpoint}
          .general()
          .value_name("PATH"),
      ifb::option{"ignore-eos", &common_options::ignore_eos,
                  "Ask the server to generate on after an end-of-sequence token.", "false"}
          .general(),
      ifb::option{"extra-body", &common_options::extra_body,
                  "Members added to each request body; they replace members of the same name."}
          .general()
          .value_name("OBJECT")};
}

/// The form that the endpoints of a protocol must have.
struct endpoint_rule {
  std::initializer_list<std::string_view> endings;  // an endpoint must end with one of these texts
  std::string_view example;
};

/// Throws ifb::failure that names the option, if the model is missing, or if the endpoint does not
/// match `rule`. In the second case the message names `backend` in its remedy.
void check(const common_options& options, const endpoint_rule& rule, std::string_view backend);

/// Adds ignore_eos if the options ask for it, then lays extra-body over all members, and closes the
/// layout. Throws ifb::failure if extra-body is not an object.
void finish(bodies::body_layout& layout, const common_options& options);

}  // namespace openai
