// --reporter NAME, NAME=FILE and NAME=-: a reporter that the command line names, and the file that
// it writes. A reporter that writes a file declares the option `file` or, instead of it,
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
  std::string file;  // empty: the flag names no file
};

/// Reads the value of --reporter. Throws usage_error if NAME or FILE is missing.
[[nodiscard]] named_reporter parse_named_reporter(const std::string& text);

/// The FILE that means standard output.
inline constexpr std::string_view standard_output = "-";

/// A placeholder in the name of a file: it is replaced by the name of the result without its
/// ending.
inline constexpr std::string_view result_placeholder = "{result}";

/// The option in `options` that contains the file of a reporter; nullptr if there is no such
/// option.
[[nodiscard]] const options::option* file_option(std::span<const options::option> options) noexcept;

/// The value of this option for a reporter that --reporter names: FILE in `result_dir`. If
/// `named.file` is empty and the option has a default: the name of the result in `result_dir` with
/// the ending of the default. Otherwise empty. Throws base::error if there is a FILE but the
/// reporter does not declare such an option.
[[nodiscard]] std::string file_of(const named_reporter& named,
                                  std::span<const options::option> options,
                                  const std::string& result_dir);

/// `file` with the placeholder replaced by the name in `result_filename`; if `result_filename` is
/// empty, `file` unchanged.
[[nodiscard]] std::string with_result_name(std::string file, const std::string& result_filename);

/// Throws base::error if two reporters would write the same file.
void refuse_shared_files(std::span<const options::plugin_choice> reporters);

}  // namespace inferbench::config
