#include "config/plan_builder.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "base/text.hpp"
#include "config/check.hpp"
#include "config/derive.hpp"
#include "config/key_values.hpp"
#include "config/keys.hpp"
#include "config/print.hpp"

namespace inferbench::config {

namespace {

// A plugin's option that answers to a host key of another name.
struct forwarding {
  ifb_kind kind;
  std::string_view name;
  std::string_view path;
};
constexpr std::array forwardings{forwarding{IFB_TOKENIZER, "model", "backend.model"},
                                 forwarding{IFB_REPORTER, "result-dir", "run.result-dir"},
                                 forwarding{IFB_REPORTER, "result-filename", "run.result-filename"},
                                 forwarding{IFB_REPORTER, "save-detailed", "run.save-detailed"},
                                 forwarding{IFB_REPORTER, "append-result", "run.append-result"},
                                 forwarding{IFB_REPORTER, "label", "run.label"},
                                 forwarding{IFB_REPORTER, "metadata", "run.metadata"}};

std::string hex8(std::uint32_t bits) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string out;
  for (unsigned shift = 32; shift > 0; shift -= 4)
    out += digits[(bits >> (shift - 4)) & 15U];
  return out;
}

class builder {
 public:
  builder(const sources& from, const used_plugins& used, const environment& env,
          const std::vector<option>& keys, std::vector<std::string>& warnings)
      : from_(from),
        used_(used),
        env_(env),
        keys_(keys),
        warnings_(warnings),
        values_(from, used, env, keys) {}

  plan build() {
    derive(values_, from_, used_, env_, keys_, warnings_);
    plan out;
    fill(out);
    print(out);
    return out;
  }

 private:
  const option_value& at(std::string_view path) const { return values_.at(path); }
  bool on(std::string_view path) const { return values_.on(path); }
  std::optional<std::string> text(std::string_view path) const { return values_.text(path); }
  const option& key(std::string_view path) const { return values_.key(path); }

  // Values for the options of a plugin; what is printed of them goes to `table`.
  plugin_choice choice_of(const used_plugin& used, resolved_table& table) const {
    plugin_choice out;
    out.library = used.library;
    out.use = used.use;
    for (const option& declared : used.options) {
      bool own = true;
      option_value value = option_for(used, declared, own);
      value.type = declared.type;
      if (declared.required && !value.is_set && !comes_later(used, declared))
        throw base::error(declared.table + " " + used.use + " needs " + declared.name,
                          "set " + spelling(declared),
                          used.table == nullptr ? base::source_position{} : used.table->where);
      if (own) table.keys.push_back({declared, value});
      out.values.push_back(std::move(value));
    }
    return out;
  }

  // How the user of this command sets a plugin's option.
  std::string spelling(const option& declared) const {
    if (from_.who == for_run) return declared.path();
    if (!declared.flag.empty()) return "--" + declared.flag;
    const auto general = std::ranges::find_if(
        keys_, [&](const option& k) { return k.forwarded && k.path() == declared.path(); });
    return general == keys_.end() ? declared.path() : "--" + general->flag;
  }

  // The model is the server's to say when the user does not.
  static bool comes_later(const used_plugin& used, const option& declared) {
    return declared.name == "model" && (used.kind == IFB_BACKEND || used.kind == IFB_TOKENIZER);
  }

  option_value option_for(const used_plugin& used, const option& declared, bool& own) const {
    if (used.kind == IFB_BACKEND && declared.name == "model") return payload_model(own);
    if (used.kind == IFB_BACKEND && declared.name == "api-key") return api_key(declared, own);
    // What derive() made of these is not what was said.
    if (used.kind == IFB_BACKEND &&
        (declared.name == "extra-body" || declared.name == "ignore-eos"))
      if (at(declared.path()).is_set && derived(declared.path()))
        return converted(declared, key(declared.path()), at(declared.path()), env_);
    const std::string path =
        used.kind == IFB_REPORTER
            ? "reporter." + std::string(used.library.id()) + "." + declared.name
            : declared.path();
    const node* in_file = used.table == nullptr ? nullptr : used.table->find(declared.name);
    if (const auto given = given_for(declared, path, in_file, from_))
      return check(declared, *given, env_);
    for (const forwarding& f : forwardings) {
      if (f.kind != used.kind || f.name != declared.name) continue;
      own = false;
      const option_value& value = at(f.path);
      if (value.is_set) return converted(declared, key(f.path), value, env_);
    }
    return fallback_of(declared, env_);
  }

  bool derived(std::string_view path) const {
    return path == "backend.extra-body" || (path == "backend.ignore-eos" && on(path));
  }

  option_value payload_model(bool& own) const {
    own = false;
    const option_value& model = at("backend.model");
    const option_value& served = at("backend.served-model-name");
    return model.is_set && served.is_set && !served.text.empty() ? served : model;
  }

  option_value api_key(const option& declared, bool& own) const {
    own = false;
    option_value out;
    out.type = declared.type;
    out.text = key_of_server();
    out.is_set = !out.text.empty();
    return out;
  }

  std::string key_of_server() const {
    if (const auto given = text("server.api-key")) return *given;
    const std::string* usual = env_.find("OPENAI_API_KEY");
    return usual == nullptr ? std::string{} : *usual;
  }

  fields pairs(std::string_view path) const {
    fields out;
    const option_value& value = at(path);
    for (const std::string& item : value.list)
      out.push_back(resolve_pair(item, env_, value.where));
    return out;
  }

  std::vector<std::string> base_urls() const {
    const option_value& given = at("server.base-url");
    if (given.is_set) {
      for (const std::string& one : given.list)
        if (!looks_like_url(one))
          throw base::error("expected a URL such as http://127.0.0.1:8000, not \"" + one + "\"", {},
                            given.where);
      return given.list;
    }
    std::string host = at("server.host").text;
    if (host.empty() || host.find_first_of(" \t\r\n/") != std::string::npos)
      throw base::error("expected the name or address of a host, not \"" + host + "\"",
                        "use --base-url for a whole address", at("server.host").where);
    if (host.find(':') != std::string::npos && host.front() != '[') host = "[" + host + "]";
    return {"http://" + host + ":" + std::to_string(at("server.port").integer)};
  }

  // transport::parse_url has the last word, when the run begins.
  static bool looks_like_url(std::string_view text) {
    const auto scheme = text.find("://");
    const bool web = (text.starts_with("http://") || text.starts_with("https://")) &&
                     text.size() > scheme + 3 && text[scheme + 3] != '/';
    const bool local = text.starts_with("unix:") && text.size() > 5;
    return (web || local) && text.find_first_of(" \t\r\n") == std::string_view::npos;
  }

  void fill_server(plan& out) const {
    const auto number = [&](std::string_view path) {
      return static_cast<std::uint64_t>(at(path).integer);
    };
    auto& server = out.server;
    server.base_urls = base_urls();
    server.headers = pairs("server.header");
    server.api_key = key_of_server();
    server.connect_timeout_ns = number("server.connect-timeout");
    server.first_byte_timeout_ns = number("server.first-byte-timeout");
    server.idle_timeout_ns = number("server.idle-timeout");
    server.request_timeout_ns = number("server.request-timeout");
    server.stall_warning_ns = number("server.stall-warning");
    server.max_message = number("server.max-message");
    server.max_answer = number("server.max-answer");
    server.ca_cert = at("server.ca-cert").text;
    server.client_cert = at("server.client-cert").text;
    server.client_key = at("server.client-key").text;
    if (server.client_cert.empty() && !server.client_key.empty())
      throw base::error("a key without a certificate", "give it with --client-cert",
                        at("server.client-key").where);
    server.insecure = on("server.insecure");
    fill_proxies(out);
  }

  // The usual variables, in both spellings; upstream's client reads them, too.
  void fill_proxies(plan& out) const {
    const auto variable = [&](std::string_view lower, std::string_view upper) {
      const std::string* found = env_.find(lower);
      if (found == nullptr || found->empty()) found = env_.find(upper);
      return found == nullptr ? std::string{} : *found;
    };
    auto& server = out.server;
    const auto given = text("server.proxy");
    if (given && *given == "none") return;
    if (given) {
      server.http_proxy = server.https_proxy = *given;
      return;
    }
    server.http_proxy = variable("http_proxy", "HTTP_PROXY");
    server.https_proxy = variable("https_proxy", "HTTPS_PROXY");
    server.no_proxy = variable("no_proxy", "NO_PROXY");
  }

  void fill(plan& out) {
    out.seed = static_cast<std::uint64_t>(at("run.seed").integer);
    out.label = text("run.label");
    out.metadata = pairs("run.metadata");
    out.journal = text("run.journal");
    out.result_dir = at("run.result-dir").text;
    out.save_result = on("run.save-result") || on("run.append-result");
    if (out.save_result && std::ranges::none_of(used_.reporters, [](const used_plugin& r) {
          return r.find("append-result") != nullptr;
        }))
      warnings_.push_back(
          "no result is saved: the file names its reporters, and none of them writes one; add "
          "[[reporter]] with use = \"json\"");
    out.progress = on("run.progress");
    out.num_warmups = at("run.num-warmups").integer;
    option_value& ready = values_.at("run.ready-check-timeout");
    ready.integer = std::max<std::int64_t>(ready.integer, 0);
    out.ready_check_timeout_ns = static_cast<std::uint64_t>(ready.integer);
    out.profile = on("run.profile");

    fill_server(out);

    out.model = at("backend.model").text;
    if (!out.model.empty())
      out.served_model = at("backend.served-model-name").text;
    else if (at("backend.served-model-name").is_set)
      warnings_.push_back("--served-model-name has no effect without --model");
    out.tokenizer_id = at("tokenizer.path").text;

    out.dataset_name = used_.dataset->use;
    out.num_prompts = at("dataset.num-prompts").integer;
    out.oversample = !on("dataset.no-oversample");
    out.shuffle = !on("dataset.disable-shuffle");
    option_value& prefix = values_.at("dataset.request-id-prefix");
    if (!prefix.is_set) {
      prefix.is_set = true;
      prefix.text = "bench-" + hex8(env_.random()) + "-";
    }
    out.request_id_prefix = prefix.text;

    out.load.request_rate = at("load.request-rate").number;
    out.load.burstiness = at("load.burstiness").number;
    if (const option_value& most = at("load.max-concurrency"); most.is_set)
      out.load.max_concurrency = most.integer;
    out.workers = static_cast<int>(at("client.workers").integer);
    if (const option_value& ahead = at("client.connections-ahead"); ahead.is_set)
      out.connections_ahead = static_cast<std::uint64_t>(ahead.integer);
    const std::string& stamping = at("client.timestamps").text;
    out.stamping = stamping == "kernel"   ? base::stamping::kernel
                   : stamping == "client" ? base::stamping::client
                                          : base::stamping::automatic;
    out.require_valid = on("run.require-valid");
    out.calibrate = on("run.calibrate");
    out.metrics.bounded = at("metrics.summary").text == "bounded";

    out.metrics.selected = at("metrics.percentile-metrics").list;
    for (const std::string& p : at("metrics.metric-percentiles").list)
      out.metrics.percentiles.push_back(base::parse_float(p).value_or(0));
    for (const std::string& goal : at("metrics.goodput").list) {
      const auto colon = goal.find(':');
      out.metrics.goodput.emplace_back(goal.substr(0, colon),
                                       base::parse_float(goal.substr(colon + 1)).value_or(0));
    }
  }

  // Also makes the plugin choices, since their values are what is printed.
  void print(plan& out) {
    std::vector<resolved_table> document;
    for (const std::string& name : tables()) {
      if (name == "reporter") continue;
      resolved_table table{name, {}};
      const used_plugin* plugin = used_.of_table(name);
      for (const option& k : keys_)
        if (k.table == name && printed(k, plugin, table)) table.keys.push_back({k, shown(k)});
      if (plugin != nullptr) {
        plugin_choice choice = choice_of(*plugin, table);
        if (name == "backend")
          out.backend = std::move(choice);
        else if (name == "dataset")
          out.dataset = std::move(choice);
        else
          out.tokenizer = std::move(choice);
      }
      document.push_back(std::move(table));
    }
    for (const used_plugin& reporter : used_.reporters) {
      resolved_table table{
          "reporter",
          {{.declared = {.table = "reporter", .name = "use"}, .value = text_value(reporter.use)}}};
      out.reporters.push_back(choice_of(reporter, table));
      document.push_back(std::move(table));
    }
    out.toml = to_toml(document);
    out.json = to_json(document);
  }

  bool printed(const option& k, const used_plugin* plugin, const resolved_table& table) const {
    if (!k.member.empty()) return false;
    if (from_.who == for_dataset_show && (k.commands & for_dataset_show) == 0) return false;
    const std::string path = k.path();
    const bool whole = at("server.base-url").is_set;
    if (whole && (path == "server.host" || path == "server.port")) return false;
    const bool declared = plugin != nullptr && plugin->find(k.name) != nullptr;
    const bool elsewhere = k.forwarded && (declared || k.otherwise != undeclared::kept);
    const bool twice = std::ranges::any_of(
        table.keys, [&](const resolved_key& r) { return r.declared.name == k.name; });
    return !elsewhere && !twice;
  }

  option_value shown(const option& k) const {
    if (k.name != "use") return at(k.path());
    const used_plugin* plugin = used_.of_table(k.table);
    return text_value(plugin == nullptr ? "none" : plugin->use);
  }

  static option_value text_value(std::string text) {
    option_value out;
    out.type = IFB_STRING;
    out.is_set = true;
    out.text = std::move(text);
    return out;
  }

  const sources& from_;
  const used_plugins& used_;
  const environment& env_;
  const std::vector<option>& keys_;
  std::vector<std::string>& warnings_;
  key_values values_;
};

}  // namespace

plan build_plan(const sources& from, const used_plugins& used, const environment& env,
                const std::vector<option>& keys, std::vector<std::string>& warnings) {
  return builder(from, used, env, keys, warnings).build();
}

}  // namespace inferbench::config
