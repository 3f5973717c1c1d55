#include "observe/pages.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "base/error.hpp"
#include "observe/series_log.hpp"
#include "transport/url.hpp"

namespace inferbench::observe {

namespace {

constexpr const char* usual_path = "/metrics";
const base::source_position observe_flag{"--observe", 0, 0};

scraper::page page_at(const services::target& servers, transport::endpoint where,
                      bool with_headers) {
  scraper::page out;
  out.url = where.where.text();
  services::target::page what;
  what.where = std::move(where);
  what.with_headers = with_headers;
  what.most_bytes = scraper::most_page_bytes;
  out.fetch = [&servers, what](std::uint64_t timeout_ns, std::function<bool()> stop) mutable {
    what.timeout_ns = timeout_ns;
    return servers.read(what, std::move(stop));
  };
  return out;
}

transport::endpoint endpoint_of(const services::target& servers, const std::string& text) {
  transport::url where = transport::parse_url(text, observe_flag);
  if (where.target.empty() || where.target == "/") where.target = usual_path;
  try {
    return servers.endpoint_of(where);
  } catch (const base::error& e) {
    throw base::error(e.message(), e.remedy(), observe_flag);
  }
}

}  // namespace

std::vector<scraper::page> pages_of(const config::observing& wanted,
                                    const services::target& servers, bool of_servers) {
  std::vector<scraper::page> out;
  if (!wanted.wanted) return out;
  if (of_servers)
    for (transport::endpoint one : servers.endpoints()) {
      one.where.target += usual_path;
      out.push_back(page_at(servers, std::move(one), true));
    }
  for (const std::string& text : wanted.urls) {
    transport::endpoint one = endpoint_of(servers, text);
    const std::string url = one.where.text();
    if (std::ranges::find(out, url, &scraper::page::url) != out.end()) continue;
    const bool ours =
        std::ranges::any_of(servers.endpoints(), [&](const transport::endpoint& base) {
          return base.where.same_origin(one.where) && base.where.socket == one.where.socket;
        });
    out.push_back(page_at(servers, std::move(one), ours && of_servers));
  }
  if (out.size() > series_log::most_sources)
    throw base::error("the metrics of " + std::to_string(out.size()) +
                          " pages are too many; at most " +
                          std::to_string(series_log::most_sources) + " can be read",
                      "leave out --observe, or use fewer base URLs or pages", observe_flag);
  return out;
}

}  // namespace inferbench::observe
