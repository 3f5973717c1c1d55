// Models of before tokenizer.json: the file that `transformers` would make of vocab.json and
// merges.txt, or of vocab.txt.
#pragma once

#include <string>

#include "file_set.hpp"
#include "model_config.hpp"

namespace tokenizers::model_files {

/// The text of a tokenizer.json. `config` is completed by the special tokens that the tokenizer's
/// class has by itself. Throws ifb::failure (IFB_E_CONFIG) that names the files found and says
/// what reads them, where this cannot.
[[nodiscard]] std::string make_tokenizer_json(file_set& files, model_config& config);

}  // namespace tokenizers::model_files
