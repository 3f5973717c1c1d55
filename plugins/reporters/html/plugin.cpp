// The reporter `html` writes one page for a browser that shows a run, or several runs side by side.
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <tuple>

#include <inferbench/plugin.hpp>

#include "embedded_page.hpp"
#include "reporters/common/output_file.hpp"
#include "reporters/common/place.hpp"
#include "reporters/pages/itl_limits.hpp"
#include "reporters/pages/page_report.hpp"

namespace {

namespace fs = std::filesystem;

class html {
 public:
  static constexpr const char* id = "html";
  static constexpr const char* version = "0.1.0";
  static constexpr const char* summary =
      "Writes one page for a browser that needs no other file: figures, charts and every request, "
      "of one run or of several.";
  static constexpr const char* license = "Apache-2.0";

  struct options : reporters::place_options {
    std::int64_t texts = 0;
    std::string title;
    std::string itl_thresholds;

    static constexpr auto schema() {
      return std::tuple_cat(
          place_schema(),
          std::tuple{
              ifb::option{"texts", &options::texts,
                          "Number of requests whose answers are in the page: half of them the "
                          "slowest, half drawn by lot. Errors are always in it.",
                          "0"}
                  .range(0, 100'000)
                  .value_name("N"),
              ifb::option{"title", &options::title,
                          "Title of the page, instead of the label, or backend and model."}
                  .value_name("TEXT"),
              ifb::option{"itl-thresholds", &options::itl_thresholds,
                          "Two times in ms that divide the intervals between tokens into three "
                          "classes.",
                          "\"25,50\""}
                  .general()
                  .value_name("MS,MS"),
          });
    }
  };

  /// Fails here, before the first request, if the file cannot be written. If the name is generated
  /// at the end of the run, only the folder is checked.
  html(ifb::host host, const options& given)
      : host_(host),
        options_(given),
        report_("inferbench " + std::string(host.version()), chosen_texts()) {
    rows_.limits =
        reporters::limits_of(given.itl_thresholds.empty() ? "25,50" : given.itl_thresholds);
    rows_.texts = chosen_texts();
    require(!options_.file.empty()
                ? fs::path(options_.file.text)
                : beside(fs::path(options_.result_dir.text) / (options_.result_filename.empty()
                                                                   ? "report.json"
                                                                   : options_.result_filename)));
  }

  void begin(const ifb_run& run) {
    place_.begin(run);
    current_ = std::make_unique<reporters::page_run>(rows_, run);
    about_ = current_->about();
    if (options_.label) about_.label = options_.label;
    require(beside(
        reporters::result_place(options_, about_, reporters::date_text(run.started_unix_ns))));
  }

  void records(ifb::strided<ifb_record> batch) { current_->records(batch); }

  void end(const ifb_summary& result) {
    const std::string label = about_.label.value_or("");
    reporters::page_run::place at;
    at.label = label;
    current_->end(result, at);
    report_.add(std::move(current_));
    write(beside(place_.of(options_, about_, reporters::date_text(result.finished_unix_ns))),
          label.empty() ? about_.backend + ", " + about_.model_id : label);
  }

  void begin(const ifb_table& table) {
    report_.begin(table);
    table_name_ = ifb::view(table.name);
    require(table_place());
  }

  void records(const ifb_table_run& of, ifb::strided<ifb_record> batch) {
    run_of(of).records(batch);
  }

  void run(const ifb_table_run& one) {
    run_of(one).end(*one.summary,
                    {std::string(ifb::view(one.source)), std::string(ifb::view(one.label)),
                     reporters::fields_of(ifb::axes_of(one)), one.point},
                    ifb::intervals_of(one));
    report_.add(std::move(current_));
  }

  void end(const ifb_table_end& end) {
    report_.end(end);
    write(table_place(), table_name_);
  }

 private:
  using mode = reporters::output_file::mode;

  [[nodiscard]] std::size_t chosen_texts() const {
    return static_cast<std::size_t>(options_.texts);
  }
  /// The records of a run come before the run itself; a run without requests has none.
  reporters::page_run& run_of(const ifb_table_run& one) {
    if (!current_) current_ = std::make_unique<reporters::page_run>(rows_, *one.run);
    return *current_;
  }

  [[nodiscard]] fs::path beside(fs::path result) const {
    return reporters::place_beside(options_, std::move(result), ".html");
  }
  [[nodiscard]] fs::path table_place() const {
    if (!options_.file.empty()) return options_.file.text;
    return beside(fs::path(options_.result_dir.text) / (options_.result_filename.empty()
                                                            ? table_name_ + ".json"
                                                            : options_.result_filename));
  }
  void require(const fs::path& file) const {
    reporters::prepare_place(options_, file);
    reporters::require_place(file, mode::replace);
  }

  void write(const fs::path& path, const std::string& title) {
    reporters::output_file file(path, mode::replace);
    report_.write(reporters::embedded_page, options_.title.empty() ? title : options_.title,
                  [&](std::string_view text) { file.write(text); });
    file.commit();
    if (const auto terminal = host_.find_console()) terminal->artifact("report", path.string());
  }

  ifb::host host_;
  options options_;
  reporters::page_rows::settings rows_;
  reporters::page_report report_;
  reporters::own_place place_;
  ifb::run_description about_;
  std::string table_name_;
  std::unique_ptr<reporters::page_run> current_;
};

}  // namespace

INFERBENCH_PLUGINS(ifb::reporter<html>);
