#include "client/headers.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <span>
#include <vector>

#include "base/text.hpp"
#include "plugin/instance.hpp"
#include "transport/http1_grammar.hpp"
#include "transport/http1_request_writer.hpp"

namespace inferbench::client {

namespace {

/// A list of headers. Allocates memory only if there are more than 16 headers.
class field_list {
 public:
  void set(std::string_view name, std::string_view value) {
    const ifb_field field{plugin::str(name), plugin::str(value)};
    for (std::size_t i = 0; i < count_; ++i) {
      if (!base::equal_no_case(plugin::view(at(i).name), name)) continue;
      at(i) = field;
      return;
    }
    if (count_ < few_.size())
      few_[count_] = field;
    else
      spill(field);
    ++count_;
  }
  [[nodiscard]] std::span<const ifb_field> view() const {
    return many_.empty() ? std::span(few_.data(), count_) : std::span(many_.data(), many_.size());
  }

 private:
  ifb_field& at(std::size_t i) { return many_.empty() ? few_[i] : many_[i]; }
  void spill(const ifb_field& field) {
    if (many_.empty()) many_.assign(few_.begin(), few_.end());
    many_.push_back(field);
  }

  std::array<ifb_field, 16> few_;
  std::vector<ifb_field> many_;
  std::size_t count_ = 0;
};

constexpr std::string_view agent = "inferbench/" INFERBENCH_VERSION;

constexpr std::string_view id_name = "x-request-id";
constexpr std::string_view id_field = "x-request-id: ";
constexpr std::string_view length_field = "Content-Length: ";
constexpr std::string_view end_of_head = "\r\n\r\n";

/// All parts of the request's head, each followed by a NUL. Two requests with the same text have
/// the same head, except for id and length, because no valid part of a head contains a NUL.
std::string text_of(const ifb_http_request& request) {
  std::string out;
  const auto add = [&out](ifb_str part) { out.append(plugin::view(part)).push_back('\0'); };
  add(request.method);
  add(request.target);
  for (std::size_t i = 0; i < request.header_count; ++i) {
    add(request.headers[i].name);
    add(request.headers[i].value);
  }
  return out;
}

/// Whether text_of(request) equals `text`; does not build the text of the request.
bool says(const ifb_http_request& request, std::string_view text) {
  bool same = true;
  const auto match = [&](ifb_str part) {
    same = same && text.size() > part.size && text[part.size] == '\0' &&
           text.substr(0, part.size) == plugin::view(part);
    if (same) text.remove_prefix(part.size + 1);
  };
  match(request.method);
  match(request.target);
  for (std::size_t i = 0; same && i < request.header_count; ++i) {
    match(request.headers[i].name);
    match(request.headers[i].value);
  }
  return same && text.empty();
}

}  // namespace

bool head_writer::write(std::string& out, std::uint32_t server, const ifb_http_request& request,
                        std::string_view id, std::string_view session) {
  const own_headers own{!id.empty(), !session.empty() && !shared_.session_header.empty()};
  forms_.resize(4 * shared_.servers.size());
  form& known = forms_[4 * server + (own.id ? 1 : 0) + (own.session ? 2 : 0)];
  out.clear();
  if (known.head.empty() || !says(request, known.request)) {
    if (!make(known, *shared_.servers[server], request, own)) return false;
  }
  if (!transport::valid_value(id)) return false;
  if (own.session && !transport::valid_value(session)) return false;
  std::uint64_t bytes = 0;
  for (std::size_t i = 0; i < request.body_count; ++i)
    bytes += request.body[i].size;
  out += known.head;
  if (own.session) out.append(shared_.session_header).append(": ").append(session).append("\r\n");
  if (own.id) out.append(id_field).append(id).append("\r\n");
  out.append(length_field);
  std::array<char, 32> digits;
  char* const end = std::to_chars(digits.data(), digits.data() + digits.size(), bytes).ptr;
  out.append(digits.data(), std::ranges::copy(end_of_head, end).out);
  return true;
}

ifb_http_target head_writer::target(std::uint32_t server) {
  if (authorities_.empty())
    for (const transport::endpoint* each : shared_.servers)
      authorities_.push_back(each->where.authority());
  const transport::url& url = shared_.servers[server]->where;
  ifb_http_target out{};
  out.struct_size = sizeof out;
  out.server = server;
  out.scheme = plugin::str(url.tls ? "https" : "http");
  out.authority = plugin::str(authorities_[server]);
  out.prefix = plugin::str(url.target);
  return out;
}

bool head_writer::make(form& known, const transport::endpoint& server,
                       const ifb_http_request& request, own_headers own) {
  field_list fields;
  const auto set = [&](std::string_view name, std::string_view value) {
    const bool is_own = (own.id && base::equal_no_case(name, id_name)) ||
                        (own.session && base::equal_no_case(name, shared_.session_header));
    if (!is_own) fields.set(name, value);
  };
  set("User-Agent", agent);
  set("Accept", "*/*");
  // Without this header a server may use any coding.
  set("Accept-Encoding", "identity");
  if (!server.proxy_authorization.empty()) set("Proxy-Authorization", server.proxy_authorization);
  for (std::size_t i = 0; i < request.header_count; ++i)
    set(plugin::view(request.headers[i].name), plugin::view(request.headers[i].value));
  for (const auto& [name, value] : shared_.headers)
    set(name, value);

  const transport::url& url = server.where;
  const std::string host = url.authority();
  transport::http1_request_head head;
  head.method = plugin::view(request.method);
  head.absolute = server.absolute;
  head.prefix = url.target;
  head.target = plugin::view(request.target);
  head.host = host;
  head.headers = fields.view();
  known.head.clear();
  if (!transport::write_request_head(known.head, head)) return false;
  known.head.resize(known.head.size() - 2);  // the empty line comes after the own headers
  known.request = text_of(request);
  return true;
}

}  // namespace inferbench::client
