#include "startup/server_form.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "base/error.hpp"
#include "sweep/command.hpp"
#include "transport/server_address.hpp"
#include "transport/url.hpp"

namespace inferbench::startup {

namespace {

std::uint64_t width_of(const seen_moment& of) {
  return of.at_ns - std::min(of.at_ns, of.earliest_ns);
}

double in_seconds(std::uint64_t ns) { return static_cast<double>(ns) / base::ns_per_s; }

}  // namespace

server_start_setup setup_of(const offline::startup_options& options,
                            const options::environment& env) {
  const offline::started_server& from = options.server.value();
  server_start_setup out;
  out.command = sweep::split_words(from.command, "--server-cmd");
  const transport::url url = from.url ? transport::parse_url(*from.url, {"--server-url"})
                                      : transport::server_address(out.command);
  // Without this check a path that cannot be sent would be asked for until the time is over.
  if (from.ready_path)
    static_cast<void>(
        transport::parse_url("http://localhost" + *from.ready_path, {"--ready-path"}));
  out.where = transport::resolve(url);
  out.ready_path = from.ready_path;
  out.first_token = from.first_token;
  out.model = options.model;
  if (const std::string* key = env.find("OPENAI_API_KEY")) out.api_key = *key;
  out.timeout_ns = static_cast<std::uint64_t>(from.timeout_s * base::ns_per_s);
  return out;
}

start_sample sample_of(const server_start_times& times, std::int64_t unix_offset_ns) {
  const auto date = [&](std::uint64_t ns) {
    return static_cast<std::int64_t>(ns) + unix_offset_ns;
  };
  start_sample out;
  out.startup_s = in_seconds(times.ready.at_ns - times.started_ns);
  out.phases.push_back({.name = "listening",
                        .start_ns = date(times.started_ns),
                        .end_ns = date(times.listening.at_ns),
                        .uncertainty_s = in_seconds(width_of(times.listening))});
  out.phases.push_back(
      {.name = "ready",
       .start_ns = date(times.listening.at_ns),
       .end_ns = date(times.ready.at_ns),
       .uncertainty_s = in_seconds(width_of(times.listening) + width_of(times.ready))});
  if (!times.token) return out;
  start_phase token{.name = "first_token"};
  token.missing = !times.token->error.empty();
  if (token.missing) {
    out.remarks.push_back("no first token: " + times.token->error);
  } else {
    token.start_ns = date(times.token->sent_ns);
    token.end_ns = date(times.token->token_ns);
  }
  out.phases.push_back(std::move(token));
  return out;
}

start_sample repeated_server::start(std::span<const std::string> environment) {
  server_start_setup setup = setup_;
  setup.extra_environment.insert(setup.extra_environment.end(), environment.begin(),
                                 environment.end());
  const std::int64_t offset = clock_.unix_now() - static_cast<std::int64_t>(clock_.now());
  const server_start_times times = measure_server_start(setup, clock_, stop_);
  ready_path_ = times.ready_path;
  stop_ns_ = std::max(stop_ns_, times.stop_ns);
  start_sample out = sample_of(times, offset);
  if (times.killed) {
    ++killed_;
    out.remarks.push_back("the server did not end within " +
                          std::to_string(setup.stop_timeout_ns / base::ns_per_s) +
                          " s after SIGTERM, so it was ended by SIGKILL");
  }
  return out;
}

options::node repeated_server::about() const {
  using options::node;
  node out = node::table();
  out.set("form", node::of(std::string("server")));
  node command = node::list();
  for (std::string& word : sweep::without_secrets(setup_.command))
    command.items.push_back(node::of(std::move(word)));
  out.set("command", std::move(command));
  out.set("url", node::of(setup_.where.where.text()));
  out.set("ready_path", node::of(ready_path_));
  out.set("longest_stop_s", node::of(in_seconds(stop_ns_)));
  out.set("killed", node::of(killed_));
  return out;
}

}  // namespace inferbench::startup
