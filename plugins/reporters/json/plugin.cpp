// The reporter `json`: the result file of `vllm bench serve`.
#include <deque>
#include <filesystem>
#include <optional>
#include <system_error>

#include <inferbench/plugin.hpp>

#include "output_file.hpp"
#include "result.hpp"

namespace {

namespace fs = std::filesystem;

std::string_view trim(std::string_view text) {
  constexpr std::string_view blanks = " \t\n\v\f\r";
  const auto first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

class json {
 public:
  static constexpr const char* id = "json";
  static constexpr const char* version = "0.1.0";
  static constexpr const char* summary =
      "Writes the result file of vllm bench serve: one line of JSON, with our own figures under "
      "its last key.";
  static constexpr const char* license = "Apache-2.0";
  static constexpr std::uint32_t flags = IFB_REPORTER_STAMPS_IF_DETAILED;

  struct options {
    ifb::path result_dir;
    std::string result_filename;
    bool save_detailed = false;
    bool append_result = false;
    std::optional<std::string> label;
    std::vector<std::string> metadata;

    static constexpr auto schema() {
      return std::tuple{
          ifb::option{"result-dir", &options::result_dir,
                      "Folder of the result file, made when missing; without one, the working "
                      "directory."},
          ifb::option{"result-filename", &options::result_filename,
                      "Name of the result file, instead of one made of label, rate, model and "
                      "date."},
          ifb::option{"save-detailed", &options::save_detailed,
                      "Keep an array entry for every request: lengths, times, texts, errors.",
                      "false"},
          ifb::option{"append-result", &options::append_result,
                      "Add a line to the result file instead of replacing it.", "false"},
          ifb::option{"label", &options::label,
                      "First part of the made-up name, and the value of label in the result."},
          ifb::option{"metadata", &options::metadata,
                      "KEY=VALUE pairs that become members of the result."}
              .value_name("KEY=VALUE"),
      };
    }
  };

  json(ifb::host host, const options& given) : host_(host), options_(given) {
    for (const std::string& item : options_.metadata) {
      const auto equals = item.find('=');
      if (equals == std::string::npos)
        throw ifb::failure{IFB_E_CONFIG, "\"" + item + "\" is not KEY=VALUE", "metadata"};
      metadata_.emplace_back(trim(std::string_view(item).substr(0, equals)),
                             trim(std::string_view(item).substr(equals + 1)));
    }
  }

  /// Finds out now, not after the run, that the file cannot be written.
  void begin(const ifb_run& run) {
    run_ = reporters::read_resolved(ifb::view(run.config_json));
    if (options_.label) run_.label = options_.label;
    if (options_.metadata.empty()) metadata_ = run_.metadata;
    from_ = {std::string(host_.version()), std::string(ifb::view(run.name)), run.started_ns,
             run.started_unix_ns, std::string(ifb::view(run.environment_json))};
    rows_.clear();

    const fs::path file = place(reporters::date_text(run.started_unix_ns));
    if (file.filename().native().size() > 255)
      throw ifb::failure{IFB_E_CONFIG, "the name of the result file is longer than 255 bytes",
                         options_.result_filename.empty() ? "label" : "result-filename"};
    if (!options_.result_dir.text.empty()) reporters::make_folder(options_.result_dir.text);
    std::error_code unknown;
    if (fs::is_directory(file, unknown))
      throw ifb::failure{IFB_E_CONFIG, file.string() + " is a folder", "result-filename"};
    reporters::require_place(file, how());
  }

  void records(ifb::strided<ifb_record> batch) {
    if (!lists()) return;
    for (const ifb_record& r : batch)
      if (!reporters::never_sent(r))
        rows_.push_back(
            reporters::row_of(r, run_.pooling, options_.save_detailed, from_.started_ns));
  }

  void end(const ifb_summary& result) {
    const std::string date = reporters::date_text(result.finished_unix_ns);
    const reporters::figures found(result);
    const reporters::rows_in_order rows = reporters::in_schedule(rows_);
    reporters::document document;
    add_upstream(document, run_, metadata_, date, found, lists() ? &rows : nullptr,
                 options_.save_detailed);
    add_ours(document, from_, result, found);

    const fs::path path = place(date);
    reporters::output_file file(path, how());
    if (file.follows_text()) file.write("\n");
    document.write([&](std::string_view text) { file.write(text); });
    file.commit();
    if (const auto terminal = host_.find_console()) terminal->artifact("result", path.string());
  }

 private:
  /// A run in constant memory has an entry for each request only where that is asked for.
  [[nodiscard]] bool lists() const { return !run_.bounded || options_.save_detailed; }
  using mode = reporters::output_file::mode;
  [[nodiscard]] mode how() const { return options_.append_result ? mode::append : mode::replace; }
  [[nodiscard]] fs::path place(const std::string& date) const {
    const fs::path folder(options_.result_dir.text);
    return folder / (options_.result_filename.empty() ? reporters::generated_name(run_, date)
                                                      : options_.result_filename);
  }

  ifb::host host_;
  options options_;
  reporters::fields metadata_;
  reporters::resolved run_;
  reporters::origin from_;
  std::deque<reporters::row> rows_;
};

}  // namespace

INFERBENCH_PLUGINS(ifb::reporter<json>);
