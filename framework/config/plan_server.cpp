#include "config/plan_server.hpp"

#include <algorithm>

#include "base/units.hpp"
#include "options/to_node.hpp"

namespace inferbench::config {

namespace {

constexpr std::string_view read_timeout_variable = "VLLM_BENCH_SOCK_READ";

// A quick check only; transport::parse_url() parses the whole URL when the run begins.
bool looks_like_url(std::string_view text) {
  const auto scheme = text.find("://");
  const bool web = (text.starts_with("http://") || text.starts_with("https://")) &&
                   text.size() > scheme + 3 && text[scheme + 3] != '/';
  const bool local = text.starts_with("unix:") && text.size() > 5;
  return (web || local) && text.find_first_of(" \t\r\n") == std::string_view::npos;
}

// The message contains the URL, because `where` is unknown if the URL is a default.
void check_address(const std::string& one, const base::source_position& where) {
  if (!looks_like_url(one))
    throw base::error("expected a URL such as http://127.0.0.1:8000, not \"" + one + "\"",
                      "begin it with http://, https:// or unix:, and name the host or socket",
                      where);
  if (one.find('?') != std::string::npos)
    throw base::error("\"" + one + "\" has a query, which would stand before the endpoint",
                      "leave out the part from ? on", where);
}

std::vector<std::string> base_urls(const key_values& values) {
  const options::option_value& given = values.at("server.base-url");
  if (given.is_set) {
    for (const std::string& one : given.list)
      check_address(one, given.where);
    return given.list;
  }
  const options::option_value& named = values.at("server.host");
  std::string host = named.text;
  if (host.empty() || host.find_first_of(" \t\r\n/") != std::string::npos)
    throw base::error("expected the name or address of a host, not \"" + host + "\"",
                      "use --base-url for a whole address", named.where);
  if (host.find(':') != std::string::npos && host.front() != '[') host = "[" + host + "]";
  return {"http://" + host + ":" + std::to_string(values.at("server.port").integer)};
}

void fill_proxies(server& out, const key_values& values, const options::environment& env) {
  const auto given = values.text("server.proxy");
  if (!given)
    take_proxies(out, env);
  else if (*given != "none")
    out.http_proxy = out.https_proxy = *given;
}

}  // namespace

void take_proxies(server& out, const options::environment& env) {
  const auto variable = [&](std::string_view lower, std::string_view upper) {
    const std::string* found = env.find(lower);
    if (found == nullptr || found->empty()) found = env.find(upper);
    return found == nullptr ? std::string{} : *found;
  };
  out.http_proxy = variable("http_proxy", "HTTP_PROXY");
  out.https_proxy = variable("https_proxy", "HTTPS_PROXY");
  out.no_proxy = variable("no_proxy", "NO_PROXY");
}

void fill_server(plan& out, const key_values& values, const options::environment& env) {
  const auto number = [&](std::string_view path) {
    return static_cast<std::uint64_t>(values.at(path).integer);
  };
  auto& server = out.server;
  server.base_urls = base_urls(values);
  server.headers = pairs_of(values, "server.header", env);
  server.api_key = api_key_of(values, env);
  server.connect_timeout_ns = number("server.connect-timeout");
  server.first_byte_timeout_ns = number("server.first-byte-timeout");
  server.idle_timeout_ns = number("server.idle-timeout");
  server.request_timeout_ns = number("server.request-timeout");
  server.stall_warning_ns = number("server.stall-warning");
  server.max_message = number("server.max-message");
  server.max_answer = number("server.max-answer");
  server.ca_cert = values.at("server.ca-cert").text;
  server.client_cert = values.at("server.client-cert").text;
  server.client_key = values.at("server.client-key").text;
  if (server.client_cert.empty() && !server.client_key.empty())
    throw base::error("a key without a certificate", "give it with --client-cert",
                      values.at("server.client-key").where);
  server.insecure = values.on("server.insecure");
  fill_proxies(server, values, env);
}

void take_variables(key_values& values, const sources& from, const options::environment& env) {
  constexpr std::string_view paths[] = {"server.first-byte-timeout", "server.idle-timeout"};
  const std::string* seconds = env.find(read_timeout_variable);
  const bool given =
      std::ranges::all_of(paths, [&](std::string_view path) { return is_given(path, from); });
  if (seconds == nullptr || seconds->empty() || given) return;
  const auto number = base::parse_number(*seconds);
  const auto found = number ? base::duration_of_seconds(*number) : std::nullopt;
  if (!found || *found < 0)
    throw base::error("expected a number of seconds of at least 0, not \"" + *seconds + "\"",
                      "correct the environment variable, or give both --first-byte-timeout and "
                      "--idle-timeout",
                      {"$" + std::string(read_timeout_variable), 0, 0});
  for (const std::string_view path : paths)
    if (!is_given(path, from)) values.at(path).integer = *found;
}

std::string api_key_of(const key_values& values, const options::environment& env) {
  if (const auto given = values.text("server.api-key")) return *given;
  const std::string* usual = env.find("OPENAI_API_KEY");
  return usual == nullptr ? std::string{} : *usual;
}

fields pairs_of(const key_values& values, std::string_view path, const options::environment& env) {
  fields out;
  const options::option_value& value = values.at(path);
  for (const std::string& item : value.list)
    out.push_back(options::resolve_pair(item, env, value.where));
  return out;
}

}  // namespace inferbench::config
