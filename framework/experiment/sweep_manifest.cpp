#include "experiment/sweep_manifest.hpp"

#include <cstddef>
#include <string_view>
#include <utility>

#include "base/error.hpp"
#include "base/text.hpp"
#include "experiment/durable_file.hpp"
#include "pytext/python_json.hpp"
#include "pytext/python_text.hpp"

namespace inferbench::experiment {

namespace {

using allocator = ifb::json_document::AllocatorType;

constexpr int layout = 1;  // of the file
constexpr std::size_t largest_manifest = std::size_t{1} << 30U;

ifb::json_value copied(std::string_view text, allocator& memory) {
  ifb::json_value out;
  out.SetString(text.data(), static_cast<rapidjson::SizeType>(text.size()), memory);
  return out;
}

ifb::json_value copied(const std::vector<std::string>& words, allocator& memory) {
  ifb::json_value out(rapidjson::kArrayType);
  for (const std::string& word : words)
    out.PushBack(copied(std::string_view(word), memory), memory);
  return out;
}

// The text of an item becomes a value again, so that the file can be read by people.
ifb::json_value item_value(const std::string& line, allocator& memory) {
  const ifb::json_document parsed = pytext::read_json_document(line, "parameters");
  return {parsed, memory};
}

void add(ifb::json_value& to, const char* name, ifb::json_value value, allocator& memory) {
  to.AddMember(copied(std::string_view(name), memory), std::move(value), memory);
}

std::vector<std::string> words_of(const ifb::json_value* list) {
  std::vector<std::string> out;
  if (list != nullptr && list->IsArray())
    for (const auto& word : list->GetArray())
      out.emplace_back(ifb::text_of(&word));
  return out;
}

std::string line_of_item(const ifb::json_value* value) {
  return value != nullptr && value->IsObject() ? pytext::python_json(*value, 0) : "{}";
}

}  // namespace

sweep_manifest::sweep_manifest(std::filesystem::path file) : file_(std::move(file)) {
  if (std::filesystem::exists(file_)) read();
}

void sweep_manifest::read() {
  constexpr const char* remedy =
      "delete the file: the results are then compared with the parameters that they contain";
  const std::string place = file_.string();
  ifb::json_document all;
  try {
    all = pytext::read_json_document(base::read_regular_file(place, largest_manifest), place);
  } catch (const base::error& e) {
    throw base::error(e.message(), remedy, e.where());
  }
  const ifb::json_value* folders = ifb::find(all, "folders");
  if (ifb::integer_of(ifb::find(all, "layout")) != layout || folders == nullptr ||
      !folders->IsObject())
    throw base::error("the file was not written by this version of inferbench", remedy,
                      {place, 0, 0});
  serve_command = words_of(ifb::find(all, "serve_command"));
  bench_command = words_of(ifb::find(all, "bench_command"));
  settings_digest = ifb::text_of(ifb::find(all, "settings_digest"));
  for (const auto& member : folders->GetObject())
    folders_[std::string(ifb::text_of(&member.name))] = {
        line_of_item(ifb::find(member.value, "serve")),
        line_of_item(ifb::find(member.value, "bench")),
        words_of(ifb::find(member.value, "serve_command")),
        words_of(ifb::find(member.value, "bench_command"))};
  if (const auto* searches = ifb::find(all, "searches");
      searches != nullptr && searches->IsObject())
    for (const auto& member : searches->GetObject()) {
      auto& levels = searches_[std::string(ifb::text_of(&member.name))];
      if (member.value.IsArray())
        for (const auto& level : member.value.GetArray())
          levels.push_back(ifb::integer_of(&level));
    }
}

const sweep_manifest::entry* sweep_manifest::find(const std::string& folder) const {
  const auto at = folders_.find(folder);
  return at == folders_.end() ? nullptr : &at->second;
}

const std::vector<std::int64_t>* sweep_manifest::known_levels(const std::string& search) const {
  const auto at = searches_.find(search);
  return at == searches_.end() ? nullptr : &at->second;
}

std::string sweep_manifest::text() const {
  ifb::json_document all;
  all.SetObject();
  auto& memory = all.GetAllocator();
  add(all, "layout", ifb::json_value(layout), memory);
  add(all, "serve_command", copied(serve_command, memory), memory);
  add(all, "bench_command", copied(bench_command, memory), memory);
  if (!settings_digest.empty())
    add(all, "settings_digest", copied(std::string_view(settings_digest), memory), memory);
  ifb::json_value folders(rapidjson::kObjectType);
  for (const auto& [name, of] : folders_) {
    ifb::json_value one(rapidjson::kObjectType);
    add(one, "serve", item_value(of.serve, memory), memory);
    add(one, "bench", item_value(of.bench, memory), memory);
    add(one, "serve_command", copied(of.serve_command, memory), memory);
    add(one, "bench_command", copied(of.bench_command, memory), memory);
    add(folders, name.c_str(), std::move(one), memory);
  }
  add(all, "folders", std::move(folders), memory);
  if (!searches_.empty()) {
    ifb::json_value searches(rapidjson::kObjectType);
    for (const auto& [name, levels] : searches_) {
      ifb::json_value list(rapidjson::kArrayType);
      for (const std::int64_t level : levels)
        list.PushBack(level, memory);
      add(searches, name.c_str(), std::move(list), memory);
    }
    add(all, "searches", std::move(searches), memory);
  }
  return pytext::python_json(all, 2) + "\n";
}

void sweep_manifest::save() const { write_durably(file_, text()); }

}  // namespace inferbench::experiment
