#include "arguments.hpp"

#include <algorithm>
#include <array>

namespace reporters {
namespace {

constexpr std::string_view cut = "(cut)";

struct spelling {
  std::string_view table;
  std::string_view key;
  const char* name;
};

// Keys that are called differently in the plan.
constexpr std::array spellings{
    spelling{"backend", "use", "backend"},
    spelling{"dataset", "use", "dataset_name"},
    spelling{"dataset", "path", "dataset_path"},
    spelling{"tokenizer", "use", "tokenizer_mode"},
    spelling{"tokenizer", "path", "tokenizer"},
    spelling{"run", "ready-check-timeout", "ready_check_timeout_sec"},
    spelling{"plugin", "dir", "plugin_dir"},
    spelling{"plugin", "allow-unsafe", "allow_unsafe_plugin"},
};

// Keys of [dataset] that belong to every dataset; the others have its name in front.
constexpr std::array<std::string_view, 8> general{
    "num-prompts",        "no-oversample",          "disable-shuffle",   "request-id-prefix",
    "skip-chat-template", "enable-multimodal-chat", "trust-remote-code", "chat-template-kwargs"};

std::string underscored(std::string_view key) {
  std::string out(key);
  std::ranges::replace(out, '-', '_');
  return out;
}

std::string name_of(std::string_view table, std::string_view key, std::string_view dataset) {
  for (const spelling& one : spellings)
    if (one.table == table && one.key == key) return one.name;
  std::string out = underscored(key);
  if (table != "dataset" || std::ranges::find(general, key) != general.end()) return out;
  const std::string prefix = underscored(dataset) + '_';
  return out.starts_with(prefix) ? out : prefix + out;
}

/// "KEY=(cut)" for each.
std::string headers(const json_value& given) {
  ifb::json_writer out;
  out.begin_array();
  for (const auto& [name, value] : given.GetObject())
    out.string(std::string(text_of(&name)) + '=' + std::string(cut));
  out.end_array();
  return out.take();
}

/// A list of one address is upstream's --base-url.
std::string address(const json_value& given) {
  return given.IsArray() && given.Size() == 1 ? to_text(given[0]) : to_text(given);
}

}  // namespace

arguments arguments_of(const json_value& plan) {
  arguments out;
  const auto set = [&](std::string name, std::string json) {
    const auto same = std::ranges::find(out, name, &arguments::value_type::first);
    if (same == out.end())
      out.emplace_back(std::move(name), std::move(json));
    else
      same->second = std::move(json);
  };
  const std::string_view dataset = text_of(member(member(&plan, "dataset"), "use"));
  for (const auto& [table_name, table] : plan.GetObject()) {
    if (!table.IsObject()) continue;
    const std::string_view of = text_of(&table_name);
    for (const auto& [key_name, value] : table.GetObject()) {
      const std::string_view key = text_of(&key_name);
      if (key == "header" && value.IsObject())
        set("header", headers(value));
      else if (of == "server" && key == "base-url")
        set("base_url", address(value));
      else if (of == "run" && key == "progress" && value.IsBool())
        set("disable_tqdm", value.GetBool() ? "false" : "true");
      else
        set(name_of(of, key, dataset), to_text(value));
    }
  }
  if (text_of(member(member(&plan, "tokenizer"), "use")) == "none")
    set("skip_tokenizer_init", "true");
  return out;
}

std::string_view find(const arguments& all, std::string_view name) {
  const auto at = std::ranges::find(all, name, &arguments::value_type::first);
  return at == all.end() ? std::string_view() : std::string_view(at->second);
}

}  // namespace reporters
