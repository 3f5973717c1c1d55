#include "config/keys.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

namespace inferbench::config {

namespace {

constexpr double unbounded = std::numeric_limits<double>::infinity();
constexpr std::uint8_t shown = for_serve | for_dataset_show;
constexpr std::uint8_t everywhere = for_serve | for_run | for_dataset_show;

// Two shapes of key that come in numbers.
option switched(std::string table, std::string name, std::string flag, std::string help) {
  option out;
  out.table = std::move(table);
  out.name = std::move(name);
  out.flag = std::move(flag);
  out.type = IFB_BOOL;
  out.help = std::move(help);
  out.fallback = "false";
  out.takes = arity::none;
  return out;
}

option sampling(std::string member, std::string flag, ifb_type type, std::string help) {
  option out;
  out.table = "backend";
  out.name = "extra-body";
  out.member = std::move(member);
  out.flag = std::move(flag);
  out.type = type;
  out.help = std::move(help);
  return out;
}

class key_table {
 public:
  void group(std::string title) { group_ = std::move(title); }
  void add(option key) {
    key.group = group_;
    keys_.push_back(std::move(key));
  }
  std::vector<option> take() { return std::move(keys_); }

 private:
  std::string group_;
  std::vector<option> keys_;
};

void server_keys(key_table& t) {
  t.group("server");
  t.add({.table = "server",
         .name = "base-url",
         .flag = "base-url",
         .type = IFB_STRINGS,
         .help = "Addresses of the server, without the endpoint; several take requests in turn; "
                 "replace host and port",
         .value_name = "URL",
         .takes = arity::some,
         .commands = shown});
  t.add({.table = "server",
         .name = "host",
         .flag = "host",
         .help = "Host of the server",
         .fallback = "\"127.0.0.1\"",
         .commands = shown});
  t.add({.table = "server",
         .name = "port",
         .flag = "port",
         .type = IFB_INT,
         .help = "Port of the server",
         .value_name = "PORT",
         .fallback = "8000",
         .minimum = 1,
         .maximum = 65535,
         .commands = shown});
  t.add({.table = "server",
         .name = "header",
         .flag = "header",
         .type = IFB_STRINGS,
         .help = "Headers to send with each request",
         .shape = form::pairs,
         .takes = arity::any,
         .secret = true,
         .commands = shown});
  t.add({.table = "server",
         .name = "api-key",
         .help = "Sent as a bearer token; $OPENAI_API_KEY if not given",
         .secret = true,
         .commands = shown});
  t.add({.table = "server",
         .name = "connect-timeout",
         .flag = "connect-timeout",
         .type = IFB_DURATION,
         .help = "Give up on a connection that takes longer",
         .fallback = "\"10s\"",
         .maximum = unbounded,
         .above = true,
         .commands = shown});
  t.add({.table = "server",
         .name = "first-byte-timeout",
         .flag = "first-byte-timeout",
         .type = IFB_DURATION,
         .help = "Fail a request whose answer has not begun by then; 0: never",
         .fallback = "\"0s\"",
         .maximum = unbounded,
         .commands = shown});
  t.add({.table = "server",
         .name = "idle-timeout",
         .flag = "idle-timeout",
         .type = IFB_DURATION,
         .help = "Fail a request whose answer stands still for longer; 0: never",
         .fallback = "\"0s\"",
         .maximum = unbounded,
         .commands = shown});
  t.add({.table = "server",
         .name = "request-timeout",
         .flag = "request-timeout",
         .type = IFB_DURATION,
         .help = "Fail a request that takes longer as a whole; 0: never",
         .fallback = "\"6h\"",
         .maximum = unbounded,
         .commands = shown});
  t.add({.table = "server",
         .name = "stall-warning",
         .flag = "stall-warning",
         .type = IFB_DURATION,
         .help = "Name a request that has been silent for as long, while it is; 0: never",
         .fallback = "\"60s\"",
         .maximum = unbounded,
         .commands = shown});
  t.add({.table = "server",
         .name = "max-message",
         .flag = "max-message",
         .type = IFB_SIZE,
         .help = "Fail a request that is sent a longer event, line or unstreamed answer",
         .fallback = "\"64MiB\"",
         .minimum = 1024,
         .maximum = unbounded,
         .commands = shown});
  t.add({.table = "server",
         .name = "max-answer",
         .flag = "max-answer",
         .type = IFB_SIZE,
         .help = "Fail a request whose whole answer is longer",
         .fallback = "\"1GiB\"",
         .minimum = 1024,
         .maximum = unbounded,
         .commands = shown});
  t.group("tls");
  t.add({.table = "server",
         .name = "ca-cert",
         .flag = "ca-cert",
         .type = IFB_PATH,
         .help = "PEM file or folder of the authorities to trust instead of the system's",
         .value_name = "PATH",
         .commands = shown});
  t.add({.table = "server",
         .name = "client-cert",
         .flag = "client-cert",
         .type = IFB_PATH,
         .help = "PEM file of the certificate, and its chain, to show to the server",
         .value_name = "PATH",
         .commands = shown});
  t.add({.table = "server",
         .name = "client-key",
         .flag = "client-key",
         .type = IFB_PATH,
         .help = "PEM file of its private key; if not given, the file of --client-cert",
         .value_name = "PATH",
         .commands = shown});
  option insecure =
      switched("server", "insecure", "insecure", "Accept any certificate of the server");
  insecure.commands = shown;
  t.add(std::move(insecure));
  t.add({.table = "server",
         .name = "proxy",
         .flag = "proxy",
         .help = "Proxy for all requests, or none; if not given, $HTTP_PROXY, $HTTPS_PROXY and "
                 "$NO_PROXY decide",
         .value_name = "URL",
         .commands = shown});
}

void backend_keys(key_table& t) {
  t.group("backend");
  t.add({.table = "backend",
         .name = "use",
         .flag = "backend",
         .help = "Plugin that speaks the server's protocol",
         .value_name = "NAME",
         .fallback = "\"openai\"",
         .required = true});
  t.add({.table = "backend",
         .name = "model",
         .flag = "model",
         .help = "Model to ask for; if not given, the server is asked",
         .value_name = "NAME",
         .commands = shown});
  t.add({.table = "backend",
         .name = "served-model-name",
         .flag = "served-model-name",
         .help = "Name of the model in requests, where the server calls it differently",
         .value_name = "NAME",
         .commands = shown});
  t.add({.table = "backend",
         .name = "endpoint",
         .flag = "endpoint",
         .help = "Path that requests go to; if not given, the backend's own",
         .value_name = "PATH",
         .general = true,
         .forwarded = true,
         .otherwise = undeclared::warned});
  option ignore_eos = switched("backend", "ignore-eos", "ignore-eos",
                               "Ask the server to generate past the end of sequence");
  ignore_eos.general = true;
  ignore_eos.forwarded = true;
  ignore_eos.otherwise = undeclared::warned;
  t.add(std::move(ignore_eos));
  t.add({.table = "backend",
         .name = "logprobs",
         .flag = "logprobs",
         .type = IFB_INT,
         .help = "Log probabilities to ask for with each token",
         .general = true,
         .forwarded = true,
         .otherwise = undeclared::warned});
  t.add({.table = "backend",
         .name = "extra-body",
         .flag = "extra-body",
         .type = IFB_JSON,
         .help = "Members laid over every request; also as --extra-body.NAME VALUE",
         .general = true,
         .forwarded = true,
         .otherwise = undeclared::refused});

  t.group("sampling");
  t.add(sampling("top_p", "top-p", IFB_FLOAT, "Nucleus sampling"));
  t.add(sampling("top_k", "top-k", IFB_INT, "Sample among this many tokens"));
  t.add(sampling("min_p", "min-p", IFB_FLOAT, "Least probability beside the most likely token"));
  t.add(sampling("temperature", "temperature", IFB_FLOAT,
                 "Temperature; if not given, the server's own"));
  t.add(sampling("frequency_penalty", "frequency-penalty", IFB_FLOAT, "Frequency penalty"));
  t.add(sampling("presence_penalty", "presence-penalty", IFB_FLOAT, "Presence penalty"));
  t.add(sampling("repetition_penalty", "repetition-penalty", IFB_FLOAT, "Repetition penalty"));
}

void tokenizer_keys(key_table& t) {
  t.group("tokenizer");
  t.add({.table = "tokenizer",
         .name = "use",
         .flag = "tokenizer-mode",
         .help = "Tokenizer plugin (bytes, server, ...); auto: hf if installed, else server; "
                 "none: do not count",
         .value_name = "NAME",
         .fallback = "\"auto\"",
         .commands = shown});
  option skip = switched("tokenizer", "use", "skip-tokenizer-init",
                         "Run without a tokenizer; wins over --tokenizer-mode");
  skip.type = IFB_STRING;
  skip.fallback.reset();
  skip.general = true;
  skip.sets = "\"none\"";
  skip.commands = shown;
  t.add(std::move(skip));
  t.add({.table = "tokenizer",
         .name = "path",
         .flag = "tokenizer",
         .help = "Model or path that the tokenizer is loaded from; if not given, the model",
         .value_name = "NAME",
         .general = true,
         .forwarded = true,
         .commands = shown});
  option trust = switched("tokenizer", "trust-remote-code", "trust-remote-code",
                          "Accept tokenizers that bring code");
  trust.general = true;
  trust.forwarded = true;
  trust.commands = shown;
  t.add(std::move(trust));
}

void dataset_keys(key_table& t) {
  t.group("dataset");
  t.add({.table = "dataset",
         .name = "use",
         .flag = "dataset-name",
         .help = "Plugin that supplies the prompts",
         .value_name = "NAME",
         .fallback = "\"random\"",
         .required = true,
         .commands = shown});
  t.add({.table = "dataset",
         .name = "path",
         .flag = "dataset-path",
         .help = "File, folder or id of the data",
         .value_name = "PATH",
         .general = true,
         .forwarded = true,
         .otherwise = undeclared::refused,
         .commands = shown});
  t.add({.table = "dataset",
         .name = "num-prompts",
         .flag = "num-prompts",
         .type = IFB_INT,
         .help = "Number of requests; -1: all there are",
         .fallback = "1000",
         .commands = shown});
  t.add({.table = "dataset",
         .name = "input-len",
         .flag = "input-len",
         .type = IFB_INT,
         .help = "Prompt length in tokens, where the dataset lets it be chosen",
         .general = true,
         .forwarded = true,
         .otherwise = undeclared::warned,
         .commands = shown});
  t.add({.table = "dataset",
         .name = "output-len",
         .flag = "output-len",
         .type = IFB_INT,
         .help = "Output length in tokens, where the dataset lets it be chosen",
         .general = true,
         .forwarded = true,
         .otherwise = undeclared::warned,
         .commands = shown});
  option once = switched("dataset", "no-oversample", "no-oversample",
                         "Do not repeat samples to reach --num-prompts");
  once.commands = shown;
  t.add(std::move(once));
  option ordered = switched("dataset", "disable-shuffle", "disable-shuffle",
                            "Take the samples in the order of the data");
  ordered.commands = shown;
  t.add(std::move(ordered));
  t.add({.table = "dataset",
         .name = "request-id-prefix",
         .flag = "request-id-prefix",
         .help = "Beginning of request ids; if not given, bench- and 8 random digits",
         .value_name = "TEXT",
         .commands = shown});
}

void load_keys(key_table& t) {
  t.group("load");
  t.add({.table = "load",
         .name = "request-rate",
         .flag = "request-rate",
         .type = IFB_FLOAT,
         .help = "Requests per second; inf: all at once",
         .fallback = "inf",
         .maximum = unbounded,
         .above = true,
         .remedy = "use inf to send all at once"});
  t.add({.table = "load",
         .name = "burstiness",
         .flag = "burstiness",
         .type = IFB_FLOAT,
         .help = "Shape of the gamma distribution of gaps; 1: Poisson, less: burstier",
         .fallback = "1.0",
         .maximum = unbounded,
         .above = true});
  t.add({.table = "load",
         .name = "max-concurrency",
         .flag = "max-concurrency",
         .type = IFB_INT,
         .help = "Most requests in flight; if not given, no limit",
         .minimum = 1,
         .maximum = unbounded,
         .remedy = "leave it out for no limit"});
  t.add({.table = "run",
         .name = "num-warmups",
         .flag = "num-warmups",
         .type = IFB_INT,
         .help = "Requests sent before the measurement",
         .fallback = "0",
         .maximum = unbounded});
  t.add({.table = "run",
         .name = "ready-check-timeout",
         .flag = "ready-check-timeout-sec",
         .type = IFB_DURATION,
         .help = "Wait this long for the server to answer; 0: do not wait",
         .fallback = "\"0s\"",
         .minimum = -unbounded,
         .maximum = unbounded});
  t.add({.table = "client",
         .name = "workers",
         .flag = "workers",
         .type = IFB_INT,
         .help = "Client threads",
         .fallback = "1",
         .minimum = 1,
         .maximum = 1024});
  t.add({.table = "client",
         .name = "connections-ahead",
         .flag = "connections-ahead",
         .type = IFB_INT,
         .help = "Connections opened before the measurement; if not given, as many as requests "
                 "may be in flight at once",
         .minimum = 0,
         .maximum = 1000000});
  t.add({.table = "client",
         .name = "timestamps",
         .flag = "timestamps",
         .type = IFB_CHOICE,
         .help = "Who stamps what arrives: the kernel when it has it, the client when it is told, "
                 "or (auto) the kernel where the client was busy",
         .fallback = "\"auto\"",
         .choices = {"auto", "client", "kernel"}});
}

void metric_keys(key_table& t) {
  t.group("metrics");
  t.add({.table = "metrics",
         .name = "percentile-metrics",
         .flag = "percentile-metrics",
         .type = IFB_STRINGS,
         .help = "Metrics to report percentiles of; if not given, ttft,tpot,itl, or e2el where "
                 "answers come whole",
         .value_name = "NAMES",
         .shape = form::names});
  t.add({.table = "metrics",
         .name = "metric-percentiles",
         .flag = "metric-percentiles",
         .type = IFB_STRINGS,
         .help = "Percentiles to report",
         .value_name = "NUMBERS",
         .fallback = "\"99\"",
         .maximum = 100,
         .shape = form::numbers});
  t.add({.table = "metrics",
         .name = "goodput",
         .flag = "goodput",
         .type = IFB_STRINGS,
         .help = "Goals that make a request a good one, in ms: ttft, tpot, e2el",

         .choices = goodput_metrics(),
         .maximum = unbounded,
         .shape = form::goals,
         .takes = arity::some});
  t.add({.table = "metrics",
         .name = "summary",
         .flag = "summary",
         .type = IFB_CHOICE,
         .help = "Figures from every value, or from histograms of constant size that are at most "
                 "0.1 % off",
         .fallback = "\"exact\"",
         .choices = {"exact", "bounded"}});
}

void run_keys(key_table& t) {
  t.group("result");
  t.add(switched("run", "save-result", "save-result", "Write the result to a JSON file"));
  t.add(switched("run", "save-detailed", "save-detailed",
                 "Keep the figures of each request in the result"));
  t.add(switched("run", "append-result", "append-result",
                 "Append to the result file, which implies writing it"));
  t.add({.table = "run",
         .name = "result-dir",
         .flag = "result-dir",
         .type = IFB_PATH,
         .help = "Folder of the result; made if missing",
         .value_name = "PATH"});
  t.add({.table = "run",
         .name = "result-filename",
         .flag = "result-filename",
         .type = IFB_PATH,
         .help = "Name of the result file instead of the generated one",
         .value_name = "PATH"});
  t.add({.table = "run",
         .name = "metadata",
         .flag = "metadata",
         .type = IFB_STRINGS,
         .help = "Texts to add to the result",
         .shape = form::pairs,
         .takes = arity::any});
  t.add({.table = "run",
         .name = "label",
         .flag = "label",
         .help = "Beginning of the result's file name; if not given, the backend",
         .value_name = "TEXT"});
  t.add({.table = "run",
         .name = "journal",
         .flag = "journal",
         .type = IFB_PATH,
         .help = "File to record every request in",
         .value_name = "PATH"});

  t.group("run");
  t.add({.table = "run",
         .name = "seed",
         .flag = "seed",
         .type = IFB_INT,
         .help = "Seed of all that is random, request ids aside",
         .fallback = "0",
         .maximum = 4294967295.0,
         .commands = shown});
  t.add(switched("run", "profile", "profile", "Have the server profile the run"));
  t.add(switched("run", "require-valid", "require-valid",
                 "Fail unless the client kept up: exit status 3 when its verdict is not VALID"));
  t.add(switched("run", "calibrate", "calibrate",
                 "First run the load against the built-in simulator, and put this client's error "
                 "into the result"));
  option quiet = switched("run", "progress", "disable-tqdm",
                          "Progress bar on standard error; the flag hides it");
  quiet.fallback = "true";
  quiet.sets = "false";
  t.add(std::move(quiet));

  t.group("plugins");
  t.add({.table = "plugin",
         .name = "dir",
         .flag = "plugin-dir",
         .type = IFB_STRINGS,
         .help = "Folders to look for plugins in first",
         .value_name = "PATH",
         .takes = arity::some,
         .accumulates = true,
         .commands = everywhere});
  option unsafe = switched("plugin", "allow-unsafe", "allow-unsafe-plugin",
                           "Load plugins from files that other users can change");
  unsafe.commands = everywhere;
  t.add(std::move(unsafe));
}

}  // namespace

std::vector<option> host_keys() {
  key_table t;
  server_keys(t);
  backend_keys(t);
  tokenizer_keys(t);
  dataset_keys(t);
  load_keys(t);
  metric_keys(t);
  run_keys(t);
  return t.take();
}

std::vector<std::string> tables() {
  return {"run",  "server",  "backend", "tokenizer", "dataset",
          "load", "metrics", "client",  "plugin",    "reporter"};
}

bool ignores_eos(std::string_view dataset_id) {
  constexpr std::array ids{"random", "random-mm", "timed_trace"};
  return std::ranges::find(ids, dataset_id) != ids.end();
}

std::vector<std::string> percentile_metrics() {
  return {"ttft", "tpot", "itl", "e2el", "client_queue_time", "e2el_including_client_queue"};
}

std::vector<std::string> goodput_metrics() { return {"ttft", "tpot", "e2el"}; }

}  // namespace inferbench::config
