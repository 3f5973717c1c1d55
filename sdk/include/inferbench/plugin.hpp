// The complete C++ layer over abi.h: include this header, write a class, export it.
//
//   INFERBENCH_PLUGINS(ifb::backend<my_backend>, ifb::dataset<my_dataset>)
//
// The comments at the top of backend.hpp, engine.hpp, dataset.hpp, reporter.hpp, table_reporter.hpp
// and tokenizer.hpp show a class of each kind; share/inferbench/docs/plugin-guide.md, which is
// installed with these headers, builds a plugin step by step. Header-only, standard library only.
// No C++ type and no exception crosses the boundary, so a plugin may be built with a different
// compiler and standard library than the host.
#pragma once

#include <cstdint>
#include <string_view>

#include <inferbench/abi.h>
#include <inferbench/backend.hpp>
#include <inferbench/dataset.hpp>
#include <inferbench/engine.hpp>
#include <inferbench/guard.hpp>
#include <inferbench/host.hpp>
#include <inferbench/options.hpp>
#include <inferbench/reporter.hpp>
#include <inferbench/table_reporter.hpp>
#include <inferbench/text.hpp>
#include <inferbench/tokenizer.hpp>
#include <inferbench/version.hpp>
#include <inferbench/views.hpp>

namespace ifb::detail {

#if defined(__clang__)
#define INFERBENCH_COMPILER "clang++ " __clang_version__
#else
#define INFERBENCH_COMPILER "g++ " __VERSION__
#endif

template <typename... exported>
struct library {
  static_assert(sizeof...(exported) > 0, "INFERBENCH_PLUGINS needs at least one plugin");

  static constexpr const ifb_plugin* plugins[sizeof...(exported)] = {&exported::descriptor...};

  static consteval bool ids_are_unique() {
    for (std::size_t i = 0; i < sizeof...(exported); ++i) {
      for (std::size_t k = 0; k < i; ++k) {
        if (plugins[i]->kind == plugins[k]->kind &&
            std::string_view{plugins[i]->id} == plugins[k]->id)
          return false;
      }
    }
    return true;
  }
  static_assert(ids_are_unique(), "two plugins of one kind have one id");

  static constexpr ifb_library description = {sizeof(ifb_library),
                                              IFB_ABI_MAJOR,
                                              IFB_ABI_MINOR,
                                              "c++ " INFERBENCH_SDK_VERSION
                                              ", " INFERBENCH_COMPILER,
                                              plugins,
                                              sizeof...(exported),
                                              0};
};

#undef INFERBENCH_COMPILER

}  // namespace ifb::detail

/// Exports the plugins of a library. It must be written once per library, outside any namespace.
#define INFERBENCH_PLUGINS(...)                                               \
  extern "C" IFB_EXPORT const ifb_library* IFB_CALL inferbench_plugin_v1_rc2( \
      std::uint32_t host_major, std::uint32_t) {                              \
    using described = ::ifb::detail::library<__VA_ARGS__>;                    \
    return host_major == IFB_ABI_MAJOR ? &described::description : nullptr;   \
  }
