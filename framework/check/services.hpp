// The services that the kit's host lends: the tokenizer of words.hpp, a console and progress
// that nobody looks at, and a server that only tokenizes.
#pragma once

#include <inferbench/abi.h>

namespace inferbench::check {

/// nullptr for an id that is none of abi.h's. [any]
[[nodiscard]] const void* service_of(const char* id) noexcept;

/// Fills `error`, which may be null; the status that it was given.
ifb_status refuse(ifb_error* error, ifb_status code, const char* message) noexcept;

}  // namespace inferbench::check
