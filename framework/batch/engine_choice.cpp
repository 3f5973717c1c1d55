#include "batch/engine_choice.hpp"

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

#include <inferbench/draft/batch_engine.h>

#include "base/error.hpp"
#include "base/text.hpp"
#include "offline/upstream.hpp"
#include "options/check.hpp"
#include "options/flag_value.hpp"
#include "options/option.hpp"
#include "options/refusal.hpp"

namespace inferbench::batch {

namespace {

using options::node;
using options::option;
using option_list = std::vector<offline::engine_option>;

std::string flag_of(const option& declared) {
  return declared.flag.empty() ? std::string() : "--" + declared.flag;
}

/// The values of a flag as a node; a switch without a value is on.
node node_of_values(const option& declared, std::vector<std::string> texts) {
  if (texts.empty() && declared.type == IFB_BOOL) texts.emplace_back("true");
  if (texts.empty()) throw options::usage_error("needs a value", {}, {flag_of(declared), 0, 0});
  for (const char* word : {"true", "false"})  // Python writes True
    if (declared.type == IFB_BOOL && base::equal_no_case(texts.front(), word)) texts.front() = word;
  return options::node_of_text(declared, texts, {flag_of(declared), 0, 0});
}

/// Removes from `from` the options that set the declared option, and returns the value; nullopt if
/// there are none. A later option replaces the value of an earlier option, except that --NAME.KEY
/// sets one member of a JSON option.
std::optional<node> taken(const option& declared, option_list& from) {
  if (declared.flag.empty()) return std::nullopt;
  std::optional<node> out;
  const std::string off = "no-" + declared.flag;
  const std::string member = declared.flag + ".";
  std::erase_if(from, [&](const offline::engine_option& each) {
    if (each.name == declared.flag) {
      out = node_of_values(declared, each.values);
      return true;
    }
    if (each.name == off && declared.type == IFB_BOOL && each.values.empty()) {
      out = node_of_values(declared, {"false"});
      return true;
    }
    if (!each.name.starts_with(member) || declared.type != IFB_JSON) return false;
    if (!out || !out->is(node::kind::table)) out = node::table();
    out->where = {"--" + each.name, 0, 0};
    offline::put_member(*out, each.name.substr(member.size()),
                        offline::engine_options({{"value", each.values}}).table().items.front());
    return true;
  });
  return out;
}

options::option_value value_for(const option& declared, option_list& given,
                                const std::string& model, const options::environment& env) {
  if (const auto found = taken(declared, given)) return options::check(declared, *found, env);
  if (declared.of_run && declared.name == "model" && !model.empty())
    return options::check(declared, node::of(model), env);
  options::option_value out = options::fallback_of(declared, env);
  if (!out.is_set && declared.required)
    throw base::error(
        declared.plugin + " needs a value for " + declared.name,
        declared.flag.empty() ? "give --" + declared.name : "give " + flag_of(declared));
  return out;
}

}  // namespace

engine_choice choose_engine(config::catalog& plugins, const std::string& name,
                            const offline::engine_options& given, const options::environment& env) {
  const offline::upstream::engine_plugin meant = offline::upstream::plugin_of(name);
  engine_choice out;
  out.plugin.use = name;
  out.plugin.library = plugins.load(IFB_BACKEND, meant.plugin, {});
  const plugin::loaded& library = out.plugin.library;
  if (library.query(IFB_BATCH_ENGINE) == nullptr)
    throw base::error("backend " + name + " takes single requests only and no batches",
                      "choose an engine such as vllm, or give --base-url to measure a server",
                      {"--backend", 0, 0});
  option_list rest = given.all();
  const std::string* const model = given.text("model");
  for (const ifb_option* each : library.options()) {
    option declared = options::option_of(*each, IFB_BACKEND, library.id());
    if (!meant.adapter.empty() && declared.name == meant.option) {
      out.plugin.values.push_back(
          options::check(declared, node::of(std::string(meant.adapter)), env));
      // An adapter of the user takes the place of upstream's.
      if (const auto own = taken(declared, rest))
        out.plugin.values.back() = options::check(declared, *own, env);
      continue;
    }
    out.plugin.values.push_back(
        value_for(declared, rest, model == nullptr ? std::string() : *model, env));
  }
  out.engine = offline::engine_options(std::move(rest)).table();
  return out;
}

}  // namespace inferbench::batch
