#include "rendering.hpp"

namespace jinja {

void rendering::too_long() const {
  raise("TimeoutError",
        "the template takes more than " + std::to_string(limits.max_steps) + " steps");
}

void rendering::too_large() const {
  raise("MemoryError",
        "the template makes a text of more than " + std::to_string(limits.max_output) + " bytes");
}

void rendering::too_deep() { raise("RecursionError", "maximum recursion depth exceeded"); }

void raise_undefined(const value& of) {
  const auto& what = of.as<undefined_object>();
  throw error(what.type, what.message);
}

}  // namespace jinja
