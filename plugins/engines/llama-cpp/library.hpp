// libllama, loaded while the program runs.
#pragma once

#include <string>

#include "api.hpp"

namespace llama_cpp {

/// The SONAME of the library beside the llama.h found at build: the only one that load_library()
/// accepts, because the structs of llama.h change between releases.
[[nodiscard]] const char* built_soname() noexcept;

/// A loaded library. It stays loaded until the process ends, because ggml keeps threads and tables
/// of its own.
struct loaded_library {
  llama_api api;
  std::string file;     // as the loader found it
  std::string version;  // of llama.cpp, as the library reports it
};

/// Loads the library: `file`, or the library with built_soname() in the loader's search path if
/// `file` is empty. Throws failure, IFB_E_CONFIG for the option "library":
/// - the library cannot be loaded, or lacks a function,
/// - its SONAME differs from built_soname(); the message has both names,
/// - its parameter structs have other sizes than those of llama.h; the message has both sizes. This
///   is checked on x86-64 only. llama.cpp's own builds keep one SONAME for several releases.
/// [control]
[[nodiscard]] loaded_library load_library(const std::string& file);

/// Makes ggml's devices known: those in the library, else those in its folder, else those at ggml's
/// usual places. Throws failure like load_library() if there are none. After the log relay has been
/// set, because ggml logs. [control]
void start_library(const loaded_library& library);

/// Throws failure like load_library() unless the function `make` fills in a struct of `size` bytes
/// with this alignment. `make` gets the address of the struct and returns it, as functions of C
/// that return a large struct do on x86-64.
void check_layout(const char* name, void* (*make)(void*), std::size_t size, std::size_t alignment);

}  // namespace llama_cpp
