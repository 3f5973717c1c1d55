#include "compare/run_settings.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/text.hpp"
#include "config/keys.hpp"

namespace inferbench::compare {

namespace {

using ifb::find;
using ifb::json_value;

/// Members of the configuration that are no settings of the load, beside those of
/// config::keys_beside_the_load().
constexpr std::array<std::string_view, 4> other_members{"resolved", "reporter", "plugin",
                                                        "bench_parameters"};

/// Members of the description of a run, which any result has.
constexpr std::array<const char*, 10> common_members{
    "backend",    "model_id", "tokenizer_id", "num_prompts", "request_rate",
    "burstiness", "ramp_up",  "traffic",      "self_timed",  "max_concurrency"};

/// Texts at the top of a result that are no settings.
constexpr std::array<std::string_view, 10> other_texts{
    "date",         "label",        "endpoint_type", "backend",     "model_id",
    "tokenizer_id", "request_rate", "compare_id",    "compare_arm", "_benchmark_name"};

bool is_unimportant(std::string_view name) {
  const auto is_in = [&](std::string_view each) {
    return name == each || (name.starts_with(each) && name[each.size()] == '.');
  };
  return std::ranges::any_of(other_members, is_in) ||
         std::ranges::any_of(config::keys_beside_the_load(), is_in);
}

void add_values(const std::string& name, const json_value& from, setting_values& to) {
  if (is_unimportant(name)) return;
  if (!from.IsObject()) {
    if (!from.IsNull()) to[name] = ifb::to_text(from);
    return;
  }
  for (const auto& [key, value] : from.GetObject()) {
    std::string path = name;
    if (!path.empty()) path += '.';
    path += ifb::text_of(&key);
    add_values(path, value, to);
  }
}

void add_plugins(const json_value* all, setting_values& to) {
  if (all == nullptr || !all->IsArray()) return;
  for (const json_value& each : all->GetArray()) {
    const std::string_view kind = ifb::text_of(find(each, "kind"));
    if (kind == "reporter") continue;
    const std::string name =
        "plugin " + std::string(kind) + " " + std::string(ifb::text_of(find(each, "id")));
    for (const char* part : {"version", "sha256"})
      if (const json_value* value = find(each, part); value != nullptr && value->IsString())
        to[name + " " + part] = ifb::to_text(*value);
  }
}

/// An object of a text that comes from a file; empty if it is none.
ifb::json_document object_of(std::string_view text) {
  ifb::json_document out;
  if (ifb::parse_json(text, out) || !out.IsObject()) out.SetObject();
  return out;
}

const setting_values& chosen(const run_settings& of, bool all_own) {
  return all_own ? of.own : of.common;
}

bool all_own(const settings_of_group& group) {
  return std::ranges::none_of(group, [](const run_settings* each) { return each->own.empty(); });
}

/// The different values of each setting, without runs that do not state it.
std::map<std::string, std::vector<std::string>> values_in(const settings_of_group& group,
                                                          bool own) {
  std::map<std::string, std::vector<std::string>> out;
  for (const run_settings* run : group)
    for (const auto& [name, value] : chosen(*run, own)) {
      auto& values = out[name];
      if (std::ranges::find(values, value) == values.end()) values.push_back(value);
    }
  return out;
}

}  // namespace

run_settings settings_of(std::string_view config_json, std::string_view environment_json,
                         const json_value* result) {
  run_settings out;
  const ifb::json_document plan = object_of(config_json);
  const json_value* description = find(plan, "resolved");
  const json_value* ours = result == nullptr ? nullptr : find(*result, "inferbench");
  if (result == nullptr || find(ours, "config") != nullptr) {
    add_values({}, plan, out.own);
    for (const char* name : {"model_id", "tokenizer_id"})
      if (const json_value* value = find(description, name); value != nullptr && value->IsString())
        out.own[name] = ifb::to_text(*value);
    const ifb::json_document environment = object_of(environment_json);
    for (const char* part : {"inferbench", "machine"})
      if (const json_value* of = find(environment, part)) add_values(part, *of, out.own);
    add_plugins(find(environment, "plugins"), out.own);
  }
  for (const char* name : common_members)
    if (const json_value* value = find(description, name); value != nullptr && !value->IsNull())
      out.common[name] = ifb::to_text(*value);
  if (result == nullptr || !result->IsObject()) return out;
  for (const auto& [key, value] : result->GetObject()) {
    const std::string_view name = ifb::text_of(&key);
    if (value.IsString() && std::ranges::find(other_texts, name) == other_texts.end())
      out.common[std::string(name)] = ifb::to_text(value);
  }
  return out;
}

std::vector<setting_difference> differences_of(std::span<const settings_of_group> groups) {
  const bool own = std::ranges::all_of(groups, all_own);
  std::map<std::string, std::vector<std::vector<std::string>>> all;
  for (std::size_t i = 0; i < groups.size(); ++i)
    for (auto& [name, values] : values_in(groups[i], own)) {
      auto& of_groups = all[name];
      of_groups.resize(groups.size());
      of_groups[i] = std::move(values);
      std::ranges::sort(of_groups[i]);
    }
  std::vector<setting_difference> out;
  for (auto& [name, values] : all)
    if (std::ranges::any_of(values, [&](const auto& each) { return each != values.front(); }))
      out.push_back({name, std::move(values)});
  return out;
}

std::vector<std::string> varying_names(const settings_of_group& group) {
  std::vector<std::string> out;
  for (const auto& [name, values] : values_in(group, all_own(group)))
    if (values.size() > 1) out.push_back(name);
  return out;
}

std::string shown_values(const std::vector<std::string>& values) {
  constexpr std::size_t longest = 60;
  if (values.empty()) return "not stated";
  std::string out = base::one_line(fmt::format("{}", fmt::join(values, ", ")));
  if (out.size() <= longest) return out;
  out.resize(longest);
  return base::valid_utf8(out) + "...";
}

}  // namespace inferbench::compare
