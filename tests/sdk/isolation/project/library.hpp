// A static library that three plugins contain in different versions: the names are the same, but
// layouts and values differ.
#pragma once

#include <string>
#include <vector>

namespace clashing {

/// A static variable of a template and one of an inline function: g++ emits them as unique symbols,
/// which plugins would share in spite of RTLD_LOCAL.
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
  /// Adds a line; throws std::invalid_argument if it is empty.
  void add(const std::string& line);
  [[nodiscard]] std::string text() const;

 private:
#if LIBRARY_VERSION == 2
  double padding_[8] = {};  // gives this version another layout
#endif
  std::string name_;
  std::vector<std::string> lines_;
};

/// A plain function with external linkage.
int version();

}  // namespace clashing
