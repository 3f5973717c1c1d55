// The reporter `json` writes the result file of `vllm bench serve`.
#include <deque>
#include <filesystem>
#include <tuple>
#include <vector>

#include <inferbench/plugin.hpp>

#include "reporters/common/output_file.hpp"
#include "reporters/common/place.hpp"
#include "reporters/common/result.hpp"

namespace {

namespace fs = std::filesystem;

class json {
 public:
  static constexpr const char* id = "json";
  static constexpr const char* version = "0.1.0";
  static constexpr const char* summary =
      "Writes the result file of vllm bench serve: one line of JSON, with our own figures under "
      "its last key.";
  static constexpr const char* license = "Apache-2.0";
  static constexpr std::uint32_t flags = IFB_REPORTER_STAMPS_IF_DETAILED;

  struct options : reporters::place_options {
    bool save_detailed = false;
    bool append_result = false;
    std::vector<std::string> metadata;

    static constexpr auto schema() {
      return std::tuple_cat(
          place_schema(),
          std::tuple{
              ifb::option{"save-detailed", &options::save_detailed,
                          "Keep an array entry for every request: lengths, times, texts, errors.",
                          "false"}
                  .general(),
              ifb::option{"append-result", &options::append_result,
                          "Add a line to the result file instead of replacing it.", "false"}
                  .general(),
              ifb::option{"metadata", &options::metadata,
                          "KEY=VALUE pairs that become members of the result."}
                  .general()
                  .value_name("KEY=VALUE"),
          });
    }
  };

  /// Fails here, before the first request, if the file cannot be written. If the name is generated
  /// at the end of the run, only the folder is checked.
  json(ifb::host host, const options& given)
      : host_(host), options_(given), metadata_(reporters::metadata_of(given.metadata)) {
    const bool named = !options_.result_filename.empty();
    require(!options_.file.empty() ? fs::path(options_.file.text)
                                   : fs::path(options_.result_dir.text) /
                                         (named ? options_.result_filename : "result.json"));
  }

  void begin(const ifb_run& run) {
    place_.begin(run);
    run_ = ifb::describe(ifb::view(run.config_json));
    if (options_.label) run_.label = options_.label;
    if (options_.metadata.empty()) metadata_ = run_.metadata;
    from_ = {std::string(host_.version()),
             std::string(ifb::view(run.name)),
             run.started_ns,
             run.started_unix_ns,
             std::string(ifb::view(run.environment_json)),
             std::string(ifb::view(run.config_json))};
    rows_.clear();

    require(reporters::result_place(options_, run_, reporters::date_text(run.started_unix_ns)));
  }

  void records(ifb::strided<ifb_record> batch) {
    if (!lists()) return;
    for (const ifb_record& r : batch)
      if (!ifb::never_sent(r))
        rows_.push_back(
            reporters::row_of(r, run_.pooling, options_.save_detailed, from_.started_ns));
  }

  void end(const ifb_summary& result) {
    const std::string date = reporters::date_text(result.finished_unix_ns);
    const reporters::figures found(result);
    const reporters::rows_in_order rows = reporters::in_schedule(rows_);
    reporters::document document;
    const rapidjson::Document facts = reporters::parse_object(ifb::view(result.facts_json));
    add_upstream(document, {run_, metadata_, date, found, facts, lists() ? &rows : nullptr,
                            options_.save_detailed});
    add_ours(document, from_, result, found, facts);

    const fs::path path = place_.of(options_, run_, date, options_.append_result);
    reporters::output_file file(path, how());
    if (file.follows_text()) file.write("\n");
    document.write([&](std::string_view text) { file.write(text); });
    file.commit();
    if (const auto terminal = host_.find_console()) terminal->artifact("result", path.string());
  }

 private:
  /// A run in constant memory has entries for requests only if the user requested them.
  [[nodiscard]] bool lists() const { return !run_.bounded || options_.save_detailed; }
  void require(const fs::path& file) const {
    reporters::prepare_place(options_, file);
    reporters::require_place(file, how());
  }
  using mode = reporters::output_file::mode;
  [[nodiscard]] mode how() const { return options_.append_result ? mode::append : mode::replace; }

  ifb::host host_;
  options options_;
  reporters::fields metadata_;
  reporters::own_place place_;
  ifb::run_description run_;
  reporters::origin from_;
  std::deque<reporters::row> rows_;
};

}  // namespace

INFERBENCH_PLUGINS(ifb::reporter<json>);
