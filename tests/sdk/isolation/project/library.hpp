// A library that three plugins bring along in different versions: the same names, other
// layouts and other values.
#pragma once

#include <string>
#include <vector>

namespace clashing {

/// A static of a template and one of an inline function: what g++ would share between
/// plugins in spite of RTLD_LOCAL.
template <typename number>
struct counted {
  static inline number made = LIBRARY_VERSION * 1000;
};
inline int& calls() {
  static int count = LIBRARY_VERSION * 100;
  return count;
}

class journal {
 public:
  explicit journal(std::string name);
  /// Adds a line; throws std::invalid_argument when it is empty.
  void add(const std::string& line);
  [[nodiscard]] std::string text() const;

 private:
#if LIBRARY_VERSION == 2
  double padding_[8] = {};  // another layout
#endif
  std::string name_;
  std::vector<std::string> lines_;
};

/// A plain function with external linkage.
int version();

}  // namespace clashing
