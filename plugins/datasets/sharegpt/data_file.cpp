#include "data_file.hpp"

#include <filesystem>
#include <string_view>
#include <system_error>

#include <inferbench/guard.hpp>

#include "common/hub/names.hpp"
#include "common/hub/repository.hpp"

namespace sharegpt {

namespace {

bool is_on_hub(const std::string& text) {
  std::error_code ignored;
  if (std::filesystem::exists(text, ignored)) return false;
  // "data/rows.json" has the form of a name on the hub, but it is a missing file.
  for (const std::string_view ending : {".json", ".jsonl", ".txt", ".csv", ".parquet"})
    if (text.ends_with(ending)) return false;
  return text.find('/') != std::string::npos && hub::is_repository_id(text);
}

}  // namespace

std::string locate(ifb::host host, const hub::environment& settings, const std::string& text) {
  std::error_code ignored;
  const std::filesystem::path inside = std::filesystem::path(text) / name_on_hub;
  if (std::filesystem::is_regular_file(inside, ignored)) return inside.string();
  if (!is_on_hub(text)) return text;
  try {
    hub::repository data(host, settings, {.id = text, .type = hub::repository_type::dataset});
    if (const auto found = data.find(name_on_hub)) return found->string();
    throw ifb::failure(IFB_E_CONFIG,
                       data.missing(name_on_hub) + "; or download another file and give its path");
  } catch (const ifb::failure& e) {
    throw ifb::failure(e.code(),
                       "there is no file " + text + ", and as a dataset of the hub: " + e.message(),
                       "path");
  }
}

}  // namespace sharegpt
