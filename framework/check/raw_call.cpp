#include "check/raw_call.hpp"

#include <string>

#include "base/error.hpp"
#include "check/subject.hpp"

namespace inferbench::check {

void throw_escaped(const char* call) {
  throw escaped{std::string(call) +
                " lets an exception escape: " + base::text_of_current_exception()};
}

}  // namespace inferbench::check
