// Tests that the printed TOML has the meaning of the flags: flags -> plan -> TOML -> the same plan,
// for many random command lines. The command line that a run prints first must also give the same
// plan.
#include <algorithm>
#include <map>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "config/key_table.hpp"
#include "config/keys.hpp"
#include "config/request.hpp"
#include "framework/config/fake_catalog.hpp"
#include "support/sanitizer.hpp"
#include "support/temporary_folder.hpp"

namespace inferbench::config {
namespace {

using words = std::vector<std::string>;

class flag_maker {
 public:
  explicit flag_maker(unsigned seed) : random_(seed) {}

  words line() {
    words out;
    dataset(out);
    backend(out);
    load(out);
    for (const options::option& key : host_keys())
      if (!by_hand(key) && chance(4)) flag(out, key);
    if (chance(3) && has(out, {"--save-result", "--append-result"}))
      add(out, {"--json-indent", number(0, 4)});
    return out;
  }

 private:
  bool chance(unsigned one_in) { return random_() % one_in == 0; }
  std::string number(int low, int high) {
    return std::to_string(std::uniform_int_distribution(low, high)(random_));
  }
  std::string pick(const words& from) { return from[random_() % from.size()]; }
  std::string text() {
    return pick({"a", "it's", "a \"b\"\\", "", "é ü\t\n", "${HOME}", "$${X}", "--x", "-1", "x=y=z",
                 "[1]", "{\"a\": 1}", "1_000", "#", "~/a", "~"});
  }
  static bool has(const words& in, std::initializer_list<std::string_view> any) {
    return std::ranges::find_first_of(in, any) != in.end();
  }
  static void add(words& out, std::initializer_list<std::string> more) {
    out.insert(out.end(), more.begin(), more.end());
  }

  // True for flags that the test sets itself, not at random: flags that need each other, and flags
  // whose values are checked against other values.
  static bool by_hand(const options::option& key) {
    for (const char* name : {"backend",
                             "endpoint",
                             "endpoint-type",
                             "dataset-name",
                             "dataset-path",
                             "self-timed",
                             "no-self-timed",
                             "request-rate",
                             "duration",
                             "ramp-up-strategy",
                             "ramp-up-start-rps",
                             "ramp-up-end-rps",
                             "traffic",
                             "sweep-max-concurrency",
                             "sweep-request-rate",
                             "sweep-num-prompts-factor",
                             "sweep-summary-percentiles",
                             "profile",
                             "profile-batch-threshold",
                             "scorer",
                             "turn-body",
                             "conversation-clients",
                             "conversation-requests",
                             "conversation-order",
                             "conversation-rate",
                             "conversation-retries",
                             "conversation-warm-up",
                             "conversation-early-stop",
                             "multi-turn",
                             "multi-turn-concurrency",
                             "multi-turn-delay-ms",
                             "session-header",
                             "base-url",
                             "host",
                             "client-cert",
                             "client-key",
                             "goodput",
                             "threshold",
                             "observe",
                             "observe-names",
                             "observe-interval",
                             "timeline-itl-thresholds",
                             "percentile-metrics",
                             "metric-percentiles",
                             "header",
                             "metadata",
                             "extra-body",
                             "chat-template-kwargs",
                             "tokenizer-mode",
                             "min-p",
                             "dir"})
      if (key.flag == name) return true;
    return key.flag.empty() || (!key.member.empty() && key.flag == "min-p");
  }

  void dataset(words& out) {
    const std::string name =
        pick({"random", "sharegpt", "hub", "timed_trace", "prefix_repetition"});
    add(out, {"--dataset-name", name});
    if (name == "sharegpt" || name == "timed_trace") out.push_back("--dataset-path=" + text());
    if (name == "timed_trace" && chance(2))
      out.push_back(pick({"--self-timed", "--no-self-timed"}));
    if (name == "random" && chance(2)) add(out, {"--random-input-len", number(1, 99)});
    if (name == "random" && chance(2)) out.push_back("--random-range-ratio=" + text());
    if (name == "prefix_repetition" && chance(2))
      add(out, {"--prefix-repetition-limits.image", number(1, 9), "--no-reranker"});
    if (name == "hub" && chance(2)) add(out, {"--chat-template-kwargs.a.b", text_of_json()});
    timed_ = name == "timed_trace";
    endless_ = name == "random";
    own_times_ = std::ranges::find(out, "--self-timed") != out.end();
  }

  std::string text_of_json() { return pick({"1", "1.0", "null", "true", "[1, \"x\"]", "5k", "x"}); }

  void backend(words& out) {
    const std::string name =
        timed_ ? "openai" : pick({"openai", "openai-chat", "embed", "openai-responses"});
    add(out, {pick({"--backend", "--endpoint-type"}), name});
    if (chance(2))
      out.push_back("--extra-body=" + pick({"{\"a\": null}", "{\"top_p\": 0.5, \"n\": 1}",
                                            "{\"s\": \"${HOME}\", \"big\": "
                                            "18446744073709551615}"}));
    if (chance(3)) add(out, {"--extra-body.c+", "1,2", "--extra-body.d", text_of_json()});
    if (name == "openai" && chance(3)) add(out, {"--openai-flavour", "spicy"});
    if (chance(3)) add(out, {"--endpoint", "/" + text()});
    if (name != "openai-responses" && chance(3)) add(out, {"--min-p", ".05"});
    if (chance(2)) add(out, {"--tokenizer-mode", pick({"bytes", "server", "none", "auto", "hf"})});
    if (chance(3)) add(out, {"--base-url", "http://a:1/v1", "https://b"});
    if (chance(3)) add(out, {"--host", pick({"::1", "h.example"})});
    if (chance(2)) add(out, {"--header", "A=b", "C = d=e", "E=${TOKEN}"});
    if (chance(4)) add(out, {"--client-cert", "c.pem", "--client-key", "k.pem"});
  }

  void load(words& out) {
    const std::string rate = pick({"inf", "1e3", ".5", "1_0"});
    bool may_end = !endless_;
    if (chance(3)) {
      add(out, {"--ramp-up-strategy", pick({"linear", "exponential"}), "--ramp-up-start-rps",
                number(1, 5), "--ramp-up-end-rps", number(5, 9)});
      may_end = false;
    } else if (!own_times_ && chance(3)) {
      add(out, {"--traffic", pick({"sine:mean=3,amplitude=1e-1,period=1m", "steps:0=1,2m=.5"})});
      may_end = true;
    } else if (chance(2)) {
      add(out, {"--request-rate", rate});
      may_end |= rate != "inf";
    }
    if (!has(out, {"--request-rate", "--traffic", "--ramp-up-strategy", "--self-timed"}) &&
        chance(3))
      add(out, {"--conversation-clients", number(1, 3), "--conversation-requests", number(1, 9),
                "--conversation-order", pick({"random", "round-robin"}), "--conversation-rate",
                pick({".5", "3"}), "--conversation-retries", number(0, 3), "--conversation-warm-up",
                "--conversation-early-stop"});
    else if (chance(4))
      add(out, {"--multi-turn", "--multi-turn-concurrency", number(1, 9), "--multi-turn-delay-ms",
                number(0, 9), "--session-header", pick({"X-A", "b_c"})});
    if (chance(3)) add(out, {"--scorer", "exact"});
    if (chance(4)) out.push_back("--turn-body={\"a\": \"$answer_tokens\"}");
    if (may_end && chance(3)) add(out, {"--duration", pick({"30s", "1.5", "2m"})});
    if (chance(2)) add(out, {"--goodput", "ttft:200", "e2el:" + pick({"1e3", ".5", "inf"})});
    if (chance(3)) add(out, {"--threshold", "ttft.p99<9ms", pick({"failed<=1%", "duration<9"})});
    if (chance(3))
      add(out, {"--observe", "--observe-names", "a*,b", pick({"c", "d?"})});
    else if (chance(4))
      add(out, {"--observe-interval", pick({"100ms", "2"}), "--observe", "http://a"});
    if (chance(3))
      add(out, {"--profile", "--profile-batch-threshold", number(1, 9)});
    else if (chance(4))
      out.push_back(pick({"--profile", "--profile=false"}));
    if (chance(2)) add(out, {"--metric-percentiles", pick({"50", " 50 ,99.9", "0,100"})});
    if (chance(2)) add(out, {"--percentile-metrics", pick({"ttft", "itl,e2el", "", "nonsense"})});
    if (chance(2)) add(out, {"--timeline-itl-thresholds", pick({"1,2", "25, 50.5"})});
    if (chance(2)) add(out, {"--metadata", "k=v=w", "é=ü", "x=" + pick({"${HOME}", "", "'"})});
  }

  void flag(words& out, const options::option& key) {
    const std::string name = "--" + key.flag;
    switch (key.type) {
      case IFB_BOOL: out.push_back(name + pick({"", "", "=false"})); return;
      case IFB_INT: add(out, {name, key.flag == "port" ? number(1, 65535) : number(1, 50)}); return;
      case IFB_FLOAT: add(out, {name, pick({"1", ".25", "0.125"})}); return;
      case IFB_DURATION: add(out, {name, pick({"1", "1.5s", "250ms"})}); return;
      case IFB_SIZE: add(out, {name, pick({"64KiB", "2000"})}); return;
      case IFB_CHOICE: add(out, {name, pick(key.choices)}); return;
      case IFB_STRINGS: add(out, {name, "a", "b c"}); return;
      case IFB_PATH:
      default:
        if (key.takes == options::arity::none)
          out.push_back(name);
        else
          out.push_back(name + "=" + text());
    }
  }

  std::mt19937 random_;
  bool timed_ = false;
  bool endless_ = false;  // without a rate, a run of this dataset that ends at a time needs a limit
  bool own_times_ = false;  // --self-timed, which excludes --traffic
};

// Splits a line from command_echo() into words, as a shell does.
words split(const std::string& line) {
  words out;
  bool open = false;
  bool quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (!quoted && line[i] == ' ') {
      open = false;
      continue;
    }
    if (!open) out.emplace_back();
    open = true;
    if (line[i] == '\'')
      quoted = !quoted;
    else
      out.back() += !quoted && line[i] == '\\' ? line[++i] : line[i];
  }
  return out;
}

std::string joined(const words& args) {
  std::string out;
  for (const std::string& arg : args)
    out += arg + " | ";
  return out;
}

class round_trip : public testing::Test {
 protected:
  round_trip() { plugins.show_all(); }
  const support::temporary_folder files;
  options::environment env = test_environment();
  fake_catalog plugins;
};

TEST_F(round_trip, any_line_of_flags_is_a_file_that_makes_the_same_plan) {
  env.variables["SAVE_TO_PYTORCH_BENCHMARK_FORMAT"] = "1";
  env.variables["VLLM_BENCH_SOCK_READ"] = "90";
  const options::environment bare = test_environment();
  std::size_t refused = 0;
  for (unsigned seed = 0; seed < support::reduced(400U); ++seed) {
    const words args = flag_maker(seed).line();
    request first;
    try {
      first = parse_serve(args, env, plugins);
    } catch (const base::error& e) {
      ++refused;
      ADD_FAILURE() << e.what() << "\n" << joined(args);
      continue;
    }
    const std::string path = files.write("first.toml", first.plan.toml);
    const std::string complaint = complaint_of([&] {
      const plan second = parse_run(words{path}, bare, plugins).plan;
      EXPECT_EQ(second.toml, first.plan.toml) << joined(args);
      EXPECT_EQ(second.json, first.plan.json) << joined(args);
      EXPECT_EQ(second.server.headers, first.plan.server.headers);
      EXPECT_EQ(second.metadata, first.plan.metadata);
      EXPECT_EQ(second.reporters.size(), first.plan.reporters.size());
      EXPECT_EQ(second.load.self_timed, first.plan.load.self_timed);
      EXPECT_EQ(second.load.traffic, first.plan.load.traffic);
      EXPECT_EQ(second.load.duration_ns, first.plan.load.duration_ns);
      EXPECT_EQ(second.num_prompts, first.plan.num_prompts);
      EXPECT_EQ(second.server.idle_timeout_ns, first.plan.server.idle_timeout_ns);
    });
    EXPECT_EQ(complaint, "") << joined(args) << "\n" << first.plan.toml;
    if (HasFailure()) break;
  }
  EXPECT_EQ(refused, 0U);
}

TEST_F(round_trip, a_printed_file_causes_no_warning_about_its_defaults) {
  const words args{"--request-rate", "20", "--save-result"};
  const words file{files.write("first.toml", parse_serve(args, env, plugins).plan.toml)};
  EXPECT_THAT(parse_run(file, env, plugins).warnings,
              testing::Not(testing::Contains(testing::HasSubstr("has no effect"))));
}

TEST_F(round_trip, every_flag_has_a_key_that_is_printed) {
  for (const options::option& key : host_keys()) {
    if (key.flag.empty() || !key.member.empty() || !key.instead.empty()) continue;
    words args{"--dataset-name", "hub"};
    if (key.name == "path" && key.table == "dataset") args[1] = "timed_trace";
    if (key.name.ends_with("put-len")) args[1] = "random";
    const std::map<std::string, words, std::less<>> values{
        {"backend", {"openai-chat"}},
        {"endpoint", {"/v1/7"}},
        {"dataset-name", {"random"}},
        {"base-url", {"http://a"}},
        {"port", {"9"}},
        {"header", {"a=b"}},
        {"metadata", {"a=b"}},
        {"extra-body", {"{\"a\": 1}"}},
        {"chat-template-kwargs", {"{\"a\": 1}"}},
        {"goodput", {"ttft:1"}},
        {"threshold", {"ttft.p99<9ms"}},
        {"observe", {"http://a"}},
        {"timeline-itl-thresholds", {"1,2"}},
        {"percentile-metrics", {"e2el"}},
        {"metric-percentiles", {"5"}},
        {"tokenizer-mode", {"bytes"}},
        {"max-message", {"64KiB"}},
        {"max-answer", {"64KiB"}},
        {"steady-state-threshold", {"0.5"}},
        {"traffic", {"steps:0s=10"}},
        {"profile-batch-threshold", {"7", "--profile"}},
        {"scorer", {"exact"}},
        {"turn-body", {"{\"a\": 1}"}},
        {"multi-turn-concurrency", {"7", "--multi-turn"}},
        {"multi-turn-delay-ms", {"7", "--multi-turn"}},
        {"client-key", {"k", "--client-cert", "c"}},
        {"ramp-up-strategy", {"linear", "--ramp-up-start-rps", "1", "--ramp-up-end-rps", "1"}}};
    if (const auto at = values.find(key.flag); at != values.end()) {
      args.push_back("--" + key.flag);
      args.insert(args.end(), at->second.begin(), at->second.end());
    } else if (key.takes == options::arity::none) {
      args.push_back("--" + key.flag);
    } else {
      args.insert(args.end(), {"--" + key.flag, key.choices.empty() ? "7" : key.choices.back()});
    }
    const std::string toml = parse_serve(args, env, plugins).plan.toml;
    EXPECT_THAT(toml, testing::HasSubstr("\n" + key.name + " = ")) << key.flag;
    EXPECT_THAT(toml, testing::HasSubstr("[" + key.table + "]\n")) << key.flag;
  }
}

TEST_F(round_trip, a_sweep_over_loads_is_a_file_that_makes_the_same_runs) {
  for (const words& args :
       {words{"--sweep-max-concurrency", "1, 8", "--sweep-num-prompts-factor", "3"},
        words{"--sweep-request-rate", "0.5,inf", "--sweep-summary-percentiles", "95,99.9"}}) {
    const plan first = parse_serve(args, env, plugins).plan;
    const request again = parse_run(words{files.write("first.toml", first.toml)}, env, plugins);
    const plan& second = again.plan;
    EXPECT_THAT(again.warnings,
                testing::Not(testing::Contains(testing::HasSubstr("has no effect"))));
    EXPECT_EQ(second.toml, first.toml);
    EXPECT_EQ(second.summary_percentiles, first.summary_percentiles);
    ASSERT_EQ(second.points.size(), 2U);
    for (std::size_t i = 0; i < 2; ++i) {
      EXPECT_EQ(second.points[i].label, first.points[i].label);
      EXPECT_EQ(second.points[i].max_concurrency, first.points[i].max_concurrency);
      EXPECT_EQ(second.points[i].request_rate, first.points[i].request_rate);
      EXPECT_EQ(second.points[i].num_prompts, first.points[i].num_prompts);
    }
  }
}

TEST_F(round_trip, the_line_that_is_printed_is_the_line_that_was_given) {
  for (unsigned seed = 0; seed < support::reduced(200U); ++seed) {
    words args = flag_maker(seed).line();
    // The values of headers are cut in the printed line.
    const auto header = std::ranges::find(args, "--header");
    if (header != args.end()) args.erase(header, header + 4);
    const request first = parse_serve(args, env, plugins);
    const words again = split(first.line);
    EXPECT_EQ(parse_serve(again, env, plugins).plan.toml, first.plan.toml) << joined(args) << "\n"
                                                                           << first.line;
    if (HasFailure()) break;
  }
}

}  // namespace
}  // namespace inferbench::config
