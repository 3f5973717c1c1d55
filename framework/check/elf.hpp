// What a shared library says about itself in its file, read without running anything of it.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace inferbench::check {

struct elf_file {
  struct symbol {
    std::string name;
    bool unique = false;  // STB_GNU_UNIQUE: one for the whole process
  };
  std::vector<symbol> exported;
  std::vector<std::string> needed;  // DT_NEEDED
  std::string search;               // DT_RUNPATH or DT_RPATH
  bool text_relocations = false;
  // The name of std::exception lies in it, as in any copy of the C++ library: one was linked in.
  bool cxx_library = false;
  bool executable_stack = false;  // asked for, or nothing said about it
};

/// Throws base::error: not a 64-bit ELF file of this machine's byte order, or damaged.
[[nodiscard]] elf_file read_elf(const std::filesystem::path& file);

}  // namespace inferbench::check
