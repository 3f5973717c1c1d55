#include "check/task.hpp"

#include <inferbench/json_writer.hpp>

#include "base/json.hpp"

namespace inferbench::check {

std::string to_json(const task& given) {
  ifb::json_writer json;
  json.begin_object();
  json.member("file", given.file.string());
  json.member("test", given.test);
  json.member("kind", given.kind);
  json.member("id", given.id);
  json.key("settings");
  json.begin_array();
  for (const auto& [name, value] : given.settings) {
    json.string(name);
    json.string(value);
  }
  json.end_array();
  json.member("transcripts", given.transcripts.string());
  json.member("folder", given.folder.string());
  json.member("limit_ms", static_cast<std::int64_t>(given.limit.count()));
  json.end_object();
  return json.take();
}

task task_from_json(const std::string& text) {
  const rapidjson::Document json = base::parse_json(text, "the task");
  const auto text_at = [&](const char* name) {
    return std::string(base::text_of(base::find(json, name)));
  };
  const auto number_at = [&](const char* name) {
    const base::json_value* const at = base::find(json, name);
    return at != nullptr && at->IsInt64() ? at->GetInt64() : 0;
  };
  task out;
  out.file = text_at("file");
  out.test = text_at("test");
  out.kind = static_cast<ifb_kind>(number_at("kind"));
  out.id = text_at("id");
  out.transcripts = text_at("transcripts");
  out.folder = text_at("folder");
  out.limit = std::chrono::milliseconds(number_at("limit_ms"));
  const base::json_value* const settings = base::find(json, "settings");
  if (settings != nullptr && settings->IsArray())
    for (rapidjson::SizeType i = 0; i + 1 < settings->Size(); i += 2)
      out.settings.emplace_back(base::text_of(&(*settings)[i]), base::text_of(&(*settings)[i + 1]));
  return out;
}

}  // namespace inferbench::check
