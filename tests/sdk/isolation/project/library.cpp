#include "library.hpp"

#include <sstream>
#include <stdexcept>
#include <utility>

namespace clashing {

int version() { return LIBRARY_VERSION; }

journal::journal(std::string name) : name_(std::move(name)) {
  ++counted<int>::made;
  ++counted<long>::made;
}

void journal::add(const std::string& line) {
  ++calls();
  if (line.empty()) throw std::invalid_argument("an empty line");
  lines_.push_back(line);
}

std::string journal::text() const {
  std::ostringstream out;
  out << name_ << ':';
  for (const std::string& line : lines_)
    out << ' ' << line;
  return out.str();
}

}  // namespace clashing
