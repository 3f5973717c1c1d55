#include "check/raw_call.hpp"

#include <exception>
#include <string>

#include "base/text.hpp"
#include "check/subject.hpp"

namespace inferbench::check {

void throw_escaped(const char* call) {
  std::string text = "an object that is not a std::exception";
  try {
    throw;
  } catch (const std::exception& e) {
    text = base::valid_utf8(e.what());
  } catch (...) {
    // The text above is the only description of such an object.
  }
  throw escaped{std::string(call) + " lets an exception escape: " + text};
}

}  // namespace inferbench::check
