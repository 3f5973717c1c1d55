#include "config/overrides.hpp"

#include <algorithm>
#include <utility>

#include "base/text.hpp"
#include "config/flags.hpp"
#include "options/refusal.hpp"
#include "options/toml.hpp"

namespace inferbench::config {

namespace {

const options::option* declared_at(const std::string& path, const used_plugins& used,
                                   const std::vector<options::option>& keys) {
  const used_plugin* plugin = used.of_table(path.substr(0, path.find('.')));
  if (plugin != nullptr)
    if (const options::option* o = plugin->find(path.substr(path.find('.') + 1))) return o;
  for (const used_plugin& after : used.tokenizers_after)
    for (const options::option& o : after.options)
      if (o.path() == path) return &o;
  const auto key = std::ranges::find_if(
      keys, [&](const options::option& k) { return k.member.empty() && k.path() == path; });
  return key == keys.end() ? nullptr : &*key;
}

options::usage_error unknown_key(const std::string& path, const std::vector<std::string>& known) {
  std::string remedy = base::did_you_mean(path, known);
  if (path.starts_with("reporter.")) remedy = "reporters are set in the file";
  if (remedy.empty()) remedy = "--help=all lists all keys";
  return options::usage_error("unknown key " + path, remedy, {"--set", 0, 0});
}

}  // namespace

setting setting_of_text(const std::string& text) {
  const auto equals = text.find('=');
  const std::string path(base::trim(std::string_view(text).substr(0, equals)));
  if (equals == std::string::npos || path.find('.') == std::string::npos)
    throw options::usage_error("expected TABLE.KEY=VALUE, not \"" + text + "\"",
                               "for example --set load.request-rate=10", {"--set", 0, 0});
  setting out;
  out.path = path;
  out.texts = {text.substr(equals + 1)};
  out.where = {"--set " + path, 0, 0};
  return out;
}

void resolve_sets(sources& from, const used_plugins& used,
                  const std::vector<options::option>& keys) {
  std::vector<std::string> known;
  for (const options::option& key : keys)
    if (key.member.empty()) known.push_back(key.path());
  for (const auto* p : {&used.backend, &used.dataset, &used.tokenizer, &used.scorer})
    if (p->has_value())
      for (const options::option& o : (*p)->options)
        known.push_back(o.path());
  for (const used_plugin& after : used.tokenizers_after)
    for (const options::option& o : after.options)
      known.push_back(o.path());
  for (setting& s : from.line) {
    if (!s.where.file.starts_with("--set ")) continue;
    const options::option* declared = declared_at(s.path, used, keys);
    if (declared == nullptr) {
      const auto member = std::ranges::find_if(known, [&](const std::string& path) {
        const options::option* o = declared_at(path, used, keys);
        return o != nullptr && o->type == IFB_JSON && s.path.starts_with(path + ".");
      });
      if (member == known.end()) throw unknown_key(s.path, known);
      s.value = dotted_value(s.path.substr(member->size() + 1), s.texts.front(), s.where,
                             "--set TABLE.KEY.NAME=VALUE");
      s.merged = true;
      s.path = *member;
    } else if (declared->type == IFB_STRINGS) {
      const std::string& text = s.texts.front();
      if (text.starts_with('[') || text.starts_with('{'))
        s.value = options::parse_toml_literal(text, s.where.file);
    }
  }
}

}  // namespace inferbench::config
