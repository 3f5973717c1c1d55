// Chooses the path of a reporter's file: the name of the result file, or this name with another
// ending.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>

#include <inferbench/abi.h>
#include <inferbench/options.hpp>
#include <inferbench/run_description_json.hpp>

namespace reporters {

/// The options that determine the path; the options of a reporter derive from them.
struct place_options {
  ifb::path file;
  ifb::path result_dir;
  std::string result_filename;
  std::optional<std::string> label;

  static constexpr auto place_schema() {
    return std::tuple{
        ifb::option{"file", &place_options::file,
                    "File to write, instead of one in result-dir under the result's name."},
        ifb::option{"result-dir", &place_options::result_dir,
                    "Folder of the result file, made when missing; without one, the working "
                    "directory."}
            .general(),
        ifb::option{"result-filename", &place_options::result_filename,
                    "Name of the result file, instead of one made of label, rate, model and "
                    "date."}
            .general(),
        ifb::option{"label", &place_options::label,
                    "First part of the made-up name, and the value of label in the result."}
            .general(),
    };
  }
};

/// Returns the local time of `unix_ns` as "20260918-101502".
[[nodiscard]] std::string date_text(std::int64_t unix_ns);

/// Returns "{label or backend}-{rate}qps{-concurrencyN}-{model}-{date}.json"; with a ramp-up
/// "{label or backend}-ramp-up-{strategy}-{start}qps-{end}qps...". A slash in the label becomes a
/// dash, because the name must not lead into another folder. If a command has several runs, the
/// date is followed by "-run2" and so on. If several runs have the same name, "-2" is added for the
/// second (`nth`).
[[nodiscard]] std::string generated_name(const ifb::run_description& run, std::string_view date,
                                         int nth = 1);

/// Returns the result file of a run that ended at `date`, even if another run has the same name:
/// the file in the options, or a generated name.
[[nodiscard]] std::filesystem::path result_place(const place_options& given,
                                                 const ifb::run_description& run,
                                                 std::string_view date, int nth = 1);

/// A path that belongs to exactly one run. Two runs that end in the same second have the same
/// generated name, so the second run gets "-2". All reporters of a run find the same name, and a
/// report that is made again has the name of the run's result file. Until the end of this object, a
/// link in the folder states the owner of the name. One object per reporter; one thread.
class own_place {
 public:
  own_place() = default;
  own_place(const own_place&) = delete;
  own_place& operator=(const own_place&) = delete;
  ~own_place() { release(); }

  /// Begins a run, and forgets the previous run.
  void begin(const ifb_run& run);

  /// Returns the result file of the run that ended at `date`, and creates the folder of the
  /// options. `shared`: all runs with the same name write to one file. Throws ifb::failure.
  [[nodiscard]] std::filesystem::path of(const place_options& given,
                                         const ifb::run_description& run, std::string_view date,
                                         bool shared = false);

 private:
  [[nodiscard]] bool take(const std::filesystem::path& result, bool shared);
  [[nodiscard]] bool is_free(const std::filesystem::path& result) const;
  void release() noexcept;

  std::string owner_;           // the owner of the names: identifies this run
  std::string mark_;            // a text that identifies a result file of this run
  std::filesystem::path link_;  // the link of the claimed name; empty: no name is claimed
};

/// Returns the file of a reporter that writes beside `result`, which result_place() or own_place
/// returned. It is the file in the options, or the result's name with its last ending replaced:
/// "r.json" and ".timeline.html" become "r.timeline.html".
[[nodiscard]] std::filesystem::path place_beside(const place_options& given,
                                                 std::filesystem::path result,
                                                 std::string_view ending);

/// Creates the folder of the options. Throws ifb::failure that names the option at fault if `file`
/// cannot be created there.
void prepare_place(const place_options& given, const std::filesystem::path& file);

}  // namespace reporters
