#include "config/derive.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/text.hpp"
#include "config/keys.hpp"
#include "config/upstream.hpp"
#include "options/check.hpp"
#include "options/flag_value.hpp"
#include "options/to_node.hpp"

namespace inferbench::config {

namespace {

class deriver {
 public:
  deriver(key_values& values, const sources& from, const used_plugins& used,
          const options::environment& env, const std::vector<options::option>& keys,
          std::vector<std::string>& warnings)
      : values_(values), from_(from), used_(used), env_(env), keys_(keys), warnings_(warnings) {}

  void derive() {
    refuse_undeclared();
    if (!used_.backend) return;
    // Without a number of its own, a run that ends at a time has any number of requests.
    if (values_.at("load.duration").is_set && !is_given("dataset.num-prompts", from_))
      values_.at("dataset.num-prompts").is_set = false;
    const std::uint32_t flags = codec_flags(used_);
    sampling(flags);
    metrics(flags);
    // Answers to synthetic prompts have a wanted length, as in upstream. In conversations the least
    // length of each turn takes this place.
    if (!values_.on("load.multi-turn") && (flags & IFB_CODEC_SAMPLING) != 0 &&
        (plugin::dataset_flags(used_.dataset->library) & IFB_DATASET_SYNTHETIC) != 0 &&
        !is_given("backend.ignore-eos", from_))
      values_.at("backend.ignore-eos").integer = 1;
  }

 private:
  // Refuses general flags for which the plugin in use has no option, or warns that they have no
  // effect.
  void refuse_undeclared() {
    for (const options::option& k : keys_) {
      if (!k.forwarded || k.otherwise == options::undeclared::kept || !is_given(k.path(), from_))
        continue;
      if (!k.instead.empty())
        continue;  // the new flag, which is also in the table, is checked
                   // instead
      const used_plugin* plugin = used_.of_table(k.table);
      if (plugin == nullptr || plugin->find(k.name) != nullptr) continue;
      const std::string why = k.table + " " + plugin->use + " has no option " + k.name;
      if (k.otherwise == options::undeclared::refused)
        throw base::error(why + " for \"" + values_.at(k.path()).text + "\"",
                          "leave it out or choose another " + k.table, values_.at(k.path()).where);
      for (const setting& s : from_.line)
        if (s.path == k.path()) warnings_.push_back(s.where.file + " has no effect: " + why);
    }
  }

  // Chooses the metrics with percentiles by the task, unless the user has chosen them.
  void metrics(std::uint32_t flags) {
    options::option_value& chosen = values_.at("metrics.percentile-metrics");
    if (!chosen.is_set || chosen.list.empty()) {
      chosen.is_set = true;
      chosen.list = (flags & IFB_CODEC_POOLING) != 0
                        ? std::vector<std::string>{"e2el"}
                        : std::vector<std::string>{"ttft", "tpot", "itl"};
      // This is the default of vLLM's Rust client.
      if (values_.on("load.multi-turn") && (flags & IFB_CODEC_POOLING) == 0)
        chosen.list.emplace_back("e2el");
    }
    const std::vector<std::string> known = percentile_metrics();
    for (const std::string& name : chosen.list) {
      if (std::ranges::find(known, name) != known.end()) continue;
      const std::string near = base::did_you_mean(base::lower_case(name), known);
      std::string& told = warnings_.emplace_back(fmt::format(
          "no percentiles of {}: there is no such metric, only {}", name, fmt::join(known, ", ")));
      if (!near.empty()) told.append("; ").append(near);
    }
  }

  // The remedy for a sampling flag with a backend that takes no sampling flags.
  std::string instead_of(std::string member) const {
    std::ranges::replace(member, '_', '-');
    if (const options::option* own = used_.backend->find(member)) return "use --" + own->flag;
    if (used_.backend->find("extra-body") == nullptr) return "leave it out";
    return "put what its server understands into --extra-body";
  }

  // The setting of temperature 0, in the notation of the user's command.
  std::string greedy_temperature() const {
    const auto key = std::ranges::find(keys_, "temperature", &options::option::member);
    return name_for(from_.who, *key) + (from_.who == options::for_run ? " = 0" : " 0");
  }

  // Puts the values of sampling flags into extra-body; the user's own members of extra-body take
  // precedence.
  void sampling(std::uint32_t flags) {
    options::node below = options::node::table();
    const setting* first = nullptr;
    std::vector<std::string> given;
    for (const options::option& k : keys_) {
      if (k.member.empty()) continue;
      for (const setting& s : from_.line) {
        if (s.path != k.path() || s.member != k.member) continue;
        first = first == nullptr ? &s : first;
        given.push_back(s.where.file);
        if (upstream::lacks_sampling(used_.backend->library.id(), k.member))
          throw base::error("the protocol of backend " + used_.backend->use + " has no " +
                                k.member + ", so " + s.texts.front() + " cannot be sent",
                            "leave it out, or choose another backend", s.where);
        below.set(k.member,
                  options::node_of(
                      k, options::check(k, options::node_of_text(k, s.texts, s.where), env_)));
      }
    }
    options::option_value& body = values_.at("backend.extra-body");
    options::node above = body.is_set ? options::parse_json_node(body.text, body.where.text())
                                      : options::node::table();
    const bool takes = (flags & IFB_CODEC_SAMPLING) != 0;
    const bool pooling = (flags & IFB_CODEC_POOLING) != 0;
    if (first != nullptr && !takes && !pooling)
      throw base::error("backend " + used_.backend->use + " takes no sampling flags, so " +
                            first->texts.front() + " cannot be sent",
                        instead_of(first->member), first->where);
    if (first != nullptr && pooling)
      warnings_.push_back(fmt::format("{} {} no effect: backend {} does not generate",
                                      fmt::join(given, ", "), given.size() == 1 ? "has" : "have",
                                      used_.backend->use));
    else if (first != nullptr && used_.backend->find("extra-body") == nullptr)
      throw base::error("backend " + used_.backend->use + " has no option extra-body, so " +
                            first->texts.front() + " cannot be sent",
                        instead_of(first->member), first->where);
    else if (first != nullptr && above.is(options::node::kind::table)) {
      for (std::size_t i = 0; i < above.items.size(); ++i)
        below.set(above.names[i], std::move(above.items[i]));
      body.is_set = true;
      body.text = options::to_json(below);
      if (!body.where.known()) body.where = first->where;
      above = std::move(below);
    }
    if (takes && !pooling && above.find("temperature") == nullptr)
      warnings_.push_back("no temperature is given, so the server's own applies; " +
                          greedy_temperature() + " makes decoding greedy");
    if (!above.is(options::node::kind::table))
      throw base::error((body.where.file.starts_with("--") ? "" : "backend.extra-body: ") +
                            std::string("expected a JSON object, not ") + body.text,
                        "give an object, such as {\"top_k\": 40}", body.where);
  }

  key_values& values_;
  const sources& from_;
  const used_plugins& used_;
  const options::environment& env_;
  const std::vector<options::option>& keys_;
  std::vector<std::string>& warnings_;
};

}  // namespace

std::uint32_t codec_flags(const used_plugins& used) {
  if (!used.backend) return 0;
  const auto* codec =
      static_cast<const ifb_http_codec*>(used.backend->library.query(IFB_HTTP_CODEC));
  return codec == nullptr ? 0 : codec->flags;
}

void derive(key_values& values, const sources& from, const used_plugins& used,
            const options::environment& env, const std::vector<options::option>& keys,
            std::vector<std::string>& warnings) {
  deriver(values, from, used, env, keys, warnings).derive();
}

}  // namespace inferbench::config
