// The options of every tokenizer that reads a model's files. The functions open the files that
// these options name.
#pragma once

#include <string>
#include <tuple>

#include <inferbench/host.hpp>
#include <inferbench/options.hpp>

#include "chat_templates.hpp"
#include "file_set.hpp"

namespace tokenizers::model_files {

struct model_options {
  std::string path;
  std::string model;
  std::string revision;
  bool trust_remote_code = false;
  std::string chat_template;
  ifb::json_text chat_template_kwargs;

  /// `path_help` is the help text of the option "path".
  static constexpr auto model_schema(const char* path_help) {
    return std::tuple{
        ifb::option{"path", &model_options::path, path_help}.general().value_name("DIR_OR_ID"),
        ifb::option{"model", &model_options::model,
                    "Name of the model, whose tokenizer is taken where no path is given."}
            .general(),
        ifb::option{"revision", &model_options::revision,
                    "Branch, tag or commit on Hugging Face; main if not given."},
        ifb::option{"trust-remote-code", &model_options::trust_remote_code,
                    "Accepted and without effect: no code of a repository is ever run.", "false"}
            .general(),
        ifb::option{"chat-template", &model_options::chat_template,
                    "Chat template to take: a file, the template itself, or the name of one "
                    "where the model has several."}
            .value_name("FILE|TEXT|NAME")
            .flag("chat-template"),
        ifb::option{"chat-template-kwargs", &model_options::chat_template_kwargs,
                    "Variables for the chat template, as an object."}
            .general()};
  }
};

/// Returns the files of the model that the options name. Throws ifb::failure. If the options do not
/// name a model, the message is "give `what` as --tokenizer".
[[nodiscard]] file_set open_model(ifb::host host, const model_options& chosen, const char* what);

/// Returns the templates of the model, or the template that the options name. The chosen template
/// becomes a part of the digest.
[[nodiscard]] chat_templates read_chat_templates(file_set& files, const model_config& config,
                                                 const model_options& chosen);

}  // namespace tokenizers::model_files
