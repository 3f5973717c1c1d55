#include "run/report_files.hpp"

#include <cerrno>
#include <cstdlib>
#include <system_error>

#include "base/error.hpp"
#include "base/text.hpp"
#include "config/named_reporter.hpp"

namespace inferbench::run {

namespace {

namespace fs = std::filesystem;

constexpr const char* file_option = "file";
constexpr const char* result_option = "result-filename";

/// Whether all runs of a series go to one file: the general option of this name is on, or the
/// plugin's own, which is on by default if its file is a collection of runs.
bool appends(const options::plugin_choice& choice) {
  const options::option_value* said = choice.find("append-result");
  return said != nullptr && said->integer != 0;
}

void make_folder_of(const fs::path& file) {
  if (!file.has_parent_path()) return;
  std::error_code failed;
  fs::create_directories(file.parent_path(), failed);
  if (failed)
    throw base::error(
        "cannot make the folder " + file.parent_path().string() + ": " + failed.message(),
        "name another one with --result-dir, or another file", {"--reporter", 0, 0});
}

}  // namespace

report_files::~report_files() {
  std::error_code ignored;
  if (!folder_.empty()) fs::remove_all(folder_, ignored);
}

void report_files::settle(options::plugin_choice& choice, const std::string& result,
                          const place_in_series& which) {
  const bool has_own = choice.value_of(file_option) != nullptr;
  for (const char* option : {file_option, result_option}) {
    options::option_value* value =
        option == file_option ? choice.value_of(option) : choice.general_value_of(option);
    if (value == nullptr || value->text.empty()) continue;
    std::string& file = value->text;
    const bool own = option == file_option || (choice.named && !has_own);
    const auto at = file.find(config::result_placeholder);
    if (own && file == config::standard_output) {
      file = new_file().string();
      continue;
    }
    if (own && at != std::string::npos)
      file.replace(at, config::result_placeholder.size(), result);
    else if (!appends(choice))
      file = numbered(file, which);
    if (option == file_option && makes_folder(choice, *value)) make_folder_of(file);
  }
}

bool report_files::makes_folder(const options::plugin_choice& choice,
                                const options::option_value& file) {
  return choice.named || !file.where.known();
}

std::string report_files::name_in_series(const options::plugin_choice& choice,
                                         const options::option_value& file,
                                         const place_in_series& which) {
  const bool placed = file.text.find(config::result_placeholder) != std::string::npos;
  return placed || appends(choice) ? file.text : numbered(file.text, which);
}

fs::path report_files::new_file() {
  if (folder_.empty()) {
    std::error_code unknown;
    fs::path place = fs::temp_directory_path(unknown);
    if (unknown) place = "/tmp";
    std::string name = (place / "inferbench-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr)
      throw base::error("cannot make a folder in " + place.string() + ": " +
                            std::system_category().message(errno),
                        "name another place with $TMPDIR");
    folder_ = name;
  }
  printed_.push_back(folder_ / std::to_string(printed_.size() + 1));
  return printed_.back();
}

void report_files::print(services::console& out) const {
  for (const fs::path& file : printed_) {
    std::error_code unknown;
    // A reporter that has failed has no file; its error is already logged.
    if (!fs::exists(file, unknown)) continue;
    std::string text = base::read_file(file.string());
    if (!text.empty() && text.back() != '\n') text += '\n';
    out.print(text);
  }
}

void report_files::hide_from(services::console& out) const {
  if (!folder_.empty()) out.forget_artifacts_in(folder_.string());
}

}  // namespace inferbench::run
