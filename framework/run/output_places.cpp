#include "run/output_places.hpp"

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <system_error>

#include <unistd.h>

#include "base/error.hpp"
#include "config/named_reporter.hpp"
#include "run/report_files.hpp"

namespace inferbench::run {

namespace {

namespace fs = std::filesystem;

struct place_fault {
  std::string reason;  // empty: there is none
  std::string remedy;
};

std::string text_of_errno() { return std::system_category().message(errno); }

// access() would allow root to write to a read-only file system.
place_fault trouble_in_folder(const fs::path& folder) {
  std::string name = (folder / ".inferbench-XXXXXX").string();
  const int descriptor = ::mkstemp(name.data());
  if (descriptor < 0)
    return {"no file can be made in " + folder.string() + ": " + text_of_errno(),
            "name another folder"};
  ::close(descriptor);
  ::unlink(name.c_str());
  return {};
}

/// `makes`: the folder is made if it is missing.
place_fault trouble_with_folder(fs::path folder, bool makes) {
  if (folder.empty()) folder = ".";
  std::error_code unknown;
  while (!fs::exists(folder, unknown)) {
    if (!makes) return {"there is no folder " + folder.string(), "make it, or name another"};
    folder = folder.has_parent_path() && folder != folder.parent_path() ? folder.parent_path()
                                                                        : fs::path(".");
  }
  if (!fs::is_directory(folder, unknown))
    return {folder.string() + " is not a folder", "name another folder"};
  return trouble_in_folder(folder);
}

place_fault trouble_with_file(const fs::path& file, bool makes) {
  std::error_code unknown;
  if (fs::is_directory(file, unknown)) return {"it is a folder", "name a file"};
  if (!fs::exists(file, unknown)) return trouble_with_folder(file.parent_path(), makes);
  if (::access(file.c_str(), W_OK) == 0) return {};
  const std::string reason = text_of_errno();
  // A reporter that replaces the file needs the folder only.
  if (fs::is_regular_file(file, unknown) &&
      trouble_with_folder(file.parent_path(), false).reason.empty())
    return {};
  return {reason, "name another file"};
}

void require_place(const options::plugin_choice& choice, const place_in_series& which) {
  const auto refuse = [&](const std::string& place, const place_fault& why,
                          const base::source_position& where) {
    if (why.reason.empty()) return;
    throw base::error("reporter " + choice.use + " cannot write to " + place + ": " + why.reason,
                      why.remedy, where);
  };
  if (const options::option_value* own = choice.find("file");
      own != nullptr && !own->text.empty()) {
    if (own->text == config::standard_output) return;
    const bool makes = report_files::makes_folder(choice, *own);
    const fs::path file = report_files::name_in_series(choice, *own, which);
    const bool known = own->text.find(config::result_placeholder) == std::string::npos;
    refuse(file.string(),
           known ? trouble_with_file(file, makes) : trouble_with_folder(file.parent_path(), makes),
           own->where);
    return;
  }
  const options::option_value* const folder = choice.general_value_of("result-dir");
  if (folder == nullptr) return;
  const options::option_value* const name = choice.general_value_of("result-filename");
  // report_files gives such a reporter a file for standard output.
  if (name != nullptr && name->text == config::standard_output) return;
  fs::path place = folder->text;
  if (name != nullptr) place = (place / name->text).parent_path();
  refuse(place.empty() ? "the working directory" : place.string(), trouble_with_folder(place, true),
         folder->where);
}

}  // namespace

void require_places(std::span<const options::plugin_choice> reporters,
                    const place_in_series& which) {
  for (const options::plugin_choice& choice : reporters)
    require_place(choice, which);
}

void require_writable_file(const std::string& file, const std::string& flag) {
  const place_fault why = trouble_with_file(file, false);
  if (!why.reason.empty())
    throw base::error("cannot write to " + file + ": " + why.reason, why.remedy, {flag, 0, 0});
}

}  // namespace inferbench::run
