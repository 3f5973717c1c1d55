#include "startup/first_token.hpp"

#include <utility>
#include <vector>

#include "base/error.hpp"
#include "base/text.hpp"
#include "options/node.hpp"
#include "transport/fetch.hpp"

namespace inferbench::startup {

namespace {

using options::node;

constexpr std::size_t most_shown_characters = 200;
constexpr std::uint64_t models_limit_ns = 5 * base::ns_per_s;

std::vector<std::pair<std::string, std::string>> headers_with(const std::string& api_key) {
  std::vector<std::pair<std::string, std::string>> out;
  if (!api_key.empty()) out.emplace_back("Authorization", "Bearer " + api_key);
  return out;
}

std::string shortened(std::string_view text) {
  const std::string line = base::one_line(text);
  return line.size() <= most_shown_characters
             ? line
             : base::one_line(std::string_view(line).substr(0, most_shown_characters)) + "...";
}

std::string text_of_error(const node& answer) {
  const node* error = answer.find("error");
  if (error == nullptr) return {};
  const node* message = error->find("message");
  if (message != nullptr && message->is(node::kind::text)) return shortened(message->text);
  return shortened(options::to_json(*error, options::non_finite::written));
}

}  // namespace

void token_reader::add(std::string_view bytes, std::uint64_t stamp) {
  transport::sse_event event;
  while (events_.next(bytes, stamp, event))
    take(event.data, event.stamp);
}

void token_reader::finish() {
  transport::sse_event event;
  if (events_.finish(event)) take(event.data, event.stamp);
}

void token_reader::take(std::string_view data, std::uint64_t stamp) {
  if (token_ns_ != 0 || base::trim(data) == "[DONE]") return;
  try {
    const node answer = options::parse_json_node(data, "the answer");
    if (const node* choices = answer.find("choices");
        choices != nullptr && choices->is(node::kind::list) && !choices->items.empty())
      token_ns_ = stamp;
    else if (error_.empty())
      error_ = text_of_error(answer);
  } catch (const base::error&) {
    if (error_.empty()) error_ = "the answer is no JSON: " + shortened(data);
  }
}

std::string token_reader::error() const {
  if (token_ns_ != 0) return {};
  if (!error_.empty()) return error_;
  return events_.failed() ? "the answer is too long" : "the answer has no choices";
}

std::string first_token_body(std::string_view model) {
  node out = node::table();
  out.set("model", node::of(std::string(model)));
  out.set("prompt", node::of(std::string("Hello")));
  out.set("max_tokens", node::of(std::int64_t{1}));
  out.set("temperature", node::of(0.0));
  out.set("stream", node::of(true));
  return options::to_json(out);
}

first_token fetch_first_token(const transport::endpoint& where, const first_token_request& what,
                              const base::clock& clock) {
  first_token out;
  token_reader reader;
  const std::string body = first_token_body(what.model);
  transport::fetch_request request{
      .method = "POST",
      .target = "/v1/completions",
      .headers = headers_with(what.api_key),
      .body = body,
      .total_timeout_ns = what.timeout_ns,
      .on_body = [&](std::string_view bytes, std::uint64_t stamp) { reader.add(bytes, stamp); },
      .stop = what.stop};
  request.headers.emplace_back("Content-Type", "application/json");
  out.sent_ns = clock.now();
  const transport::fetch_result got = transport::fetch(clock, where, request);
  out.ended_ns = clock.now();
  if (!got.ok()) {
    out.error = got.error;
    return out;
  }
  out.answered = true;
  if (got.status / 100 != 2) {
    out.error = "POST " + where.where.text() + "/v1/completions has the status " +
                std::to_string(got.status) +
                (got.body.empty() ? std::string() : ": " + shortened(got.body));
    return out;
  }
  reader.finish();
  out.token_ns = reader.token_ns();
  if (const std::string why = reader.error(); !why.empty())
    out.error = "POST " + where.where.text() + "/v1/completions gave no token: " + why;
  return out;
}

std::string first_model(const transport::endpoint& where, const std::string& api_key,
                        const std::function<bool()>& stop, const base::clock& clock) {
  const transport::fetch_result got = transport::fetch(clock, where,
                                                       {.target = "/v1/models",
                                                        .headers = headers_with(api_key),
                                                        .total_timeout_ns = models_limit_ns,
                                                        .stop = stop});
  if (!got.ok() || got.status / 100 != 2) return {};
  try {
    const node answer = options::parse_json_node(got.body, "the answer");
    const node* data = answer.find("data");
    if (data == nullptr || !data->is(node::kind::list) || data->items.empty()) return {};
    const node* id = data->items.front().find("id");
    return id != nullptr && id->is(node::kind::text) ? id->text : std::string();
  } catch (const base::error&) {
    return {};
  }
}

}  // namespace inferbench::startup
