// The facts that the file of a shared library states; no code of it is run.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace inferbench::check {

struct elf_file {
  struct symbol {
    std::string name;
    bool unique = false;  // STB_GNU_UNIQUE: one definition for the whole process
  };
  std::vector<symbol> exported;
  std::vector<std::string> needed;  // DT_NEEDED
  std::string search;               // DT_RUNPATH or DT_RPATH
  bool text_relocations = false;
  // The file contains the name of std::exception, as does every copy of the C++ library: a
  // copy was linked in.
  bool cxx_library = false;
  bool executable_stack = false;  // requested, or not excluded
};

/// Throws base::error: not a 64-bit ELF file of this machine's byte order, or damaged.
[[nodiscard]] elf_file read_elf(const std::filesystem::path& file);

}  // namespace inferbench::check
