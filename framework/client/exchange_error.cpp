// The error messages of an exchange.
#include "base/text.hpp"
#include "client/exchange.hpp"

namespace inferbench::client {

std::string exchange::status_line() const {
  std::string text = "HTTP " + std::to_string(record_.http_status);
  if (!parser_.reason().empty()) text += " " + quoted(parser_.reason());
  const std::string_view location = parser_.find("location");
  if (record_.http_status / 100 == 3 && !location.empty())
    return text + " to " + quoted(location) +
           ", which is not followed; give the final address with --base-url and --endpoint";
  const std::string_view body = base::trim(whole_);
  if (!body.empty() && (coded_ || coding().empty())) text += ": " + base::valid_utf8(body);
  return text;
}

std::string exchange::no_stream() const {
  const std::string_view type = base::trim(parser_.find("content-type"));
  return "the answer to a streaming request is no stream of events (Content-Type: " +
         (type.empty() ? std::string("none") : quoted(type)) +
         "), so it has no time to first token (TTFT); see whether the server, or a proxy before "
         "it, streams here: " +
         base::valid_utf8(base::trim(whole_));
}

// A hint for answers that usually come from a wrong address or path.
std::string exchange::likely_cause() const {
  constexpr std::string_view place = "check --base-url and --endpoint";
  const auto with = [&](std::string_view why) {
    return std::string("; ").append(why).append(": ").append(place);
  };
  const std::string_view stated = parser_.find("content-type");
  switch (record_.http_status) {
    case 404:
      // A server with several models names the model in the error.
      if (whole_.find("model") != std::string::npos)
        return "; check --model and --served-model-name";
      [[fallthrough]];
    case 405: return with("nothing takes such requests there");
    case 426:
    case 505:
      return "; this client speaks only HTTP/1.1: let the server, or a proxy before it, accept it";
    case 200: break;
    default: return {};
  }
  if (!any_body_) return with("HTTP 200 with an empty body");
  constexpr std::string_view page = "text/html";
  if (base::equal_no_case(stated.substr(0, page.size()), page))
    return with("the answer is a web page");
  return {};
}

// A text of the server for an error message, cut to max_error_body bytes.
std::string exchange::quoted(std::string_view words) const {
  return base::valid_utf8(words.substr(0, shared_.max_error_body));
}

}  // namespace inferbench::client
