#include "calibration/simulated_backend.hpp"

#include <cstddef>
#include <string>
#include <string_view>

#include <inferbench/abi.h>

#include "config/catalog.hpp"
#include "config/upstream.hpp"
#include "options/toml.hpp"
#include "simulator/endpoints.hpp"

namespace inferbench::calibration {

namespace {

bool is_simulated(std::string_view path) {
  const simulator::endpoint* known = simulator::find_endpoint(path);
  return known != nullptr && known->reply == nullptr;
}

}  // namespace

knowledge adapt_endpoint(options::plugin_choice& backend) {
  options::option_value* endpoint = backend.value_of("endpoint");
  if (endpoint == nullptr) return knowledge::untold;
  if (is_simulated(endpoint->text)) return knowledge::yes;
  const auto options = backend.library.options();
  for (std::size_t i = 0; i < options.size(); ++i) {
    if (endpoint != &backend.values[i] || options[i]->fallback == nullptr) continue;
    const std::string own = options::parse_toml_literal(options[i]->fallback, "endpoint").text;
    if (own.empty() || is_simulated(own)) endpoint->text = own;
    if (is_simulated(own)) return knowledge::yes;
  }
  return endpoint->text.empty() ? knowledge::untold : knowledge::no;
}

options::plugin_choice default_instead_of(const options::plugin_choice& other) {
  config::installed_catalog plugins;
  plugins.look_in({}, false);
  options::plugin_choice out =
      config::with_defaults(plugins, IFB_BACKEND, config::upstream::default_backend);
  for (const std::string_view option : {"ignore-eos", "extra-body", "logprobs"})
    if (const options::option_value* said = other.find(option))
      if (options::option_value* to = out.value_of(option); to != nullptr && to->type == said->type)
        *to = *said;
  return out;
}

bool is_pooling(const options::plugin_choice& backend) {
  const auto* codec = static_cast<const ifb_http_codec*>(backend.library.query(IFB_HTTP_CODEC));
  return codec != nullptr && (codec->flags & IFB_CODEC_POOLING) != 0;
}

}  // namespace inferbench::calibration
