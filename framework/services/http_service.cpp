#include "services/http_service.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <new>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include <inferbench/guard.hpp>

#include "base/arena.hpp"
#include "base/error.hpp"
#include "base/http_token.hpp"
#include "base/text.hpp"
#include "plugin/host.hpp"
#include "plugin/instance.hpp"
#include "plugin/struct_copy.hpp"
#include "services/target.hpp"
#include "transport/http1_request_writer.hpp"
#include "transport/url.hpp"

namespace inferbench::services {

namespace {

[[noreturn]] void refuse(const std::string& why) { throw ifb::failure{IFB_E_UNSUPPORTED, why}; }

bool is_web(std::string_view target) {
  const auto begins = [&](std::string_view scheme) {
    return base::equal_no_case(target.substr(0, scheme.size()), scheme);
  };
  return begins("http://") || begins("https://");
}

/// The server that the target names; nullopt if it is a path.
std::optional<transport::url> server_of(std::string_view target) {
  if (is_web(target)) {
    try {
      return transport::parse_url(target);
    } catch (const base::error& e) {
      refuse(e.message());
    }
  }
  if (!target.empty() && !target.starts_with('/'))
    refuse("the target \"" + base::valid_utf8(target) +
           "\" is neither a path, which begins with /, nor a URL, which begins with http:// or "
           "https://");
  return std::nullopt;
}

std::string joined(std::span<const ifb_bytes> pieces) {
  std::string out;
  for (const ifb_bytes& piece : pieces)
    out += plugin::view(piece);
  return out;
}

/// Refuses what HTTP/1.1 cannot carry, and names the part that is at fault.
void check(const target::request& what) {
  const auto refuse_part = [&](const std::string& part) {
    refuse(part + " of the request for " + base::valid_utf8(what.target) +
           " holds characters that HTTP does not allow");
  };
  if (what.method.empty())
    refuse("the request for " + base::valid_utf8(what.target) + " has no method");
  if (!base::is_token(what.method)) refuse_part("the method");
  if (what.target.starts_with('/') && !transport::valid_target(what.target))
    refuse_part("the target");
  for (const auto& [name, value] : what.headers)
    if (!transport::valid_field(name, value))
      refuse_part("the header \"" + base::valid_utf8(name) + "\"");
}

transport::fetch_result answer_of(const target& server, const ifb_http_request& asked,
                                  std::uint64_t timeout_ns) {
  const std::string_view where = plugin::view(asked.target);
  const std::string body = joined({asked.body, asked.body_count});
  target::request what{.method = std::string(plugin::view(asked.method)),
                       .target = std::string(where),
                       .body = body,
                       .timeout_ns = timeout_ns};
  for (const ifb_field& field : std::span(asked.headers, asked.header_count))
    what.headers.emplace_back(plugin::view(field.name), plugin::view(field.value));
  check(what);
  if (const auto elsewhere = server_of(where)) return server.send_to(*elsewhere, what);
  if (server.endpoints().empty())
    refuse("there is no server under test to be asked for " + what.target + "; give a whole URL");
  return server.send(what);
}

/// A copy of `text` in the arena. Throws std::bad_alloc if the arena is exhausted.
ifb_str kept(ifb_arena& arena, std::string_view text) {
  const std::string_view copy = arena.copy(text);
  if (copy.size() != text.size()) throw std::bad_alloc();
  return plugin::str(copy);
}

void hand_over(const transport::fetch_result& answer, ifb_arena& arena, ifb_http_answer* out) {
  ifb_http_answer made{};
  made.status = answer.status;
  const ifb_str body = kept(arena, answer.body);
  made.body = {body.data, body.size};
  if (!answer.headers.empty()) {
    auto* const fields =
        static_cast<ifb_field*>(arena.alloc(answer.headers.size() * sizeof(ifb_field)));
    if (fields == nullptr) throw std::bad_alloc();
    for (std::size_t i = 0; i < answer.headers.size(); ++i)
      fields[i] = {kept(arena, answer.headers[i].first), kept(arena, answer.headers[i].second)};
    made.headers = fields;
    made.header_count = answer.headers.size();
  }
  made.struct_size = out->struct_size;
  std::memcpy(out, &made, std::min<std::size_t>(out->struct_size, sizeof made));
}

ifb_status request(const ifb_host* host, const ifb_http_request* given, std::uint64_t timeout_ns,
                   ifb_arena* arena, ifb_http_answer* out, ifb_error* error) {
  return ifb::guard(error, [&]() -> ifb_status {
    const auto& server = *static_cast<const target*>(plugin::services_of(host).http_state);
    if (arena == nullptr) refuse("the answer needs an arena");
    try {
      const transport::fetch_result answer =
          answer_of(server, plugin::struct_copy(*given), timeout_ns);
      if (!answer.ok())
        throw ifb::failure{answer.timed_out ? IFB_E_TIMEOUT : IFB_E_IO, answer.error};
      hand_over(answer, *arena, out);
      return IFB_OK;
    } catch (const base::error& e) {  // the process has no descriptors left
      throw ifb::failure{IFB_E_IO, e.what()};
    }
  });
}

ifb_arena* make_arena(const ifb_host*) { return new (std::nothrow) ifb_arena; }

void free_arena(const ifb_host*, ifb_arena* arena) { delete arena; }

constexpr ifb_http_service http_table{sizeof(ifb_http_service), 0, &request, &make_arena,
                                      &free_arena};

}  // namespace

const ifb_http_service& http_service() noexcept { return http_table; }

}  // namespace inferbench::services
