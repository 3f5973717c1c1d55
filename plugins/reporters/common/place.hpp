// Where a reporter writes: the name of the result file, which the files beside it take
// over with another ending.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>

#include <inferbench/abi.h>
#include <inferbench/options.hpp>

#include "resolved.hpp"

namespace reporters {

/// Options that say it; a reporter's own derive from them.
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
                    "directory."},
        ifb::option{"result-filename", &place_options::result_filename,
                    "Name of the result file, instead of one made of label, rate, model and "
                    "date."},
        ifb::option{"label", &place_options::label,
                    "First part of the made-up name, and the value of label in the result."},
    };
  }
};

/// "20260918-101502": the local time of that moment.
[[nodiscard]] std::string date_text(std::int64_t unix_ns);

/// "{label or backend}-{rate}qps{-concurrencyN}-{model}-{date}.json", with a ramp-up
/// "{label or backend}-ramp-up-{strategy}-{start}qps-{end}qps...". A slash in the label
/// becomes a dash: the name must not lead into another folder. Of several runs of one
/// command the date is followed by "-run2", and of several runs with one name all that by "-2"
/// for the second of them (`nth`).
[[nodiscard]] std::string generated_name(const resolved& run, std::string_view date, int nth = 1);

/// The result file of a run that is over at `date`, whoever else may have it: what the options
/// name, else made up.
[[nodiscard]] std::filesystem::path result_place(const place_options& given, const resolved& run,
                                                 std::string_view date, int nth = 1);

/// The place that one run has alone. A name that is made up is that of another run, too, when both
/// end in the same second: the second of them gets "-2". All reporters of a run find the same name,
/// and a report of the same run made again has the name of its result file. A link in the folder
/// says whose the name is until the end of this object. One for each reporter; one thread.
class own_place {
 public:
  own_place() = default;
  own_place(const own_place&) = delete;
  own_place& operator=(const own_place&) = delete;
  ~own_place() { release(); }

  /// A run begins; what it was told before is forgotten.
  void begin(const ifb_run& run);

  /// The result file of the run that is over at `date`; makes the folder of the options. `shared`:
  /// runs of one name add to one file. Throws ifb::failure.
  [[nodiscard]] std::filesystem::path of(const place_options& given, const resolved& run,
                                         std::string_view date, bool shared = false);

 private:
  [[nodiscard]] bool take(const std::filesystem::path& result, bool shared);
  [[nodiscard]] bool is_free(const std::filesystem::path& result) const;
  void release() noexcept;

  std::string owner_;           // of the names: this run
  std::string mark_;            // by which a result file is known as this run's
  std::filesystem::path link_;  // of the name that was taken here, or empty
};

/// The file of a reporter that writes beside `result`, which result_place() or own_place made: what
/// the options name, else the result's name with its last ending replaced: "r.json" and
/// ".timeline.html" make "r.timeline.html".
[[nodiscard]] std::filesystem::path place_beside(const place_options& given,
                                                 std::filesystem::path result,
                                                 std::string_view ending);

/// Makes the folder of the options and throws ifb::failure, with the option at fault,
/// when `file` cannot be a file there.
void prepare_place(const place_options& given, const std::filesystem::path& file);

}  // namespace reporters
