// Tests of the library file: its ELF contents, and how the dynamic linker loads it.
#include <algorithm>
#include <ranges>
#include <string_view>
#include <vector>

#include <dlfcn.h>
#include <fmt/format.h>
#include <link.h>
#include <sys/stat.h>

#include <inferbench/abi.h>

#include "base/error.hpp"
#include "check/elf.hpp"
#include "check/subject.hpp"
#include "check/test.hpp"

namespace inferbench::check {

namespace {

const char* const cure =
    "link the library with inferbench_add_plugin, or with a version script that "
    "exports " IFB_ENTRY_NAME " alone";

// Whether some linkers export this symbol automatically; such symbols are allowed.
bool of_the_linker(std::string_view name) {
  constexpr std::string_view names[] = {"_init", "_fini", "_edata", "_end", "__bss_start"};
  return std::ranges::find(names, name) != std::end(names);
}

bool of_the_library(std::string_view name) {
  constexpr std::string_view beginnings[] = {"_ZSt",   "_ZNSt",  "_ZNKSt",  "_ZTISt",
                                             "_ZTSSt", "_ZTVSt", "_ZGVNSt", "_ZNSt3__1"};
  return std::ranges::any_of(beginnings, [&](auto b) { return name.starts_with(b); });
}

std::string listed(const std::vector<std::string>& names) {
  constexpr std::size_t shown = 5;
  std::string out = fmt::format("{}", fmt::join(names | std::views::take(shown), ", "));
  if (names.size() > shown) out += fmt::format(" and {} more", names.size() - shown);
  return out;
}

bool is_cxx_library(std::string_view name) {
  return name.starts_with("libstdc++.so") || name.starts_with("libc++.so");
}

// The first of the needed libraries that itself needs a C++ library; empty if there is none. All
// needed libraries must be loaded already.
std::string bringer_of_cxx(const std::vector<std::string>& needed) {
  for (const std::string& name : needed) {
    void* const there = ::dlopen(name.c_str(), RTLD_LAZY | RTLD_NOLOAD);
    if (there == nullptr) continue;
    link_map* where = nullptr;
    const bool known = ::dlinfo(there, RTLD_DI_LINKMAP, static_cast<void*>(&where)) == 0;
    const std::string path = known ? where->l_name : "";
    ::dlclose(there);
    try {
      if (!path.empty() && std::ranges::any_of(read_elf(path).needed, is_cxx_library)) return name;
    } catch (const base::error&) {
      continue;  // the dynamic linker has loaded this library, so it is not an error
    }
  }
  return {};
}

elf_file read(const subject& s) {
  try {
    return read_elf(s.given().file);
  } catch (const base::error& e) {
    subject::skip(e.message());
  }
}

}  // namespace

void check_exports(subject& s) {
  std::vector<std::string> unique;
  std::vector<std::string> runtime;
  std::vector<std::string> others;
  for (const elf_file::symbol& symbol : read(s).exported) {
    if (symbol.name == IFB_ENTRY_NAME || of_the_linker(symbol.name)) continue;
    (symbol.unique                 ? unique
     : of_the_library(symbol.name) ? runtime
                                   : others)
        .push_back(symbol.name);
  }
  if (!unique.empty())
    s.fail("symbols that the whole process shares are exported, other plugins' among them: " +
               listed(unique),
           std::string(cure) + "; for g++ add -fno-gnu-unique");
  if (!runtime.empty()) s.fail("parts of the C++ library are exported: " + listed(runtime), cure);
  if (!others.empty()) s.fail("more than the entry function is exported: " + listed(others), cure);
}

void check_segments(subject& s) {
  const elf_file file = read(s);
  if (file.text_relocations)
    s.fail("code is patched while the library is loaded (TEXTREL)",
           "compile all sources with -fPIC");
  if (file.executable_stack)
    s.fail("the library asks for an executable stack",
           "link with -z noexecstack; assembly files need a .note.GNU-stack section");
}

void check_needed(subject& s) {
  const elf_file file = read(s);
  for (const std::string& name : file.needed)
    if (name.find('/') != std::string::npos)
      s.fail("the library needs " + name + " at a fixed place",
             "link with the name of the needed library (-l), best statically");
  s.note(file.needed.empty() ? "needs no other library"
                             : fmt::format("needs {}", fmt::join(file.needed, ", ")));
  if (!file.search.empty() && !file.search.starts_with("$ORIGIN"))
    s.warn("the library searches for other libraries in " + file.search,
           "build without an RPATH, or with one that begins with $ORIGIN");
}

void check_loads(subject& s) {
  if (::dlopen(s.given().file.c_str(), RTLD_NOW | RTLD_LOCAL) != nullptr) return;
  const char* const why = ::dlerror();
  s.fail(std::string("the library cannot be loaded: ") + (why == nullptr ? "no reason given" : why),
         "link with -z defs, and install the needed libraries");
}

void check_runtime(subject& s) {
  const elf_file file = read(s);
  if (!file.cxx_library || std::ranges::any_of(file.needed, is_cxx_library)) return;
  if (::dlopen(s.given().file.c_str(), RTLD_NOW | RTLD_LOCAL) == nullptr)
    subject::skip("the library cannot be loaded: see the test file-loads");
  const std::string bringer = bringer_of_cxx(file.needed);
  if (!bringer.empty())
    s.warn("the library has a C++ library of its own, but " + bringer +
               ", which the library needs, uses another",
           "link without -static-libstdc++ (STATIC_RUNTIME), or link " + bringer + " statically");
}

}  // namespace inferbench::check
