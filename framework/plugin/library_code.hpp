// Finds the library to which an address of code belongs, for reports of crashes outside of any
// call.
#pragma once

#include <cstdint>
#include <string>

namespace inferbench::plugin {

/// Remembers a library, so that a crash in its code outside of any call is reported with `file`.
/// This can happen on a thread that the library has started. `code`: any address in the code of the
/// library. [control]
void remember_library(const void* code, const std::string& file);

/// The file of the remembered library that contains the address; nullptr if there is none. Any
/// thread, also in a signal handler.
[[nodiscard]] const char* library_at(std::uintptr_t address) noexcept;

}  // namespace inferbench::plugin
