// Resolves names to variables. Jinja2 compiles templates to Python functions. Their local variables
// are named after the nesting of scopes, and this decides the meaning of a name. This library
// computes the same meaning, once per template.
#pragma once

#include "nodes.hpp"

namespace jinja {

/// Gives every name of a parsed template its place, and every scope its loads. Also refuses
/// everything that Jinja2's compiler refuses: unknown filters and tests (outside conditions),
/// assignments to `loop`, `break` outside a loop. Throws error.
void resolve(program& of);

}  // namespace jinja
