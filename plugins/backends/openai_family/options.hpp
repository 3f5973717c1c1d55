// The options that all backends of the family have, and their checks.
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

/// The lines of a schema for common_options; `endpoint` is a TOML string.
constexpr auto common_schema(const char* endpoint) {
  return std::tuple{
      ifb::option{"model", &common_options::model, "Name of the model in each request.", nullptr,
                  IFB_OPT_REQUIRED},
      ifb::option{"endpoint", &common_options::endpoint,
                  "Path of the endpoint, appended to the base URL.", endpoint}
          .value_name("PATH"),
      ifb::option{"ignore-eos", &common_options::ignore_eos,
                  "Ask the server to generate on after an end-of-sequence token.", "false"},
      ifb::option{"extra-body", &common_options::extra_body,
                  "Members laid over each request body, replacing those of the same name."}
          .value_name("OBJECT")};
}

/// The form of a protocol's endpoints.
struct endpoint_rule {
  std::initializer_list<std::string_view> endings;  // an endpoint has one of them
  std::string_view example;
};

/// Throws ifb::failure naming the option: no model; an endpoint that does not end as the
/// rule wants, for which the remedy names `backend`.
void check(const common_options& options, const endpoint_rule& rule, std::string_view backend);

/// Adds ignore_eos if asked for, then lays extra-body over everything; closes the layout.
/// Throws ifb::failure when extra-body is no object.
void finish(bodies::body_layout& layout, const common_options& options);

}  // namespace openai
