// Where a reporter writes: the name of the result file, which the files beside it take
// over with another ending.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>

#include <inferbench/options.hpp>

#include "resolved.hpp"

namespace reporters {

/// Options that say it; a reporter's own derive from them.
struct place_options {
  ifb::path result_dir;
  std::string result_filename;
  std::optional<std::string> label;

  static constexpr auto place_schema() {
    return std::tuple{
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
/// command the date is followed by "-run2".
[[nodiscard]] std::string generated_name(const resolved& run, std::string_view date);

/// The result file of a run that is over at `date`.
[[nodiscard]] std::filesystem::path result_place(const place_options& given, const resolved& run,
                                                 std::string_view date);

/// That with its last ending replaced: "r.json" and ".timeline.html" make
/// "r.timeline.html".
[[nodiscard]] std::filesystem::path beside(std::filesystem::path result, std::string_view ending);

/// Makes the folder of the options and throws ifb::failure, with the option at fault,
/// when `file` cannot be a file there.
void prepare_place(const place_options& given, const std::filesystem::path& file);

}  // namespace reporters
