// The name that an ELF library gives itself.
#pragma once

#include <filesystem>
#include <string>

namespace llama_cpp {

/// Returns DT_SONAME of the library, or an empty text if it has none. Reads the file only and loads
/// nothing. Throws failure with IFB_E_CONFIG if the file cannot be read, or is not an ELF library
/// of this machine's word size and byte order; damaged files are refused, too. [any thread]
[[nodiscard]] std::string soname_of(const std::filesystem::path& file);

}  // namespace llama_cpp
