// For models that are older than tokenizer.json: makes the file that `transformers` would make from
// vocab.json and merges.txt, or from vocab.txt.
#pragma once

#include <string>

#include "file_set.hpp"
#include "model_config.hpp"

namespace tokenizers::model_files {

/// Returns the text of a tokenizer.json. Adds the special tokens of the tokenizer's class to
/// `config`. If the model's files are of a different kind, throws ifb::failure that names these
/// files and the tokenizer mode that reads them.
[[nodiscard]] std::string make_tokenizer_json(file_set& files, model_config& config);

}  // namespace tokenizers::model_files
