// The place of a reporter's file: the name of the result file, or that name with another ending.
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

/// The options that decide about it; the options of a reporter derive from them.
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
/// becomes a dash: the name must not lead into another folder. With several runs in one
/// command the date is followed by "-run2", and with several runs of one name the whole by "-2" for
/// the second (`nth`).
[[nodiscard]] std::string generated_name(const ifb::run_description& run, std::string_view date,
                                         int nth = 1);

/// The result file of a run that is over at `date`, even if another run has that name: the file in
/// the options, else a made-up name.
[[nodiscard]] std::filesystem::path result_place(const place_options& given,
                                                 const ifb::run_description& run,
                                                 std::string_view date, int nth = 1);

/// A place that belongs to one run alone. Two runs that end in the same second have the same
/// made-up name: the second gets "-2". All reporters of a run find the same name, and a report that
/// is made again has the name of the run's result file. A link in the folder states the owner of
/// the name until the end of this object. One for each reporter; one thread.
class own_place {
 public:
  own_place() = default;
  own_place(const own_place&) = delete;
  own_place& operator=(const own_place&) = delete;
  ~own_place() { release(); }

  /// A run begins: forgets the run before.
  void begin(const ifb_run& run);

  /// The result file of the run that ended at `date`; makes the folder of the options. `shared`:
  /// all runs of one name write to one file. Throws ifb::failure.
  [[nodiscard]] std::filesystem::path of(const place_options& given,
                                         const ifb::run_description& run, std::string_view date,
                                         bool shared = false);

 private:
  [[nodiscard]] bool take(const std::filesystem::path& result, bool shared);
  [[nodiscard]] bool is_free(const std::filesystem::path& result) const;
  void release() noexcept;

  std::string owner_;           // of the names: this run
  std::string mark_;            // text that identifies a result file as this run's
  std::filesystem::path link_;  // of the claimed name, or empty
};

/// The file of a reporter that writes beside `result`, which result_place() or own_place made: the
/// file in the options, else the result's name with its last ending replaced: "r.json" and
/// ".timeline.html" make "r.timeline.html".
[[nodiscard]] std::filesystem::path place_beside(const place_options& given,
                                                 std::filesystem::path result,
                                                 std::string_view ending);

/// Makes the folder of the options and throws ifb::failure, with the option at fault,
/// when `file` cannot be a file there.
void prepare_place(const place_options& given, const std::filesystem::path& file);

}  // namespace reporters
