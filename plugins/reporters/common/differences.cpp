#include "differences.hpp"

#include <algorithm>
#include <array>

#include "json_value.hpp"

namespace reporters {
namespace {

/// Tables and keys that say where a result goes, or what the user sees of the run. The prefix of
/// request ids is random unless the user sets it.
constexpr std::array<std::string_view, 16> without_effect{"reporter",
                                                          "plugin",
                                                          "run.save-result",
                                                          "run.save-detailed",
                                                          "run.append-result",
                                                          "run.result-dir",
                                                          "run.result-filename",
                                                          "run.metadata",
                                                          "run.label",
                                                          "run.journal",
                                                          "run.plot-timeline",
                                                          "run.timeline-itl-thresholds",
                                                          "run.plot-dataset-stats",
                                                          "run.require-valid",
                                                          "run.progress",
                                                          "dataset.request-id-prefix"};

bool has_no_effect(std::string_view name) {
  return std::ranges::any_of(without_effect, [&](std::string_view each) {
    return name == each || (name.starts_with(each) && name[each.size()] == '.');
  });
}

/// Adds each value below `from` that is not an object.
void add_values(const std::string& name, const json_value& from, run_settings& to) {
  if (has_no_effect(name)) return;
  if (!from.IsObject()) {
    if (!from.IsNull()) to[name] = to_text(from);
    return;
  }
  for (const auto& member : from.GetObject()) {
    std::string key = name;
    if (!key.empty()) key += '.';
    key += text_of(&member.name);
    add_values(key, member.value, to);
  }
}

void add_text(const std::string& name, const json_value* from, run_settings& to) {
  if (from != nullptr && from->IsString() && from->GetStringLength() > 0) to[name] = to_text(*from);
}

void add_plugins(const json_value* all, run_settings& to) {
  if (all == nullptr || !all->IsArray()) return;
  for (const json_value& each : all->GetArray()) {
    const std::string_view kind = text_of(find(each, "kind"));
    if (kind == "reporter") continue;
    const std::string name =
        "plugin " + std::string(kind) + " " + std::string(text_of(find(each, "id")));
    add_text(name + " version", find(each, "version"), to);
    add_text(name + " sha256", find(each, "sha256"), to);
  }
}

}  // namespace

run_settings settings_of(std::string_view config_json, std::string_view environment_json) {
  run_settings out;
  const rapidjson::Document plan = plan_of(config_json);
  add_values({}, plan, out);
  const rapidjson::Document description = description_of(config_json);
  add_text("model", find(description, "model_id"), out);
  add_text("tokenizer", find(description, "tokenizer_id"), out);
  const rapidjson::Document environment = parse_object(environment_json);
  for (const char* part : {"inferbench", "machine"})
    if (const json_value* of = find(environment, part)) add_values(part, *of, out);
  add_plugins(find(environment, "plugins"), out);
  return out;
}

std::vector<setting_difference> differences_of(std::span<const run_settings> runs) {
  std::map<std::string, std::vector<std::string>> all;
  for (std::size_t i = 0; i < runs.size(); ++i)
    for (const auto& [name, value] : runs[i]) {
      auto& values = all[name];
      values.resize(runs.size());
      values[i] = value;
    }
  std::vector<setting_difference> out;
  for (auto& [name, values] : all)
    if (std::ranges::any_of(values, [&](const std::string& v) { return v != values.front(); }))
      out.push_back({name, std::move(values)});
  return out;
}

}  // namespace reporters
