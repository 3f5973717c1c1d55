#include "library.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <filesystem>
#include <mutex>

#include <dlfcn.h>
#include <link.h>

#include <inferbench/guard.hpp>

#include "soname.hpp"

namespace llama_cpp {

namespace {

[[noreturn]] void refuse_library(const std::string& why) {
  throw ifb::failure{IFB_E_CONFIG, why, "library"};
}

void check_soname(const std::string& file) {
  const std::string found = soname_of(file);
  if (found == built_soname()) return;
  refuse_library(file + " is " + (found.empty() ? "a library without a SONAME" : found) +
                 ", and the plugin was built for " + built_soname());
}

std::string file_of(void* handle) {
  link_map* map = nullptr;
  if (::dlinfo(handle, RTLD_DI_LINKMAP, static_cast<void*>(&map)) != 0 || map == nullptr) return {};
  return map->l_name;
}

void* opened(const std::string& file) {
  void* const handle = ::dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle != nullptr) return handle;
  const char* const why = ::dlerror();
  refuse_library("libllama cannot be loaded: " + std::string(why == nullptr ? file.c_str() : why));
}

template <typename function>
void find_function(void* handle, const char* name, function& out, const std::string& file) {
  out = reinterpret_cast<function>(::dlsym(handle, name));
  if (out == nullptr) refuse_library(file + " has no function " + name);
}

template <typename params>
void check_params(const char* name, params (*make)()) {
#ifdef __x86_64__
  static_assert(sizeof(params) > 16, "returned in memory, by the calling convention");
  const auto plain = reinterpret_cast<void (*)()>(make);
  check_layout(name, reinterpret_cast<void* (*)(void*)>(plain), sizeof(params), alignof(params));
#else
  static_cast<void>(name);
  static_cast<void>(make);
#endif
}

/// libllama's own libraries may hold no device: then each device is a library beside it.
void find_devices(const llama_api& api, const std::string& file) {
  if (api.ggml_backend_dev_count() == 0)
    api.ggml_backend_load_all_from_path(std::filesystem::path(file).parent_path().string().c_str());
  if (api.ggml_backend_dev_count() == 0) api.ggml_backend_load_all();
  if (api.ggml_backend_dev_count() == 0)
    refuse_library(file + " has no device to compute on; ggml's libraries must lie beside it");
}

}  // namespace

const char* built_soname() noexcept { return INFERBENCH_LLAMA_SONAME; }

void check_layout(const char* name, void* (*make)(void*), std::size_t size, std::size_t alignment) {
  // The bytes that were written differ from at least one of two fillings.
  constexpr std::array<unsigned char, 2> fillings{0xA5, 0x5A};
  std::size_t written = 0;
  for (const unsigned char filling : fillings) {
    alignas(std::max_align_t) std::array<unsigned char, 8192> room;
    room.fill(filling);
    static_cast<void>(make(room.data()));
    std::size_t end = room.size();
    while (end > 0 && room[end - 1] == filling)
      --end;
    written = std::max(written, end);
  }
  // Bytes of padding at the end may be left out.
  if (written <= size && written + alignment > size) return;
  refuse_library(std::string("the library's ") + name + " has " + std::to_string(written) +
                 " bytes, and that of the llama.h found at build " + std::to_string(size) +
                 ": they are of different releases");
}

loaded_library load_library(const std::string& given) {
  static std::mutex loading;
  const std::lock_guard lock(loading);
  // A path, because the loader would look for a bare name in its search path.
  const std::string file =
      given.empty() ? std::string() : std::filesystem::absolute(given).string();
  if (!file.empty()) check_soname(file);
  void* const handle = opened(file.empty() ? built_soname() : file);
  loaded_library out;
  out.file = file_of(handle);
  if (file.empty()) check_soname(out.file);
#define LLAMA_CPP_FIND(name) find_function(handle, #name, out.api.name, out.file);
  LLAMA_CPP_FUNCTIONS(LLAMA_CPP_FIND)
#undef LLAMA_CPP_FIND
  check_params("llama_model_params", out.api.llama_model_default_params);
  check_params("llama_context_params", out.api.llama_context_default_params);
  out.version = out.api.llama_version();
  return out;
}

void start_library(const loaded_library& library) {
  static std::mutex starting;
  const std::lock_guard lock(starting);
  find_devices(library.api, library.file);
  library.api.llama_backend_init();
}

}  // namespace llama_cpp
