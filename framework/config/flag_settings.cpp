#include "config/flag_settings.hpp"

#include <algorithm>
#include <array>

#include <inferbench/json_writer.hpp>

#include "options/check.hpp"
#include "options/flag_value.hpp"
#include "options/forwarding.hpp"

namespace inferbench::config {

namespace {

constexpr std::array<std::string_view, 5> settled{"backend.use", "dataset.use", "backend.endpoint",
                                                  "backend.ignore-eos",
                                                  "dataset.request-id-prefix"};

constexpr std::string_view body_path = "backend.extra-body";

/// The flag of the command line that made this setting; empty if --set made it.
std::string_view flag_of(const setting& s) {
  const std::string_view word = s.where.file;
  return word.starts_with("--") && !word.starts_with("--set ") ? word.substr(2)
                                                               : std::string_view();
}

class teller {
 public:
  teller(std::span<const resolved_table> document, const sources& from,
         const options::environment& env, const std::vector<options::option>& keys,
         std::span<const used_plugin> reporters)
      : document_(document), from_(from), env_(env), keys_(keys), reporters_(reporters) {}

  flag_settings tell() {
    for (const resolved_table& table : document_)
      if (table.name != "reporter") tell_values(table);
    for (const setting& s : from_.line)
      tell_said(s);
    tell_reporters();
    return std::move(out_);
  }

 private:
  void tell_values(const resolved_table& table) {
    for (const auto& [declared, value] : table.keys) {
      const std::string path = declared.path();
      const bool decided = value.where.known() || is_given(path, from_) ||
                           std::ranges::find(settled, path) != settled.end();
      if (!value.is_set || !decided) continue;
      // Sampling flags set members of this value; tell_said() adds the flags themselves.
      if (path == body_path && made_of_flags()) continue;
      if (path == "tokenizer.use" && value.text == "none") {
        out_.add("skip-tokenizer-init", "true");
        continue;
      }
      options::option named = declared;
      named.flag = options::flag_for(declared, keys_);
      out_.add(named, value);
    }
  }

  [[nodiscard]] bool made_of_flags() const {
    return std::ranges::any_of(from_.line, [](const setting& s) { return !s.member.empty(); });
  }

  // Adds flags whose values are not in the document: sampling flags, general lengths, and flags
  // that another flag has overridden.
  void tell_said(const setting& s) {
    const std::string_view flag = flag_of(s);
    const auto key = std::ranges::find_if(keys_, [&](const options::option& k) {
      return k.flag == flag && k.path() == s.path && k.member == s.member;
    });
    if (flag.empty() || key == keys_.end()) return;
    options::option named = *key;
    if (!named.instead.empty()) named.flag = named.instead;
    if (out_.contains(named.flag)) return;
    if (named.type != IFB_BOOL && !named.sets.empty()) return out_.add(named.flag, "true");
    options::node value = s.value ? *s.value : options::node_of_text(*key, s.texts, s.where);
    value.where = s.where;
    out_.add(named, options::check(*key, value, env_));
  }

  // Adds --reporter for the reporters that the line or the file names, and the flags of reporters.
  void tell_reporters() {
    ifb::json_writer names;
    names.begin_array();
    bool any = false;
    for (const used_plugin& each : reporters_) {
      if (!each.named && each.table == nullptr) continue;  // another flag adds it
      names.string(each.use + (each.file.empty() ? "" : "=" + each.file));
      any = true;
    }
    names.end_array();
    if (any) out_.add("reporter", names.take());
    for (const resolved_table& table : document_)
      if (table.name == "reporter") tell_options(table);
  }

  void tell_options(const resolved_table& table) {
    for (const auto& [declared, value] : table.keys)
      // The file of --reporter NAME=FILE is a part of that flag.
      if (value.is_set && value.where.known() && value.where.file != "--reporter")
        out_.add(declared, value);
  }

  std::span<const resolved_table> document_;
  const sources& from_;
  const options::environment& env_;
  const std::vector<options::option>& keys_;
  std::span<const used_plugin> reporters_;
  flag_settings out_;
};

}  // namespace

void flag_settings::add(const options::option& declared, const options::option_value& value) {
  const bool turned = declared.type == IFB_BOOL && declared.sets == "false";
  if (turned)
    add(declared.flag, value.integer == 0 ? "true" : "false");
  else
    add(declared.flag, to_json(declared, value));
}

void flag_settings::add(std::string_view flag, std::string json) {
  if (!flag.empty() && !contains(flag)) all_.emplace_back(flag, std::move(json));
}

bool flag_settings::contains(std::string_view flag) const {
  return std::ranges::find(all_, flag, &fields::value_type::first) != all_.end();
}

flag_settings settings_by_flag(std::span<const resolved_table> document, const sources& from,
                               const options::environment& env,
                               const std::vector<options::option>& keys,
                               std::span<const used_plugin> reporters) {
  return teller(document, from, env, keys, reporters).tell();
}

}  // namespace inferbench::config
