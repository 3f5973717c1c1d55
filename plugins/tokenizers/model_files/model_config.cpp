#include "model_config.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <unordered_set>

#include <inferbench/guard.hpp>

#include "tokenizers/common/node.hpp"

namespace tokenizers::model_files {

namespace {

constexpr const char* config_file = "tokenizer_config.json";

// The names that every tokenizer knows, in the order of transformers.
constexpr std::array<std::string_view, 7> common_names{
    "bos_token", "eos_token", "unk_token", "sep_token", "pad_token", "cls_token", "mask_token"};

bool is_common(std::string_view name) {
  return std::ranges::find(common_names, name) != common_names.end();
}

/// Reads a string, or an object with the members of AddedToken.
added_token read_token(const node& from) {
  added_token out;
  if (from.value().IsString()) {
    out.content = from.text();
    out.special = true;
    out.normalized = false;
    return out;
  }
  out.content = from.at("content").text();
  out.single_word = from.boolean("single_word", false);
  out.lstrip = from.boolean("lstrip", false);
  out.rstrip = from.boolean("rstrip", false);
  out.special = from.boolean("special", false);
  out.normalized = from.boolean("normalized", !out.special);
  return out;
}

/// Calls `body` with name and value of each member that is not null. There may be thousands of
/// members, so they are not looked up by name.
template <typename call>
void each_member(const node& object, call&& body) {
  if (!object.value().IsObject()) object.fail("expected an object");
  std::string path = object.path();
  path += path.find(": ") == path.npos ? ": " : ".";
  const std::size_t above = path.size();
  for (const auto& member : object.value().GetObject()) {
    if (member.value.IsNull()) continue;
    const std::string_view name(member.name.GetString(), member.name.GetStringLength());
    path.resize(above);
    path += name;
    body(name, node(member.value, path));
  }
}

class reader {
 public:
  reader(file_set& files, model_config& out) : files_(files), out_(out) {}

  void read() {
    bool numbered = false;
    with(config_file, [&](const node& config) {
      read_switches(config);
      read_named(config);
      read_more(config);
      read_templates(config);
      if (const auto decoder = config.find("added_tokens_decoder")) {
        numbered = true;
        read_decoder(*decoder);
      }
    });
    // These older files are read only if added_tokens_decoder is missing.
    if (!numbered) {
      with("special_tokens_map.json", [&](const node& map) { read_map(map); });
      with("added_tokens.json", [&](const node& list) { read_added(list); });
    }
    std::ranges::stable_sort(out_.added, {}, &numbered_token::id);
    // If a named token also has a number, the numbered entry determines its flags.
    for (auto& each : out_.special) {
      const auto same = std::ranges::find_if(
          out_.added, [&](const auto& a) { return a.token.content == each.token.content; });
      if (same != out_.added.end()) each.token = same->token;
      each.token.special = true;
    }
    read_template_files();
  }

 private:
  template <typename call>
  void with(const char* file, call&& body) {
    auto text = files_.read(file);
    if (!text) return;
    rapidjson::Document document;
    parse_json(*text, document, file);
    const node top(document, file);
    if (!document.IsObject()) top.fail("expected an object");
    body(top);
  }

  void read_switches(const node& config) {
    if (const auto name = config.find("tokenizer_class")) out_.tokenizer_class = name->text();
    if (out_.tokenizer_class.ends_with("Fast"))
      out_.tokenizer_class.resize(out_.tokenizer_class.size() - 4);
    const auto take = [&](const char* name, std::optional<bool>& into) {
      if (const auto value = config.find(name)) into = value->boolean();
    };
    take("add_bos_token", out_.add_bos_token);
    take("add_eos_token", out_.add_eos_token);
    take("add_prefix_space", out_.add_prefix_space);
    take("do_lower_case", out_.do_lower_case);
    take("strip_accents", out_.strip_accents);
    take("tokenize_chinese_chars", out_.tokenize_chinese_chars);
    take("legacy", out_.legacy);
    take("fix_mistral_regex", out_.fix_mistral_regex);
    if (const auto list = config.find("fast_tokenizer_files")) {
      for (std::size_t i = 0; i < list->size(); ++i)
        out_.versioned_files.emplace_back(list->at(i).text());
    }
  }

  void set(std::string_view name, added_token token) {
    if (token.content.empty()) return;
    const auto at = std::ranges::find(out_.special, name, &named_token::name);
    if (at == out_.special.end())
      out_.special.push_back({std::string(name), std::move(token)});
    else
      at->token = std::move(token);
  }
  void add_more(const node& list) {
    for (std::size_t i = 0; i < list.size(); ++i) {
      added_token token = read_token(list.at(i));
      token.special = true;
      if (!token.content.empty() &&
          std::ranges::find(out_.more_special, token.content, &added_token::content) ==
              out_.more_special.end())
        out_.more_special.push_back(std::move(token));
    }
  }

  void read_named(const node& config) {
    for (const auto name : common_names) {
      if (const auto value = config.find(name)) set(name, read_token(*value));
    }
    // The names that the model itself defines: every member "..._token" that contains a token.
    each_member(config, [&](std::string_view name, const node& value) {
      const bool token = value.value().IsString() ||
                         (value.value().IsObject() && value.find("content").has_value());
      if (name.ends_with("_token") && !is_common(name) && token) set(name, read_token(value));
    });
  }

  void read_more(const node& config) {
    if (const auto named = config.find("model_specific_special_tokens"))
      each_member(*named, [&](auto name, const node& value) { set(name, read_token(value)); });
    for (const char* key : {"additional_special_tokens", "extra_special_tokens"}) {
      const auto value = config.find(key);
      if (!value) continue;
      if (value->value().IsObject())
        each_member(*value, [&](auto name, const node& each) { set(name, read_token(each)); });
      else
        add_more(*value);
    }
  }

  void read_decoder(const node& decoder) {
    each_member(decoder, [&](std::string_view key, const node& value) {
      std::uint32_t id = 0;
      const auto [end, error] = std::from_chars(key.data(), key.data() + key.size(), id);
      if (error != std::errc{} || end != key.data() + key.size())
        value.fail("the member's name is not the id of a token");
      out_.added.push_back({id, read_token(value)});
    });
  }

  void read_map(const node& map) {
    each_member(map, [&](std::string_view name, const node& value) {
      if (value.value().IsArray())
        add_more(value);
      else if (value.value().IsString() || value.value().IsObject())
        set(name, read_token(value));
    });
  }

  void read_added(const node& list) {
    each_member(list, [&](std::string_view content, const node& value) {
      added_token token;
      token.content = content;
      token.special =
          std::ranges::any_of(out_.special,
                              [&](const auto& each) { return each.token.content == content; }) ||
          std::ranges::find(out_.more_special, content, &added_token::content) !=
              out_.more_special.end();
      token.normalized = !token.special;
      out_.added.push_back({value.u32(), std::move(token)});
    });
  }

  /// Reads "chat_template": a text, or a list of {"name", "template"}.
  void read_templates(const node& from) {
    const auto value = from.find("chat_template");
    if (!value) return;
    if (value->value().IsString()) {
      out_.templates.push_back({"default", std::string(value->text()), value->path()});
      return;
    }
    out_.templates_have_names = true;
    for (std::size_t i = 0; i < value->size(); ++i) {
      const node each = value->at(i);
      put_template({std::string(each.at("name").text()), std::string(each.at("template").text()),
                    each.path()});
    }
  }
  void put_template(named_template given) {
    const auto at = std::ranges::find(out_.templates, given.name, &named_template::name);
    if (at == out_.templates.end())
      out_.templates.push_back(std::move(given));
    else
      *at = std::move(given);
  }

  /// Reads the template files, which override the templates of the config.
  void read_template_files() {
    constexpr const char* main_file = "chat_template.jinja";
    constexpr const char* folder = "additional_chat_templates";
    constexpr std::string_view ending = ".jinja";
    std::vector<named_template> found;
    if (auto text = files_.read(main_file))
      found.push_back({"default", *std::move(text), main_file});
    for (const std::string& name : files_.list(folder)) {
      if (!name.ends_with(ending)) continue;
      const std::string file = std::string(folder) + "/" + name;
      if (auto text = files_.read(file))
        found.push_back({name.substr(0, name.size() - ending.size()), *std::move(text), file});
    }
    if (!found.empty()) {
      out_.templates_have_names = found.size() > 1 || found[0].name != "default";
      out_.templates = std::move(found);
    }
    // The template of the processor, for models whose tokenizer does not have a template.
    if (out_.templates.empty()) {
      with("chat_template.json", [&](const node& top) { read_templates(top); });
    }
  }

  file_set& files_;
  model_config& out_;
};

}  // namespace

std::string_view model_config::token(std::string_view name) const {
  const auto at = std::ranges::find(special, name, &named_token::name);
  return at == special.end() ? std::string_view{} : at->token.content;
}

std::vector<added_token> model_config::to_add() const {
  std::unordered_set<std::string_view> named;
  for (const auto& each : special)
    named.insert(each.token.content);
  for (const auto& each : more_special)
    named.insert(each.content);

  std::vector<added_token> out;
  std::unordered_set<std::string_view> taken;
  const auto put = [&](const added_token& token) {
    if (!taken.insert(token.content).second) return;
    out.push_back(token);
    out.back().special = token.special || named.contains(token.content);
  };
  for (const auto& each : added)
    put(each.token);
  for (const auto& each : special)
    put(each.token);
  for (const auto& each : more_special)
    put(each);
  return out;
}

model_config read_model_config(file_set& files) {
  model_config out;
  reader(files, out).read();
  return out;
}

}  // namespace tokenizers::model_files
