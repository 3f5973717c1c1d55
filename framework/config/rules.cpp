#include "config/rules.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <tuple>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <inferbench/text.hpp>

#include "base/http_token.hpp"
#include "base/text.hpp"
#include "config/derive.hpp"
#include "config/keys.hpp"
#include "config/named_reporter.hpp"
#include "config/upstream.hpp"
#include "metrics/goal.hpp"
#include "options/check.hpp"
#include "options/refusal.hpp"
#include "schedule/pattern_text.hpp"

namespace inferbench::config {

namespace {

class rules {
 public:
  rules(const key_values& values, const sources& from, const used_plugins& used,
        const options::environment& env, std::vector<std::string>& warnings)
      : values_(values), from_(from), used_(used), env_(env), warnings_(warnings) {}

  void check() {
    addresses();
    number();
    if (!used_.backend) return;
    traffic();
    duration();
    ramp_up();
    conversation_clients();
    session_header();
    multi_turn();
    sweep();
    profiler();
    timed();
    media();
    thresholds();
    goals();
    observed();
    results();
    if (values_.on("backend.use-beam-search"))
      warnings_.push_back(name("backend.use-beam-search") +
                          " has no effect, as in vllm bench serve; put what the server "
                          "understands into " +
                          name("backend.extra-body"));
  }

 private:
  const options::option_value& at(std::string_view path) const { return values_.at(path); }

  std::string name(std::string_view path) const { return name_for(from_.who, values_.key(path)); }

  // Whether the command line sets the key, or the file sets it to another value than its default. A
  // file of --print-config has all defaults, and they must not cause warnings.
  bool is_chosen(std::string_view path) const {
    if (std::ranges::any_of(from_.line, [&](const setting& s) { return s.path == path; }))
      return true;
    const auto content = [](const options::option_value& v) {
      return std::tie(v.is_set, v.integer, v.number, v.text, v.list);
    };
    const options::option_value usual = options::fallback_of(values_.key(path), env_);
    return is_given(path, from_) && content(at(path)) != content(usual);
  }

  [[noreturn]] void refuse(std::string_view path, const std::string& message,
                           const std::string& remedy) const {
    options::complain(values_.key(path), at(path).where, message, remedy);
  }

  // The path of requests. Empty if the command sends none, or if the backend is an engine, whose
  // option `endpoint` may mean something else.
  options::option_value endpoint() const {
    if (!used_.backend || used_.backend->library.query(IFB_HTTP_CODEC) == nullptr) return {};
    const options::option* declared = used_.backend->find("endpoint");
    return declared == nullptr ? options::option_value() : value_of(*declared, from_, env_);
  }

  // The endpoint is appended to the address of the server.
  void addresses() {
    constexpr std::string_view url = "server.base-url";
    const options::option_value path = endpoint();
    const bool whole = path.text.empty() || path.text.starts_with('/');
    bool complete = whole || !at(url).list.empty();
    for (const std::string& one : at(url).list) {
      complete = complete && (whole || one.ends_with('/'));
      const std::size_t scheme = one.find("://");
      if (scheme == std::string::npos) continue;
      const std::size_t slash = std::min(one.find('/', scheme + 3), one.size());
      if (one.ends_with('/') && whole)
        warnings_.push_back(name(url) + " ends in a slash, which stays: requests go to " + one +
                            "/v1/...");
      else if (one.substr(slash).ends_with("/v1") && path.text.starts_with("/v1/"))
        warnings_.push_back(name(url) + " ends in /v1, which stays: requests go to " + one +
                            path.text);
    }
    if (path.where.known() && !complete)
      options::complain(values_.key("backend.endpoint"), path.where,
                        "\"" + path.text + "\" does not begin with a slash", "write /" + path.text);
  }

  std::uint32_t dataset_flags() const { return plugin::dataset_flags(used_.dataset->library); }

  // Whether it is certain before the dataset is prepared that its samples have no times. Any other
  // dataset may add the flag when it is prepared.
  bool certainly_has_no_times() const {
    return (dataset_flags() & IFB_DATASET_ARRIVALS) == 0 && used_.dataset->of_program &&
           upstream::has_no_times(used_.dataset->library.id());
  }

  // Refuses all rows of a dataset that has no end. For datasets that add the flag when they are
  // prepared, the feed does the same.
  void number() const {
    if (!used_.dataset || (dataset_flags() & IFB_DATASET_ENDLESS) == 0) return;
    const options::option_value& number = at("dataset.num-prompts");
    if (!number.is_set || number.integer > 0 || at("load.duration").is_set) return;
    const bool runs = used_.backend.has_value();
    refuse("dataset.num-prompts",
           "dataset " + used_.dataset->use + " makes any number of requests, so " +
               std::to_string(number.integer) + " for all of them has no end",
           runs ? "give a number above 0, or a time with " + name("load.duration")
                : "give a number above 0");
  }

  // A run that ends at a time and has no number of requests must be limited by something else.
  void duration() const {
    if (!at("load.duration").is_set || at("dataset.num-prompts").is_set) return;
    if (at("load.ramp-up-strategy").is_set)
      refuse("load.duration",
             "the rates of a ramp-up depend on the number of requests, which a time leaves open",
             "add " + name("dataset.num-prompts") + ", or use steps with " + name("load.traffic"));
    const bool endless = (dataset_flags() & IFB_DATASET_ENDLESS) != 0;
    if (endless && certainly_has_no_times() && !at("load.traffic").is_set &&
        !std::isfinite(at("load.request-rate").number) && !at("load.max-concurrency").is_set &&
        !at("load.multi-turn-concurrency").is_set)
      refuse("load.duration", "an infinite rate makes requests without end",
             "limit those in flight with " + name("load.max-concurrency") + ", their rate with " +
                 name("load.request-rate") + ", or their number with " +
                 name("dataset.num-prompts"));
  }

  void ramp_up() {
    constexpr std::string_view start = "load.ramp-up-start-rps";
    constexpr std::string_view end = "load.ramp-up-end-rps";
    const options::option_value& strategy = at("load.ramp-up-strategy");
    if (!strategy.is_set) {
      for (const std::string_view path : {start, end})
        if (at(path).is_set)
          warnings_.push_back(name(path) + " has no effect without " +
                              name("load.ramp-up-strategy"));
      return;
    }
    if (std::isfinite(at("load.request-rate").number))
      refuse("load.request-rate",
             "a rate of " + base::shortest(at("load.request-rate").number) +
                 " and a ramp-up, which sets the rate itself, exclude each other",
             "leave out " + name("load.request-rate") + " or " + name("load.ramp-up-strategy"));
    for (const std::string_view path : {start, end}) {
      if (!at(path).is_set)
        refuse("load.ramp-up-strategy",
               "a ramp-up that is " + strategy.text + " needs " +
                   (path == start ? "a start" : "an end"),
               "give " + name(path));
      if (at(path).integer <= 0)
        refuse(path,
               "expected a whole number of at least 1, not " + std::to_string(at(path).integer),
               "no request would ever leave at 0 per second; start with 1");
    }
    if (at(start).integer > at(end).integer)
      refuse(start,
             "the start, " + std::to_string(at(start).integer) + ", is above the end, " +
                 std::to_string(at(end).integer),
             "lower it, or raise " + name(end));
  }

  void traffic() {
    const options::option_value& pattern = at("load.traffic");
    if (!pattern.is_set) return;
    try {
      std::ignore = schedule::parse_pattern(pattern.text);
    } catch (const base::error& why) {
      refuse("load.traffic", why.message(), why.remedy());
    }
    if (values_.on("load.self-timed"))
      refuse("load.self-timed",
             "the times of the dataset and " + name("load.traffic") + " exclude each other",
             "leave out one of them");
    for (const std::string_view path : {"load.request-rate", "load.ramp-up-strategy",
                                        "load.ramp-up-start-rps", "load.ramp-up-end-rps"})
      if (path == "load.request-rate" ? std::isfinite(at(path).number) : at(path).is_set)
        refuse("load.traffic",
               "a traffic pattern, which sets the rate itself, and " + name(path) +
                   " exclude each other",
               "leave out one of them");
  }

  // Clients with conversations pace themselves by their answers and pauses.
  void conversation_clients() {
    constexpr std::string_view clients = "load.conversation-clients";
    if (at(clients).is_set) {
      const bool paced = std::isfinite(at("load.request-rate").number);
      for (const std::string_view path :
           {"load.request-rate", "load.traffic", "load.ramp-up-strategy"})
        if (path == "load.request-rate" ? paced : at(path).is_set)
          refuse(path, "clients with conversations do not follow a schedule",
                 "leave it out, or pause with " + name("load.conversation-rate"));
      return;
    }
    for (const std::string_view path :
         {"load.conversation-requests", "load.conversation-order", "load.conversation-rate",
          "load.conversation-retries", "load.conversation-warm-up", "load.conversation-early-stop"})
      if (is_chosen(path))
        warnings_.push_back(name(path) + " has no effect without " + name(clients));
  }

  // Refuses names that are not names of headers, and headers that the client needs for itself.
  void session_header() const {
    constexpr std::string_view header = "load.session-header";
    constexpr std::array<std::string_view, 7> of_client{
        "content-length", "content-type",  "transfer-encoding", "connection",
        "host",           "authorization", "x-request-id"};
    const std::string& given = at(header).text;
    // An empty name, which is no token, is allowed: then no request has the header.
    const bool valid = given.empty() || base::is_token(given);
    const bool taken = std::ranges::any_of(
        of_client, [&](std::string_view one) { return base::equal_no_case(one, given); });
    if (!valid || taken)
      refuse(header,
             "\"" + given + "\" is " +
                 (taken ? "a header of the client itself" : "not the name of a header"),
             "write a name such as " + std::string(upstream::session_header));
  }

  void multi_turn() {
    constexpr std::string_view mode = "load.multi-turn";
    if (!values_.on(mode)) {
      for (const std::string_view path :
           {"load.multi-turn-concurrency", "load.multi-turn-delay-ms"})
        if (at(path).is_set && at(path).integer != 0)
          refuse(path, "is about conversations", "add " + name(mode));
      return;
    }
    if (at("load.conversation-clients").is_set)
      refuse(mode, "all conversations begin at once, and clients hold a few conversations each",
             "leave out " + name(mode) + " or " + name("load.conversation-clients"));
    if (at("load.multi-turn-concurrency").is_set && at("load.max-concurrency").is_set)
      warnings_.push_back(name("load.max-concurrency") +
                          " has no effect: " + name("load.multi-turn-concurrency") + " sets it");
  }

  // The points of a sweep: each run has a load of its own, so the load must not be given twice.
  void sweep() {
    constexpr std::string_view limits = "load.sweep-max-concurrency";
    constexpr std::string_view rates = "load.sweep-request-rate";
    constexpr std::string_view factor = "load.sweep-num-prompts-factor";
    constexpr std::string_view percentiles = "metrics.sweep-summary-percentiles";
    const bool over_limits = at(limits).is_set;
    const bool over_rates = at(rates).is_set;
    if (over_limits && over_rates)
      refuse(rates, "a sweep is over one quantity",
             "leave out one of them; inferbench sweep combines several");
    if (at(factor).is_set && !over_limits)
      warnings_.push_back(name(factor) + " has no effect without " + name(limits));
    if (!over_limits && !over_rates) {
      if (at(percentiles).is_set)
        warnings_.push_back(name(percentiles) + " has no effect without " + name(limits) + " or " +
                            name(rates));
      return;
    }
    const std::string_view given = over_limits ? limits : rates;
    if (at(given).list.empty()) refuse(given, "a sweep needs a value", "give at least one");
    constexpr double most = 1e9;
    for (const std::string& text : at(limits).list)
      if (const double limit = base::parse_float(text).value_or(0);
          limit > most || limit != std::floor(limit))
        refuse(limits, "\"" + text + "\" is not a whole number of requests in flight",
               "write whole numbers of at least 1 with commas between, such as 1,8,64");
    // As in vLLM's Rust client, the values of the sweep replace the others.
    const auto replace = [&](std::string_view path, bool is_there) {
      if (is_there)
        warnings_.push_back(name(path) + " has no effect: " + name(given) +
                            " sets it for each run");
    };
    if (over_limits)
      for (const std::string_view path : {"load.max-concurrency", "load.multi-turn-concurrency"})
        replace(path, at(path).is_set);
    if (over_limits && at(factor).is_set)
      replace("dataset.num-prompts", is_chosen("dataset.num-prompts"));
    if (over_rates) {
      replace("load.request-rate", std::isfinite(at("load.request-rate").number));
      for (const std::string_view path : {"load.traffic", "load.ramp-up-strategy"})
        if (at(path).is_set)
          refuse(path, "the sweep sets the rate of each run",
                 "leave out " + name(path) + " or " + name(given));
    }
    if (values_.on("run.calibrate"))
      refuse("run.calibrate", "a calibration holds for one load, and a sweep has several",
             "leave out " + name("run.calibrate") + " or " + name(given));
    if (at("run.num-runs").integer > 1)
      refuse("run.num-runs", "a sweep makes one run for each of its values",
             "leave out " + name("run.num-runs") + "; inferbench sweep repeats its runs");
  }

  void profiler() {
    constexpr std::string_view threshold = "run.profile-batch-threshold";
    constexpr std::string_view time = "run.profile-duration";
    if (at(threshold).is_set && !values_.on("run.profile"))
      refuse(threshold, "the profiler is not used", "add " + name("run.profile"));
    if (is_chosen(time) && !at(threshold).is_set)
      warnings_.push_back(name(time) + " has no effect without " + name(threshold));
  }

  // Refuses --self-timed for datasets that are known to have no times. For other datasets this is
  // known only after their preparation.
  void timed() const {
    const std::string_view dataset = used_.dataset->library.id();
    const std::string_view backend = used_.backend->library.id();
    if (at("load.self-timed").is_set && certainly_has_no_times())
      refuse("load.self-timed",
             "dataset " + used_.dataset->use + " gives its requests no times to be sent at",
             "leave it out, or choose a dataset of traces");
    if (upstream::needs_another_backend(dataset, backend))
      refuse("backend.use",
             "dataset " + std::string(dataset) + " makes prompts of token ids, which backend " +
                 used_.backend->use + " does not take",
             "choose backend " + std::string(upstream::default_backend));
  }

  // Refuses a backend that would send the requests without their images, videos and sound. Plugins
  // of other authors are not refused, because they may send them.
  void media() {
    const used_plugin& dataset = *used_.dataset;
    if (const std::string_view now = upstream::renamed_dataset(dataset.use);
        dataset.of_program && !now.empty())
      warnings_.push_back(fmt::format("dataset {} is an old name of {}", dataset.use, now));
    const std::string_view backend = used_.backend->library.id();
    if (!dataset.of_program || !used_.backend->of_program || !upstream::has_backend(backend))
      return;
    // The user's recipe decides whether the requests have media.
    if (!value_of_dataset("hf-recipe").empty()) return;
    for (const std::string_view option : {"path", "hf-name"}) {
      const std::string hub_id = value_of_dataset(option);
      const auto allowed = upstream::backends_for_media(dataset.library.id(), hub_id);
      if (allowed.empty() || std::ranges::find(allowed, backend) != allowed.end()) continue;
      base::source_position where = at("backend.use").where;
      if (!where.known() && from_.who != options::for_run) where.file = name("backend.use");
      options::complain(
          values_.key("backend.use"), where,
          fmt::format("{} has images, videos or sound, for which backend {} is not suited",
                      is_hub(dataset) ? "data set " + hub_id : "dataset " + dataset.use,
                      used_.backend->use),
          fmt::format("choose {}", fmt::join(allowed, ", ")));
    }
  }

  static bool is_hub(const used_plugin& dataset) {
    return dataset.library.id() == upstream::hub_dataset;
  }

  // The text of an option that the dataset declares; empty if it is not given.
  std::string value_of_dataset(std::string_view name) const {
    const options::option* declared = used_.dataset->find(name);
    return declared == nullptr ? std::string() : value_of(*declared, from_, env_).text;
  }

  void thresholds() const {
    const std::vector<std::string>& given = at("run.timeline-itl-thresholds").list;
    if (given.size() == 2) return;
    refuse("run.timeline-itl-thresholds",
           fmt::format("expected two numbers of milliseconds, not {}", fmt::join(given, ",")),
           "write them as 25,50");
  }

  void goals() {
    for (const std::string& goal : at("thresholds.goals").list) {
      try {
        std::ignore = metrics::parse_goal(goal);
      } catch (const base::error& why) {
        refuse("thresholds.goals", why.message(), why.remedy());
      }
    }
    if (values_.on("thresholds.certain") && at("thresholds.goals").list.empty())
      warnings_.push_back(name("thresholds.certain") + " has no effect without " +
                          name("thresholds.goals"));
    if (!at("metrics.goodput").list.empty() && (codec_flags(used_) & IFB_CODEC_POOLING) != 0)
      warnings_.push_back(name("metrics.goodput") + " has no effect: backend " +
                          used_.backend->use + " does not generate");
  }

  // Checks the pages as far as this is possible without connections. A password is refused, because
  // the address of a page is part of results, and it is not repeated in the message.
  void observed() {
    constexpr std::string_view urls = "observe.urls";
    for (const std::string& one : at(urls).list) {
      const std::string shown = ifb::without_password(one);
      const bool web = one.starts_with("http://") || one.starts_with("https://");
      if ((!web && !one.starts_with("unix:")) || one.find_first_of(" \t\r\n") != std::string::npos)
        refuse(urls, "expected a URL such as http://127.0.0.1:9400/metrics, not \"" + shown + "\"",
               "begin it with http://, https:// or unix:");
      if (shown != one)
        refuse(urls, shown + " holds a user name or a password, which is not supported",
               "read the page through a proxy or an address that needs none");
    }
    if (at(urls).is_set) return;
    for (const std::string_view path : {"observe.names", "observe.interval"})
      if (is_chosen(path)) warnings_.push_back(name(path) + " has no effect without " + name(urls));
  }

  // Warns about results that no reporter writes. This happens only if the file names the reporters.
  void results() {
    const auto none = [&](auto&& writes) { return std::ranges::none_of(used_.reporters, writes); };
    const bool unwritten = unheard("run.append-result");
    if ((values_.on("run.save-result") || values_.on("run.append-result")) && unwritten)
      warnings_.push_back(
          std::string("no result is saved: the file names its reporters, and none of them writes "
                      "one; add [[reporter]] with use = \"") +
          upstream::result_reporter + "\"");
    unsaved();
    constexpr std::string_view limits = "run.timeline-itl-thresholds";
    if (is_chosen(limits) && unheard(limits))
      warnings_.push_back(name(limits) + " has no effect without " + name("run.plot-timeline"));
    for (const auto& [path, plugin] : upstream::plot_reporters)
      if (values_.on(path) && none([&](const used_plugin& r) { return r.library.id() == plugin; }))
        warnings_.push_back(std::string(path) +
                            " has no effect: the file names its reporters; add [[reporter]] with "
                            "use = \"" +
                            plugin + "\"");
    const std::string* pytorch = env_.find(upstream::pytorch_variable);
    const bool listed = from_.file.find("reporter") != nullptr;
    if (listed && !unwritten && pytorch != nullptr && !pytorch->empty() &&
        none([](const used_plugin& r) { return r.library.id() == upstream::pytorch_reporter; }))
      warnings_.push_back("$" + std::string(upstream::pytorch_variable) +
                          " has no effect: the file names its reporters; add [[reporter]] with "
                          "use = \"" +
                          upstream::pytorch_reporter + "\"");
  }

  // Whether the key `path` has no effect on any reporter.
  bool unheard(std::string_view path) const {
    return std::ranges::none_of(
        used_.reporters, [&](const used_plugin& r) { return hears(path, r.options, r.named); });
  }

  // Whether a reporter of another author is in use. Such a reporter may read label and metadata in
  // ifb_run.config_json.
  bool any_other_reporter() const {
    return std::ranges::any_of(used_.reporters, [](const used_plugin& r) { return !r.of_program; });
  }

  // Warns about settings for a result that no reporter writes. Label and metadata have an effect if
  // there is a journal, which stores them, or a reporter that may read them.
  void unsaved() {
    if (from_.several_runs) return;
    if (values_.on("run.save-result") || values_.on("run.append-result")) return;
    std::vector<std::string> idle;
    for (const std::string_view path : {"run.save-detailed", "run.result-filename",
                                        "run.result-dir", "run.label", "run.metadata"}) {
      const options::option_value& value = at(path);
      const bool detailed = path == "run.save-detailed";
      if (detailed ? !values_.on(path) : value.text.empty() && value.list.empty()) continue;
      const bool of_run = path == "run.label" || path == "run.metadata";
      const bool in_journal = at("run.journal").is_set && at("run.journal").text != "none";
      if (of_run && (in_journal || any_other_reporter())) continue;
      if (!unheard(path)) continue;
      idle.push_back(name(path));
    }
    if (idle.empty()) return;
    const bool own = from_.file.find("reporter") != nullptr;
    warnings_.push_back(fmt::format(
        "no result is saved without {}; without effect: {}",
        own ? "a [[reporter]] that writes one" : name("run.save-result"), fmt::join(idle, ", ")));
  }

  const key_values& values_;
  const sources& from_;
  const used_plugins& used_;
  const options::environment& env_;
  std::vector<std::string>& warnings_;
};

}  // namespace

void check_rules(const key_values& values, const sources& from, const used_plugins& used,
                 const options::environment& env, std::vector<std::string>& warnings) {
  rules(values, from, used, env, warnings).check();
}

}  // namespace inferbench::config
