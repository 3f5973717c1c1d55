// The file of the option "save": conversations in the layout of the input file.
#pragma once

#include <fstream>
#include <string>

#include "source.hpp"

namespace conversations {

/// Writes while conversations are added. Every function throws ifb::failure (IFB_E_IO, option
/// "save") with the path if the file cannot be written.
class saved_conversations {
 public:
  explicit saved_conversations(std::string path);
  /// Adds a conversation; an unusable conversation is left out.
  void add(const conversation& one);
  void close();

 private:
  void require() const;

  std::string path_;
  std::ofstream to_;
  bool first_ = true;
};

}  // namespace conversations
