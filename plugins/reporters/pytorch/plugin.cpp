// The reporter `pytorch` writes `<result>.pytorch.json` beside the result file.
#include <array>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <system_error>
#include <tuple>
#include <vector>

#include <sys/stat.h>

#include <inferbench/plugin.hpp>

#include "export.hpp"
#include "reporters/common/output_file.hpp"
#include "reporters/common/place.hpp"
#include "reporters/common/result.hpp"

namespace {

namespace fs = std::filesystem;

/// Returns the file's text; empty if the file does not exist. An unreadable file is an error and
/// does not count as empty, because it would be replaced later. A pipe or a device has no earlier
/// content.
std::string text_of(const fs::path& file) {
  const auto refuse = [](int reason) {
    throw ifb::failure{IFB_E_IO, "cannot be read, so nothing can be added to it: " +
                                     std::system_category().message(reason)};
  };
  struct stat about{};
  if (::stat(file.c_str(), &about) != 0) {
    if (errno != ENOENT) refuse(errno);
    return {};
  }
  if (!S_ISREG(about.st_mode)) return {};
  const std::unique_ptr<std::FILE, decltype(&std::fclose)> in(std::fopen(file.c_str(), "rbe"),
                                                              &std::fclose);
  if (!in) refuse(errno);
  std::string out;
  std::array<char, 65536> block{};
  for (std::size_t got = 0; (got = std::fread(block.data(), 1, block.size(), in.get())) > 0;)
    out.append(block.data(), got);
  if (std::ferror(in.get()) != 0) refuse(errno);
  return out;
}

class pytorch {
 public:
  static constexpr const char* id = "pytorch";
  static constexpr const char* version = "0.1.0";
  static constexpr const char* summary =
      "Writes the records of PyTorch's benchmark dashboard beside the result file.";
  static constexpr const char* license = "Apache-2.0";
  static constexpr std::uint32_t flags = IFB_REPORTER_STAMPS_IF_DETAILED;

  struct options : reporters::place_options {
    bool append_result = false;
    std::vector<std::string> metadata;

    static constexpr auto schema() {
      return std::tuple_cat(
          place_schema(),
          std::tuple{
              ifb::option{"append-result", &options::append_result,
                          "Add the records to those of the file instead of replacing them.",
                          "false"}
                  .general(),
              ifb::option{"metadata", &options::metadata,
                          "KEY=VALUE pairs that become members of the result."}
                  .general()
                  .value_name("KEY=VALUE"),
          });
    }
  };

  pytorch(ifb::host host, const options& given)
      : host_(host), options_(given), metadata_(reporters::metadata_of(given.metadata)) {}

  /// Fails here, and not after the run, if the file cannot be written.
  void begin(const ifb_run& run) {
    place_.begin(run);
    config_json_ = ifb::view(run.config_json);
    run_ = ifb::describe(config_json_);
    if (options_.label) run_.label = options_.label;
    if (options_.metadata.empty()) metadata_ = run_.metadata;
    const fs::path file =
        beside(reporters::result_place(options_, run_, reporters::date_text(run.started_unix_ns)));
    reporters::prepare_place(options_, file);
    reporters::require_place(file, reporters::output_file::mode::replace);
    if (options_.append_result) (void)after(file, "");
  }

  void end(const ifb_summary& result) {
    const std::string date = reporters::date_text(result.finished_unix_ns);
    const reporters::figures found(result);
    const rapidjson::Document facts = reporters::parse_object(ifb::view(result.facts_json));
    reporters::document document;
    add_upstream(document, {run_, metadata_, date, found, facts});
    const rapidjson::Document plan = reporters::plan_of(config_json_);
    const reporters::arguments args =
        reporters::arguments_of(reporters::flags_of(config_json_), run_.self_timed);
    const reporters::json_value* model = reporters::find(reporters::find(plan, "backend"), "model");
    const std::string records = reporters::records_of(
        {document, args, model == nullptr ? "null" : reporters::to_text(*model),
         options_.result_filename});
    if (records.empty()) return;

    const fs::path path = beside(place_.of(options_, run_, date, options_.append_result));
    const std::string text = options_.append_result ? after(path, records) : '[' + records + ']';
    reporters::output_file file(path, reporters::output_file::mode::replace);
    file.write(text);
    file.commit();
    if (const auto terminal = host_.find_console()) terminal->artifact("pytorch", path.string());
  }

 private:
  [[nodiscard]] fs::path beside(fs::path result) const {
    return reporters::place_beside(options_, std::move(result), ".pytorch.json");
  }
  [[nodiscard]] static std::string after(const fs::path& file, std::string_view records) {
    try {
      return reporters::appended(text_of(file), records);
    } catch (const ifb::failure& why) {
      throw ifb::failure{why.code(), file.string() + ": " + why.message()};
    }
  }

  ifb::host host_;
  options options_;
  reporters::fields metadata_;
  reporters::own_place place_;
  ifb::run_description run_;
  std::string config_json_;
};

}  // namespace

INFERBENCH_PLUGINS(ifb::reporter<pytorch>);
