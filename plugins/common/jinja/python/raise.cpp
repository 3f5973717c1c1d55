#include "raise.hpp"

namespace jinja {

void raise(const char* type, std::string message) { throw error(type, std::move(message)); }
void raise_type(std::string message) { raise("TypeError", std::move(message)); }
void raise_value(std::string message) { raise("ValueError", std::move(message)); }

void raise_unsupported(const std::string& what, int line) {
  throw error("NotImplementedError", what + " is not supported in chat templates", line);
}

void stack_guard::overflow() { raise("RecursionError", "maximum recursion depth exceeded"); }

}  // namespace jinja
