// --reporter NAME, NAME=FILE and NAME=-: a reporter that the command line names, and the file that
// it writes. A reporter that writes a file declares the option `file` or, instead of it,
// `result-filename` (docs/plugin-guide.md, "The other kinds").
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "config/plan.hpp"
#include "options/environment.hpp"
#include "options/node.hpp"
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

/// The values of --result-dir and --result-filename; empty: not given.
struct result_place {
  std::string folder;
  std::string filename;
};

/// The value of the option file_option(options) of a reporter: `given`, which is the value of the
/// option's own flag or key, otherwise the file of file_of(). In an option `file` the name of the
/// result is filled in (with_result_name()). `asked`: nullopt if --reporter does not name the
/// reporter. Returns nullopt if the reporter has neither of the two values. Throws base::error if
/// both --reporter and an option `file` name a file, and the errors of options::check().
[[nodiscard]] std::optional<options::option_value> file_value(
    const std::optional<named_reporter>& asked, std::span<const options::option> options,
    const std::optional<options::node>& given, const result_place& result,
    const options::environment& env);

/// Whether the host's key `path` has an effect on a reporter with these options: it sets a general
/// option, or it is a part of the path of a file. `named`: --reporter names the reporter, whose
/// file is then in run.result-dir, and its name may contain the name of the result.
[[nodiscard]] bool hears(std::string_view path, std::span<const options::option> options,
                         bool named);

/// Throws base::error if two reporters would write the same file.
void refuse_shared_files(std::span<const options::plugin_choice> reporters);

/// Throws base::error if a reporter that adds runs to its file shall write to standard output,
/// where there is nothing to be added to. Such a reporter declares an option `append-result` of its
/// own.
void refuse_collections_on_standard_output(std::span<const options::plugin_choice> reporters);

}  // namespace inferbench::config
