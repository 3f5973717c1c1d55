#include "services/target.hpp"

#include <algorithm>
#include <memory>

#include <fmt/format.h>

#include "base/clock.hpp"
#include "base/error.hpp"
#include "base/json.hpp"
#include "base/text.hpp"
#include "transport/connection.hpp"
#include "transport/event_loop.hpp"
#include "transport/proxy.hpp"

namespace inferbench::services {

namespace {

constexpr const char* remedy = "start the server, or check --base-url, --host and --port";
// The least interval between messages about slow answers: many prompts may wait, one after another
// and in parallel.
constexpr std::uint64_t between_waits_ns = 30 * base::ns_per_s;

const base::source_position flag{"--base-url", 0, 0};

/// Waits until one connection is established or refused.
class attempt final : public transport::connection_listener {
 public:
  void on_connected(transport::connection&, std::uint64_t) override { over_ = true; }
  void on_bytes(transport::connection&, std::string_view, std::uint64_t) override {}
  void on_eof(transport::connection&, std::uint64_t) override { over_ = true; }
  void on_failure(transport::connection&, const transport::connection_failure& why,
                  std::uint64_t) override {
    over_ = true;
    trouble_ = why.text;
    remedy_ = why.remedy;
  }

  [[nodiscard]] bool over() const { return over_; }
  [[nodiscard]] const std::string& trouble() const { return trouble_; }
  [[nodiscard]] const std::string& remedy() const { return remedy_; }

 private:
  bool over_ = false;
  std::string trouble_;
  std::string remedy_;
};

transport::route_options routes_of(const config::server& server) {
  transport::route_options out;
  out.proxies = {server.http_proxy, server.https_proxy, server.no_proxy};
  const transport::tls_options tls{server.ca_cert, server.client_cert, server.client_key,
                                   server.insecure};
  // Wrong certificate files are reported even if no URL begins with https, because a redirect may
  // lead to https.
  const bool secure = std::ranges::any_of(
      server.base_urls, [](const std::string& one) { return transport::parse_url(one, flag).tls; });
  if (secure || tls != transport::tls_options{})
    out.tls = std::make_shared<const transport::tls_context>(tls);
  return out;
}

// A resolver that takes longer has a problem; for instance, one of several name servers does not
// answer.
constexpr std::uint64_t slow_name_ns = base::ns_per_s / 2;

std::vector<transport::endpoint> resolve_all(const config::server& server,
                                             const transport::route_options& routes,
                                             const base::clock& clock, base::log* log) {
  std::vector<transport::endpoint> out;
  for (const std::string& one : server.base_urls) {
    const std::uint64_t before = clock.now();
    out.push_back(transport::resolve(transport::parse_url(one, flag), routes));
    const std::uint64_t took = clock.now() - before;
    if (took > slow_name_ns && log != nullptr)
      log->warning(fmt::format(
          "the resolver took {:.1f} s for the address of {}; this is done once, before the "
          "traffic, so no figure includes it, but other clients of the server wait for it, too: "
          "see /etc/resolv.conf",
          static_cast<double>(took) / 1e9, out.back().where.text()));
  }
  return out;
}

rapidjson::Document json_of(const std::string& body, const std::string& url,
                            const std::string& hint) {
  try {
    return base::parse_json(body, url);
  } catch (const base::error& e) {
    throw base::error(e.message(), hint, e.where());
  }
}

config::fields headers_of(const config::server& server) {
  config::fields out;
  if (!server.api_key.empty()) out.emplace_back("Authorization", "Bearer " + server.api_key);
  out.insert(out.end(), server.headers.begin(), server.headers.end());
  return out;
}

const config::fields::value_type json_content{"Content-Type", "application/json"};

/// Each header once, with its last value; names are compared without case. "Connection" is left
/// out, because transport::fetch() writes it.
config::fields sent_once(const config::fields& given) {
  config::fields out;
  for (const auto& [name, value] : given) {
    if (base::equal_no_case(name, "connection")) continue;
    const auto same = std::ranges::find_if(
        out, [&](const auto& other) { return base::equal_no_case(other.first, name); });
    if (same == out.end())
      out.emplace_back(name, value);
    else
      same->second = value;
  }
  return out;
}

}  // namespace

target::target(const config::server& server, const base::clock& clock, base::log* log,
               std::uint64_t slow_ns)
    : clock_(clock),
      routes_(routes_of(server)),
      endpoints_(resolve_all(server, routes_, clock, log)),
      headers_(headers_of(server)),
      connect_timeout_ns_(server.connect_timeout_ns),
      log_(log),
      slow_ns_(slow_ns) {}

void target::check_reachable() const {
  transport::event_loop loop(clock_);
  for (const transport::endpoint& one : endpoints_) {
    attempt result;
    transport::connection connection(loop);
    connection.set_listener(result);
    connection.connect(one, 0,
                       connect_timeout_ns_ == 0 ? transport::timer_queue::never
                                                : clock_.now() + connect_timeout_ns_);
    while (!result.over())
      loop.run_once(true);
    if (result.trouble().empty()) continue;
    const std::string which = endpoints_.size() > 1 ? one.where.text() + ": " : "";
    const std::string usual(one.proxy.empty() ? remedy : transport::proxy_remedy);
    throw base::error(which + result.trouble(), result.remedy().empty() ? usual : result.remedy());
  }
}

void target::settle(transport::fetch_request& what) const {
  what.headers = sent_once(what.headers);
  if (connect_timeout_ns_ != 0) what.connect_timeout_ns = connect_timeout_ns_;
  what.routes = &routes_;
}

transport::fetch_result target::perform(const transport::endpoint& where,
                                        transport::fetch_request what) const {
  settle(what);
  if (log_ != nullptr)
    what.on_slow = [this, url = where.where.text() + what.target] { tell_slow(url); };
  what.slow_ns = slow_ns_;
  return transport::fetch(clock_, where, what);
}

transport::fetch_result target::fetch(std::string method, std::string path, std::string_view body,
                                      std::uint64_t timeout_ns, std::size_t server,
                                      std::function<bool()> stop) const {
  transport::fetch_request what;
  what.method = std::move(method);
  what.target = std::move(path);
  if (!body.empty()) what.headers.push_back(json_content);
  what.headers.insert(what.headers.end(), headers_.begin(), headers_.end());
  what.body = body;
  what.total_timeout_ns = timeout_ns;
  what.stop = std::move(stop);
  return perform(endpoints_.at(server), std::move(what));
}

transport::fetch_request target::made_of(const request& what) const {
  transport::fetch_request out;
  out.method = what.method;
  if (!what.body.empty()) out.headers.push_back(json_content);
  out.headers.insert(out.headers.end(), what.headers.begin(), what.headers.end());
  out.body = what.body;
  out.total_timeout_ns = what.timeout_ns;
  out.whole_errors = true;
  return out;
}

transport::fetch_result target::send(const request& what) const {
  transport::fetch_request out = made_of(what);
  out.target = what.target;
  out.headers.insert(out.headers.end(), headers_.begin(), headers_.end());
  return perform(endpoints_.front(), std::move(out));
}

transport::endpoint target::endpoint_of(const transport::url& where) const {
  transport::route_options routes = routes_;
  if (where.tls) routes.tls = tls();
  return transport::resolve(where, routes);
}

transport::fetch_result target::read(const page& what, std::function<bool()> stop) const {
  transport::fetch_request asked;
  asked.headers.emplace_back("Accept", "text/plain; version=0.0.4, text/plain, */*; q=0.1");
  if (what.with_headers)
    asked.headers.insert(asked.headers.end(), headers_.begin(), headers_.end());
  asked.total_timeout_ns = what.timeout_ns;
  asked.max_body_bytes = what.most_bytes;
  asked.stop = std::move(stop);
  settle(asked);
  try {
    return transport::fetch(clock_, what.where, asked);
  } catch (const base::error& e) {
    transport::fetch_result out;
    out.error = e.message();
    return out;
  }
}

transport::fetch_result target::send_to(const transport::url& where, const request& what) const {
  try {
    return perform(endpoint_of(where), made_of(what));
  } catch (const base::error& e) {
    transport::fetch_result out;
    out.error = e.message();
    out.remedy = e.remedy();
    return out;
  }
}

std::shared_ptr<const transport::tls_context> target::tls() const {
  if (routes_.tls) return routes_.tls;
  const std::lock_guard lock(mutex_);
  // Reading the system's certificates takes some time, so it is done once.
  if (!tls_) tls_ = std::make_shared<const transport::tls_context>();
  return tls_;
}

void target::tell_slow(const std::string& url) const {
  {
    const std::lock_guard lock(mutex_);
    const std::uint64_t now = clock_.now();
    const auto [told, first] = told_.try_emplace(url, now);
    if (!first && now - told->second < between_waits_ns) return;
    told->second = now;
  }
  log_->info("Waiting for " + url + " ...");
}

target::model target::discover_model() const {
  transport::url where = endpoints_.front().where;
  where.target += "/v1/models";
  const std::string url = where.text();
  const std::string hint = "name the model with --model";
  const auto answer = fetch("GET", "/v1/models", {}, 30 * base::ns_per_s);
  if (!answer.ok()) throw base::error(answer.error, answer.remedy.empty() ? hint : answer.remedy);
  if (answer.status / 100 != 2) {
    std::string more;
    if (answer.status == 401 || answer.status == 403) more = ", or set OPENAI_API_KEY";
    if (answer.status == 404 && !endpoints_.front().where.target.empty())
      more = ", or leave " + endpoints_.front().where.target + " out of --base-url";
    throw base::error("cannot ask " + url + " for its model: HTTP " +
                          std::to_string(answer.status) + " " + answer.reason,
                      hint + more);
  }
  const auto document = json_of(answer.body, url, hint);
  const auto* data = base::find(document, "data");
  if (data == nullptr || !data->IsArray() || data->Empty())
    throw base::error(url + " names no model", hint);
  const auto& first = (*data)[0];
  model found;
  found.id = base::text_of(base::find(first, "id"));
  found.root = base::text_of(base::find(first, "root"));
  if (found.id.empty()) throw base::error(url + " names a model without an id", hint);
  if (found.root.empty()) found.root = found.id;
  return found;
}

}  // namespace inferbench::services
