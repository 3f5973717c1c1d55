// A token in addition to the vocabulary, as the files of Hugging Face's libraries declare it.
#pragma once

#include <string>

namespace tokenizers {

struct added_token {
  std::string content;
  bool single_word = false;  // matches only if no word continues before or after it
  bool lstrip = false;       // includes the white space before it
  bool rstrip = false;       // includes the white space after it
  bool normalized = true;    // is searched in the normalized text; the token is normalized too
  bool special = false;      // a decoder that skips special tokens leaves it out
};

}  // namespace tokenizers
