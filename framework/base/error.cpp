#include "base/error.hpp"

#include <exception>
#include <utility>

#include "base/text.hpp"

namespace inferbench::base {

namespace {

std::string line_of(const std::string& message, const std::string& remedy,
                    const source_position& where) {
  std::string line = where.text();
  if (!line.empty()) line += ": ";
  line += message;
  if (!remedy.empty()) line += "; " + remedy;
  return line;
}

}  // namespace

std::string text_of_current_exception() {
  try {
    throw;
  } catch (const std::exception& e) {
    return one_line(e.what());
  } catch (...) {
    return "an object that is not a std::exception";
  }
}

std::string source_position::text() const {
  std::string out = file;
  if (line != 0) out += ":" + std::to_string(line);
  if (line != 0 && column != 0) out += ":" + std::to_string(column);
  return out;
}

error::error(std::string message, std::string remedy, source_position where)
    : std::runtime_error(line_of(message, remedy, where)),
      message_(std::move(message)),
      remedy_(std::move(remedy)),
      where_(std::move(where)) {}

}  // namespace inferbench::base
