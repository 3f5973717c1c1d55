// --reporter NAME, NAME=FILE and NAME=-: a reporter that the command line names, and where it
// writes. A reporter says that it writes a file by its option `file` or, without one, by
// `result-filename` (docs/plugin-guide.md, "The other kinds").
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "config/plan.hpp"
#include "options/option.hpp"

namespace inferbench::config {

struct named_reporter {
  std::string use;
  std::string file;  // empty: none was named
};

/// Throws usage_error: a part is missing.
[[nodiscard]] named_reporter parse_named_reporter(const std::string& text);

/// The FILE that is standard output.
inline constexpr std::string_view standard_output = "-";

/// Stands in a file's name for that of the result without its ending.
inline constexpr std::string_view result_placeholder = "{result}";

/// The option that says where a reporter writes: of `options`, or nullptr.
[[nodiscard]] const options::option* file_option(std::span<const options::option> options) noexcept;

/// The value of that option for a reporter that is named: FILE below `result_dir`, or, where
/// `named.file` is empty and the declaration has a default, the result's name there with the ending
/// of the default; else empty.
[[nodiscard]] std::string file_of(const named_reporter& named,
                                  std::span<const options::option> options,
                                  const std::string& result_dir);

/// `file` with the placeholder filled in where `result_filename` gives the result a name.
[[nodiscard]] std::string with_result_name(std::string file, const std::string& result_filename);

/// Throws base::error where two would write one file.
void refuse_shared_files(std::span<const options::plugin_choice> reporters);

}  // namespace inferbench::config
