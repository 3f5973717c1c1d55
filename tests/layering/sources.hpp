// Reads the project's source text for the layering tests: #include lines, calls of CMake functions
// and definitions of classes. Throws std::filesystem::filesystem_error if a folder is missing.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace layering {

/// The project's source folder.
[[nodiscard]] const std::filesystem::path& root();

/// The lines of a file without newlines; empty if the file cannot be read.
[[nodiscard]] std::vector<std::string> lines_of(const std::filesystem::path& file);

/// The files below `folder` that end in .cpp, .hpp, .c or .h, in ascending order.
[[nodiscard]] std::vector<std::filesystem::path> sources_below(const std::filesystem::path& folder);
/// Like sources_below(), but without the files of subfolders.
[[nodiscard]] std::vector<std::filesystem::path> sources_in(const std::filesystem::path& folder);
/// The sources of media/, figures/ and sdk/include, whose classes the program and its plugins have
/// beside their own.
[[nodiscard]] std::vector<std::filesystem::path> linked_sources();

/// One #include line.
struct include {
  std::filesystem::path file;  // the file with the line, relative to root()
  std::string target;          // as written, without its quotes or brackets
};
[[nodiscard]] std::vector<include> includes_of(const std::vector<std::filesystem::path>& files);
[[nodiscard]] std::vector<include> includes_below(const std::filesystem::path& folder);

/// The first part of a path: "base" for "base/error.hpp". A path without a slash is returned whole.
[[nodiscard]] std::string first_part(const std::string& path);
/// True if first_part() of the path of an include can be another folder than the header's: the path
/// is absolute or has a part ".", "..", "framework" or "plugins". No include needs such a path.
[[nodiscard]] bool is_roundabout(const std::string& path);

/// The arguments of one call of a CMake function.
struct cmake_call {
  std::vector<std::string> arguments;

  /// The arguments after `keyword`, up to the next word in capitals: for
  /// `f(client USES base plugin LINK fmt)`, values("USES") is base, plugin.
  [[nodiscard]] std::vector<std::string> values(std::string_view keyword) const;
};
/// The calls of `function` in a CMake file, in their order; comments do not count.
[[nodiscard]] std::vector<cmake_call> calls_of(const std::filesystem::path& cmake_file,
                                               std::string_view function);

/// A class, struct, union or enum that a file defines and that is visible to other files.
struct definition {
  std::string name;  // with its namespaces and outer classes: "inferbench::run::comparison"
  std::filesystem::path file;
};
/// The definitions in `files`. Definitions in an unnamed namespace or a function are left out,
/// because no other file sees them; so are specializations of templates.
[[nodiscard]] std::vector<definition> definitions_of(
    const std::vector<std::filesystem::path>& files);
/// The definitions in a C++ text. `file`: the file name to report.
[[nodiscard]] std::vector<definition> definitions_in(std::string_view text,
                                                     const std::filesystem::path& file);

/// A message with both files for each name that two of `definitions` share. Two definitions in one
/// file are the branches of an #if, because a compiler rejects all others; they do not count.
[[nodiscard]] std::vector<std::string> defined_twice(std::vector<definition> definitions);

}  // namespace layering
