#include "model_options.hpp"

#include <inferbench/guard.hpp>

namespace tokenizers::model_files {

file_set open_model(ifb::host host, const model_options& chosen, const char* what) {
  const bool by_path = !chosen.path.empty();
  const std::string& named = by_path ? chosen.path : chosen.model;
  if (named.empty())
    throw ifb::failure(
        IFB_E_CONFIG,
        std::string("no tokenizer is named; give ") + what +
            " as --tokenizer, or the model's, or count bytes with --tokenizer-mode bytes",
        "path");
  return {host, hub::read_environment(), named, chosen.revision, by_path ? "path" : "model"};
}

chat_templates read_chat_templates(file_set& files, const model_config& config,
                                   const model_options& chosen) {
  const std::string& kwargs = chosen.chat_template_kwargs.text;
  chat_templates out(config, {chosen.chat_template, kwargs});
  files.decide("chat-template-kwargs", kwargs);
  files.decide("chat-template", out.given());
  return out;
}

}  // namespace tokenizers::model_files
