#include "categories.hpp"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string_view>
#include <system_error>

#include <inferbench/guard.hpp>
#include <inferbench/json_reader.hpp>
#include <inferbench/text.hpp>

#include "common/hub/repository.hpp"

namespace bfcl {

namespace {

std::string file_of(const std::string& category) { return "BFCL_v3_" + category + ".json"; }

std::string path_of(hub::repository& from, const std::string& category) {
  if (category.starts_with("multi_turn"))
    throw ifb::failure(IFB_E_UNSUPPORTED,
                       "BFCL category '" + category +
                           "' has conversations of several turns, which are not supported",
                       "categories");
  const auto path = from.find(file_of(category));
  if (path) return path->string();
  throw ifb::failure(IFB_E_CONFIG,
                     "BFCL category '" + category +
                         "' not found: " + from.missing(file_of(category)) +
                         "; without --bfcl-categories they are simple, live_simple and multiple",
                     "categories");
}

std::unique_ptr<possible_answers> answers_to(ifb::host host, hub::repository& from,
                                             const std::string& category) {
  if (!has_json_answers(category)) return nullptr;
  std::optional<std::filesystem::path> path;
  try {
    path = from.find("possible_answer/" + file_of(category));
  } catch (const ifb::failure& e) {
    if (e.code() == IFB_E_CANCELLED) throw;
    host.warn("the questions have no expected calls: " + e.message());
  }
  return path ? std::make_unique<possible_answers>(host, path->string()) : nullptr;
}

void refuse_file(const std::string& source) {
  std::error_code ignored;
  if (std::filesystem::exists(source, ignored) && !std::filesystem::is_directory(source, ignored))
    throw ifb::failure(IFB_E_CONFIG, source + " is a file; give its folder", "path");
}

void warn_of_missing_answers(ifb::host host, const files::json_lines& asked,
                             const possible_answers& answers) {
  std::uint64_t missing = 0;
  files::json_row row;
  for (std::uint64_t i = 0; i < asked.rows(); ++i) {
    asked.read(i, row);
    if (!answers.has(ifb::text_of(ifb::find(row.object(), "id")))) ++missing;
  }
  if (missing != 0)
    host.warn(std::to_string(missing) + " of " + std::to_string(asked.rows()) +
              (asked.rows() == 1 ? " question" : " questions") + (missing == 1 ? " has" : " have") +
              " no expected calls in " + answers.path() + "; for " +
              (missing == 1 ? "it" : "them") + " only tools and schemas count");
}

}  // namespace

std::vector<std::string> categories_of(const std::vector<std::string>& given) {
  std::vector<std::string> out;
  for (const std::string_view list : given) {
    for (std::size_t at = 0; at <= list.size();) {
      const std::size_t end = std::min(list.find(',', at), list.size());
      const std::string_view name = ifb::trim(list.substr(at, end - at));
      if (!name.empty()) out.emplace_back(name);
      at = end + 1;
    }
  }
  if (out.empty()) out = {"simple", "live_simple", "multiple"};
  return out;
}

questions::questions(ifb::host host, const std::string& source,
                     const std::vector<std::string>& categories) {
  refuse_file(source);
  try {
    hub::repository from(host, hub::read_environment(),
                         {.id = source, .type = hub::repository_type::dataset});
    for (const std::string& category : categories) {
      files_.push_back(std::make_unique<files::json_lines>(host, path_of(from, category)));
      answers_.push_back(answers_to(host, from, category));
      if (answers_.back() != nullptr && files_.back()->bytes() <= looked_through)
        warn_of_missing_answers(host, *files_.back(), *answers_.back());
    }
  } catch (const ifb::failure& e) {
    // The hub's library does not know the options of this plugin, so the error gets the name of the
    // option.
    throw ifb::failure(e.code(), e.message(), e.option().empty() ? "path" : e.option());
  }
  std::uint64_t longest = 0;
  for (const auto& each : files_) {
    if (each->rows() > UINT32_MAX)
      throw ifb::failure(IFB_E_DATA, each->path() + " has more than 4294967295 rows", "path");
    longest = std::max(longest, each->rows());
  }
  for (std::uint32_t row = 0; row < longest; ++row)
    for (std::uint32_t file = 0; file < files_.size(); ++file)
      if (row < files_[file]->rows()) order_.push_back({file, row});
}

void questions::read(std::uint64_t row, files::json_row& out) {
  const place& at = order_[row];
  files_[at.file]->read(at.row, out);
}

std::string questions::expected(std::uint64_t row, const rapidjson::Value& question) {
  possible_answers* const answers = answers_[order_[row].file].get();
  return answers == nullptr ? std::string()
                            : answers->expected(ifb::text_of(ifb::find(question, "id")));
}

const std::string& questions::path(std::uint64_t row) const {
  return files_[order_[row].file]->path();
}

bool questions::is_looked_through(std::uint64_t row) const {
  return files_[order_[row].file]->bytes() <= looked_through;
}

}  // namespace bfcl
