// The services of the kit's host: the tokenizer of words.hpp, a console and a progress display
// without output, and a server that can only tokenize.
#pragma once

#include <inferbench/abi.h>

namespace inferbench::check {

/// The service with the id `id`; nullptr if abi.h does not have this id. [any]
[[nodiscard]] const void* service_of(const char* id) noexcept;

/// Fills `error`, which may be null. Returns `code`.
ifb_status refuse(ifb_error* error, ifb_status code, const char* message) noexcept;

}  // namespace inferbench::check
