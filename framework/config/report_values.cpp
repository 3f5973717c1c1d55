#include "config/report_values.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/error.hpp"
#include "options/check.hpp"
#include "options/flag_value.hpp"
#include "options/forwarding.hpp"
#include "options/to_node.hpp"

namespace inferbench::config {

namespace {

options::node given_node(const options::option& declared, const given_flag& given) {
  if (given.dotted) return *given.dotted;
  return options::node_of_text(declared, given.values, {"--" + given.name, 0, 0});
}

}  // namespace

std::vector<options::option_value> report_values::values_of(
    const named_reporter& asked, const std::vector<options::option>& all) const {
  std::vector<options::option_value> out;
  for (const options::option& own : all) {
    out.push_back(value(asked, all, own));
    if (own.required && !out.back().is_set)
      throw base::error("reporter " + asked.use + " needs " + own.name, "set --" + flag_of(own));
  }
  return out;
}

options::option_value report_values::checked(const options::option& declared,
                                             const given_flag& given) const {
  return options::check(declared, given_node(declared, given), env_);
}

options::option_value report_values::value(const named_reporter& asked,
                                           const std::vector<options::option>& all,
                                           const options::option& own) const {
  std::optional<options::node> given;
  if (const given_flag* flag = line_.find(own.flag); flag != nullptr && !own.flag.empty())
    given = given_node(own, *flag);
  if (&own == file_option(all)) {
    const result_place result{text_of("run.result-dir"), text_of("run.result-filename")};
    if (auto file = file_value(asked, all, given, result, env_)) return *std::move(file);
  } else if (given) {
    return options::check(own, *given, env_);
  }
  if (const options::option* key = shared_key(own))
    if (const given_flag* flag = line_.find(key->flag))
      return options::converted(own, *key, checked(*key, *flag), env_);
  return options::fallback_of(own, env_);
}

/// The flag that sets `own`.
std::string report_values::flag_of(const options::option& own) const {
  const options::option* key = shared_key(own);
  return own.flag.empty() && key != nullptr ? key->flag : own.flag;
}

/// The text that the flag of a shared key gives; empty if it is not on the line.
std::string report_values::text_of(std::string_view path) const {
  const options::option& key = *std::ranges::find(shared_, path, &options::option::path);
  const given_flag* given = line_.find(key.flag);
  return given == nullptr ? std::string{} : checked(key, *given).text;
}

const options::option* report_values::shared_key(const options::option& own) const {
  const std::string_view path = options::forwarded_path(own);
  const auto key = std::ranges::find(shared_, path, &options::option::path);
  return key == shared_.end() ? nullptr : &*key;
}

}  // namespace inferbench::config
