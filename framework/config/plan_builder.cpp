#include "config/plan_builder.hpp"

#include <algorithm>
#include <utility>

#include "base/text.hpp"
#include "config/derive.hpp"
#include "config/flag_settings.hpp"
#include "config/key_table.hpp"
#include "config/key_values.hpp"
#include "config/keys.hpp"
#include "config/named_reporter.hpp"
#include "config/plan_server.hpp"
#include "config/print.hpp"
#include "config/rules.hpp"
#include "options/check.hpp"
#include "options/forwarding.hpp"
#include "options/to_node.hpp"
#include "schedule/pattern_text.hpp"

namespace inferbench::config {

namespace {

std::string hex8(std::uint32_t bits) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string out;
  for (unsigned shift = 32; shift > 0; shift -= 4)
    out += digits[(bits >> (shift - 4)) & 15U];
  return out;
}

class builder {
 public:
  builder(const sources& from, const used_plugins& used, const options::environment& env,
          const std::vector<options::option>& keys, std::vector<std::string>& warnings)
      : from_(from),
        used_(used),
        env_(env),
        keys_(keys),
        warnings_(warnings),
        values_(from, used, env, keys) {}

  plan build() {
    derive(values_, from_, used_, env_, keys_, warnings_);
    check_rules(values_, from_, used_, env_, warnings_);
    take_variables(values_, from_, env_);
    plan out;
    fill(out);
    print(out);
    refuse_shared_files(out.reporters);
    return out;
  }

 private:
  const options::option_value& at(std::string_view path) const { return values_.at(path); }
  bool on(std::string_view path) const { return values_.on(path); }
  std::optional<std::string> text(std::string_view path) const { return values_.text(path); }
  const options::option& key(std::string_view path) const { return values_.key(path); }

  // The plugin with the values of its options. Adds the values that --print-config prints to
  // `table`.
  options::plugin_choice choice_of(const used_plugin& used, resolved_table& table) const {
    options::plugin_choice out;
    out.library = used.library;
    out.use = used.use;
    out.named = used.named;
    for (const options::option& declared : used.options) {
      bool own = true;
      options::option_value value = option_for(used, declared, own);
      value.type = declared.type;
      if (declared.required && !value.is_set && !comes_later(used, declared))
        throw base::error(declared.table + " " + used.use + " needs " + declared.name,
                          "set " + spelling(declared, used.kind),
                          used.table == nullptr ? base::source_position{} : used.table->where);
      if (own) table.keys.push_back({declared, value});
      out.values.push_back(std::move(value));
    }
    return out;
  }

  // The name of the flag or key that sets a plugin's option in this command.
  std::string spelling(const options::option& declared, ifb_kind kind) const {
    if (from_.who == options::for_run) return declared.path();
    const std::string_view flag = options::flag_for(declared, kind, keys_);
    return flag.empty() ? declared.path() : "--" + std::string(flag);
  }

  // Whether the value may be missing now: if the user names no model, the server's model is used
  // later.
  static bool comes_later(const used_plugin& used, const options::option& declared) {
    return declared.name == "model" && (used.kind == IFB_BACKEND || used.kind == IFB_TOKENIZER);
  }

  options::option_value option_for(const used_plugin& used, const options::option& declared,
                                   bool& own) const {
    if (used.kind == IFB_BACKEND && declared.name == "model") return payload_model(own);
    if (used.kind == IFB_BACKEND && declared.name == "api-key") return api_key(declared, own);
    // derive() changed these values, so they differ from the user's values.
    if (used.kind == IFB_BACKEND &&
        (declared.name == "extra-body" || declared.name == "ignore-eos"))
      if (at(declared.path()).is_set && derived(declared.path()))
        return options::converted(declared, key(declared.path()), at(declared.path()), env_);
    const std::string path =
        used.kind == IFB_REPORTER
            ? "reporter." + std::string(used.library.id()) + "." + declared.name
            : declared.path();
    const options::node* in_file =
        used.table == nullptr ? nullptr : used.table->find(declared.name);
    const auto given = given_for(declared, path, in_file, from_);
    if (used.kind == IFB_REPORTER && &declared == file_option(used.options)) {
      if (auto file = file_for(used, declared, given)) return *file;
    } else if (given) {
      return options::check(declared, *given, env_);
    }
    if (const std::string_view host = options::forwarded_path(used.kind, declared.name);
        !host.empty()) {
      own = false;
      const options::option_value& value = at(host);
      if (value.is_set) return options::converted(declared, key(host), value, env_);
    }
    return options::fallback_of(declared, env_);
  }

  // The file of a reporter, from --reporter or from the reporter's option. If neither gives a file
  // and --reporter names the reporter, the file is made from the name of the result. Otherwise
  // nullopt.
  std::optional<options::option_value> file_for(const used_plugin& used,
                                                const options::option& declared,
                                                const std::optional<options::node>& given) const {
    if (given && !used.file.empty() && declared.name == "file")
      throw base::error("two files are named for reporter " + used.use, "leave out =" + used.file,
                        given->where);
    options::option_value out;
    if (given && used.file.empty()) {
      out = options::check(declared, *given, env_);
    } else if (used.named) {
      const named_reporter asked{used.use, env_.expand(used.file)};
      options::node file =
          options::node::of(file_of(asked, used.options, at("run.result-dir").text));
      if (file.text.empty()) return std::nullopt;
      file.where = {"--reporter", 0, 0};
      out = options::check(declared, file, env_);
    } else {
      return std::nullopt;
    }
    const options::option_value& result = at("run.result-filename");
    if (declared.name == "file") out.text = with_result_name(out.text, result.text);
    return out;
  }

  bool derived(std::string_view path) const {
    return path == "backend.extra-body" || (path == "backend.ignore-eos" && on(path));
  }

  options::option_value payload_model(bool& own) const {
    own = false;
    const options::option_value& model = at("backend.model");
    const options::option_value& served = at("backend.served-model-name");
    return model.is_set && served.is_set && !served.text.empty() ? served : model;
  }

  options::option_value api_key(const options::option& declared, bool& own) const {
    own = false;
    options::option_value out;
    out.type = declared.type;
    out.text = api_key_of(values_, env_);
    out.is_set = !out.text.empty();
    return out;
  }

  void fill(plan& out) {
    out.seed = static_cast<std::uint64_t>(at("run.seed").integer);
    out.label = text("run.label");
    out.metadata = pairs_of(values_, "run.metadata", env_);
    out.files.journal = text("run.journal");
    out.files.folder = at("run.result-dir").text;
    out.files.saved = on("run.save-result") || on("run.append-result");
    out.progress = on("run.progress");
    out.preparation.num_warmups = std::max<std::int64_t>(at("run.num-warmups").integer, 0);
    out.num_runs = at("run.num-runs").integer;
    options::option_value& ready = values_.at("run.ready-check-timeout");
    ready.integer = std::max<std::int64_t>(ready.integer, 0);
    out.preparation.ready_check_timeout_ns = static_cast<std::uint64_t>(ready.integer);
    out.preparation.profile = on("run.profile");

    fill_server(out, values_, env_);

    out.model = at("backend.model").text;
    if (!out.model.empty())
      out.served_model = at("backend.served-model-name").text;
    else if (at("backend.served-model-name").is_set)
      warnings_.push_back(name_for(from_.who, key("backend.served-model-name")) +
                          " has no effect without " + name_for(from_.who, key("backend.model")));
    out.lora_modules = at("backend.lora-modules").list;
    out.lora_round_robin = at("backend.lora-assignment").text == "round-robin";
    out.tokenizer_id = at("tokenizer.path").text;

    if (used_.dataset) out.dataset_name = used_.dataset->use;
    out.num_prompts = at("dataset.num-prompts").integer;
    out.oversample = !on("dataset.no-oversample");
    out.shuffle = !on("dataset.disable-shuffle");
    options::option_value& prefix = values_.at("dataset.request-id-prefix");
    if (!prefix.is_set) {
      prefix.is_set = true;
      prefix.text = "bench-" + hex8(env_.random()) + "-";
    }
    out.request_id_prefix = prefix.text;
    // --print-config prints `auto`, so a run with the printed settings draws a new salt.
    const std::string& salt = at("dataset.salt").text;
    out.salt = salt == "auto" ? "[" + hex8(env_.random()) + "] " : salt;

    fill_load(out);
    out.workers = static_cast<int>(at("client.workers").integer);
    if (const options::option_value& ahead = at("client.connections-ahead"); ahead.is_set)
      out.connections_ahead = static_cast<std::uint64_t>(ahead.integer);
    const std::string& stamping = at("client.timestamps").text;
    out.stamping = stamping == "kernel"   ? base::stamping::kernel
                   : stamping == "client" ? base::stamping::client
                                          : base::stamping::automatic;
    out.require_valid = on("run.require-valid");
    out.calibrate = on("run.calibrate");
    fill_metrics(out);
  }

  // At most one of load.traffic, load.ramp-up-strategy and load.request-rate is given (rules.hpp).
  schedule::pattern traffic() const {
    if (const auto pattern = text("load.traffic")) return schedule::parse_pattern(*pattern);
    if (const auto strategy = text("load.ramp-up-strategy"))
      return schedule::ramp{*strategy == "exponential",
                            static_cast<double>(at("load.ramp-up-start-rps").integer),
                            static_cast<double>(at("load.ramp-up-end-rps").integer)};
    return schedule::of_rate(at("load.request-rate").number);
  }

  void fill_load(plan& out) const {
    out.load.traffic = traffic();
    out.load.burstiness = at("load.burstiness").number;
    if (const options::option_value& most = at("load.max-concurrency"); most.is_set)
      out.load.max_concurrency = most.integer;
    if (const options::option_value& most = at("load.max-active-conversations"); most.is_set)
      out.load.max_active_conversations = static_cast<std::size_t>(most.integer);
    if (const options::option_value& timed = at("load.self-timed"); timed.is_set)
      out.load.self_timed = timed.integer != 0;
    out.load.probe_rate = std::max(at("load.probe-request-rate").number, 0.0);
  }

  void fill_metrics(plan& out) const {
    out.figures.bounded = at("metrics.summary").text == "bounded";
    out.figures.cached_tokens = on("metrics.report-cached-tokens");
    out.figures.strict_answers = on("metrics.strict-answers");
    out.figures.steady_state.wanted = on("metrics.steady-state");
    out.figures.steady_state.threshold = at("metrics.steady-state-threshold").number;
    if (const options::option_value& window = at("metrics.steady-state-min-window"); window.is_set)
      out.figures.steady_state.min_window_ns = static_cast<std::uint64_t>(window.integer);
    out.figures.selected = at("metrics.percentile-metrics").list;
    for (const std::string& p : at("metrics.metric-percentiles").list)
      out.figures.percentiles.push_back(base::parse_float(p).value_or(0));
    for (const std::string& goal : at("metrics.goodput").list) {
      const auto colon = goal.find(':');
      out.figures.goodput.emplace_back(goal.substr(0, colon),
                                       base::parse_float(goal.substr(colon + 1)).value_or(0));
    }
  }

  // Makes the texts for --print-config and results. Also makes the plugin choices, because the
  // texts contain their values.
  void print(plan& out) {
    std::vector<resolved_table> document;
    for (const std::string& name : tables()) {
      if (name == "reporter") continue;
      resolved_table table{name, {}};
      const used_plugin* plugin = used_.of_table(name);
      for (const options::option& k : keys_)
        if (k.table == name && printed(k, plugin, table)) table.keys.push_back({k, shown(k)});
      if (plugin != nullptr) {
        options::plugin_choice choice = choice_of(*plugin, table);
        if (name == "backend")
          out.backend = std::move(choice);
        else if (name == "dataset")
          out.dataset = std::move(choice);
        else
          out.tokenizer = std::move(choice);
      }
      if (name == "tokenizer")
        for (const used_plugin& after : used_.tokenizers_after)
          out.tokenizers_after.push_back(choice_after(after, table));
      document.push_back(std::move(table));
    }
    for (const used_plugin& reporter : used_.reporters) {
      resolved_table table{
          "reporter",
          {{.declared = {.table = "reporter", .name = "use"}, .value = text_value(reporter.use)}}};
      if (!reporter.sha256.empty())
        table.keys.push_back({.declared = {.table = "reporter", .name = digest_key},
                              .value = text_value(reporter.sha256)});
      out.reporters.push_back(choice_of(reporter, table));
      document.push_back(std::move(table));
    }
    out.toml = to_toml(document);
    out.json = to_json(document);
    out.flags = settings_by_flag(document, from_, env_, keys_).all();
  }

  // A plugin of tokenizers_after. Only the options that the user set are printed.
  options::plugin_choice choice_after(const used_plugin& used, resolved_table& table) const {
    resolved_table own{table.name, {}};
    options::plugin_choice out = choice_of(used, own);
    for (resolved_key& key : own.keys)
      if (key.value.where.known() &&
          std::ranges::none_of(table.keys, [&](const resolved_key& other) {
            return other.declared.name == key.declared.name;
          }))
        table.keys.push_back(std::move(key));
    return out;
  }

  bool printed(const options::option& k, const used_plugin* plugin,
               const resolved_table& table) const {
    if (!k.member.empty()) return false;
    if (from_.who != options::for_run && (k.commands & from_.who) == 0) return false;
    const std::string path = k.path();
    const bool whole = at("server.base-url").is_set;
    if (whole && (path == "server.host" || path == "server.port")) return false;
    const bool declared = plugin != nullptr && plugin->find(k.name) != nullptr;
    const bool elsewhere = k.forwarded && (declared || k.otherwise != options::undeclared::kept);
    const bool twice = std::ranges::any_of(
        table.keys, [&](const resolved_key& r) { return r.declared.name == k.name; });
    return !elsewhere && !twice;
  }

  options::option_value shown(const options::option& k) const {
    if (k.name != "use") return at(k.path());
    if (!used_.tokenizers_after.empty() && k.table == "tokenizer") return text_value("auto");
    const used_plugin* plugin = used_.of_table(k.table);
    return text_value(plugin == nullptr ? "none" : plugin->use);
  }

  static options::option_value text_value(std::string text) {
    options::option_value out;
    out.type = IFB_STRING;
    out.is_set = true;
    out.text = std::move(text);
    return out;
  }

  const sources& from_;
  const used_plugins& used_;
  const options::environment& env_;
  const std::vector<options::option>& keys_;
  std::vector<std::string>& warnings_;
  key_values values_;
};

}  // namespace

plan build_plan(const sources& from, const used_plugins& used, const options::environment& env,
                const std::vector<options::option>& keys, std::vector<std::string>& warnings) {
  return builder(from, used, env, keys, warnings).build();
}

}  // namespace inferbench::config
