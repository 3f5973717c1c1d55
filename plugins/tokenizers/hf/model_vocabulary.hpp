// Models of before tokenizer.json: the file that `transformers` would make of vocab.json and
// merges.txt, or of vocab.txt.
#pragma once

#include <string>

#include "model_config.hpp"
#include "model_files.hpp"

namespace hf {

/// The text of a tokenizer.json. `config` is completed by the special tokens that the tokenizer's
/// class has by itself. Throws ifb::failure (IFB_E_CONFIG) that names the files found and says
/// what reads them, where this cannot.
[[nodiscard]] std::string make_tokenizer_json(model_files& files, model_config& config);

}  // namespace hf
