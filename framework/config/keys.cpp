#include "config/keys.hpp"

#include <utility>

#include "config/key_table.hpp"

namespace inferbench::config {

options::option switched(std::string table, std::string name, std::string flag, std::string help) {
  options::option out;
  out.table = std::move(table);
  out.name = std::move(name);
  out.flag = std::move(flag);
  out.type = IFB_BOOL;
  out.help = std::move(help);
  out.fallback = "false";
  out.takes = options::arity::none;
  return out;
}

options::option digest_of_plugin(std::string table) {
  options::option out;
  out.table = std::move(table);
  out.name = digest_key;
  out.help = "Load the plugin only from a library with this SHA-256";
  out.value_name = "HEX";
  return out;
}

options::option old_spelling(options::option key, std::string flag) {
  key.help = "Old spelling of --" + key.flag;
  key.instead = std::exchange(key.flag, std::move(flag));
  key.advanced = true;
  key.required = false;
  key.fallback.reset();
  return key;
}

options::option handed_on(options::option key, options::undeclared otherwise) {
  key.general = true;
  key.forwarded = true;
  key.otherwise = otherwise;
  return key;
}

std::vector<options::option> host_keys() {
  key_table t;
  server_keys(t);
  backend_keys(t);
  tokenizer_keys(t);
  dataset_keys(t);
  load_keys(t);
  metric_keys(t);
  scorer_keys(t);
  observe_keys(t);
  result_keys(t);
  run_keys(t);
  return t.take();
}

std::vector<std::string> tables() {
  return {"run",        "server", "backend", "tokenizer", "dataset", "load",    "metrics",
          "thresholds", "scorer", "observe", "client",    "plugin",  "reporter"};
}

std::span<const std::string_view> keys_beside_the_load() noexcept {
  static constexpr std::string_view paths[] = {"run.save-result",
                                               "run.save-detailed",
                                               "run.append-result",
                                               "run.result-dir",
                                               "run.result-filename",
                                               "run.metadata",
                                               "run.label",
                                               "run.journal",
                                               "run.live",
                                               "run.plot-timeline",
                                               "run.timeline-itl-thresholds",
                                               "run.plot-dataset-stats",
                                               "run.require-valid",
                                               "run.progress",
                                               "dataset.salt",
                                               "dataset.request-id-prefix"};
  return paths;
}

std::vector<std::string> percentile_metrics() {
  return {"ttft", "tpot", "itl", "e2el", "client_queue_time", "e2el_including_client_queue"};
}

std::vector<std::string> goodput_metrics() { return {"ttft", "tpot", "e2el"}; }

}  // namespace inferbench::config
