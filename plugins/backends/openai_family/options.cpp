#include "options.hpp"

#include <inferbench/guard.hpp>

namespace openai {

void check(const common_options& options, const endpoint_rule& rule, std::string_view backend) {
  if (options.model.empty())
    throw ifb::failure{IFB_E_CONFIG, "the name of the model is empty", "model"};
  std::string endings;
  for (const auto ending : rule.endings) {
    if (options.endpoint.ends_with(ending)) return;
    if (!endings.empty()) endings += " or ";
    endings += ending;
  }
  throw ifb::failure{IFB_E_CONFIG,
                     "\"" + options.endpoint + "\" does not end in " + endings +
                         "; give the path of that endpoint, for example " +
                         std::string(rule.example) + ", or a backend other than " +
                         std::string(backend),
                     "endpoint"};
}

void finish(bodies::body_layout& layout, const common_options& options) {
  if (options.ignore_eos) layout.set("ignore_eos", "true");
  if (!options.extra_body.empty()) {
    std::string why;
    const auto members = bodies::object_members(options.extra_body.text, why);
    if (!members) {
      throw ifb::failure{IFB_E_CONFIG,
                         "not a JSON object (" + why + "); write {\"name\": value, ...}",
                         "extra-body"};
    }
    layout.overlay(*members);
  }
  layout.close();
}

}  // namespace openai
