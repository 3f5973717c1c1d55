// The project's own text as the layering tests read it: #include lines, calls of CMake functions
// and definitions of classes. Reads files below the source folder; throws
// std::filesystem::filesystem_error where a folder is missing.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace layering {

/// The project's source folder.
[[nodiscard]] const std::filesystem::path& root();

/// The lines of a file, without their ends; none where the file cannot be read.
[[nodiscard]] std::vector<std::string> lines_of(const std::filesystem::path& file);

/// The files below `folder` that end in .cpp, .hpp, .c or .h, in ascending order.
[[nodiscard]] std::vector<std::filesystem::path> sources_below(const std::filesystem::path& folder);
/// The same files of `folder` itself, without its subfolders.
[[nodiscard]] std::vector<std::filesystem::path> sources_in(const std::filesystem::path& folder);

/// One #include line.
struct include {
  std::filesystem::path file;  // where it stands, relative to root()
  std::string target;          // as written, without its quotes or brackets
};
[[nodiscard]] std::vector<include> includes_of(const std::vector<std::filesystem::path>& files);
[[nodiscard]] std::vector<include> includes_below(const std::filesystem::path& folder);

/// "base" of "base/error.hpp"; the whole of a path without a slash.
[[nodiscard]] std::string first_part(const std::string& path);

/// The arguments of one call of a CMake function.
struct cmake_call {
  std::vector<std::string> arguments;

  /// The arguments behind `keyword`, up to the next word in capitals: for
  /// `f(client USES base plugin LINK fmt)`, values("USES") is base, plugin.
  [[nodiscard]] std::vector<std::string> values(std::string_view keyword) const;
};
/// The calls of `function` in a CMake file, in their order; comments do not count.
[[nodiscard]] std::vector<cmake_call> calls_of(const std::filesystem::path& cmake_file,
                                               std::string_view function);

/// A class, struct, union or enum that a file defines for other files to see.
struct definition {
  std::string name;  // with its namespaces and outer classes: "inferbench::run::comparison"
  std::filesystem::path file;
};
/// Definitions of `files`. Left out: those in a nameless namespace or in a function, which no other
/// file sees, and specializations of templates.
[[nodiscard]] std::vector<definition> definitions_of(
    const std::vector<std::filesystem::path>& files);
/// The same for C++ text, in place of a file of that name.
[[nodiscard]] std::vector<definition> definitions_in(std::string_view text,
                                                     const std::filesystem::path& file);

/// A message for each name that two of `definitions` have, with both files.
[[nodiscard]] std::vector<std::string> defined_twice(std::vector<definition> definitions);

}  // namespace layering
