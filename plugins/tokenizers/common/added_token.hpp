// A token beside the vocabulary, as the files of Hugging Face's libraries declare it.
#pragma once

#include <string>

namespace tokenizers {

struct added_token {
  std::string content;
  bool single_word = false;  // only if no word goes on before or after it
  bool lstrip = false;       // takes the white space before it
  bool rstrip = false;       // and after it
  bool normalized = true;    // is looked for in the normalized text, itself normalized
  bool special = false;      // is left out by a decoder that skips special tokens
};

}  // namespace tokenizers
