#include "config/plan_builder.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/clock.hpp"
#include "base/text.hpp"
#include "config/derive.hpp"
#include "config/flag_settings.hpp"
#include "config/key_table.hpp"
#include "config/key_values.hpp"
#include "config/keys.hpp"
#include "config/named_reporter.hpp"
#include "config/plan_server.hpp"
#include "config/plugin_values.hpp"
#include "config/print.hpp"
#include "config/rules.hpp"
#include "config/upstream.hpp"
#include "metrics/goal.hpp"
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

live_display live_of(const key_values& values) {
  using view = live_display::view;
  if (!values.on("run.progress")) return {view::none, false};
  const options::option_value& given = values.at("run.live");
  if (!given.is_set) return {};
  if (given.text == upstream::screen_reporter) return {view::screen, true};
  return {given.text == "line" ? view::line : view::none, true};
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
        values_(from, used, env, keys),
        plugins_(values_, from, env, keys) {}

  plan build() {
    derive(values_, from_, used_, env_, keys_, warnings_);
    check_rules(values_, from_, used_, env_, warnings_);
    take_variables(values_, from_, env_);
    plan out;
    fill(out);
    print(out);
    refuse_shared_files(out.reporters);
    refuse_collections_on_standard_output(out.reporters);
    return out;
  }

 private:
  const options::option_value& at(std::string_view path) const { return values_.at(path); }
  bool on(std::string_view path) const { return values_.on(path); }
  std::optional<std::string> text(std::string_view path) const { return values_.text(path); }
  const options::option& key(std::string_view path) const { return values_.key(path); }

  void fill(plan& out) {
    out.seed = static_cast<std::uint64_t>(at("run.seed").integer);
    out.label = text("run.label");
    out.metadata = pairs_of(values_, "run.metadata", env_);
    out.files.journal = text("run.journal");
    out.files.folder = at("run.result-dir").text;
    out.files.saved = on("run.save-result") || on("run.append-result");
    out.live = live_of(values_);
    out.preparation.num_warmups = std::max<std::int64_t>(at("run.num-warmups").integer, 0);
    out.num_runs = at("run.num-runs").integer;
    options::option_value& ready = values_.at("run.ready-check-timeout");
    ready.integer = std::max<std::int64_t>(ready.integer, 0);
    out.preparation.ready_check_timeout_ns = static_cast<std::uint64_t>(ready.integer);
    out.preparation.profile = on("run.profile");
    if (const options::option_value& batch = at("run.profile-batch-threshold"); batch.is_set)
      out.preparation.profile_batch_threshold = batch.integer;
    out.preparation.profile_duration_ns =
        static_cast<std::uint64_t>(at("run.profile-duration").integer);
    out.preparation.reset_prefix_cache = on("run.reset-prefix-cache");
    out.dry_run = on("run.dry-run");

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

    if (used_.dataset) {
      out.dataset_name = used_.dataset->use;
      out.align_prompts =
          !used_.dataset->of_program || !upstream::is_never_aligned(used_.dataset->library.id());
    }
    out.media_left_out = used_.backend && used_.backend->of_program &&
                         upstream::leaves_out_media(used_.backend->library.id());
    const options::option_value& number = at("dataset.num-prompts");
    out.num_prompts = number.is_set ? std::optional(number.integer) : std::nullopt;
    if (const options::option_value& longest = at("run.max-model-len"); longest.is_set)
      out.max_model_len = longest.integer;
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
    fill_points(out);  // after the figures, to whose percentiles it adds
    fill_observe(out);
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
    fill_clients(out.load.clients);
    out.load.turn_body = at("load.turn-body").text;
    out.load.session_header = at("load.session-header").text;
    if (on("load.multi-turn")) fill_conversations(out.load);
    if (const options::option_value& timed = at("load.self-timed"); timed.is_set)
      out.load.self_timed = timed.integer != 0;
    if (const options::option_value& time = at("load.duration"); time.is_set)
      out.load.duration_ns = static_cast<std::uint64_t>(time.integer);
    out.load.probe_rate = std::max(at("load.probe-request-rate").number, 0.0);
  }

  // The load of --multi-turn, as in vLLM's Rust client.
  void fill_conversations(load& out) const {
    out.multi_turn.on = true;
    out.multi_turn.delay_ns =
        static_cast<std::uint64_t>(at("load.multi-turn-delay-ms").integer) * base::ns_per_ms;
    if (const options::option_value& most = at("load.multi-turn-concurrency"); most.is_set)
      out.max_concurrency = most.integer;
    if (!at("load.session-header").is_set) out.session_header = upstream::session_header;
    out.turn_body = with_least_length(out.turn_body);
  }

  // The members of each turn with the lower limit of the length, unless the user has given it, the
  // server ignores the end of the sequence, or the backend does not sample.
  std::string with_least_length(const std::string& turn_body) const {
    constexpr const char* member = "min_tokens";
    options::node members = options::node::table();
    if (!turn_body.empty()) members = options::parse_json_node(turn_body, "--turn-body");
    const options::option_value& body = at("backend.extra-body");
    const std::uint32_t codec = codec_flags(used_);
    const bool takes = (codec & IFB_CODEC_SAMPLING) != 0 && (codec & IFB_CODEC_POOLING) == 0;
    const bool given =
        members.find(member) != nullptr ||
        (body.is_set && options::parse_json_node(body.text, "").find(member) != nullptr);
    if (!takes || given || on("backend.ignore-eos") || !members.is(options::node::kind::table))
      return turn_body;
    members.set(member, options::node::of(std::string("$least_answer_tokens")));
    return options::to_json(members);
  }

  void fill_clients(conversation_clients& out) const {
    if (const options::option_value& number = at("load.conversation-clients"); number.is_set)
      out.number = static_cast<std::size_t>(number.integer);
    if (const options::option_value& most = at("load.conversation-requests"); most.is_set)
      out.requests = static_cast<std::uint64_t>(most.integer);
    out.random = at("load.conversation-order").text == "random";
    out.rate = at("load.conversation-rate").number;
    out.retries = static_cast<std::uint64_t>(at("load.conversation-retries").integer);
    out.warm_up = on("load.conversation-warm-up");
    out.early_stop = on("load.conversation-early-stop");
  }

  // The points of a sweep. check_rules() has refused values that no run can have.
  void fill_points(plan& out) const {
    const options::option_value& factor = at("load.sweep-num-prompts-factor");
    for (const std::string& text : at("load.sweep-max-concurrency").list) {
      load_point one;
      one.max_concurrency = static_cast<std::int64_t>(base::parse_float(text).value_or(1));
      one.label = "concurrency=" + std::to_string(*one.max_concurrency);
      if (factor.is_set) one.num_prompts = *one.max_concurrency * factor.integer;
      out.points.push_back(std::move(one));
    }
    for (const std::string& text : at("load.sweep-request-rate").list) {
      load_point one;
      one.request_rate = base::parse_float(text).value_or(0);
      one.label = fmt::format("rate={:.12g}", *one.request_rate);
      out.points.push_back(std::move(one));
    }
    if (out.points.empty()) return;
    // The median and the 90th percentile are always columns of the summary.
    for (const double p : {50.0, 90.0})
      add_percentile(p, out);
    for (const std::string& text : at("metrics.sweep-summary-percentiles").list)
      add_percentile(base::parse_float(text).value_or(0), out);
  }

  // The results also have the percentiles of the summary, because it is made from the same figures.
  static void add_percentile(double percentile, plan& out) {
    for (std::vector<double>* list : {&out.summary_percentiles, &out.figures.percentiles})
      if (std::ranges::find(*list, percentile) == list->end()) list->push_back(percentile);
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
    for (const std::string& goal : at("thresholds.goals").list)
      out.figures.thresholds.push_back(metrics::parse_goal(goal).text());
    out.figures.thresholds_certain = on("thresholds.certain");
    for (const std::string& p : at("metrics.metric-percentiles").list)
      out.figures.percentiles.push_back(base::parse_float(p).value_or(0));
    for (const std::string& goal : at("metrics.goodput").list) {
      const auto colon = goal.find(':');
      out.figures.goodput.emplace_back(goal.substr(0, colon),
                                       base::parse_float(goal.substr(colon + 1)).value_or(0));
    }
  }

  void fill_observe(plan& out) const {
    out.observe.wanted = at("observe.urls").is_set;
    out.observe.urls = at("observe.urls").list;
    for (const std::string& item : at("observe.names").list)
      for (const std::string_view name : base::split(item, ','))
        if (!base::trim(name).empty()) out.observe.names.emplace_back(base::trim(name));
    out.observe.power = on("observe.power");
    out.observe.interval_ns = static_cast<std::uint64_t>(at("observe.interval").integer);
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
        options::plugin_choice choice = plugins_.choice_of(*plugin, table);
        if (name == "backend")
          out.backend = std::move(choice);
        else if (name == "dataset")
          out.dataset = std::move(choice);
        else if (name == "tokenizer")
          out.tokenizer = std::move(choice);
        else
          out.scorer = std::move(choice);
      }
      if (name == "tokenizer")
        for (const used_plugin& after : used_.tokenizers_after)
          out.tokenizers_after.push_back(plugins_.choice_after(after, table));
      document.push_back(std::move(table));
    }
    for (const used_plugin& reporter : used_.reporters) {
      resolved_table table{"reporter", {}};
      const auto add = [&](const char* name, const std::string& text) {
        const options::node* given =
            reporter.table == nullptr ? nullptr : reporter.table->find(name);
        base::source_position where;
        if (given != nullptr)
          where = given->where;
        else if (reporter.named)
          where.file = "--reporter";
        table.keys.push_back({.declared = {.table = "reporter", .name = name},
                              .value = text_value(text, std::move(where))});
      };
      add("use", reporter.use);
      if (!reporter.sha256.empty()) add(digest_key, reporter.sha256);
      out.reporters.push_back(plugins_.choice_of(reporter, table));
      document.push_back(std::move(table));
    }
    out.toml = to_toml(document);
    out.toml_with_places = to_toml(document, places::shown);
    out.json = to_json(document);
    out.flags = settings_by_flag(document, from_, env_, keys_, used_.reporters).all();
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
    const base::source_position& where = at(k.path()).where;
    if (!used_.tokenizers_after.empty() && k.table == "tokenizer") return text_value("auto", where);
    const used_plugin* plugin = used_.of_table(k.table);
    if (plugin == nullptr && k.table == "scorer") return {};
    return text_value(plugin == nullptr ? "none" : plugin->use, where);
  }

  static options::option_value text_value(std::string text, base::source_position where) {
    options::option_value out;
    out.type = IFB_STRING;
    out.is_set = true;
    out.text = std::move(text);
    out.where = std::move(where);
    return out;
  }

  const sources& from_;
  const used_plugins& used_;
  const options::environment& env_;
  const std::vector<options::option>& keys_;
  std::vector<std::string>& warnings_;
  key_values values_;
  plugin_values plugins_;
};

}  // namespace

plan build_plan(const sources& from, const used_plugins& used, const options::environment& env,
                const std::vector<options::option>& keys, std::vector<std::string>& warnings) {
  return builder(from, used, env, keys, warnings).build();
}

}  // namespace inferbench::config
