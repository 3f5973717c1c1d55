// Reads facts about a shared library from its ELF file, without loading it.
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
  // A C++ standard library was linked into the file statically: the file contains the type name of
  // std::exception, as every copy of that library does.
  bool cxx_library = false;
  bool executable_stack = false;  // the file requests an executable stack, or does not exclude it
};

/// Throws base::error if the file is not a 64-bit ELF file of this machine's byte order, or is
/// damaged.
[[nodiscard]] elf_file read_elf(const std::filesystem::path& file);

}  // namespace inferbench::check
