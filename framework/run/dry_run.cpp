#include "run/dry_run.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/text.hpp"
#include "client/exchange.hpp"

namespace inferbench::run {

namespace {

constexpr std::size_t most_body = std::size_t{64} << 10U;

/// Whether the value of the header `name` may be a secret.
bool may_be_secret(std::string_view name, const config::fields& of_user) {
  constexpr std::array<std::string_view, 6> words{"authorization", "key",    "token",
                                                  "secret",        "cookie", "signature"};
  const auto same = [&](const auto& field) { return base::equal_no_case(field.first, name); };
  if (std::ranges::any_of(of_user, same)) return true;
  return std::ranges::any_of(words, [&](std::string_view word) {
    for (std::size_t at = 0; at + word.size() <= name.size(); ++at)
      if (base::equal_no_case(name.substr(at, word.size()), word)) return true;
    return false;
  });
}

/// The request line and the headers, one a line, without secrets. `rest` gets what follows the
/// head.
std::string shown_head(std::string_view head, const config::fields& of_user,
                       std::string_view& rest) {
  std::string out;
  bool first = true;
  while (true) {
    const std::size_t end = head.find("\r\n");
    const std::string_view line = head.substr(0, end);
    head.remove_prefix(end == std::string_view::npos ? head.size() : end + 2);
    if (line.empty()) break;
    const std::size_t colon = line.find(':');
    if (!std::exchange(first, false) && colon != std::string_view::npos &&
        may_be_secret(line.substr(0, colon), of_user))
      out += std::string(line.substr(0, colon)) + ": (cut)\n";
    else
      out += base::valid_utf8(line) + "\n";
  }
  rest = head;
  return out;
}

/// The smallest and the largest of some numbers of tokens.
struct token_range {
  std::int64_t least = -1;
  std::int64_t most = -1;
  std::uint64_t unknown = 0;

  void add(std::int64_t tokens) {
    if (tokens < 0) {
      ++unknown;
      return;
    }
    least = least < 0 ? tokens : std::min(least, tokens);
    most = std::max(most, tokens);
  }
  [[nodiscard]] std::string text() const {
    if (most < 0) return "unknown";
    std::string out =
        least == most ? fmt::format("{}", least) : fmt::format("{} to {}", least, most);
    if (unknown != 0) out += fmt::format(", unknown for {}", unknown);
    return out;
  }
};

/// The next job; nullopt after the last.
std::optional<client::job> next_job(prepared& with, run_source& jobs) {
  client::job out;
  while (true) {
    const dataset::taken answer = jobs.try_take(out);
    if (answer == dataset::taken::sample) return out;
    if (answer == dataset::taken::end) return std::nullopt;
    // `later`: the feed is still reading, or a conversation waits for its time or for an answer.
    static_cast<void>(with.samples->wait_until_ready(std::chrono::milliseconds(10)));
  }
}

std::string shown_request(const prepared& with, const client::job& first) {
  client::head_writer heads(with.protocol);
  client::exchange trial(with.protocol, heads);
  const bool made =
      trial.prepare(*first.sample, first.sequence, 0) &&
      (!with.protocol.codec.signs || trial.sign(with.clock.now(), with.clock.unix_now()));
  if (!made)
    throw base::error(fmt::format("the backend {} cannot send what the dataset {} yields: {}",
                                  with.plan.backend.use, with.plan.dataset_name,
                                  trial.finish().error));
  std::string_view in_head;
  std::string out = shown_head(trial.head(), with.plan.server.headers, in_head);
  std::string body(in_head);
  for (const ifb_bytes& piece : trial.body())
    body.append(static_cast<const char*>(piece.data), piece.size);
  static_cast<void>(trial.finish());
  const std::size_t missing = body.size() > most_body ? body.size() - most_body : 0;
  body.resize(body.size() - missing);
  out += "\n" + base::valid_utf8(body) + "\n";
  if (missing != 0) out += fmt::format("... and {} more bytes\n", missing);
  return out;
}

}  // namespace

std::string dry_run_text(prepared& with) {
  with.change_samples();
  with.samples->start(with.samples_ahead(), with.sample_bytes_ahead());
  const std::unique_ptr<run_source> jobs = with.jobs();
  jobs->start_at(0);
  std::optional<client::job> first = next_job(with, *jobs);
  if (!first) throw base::error("there is no request: " + with.samples->trouble());
  const bool endless = with.samples->endless();
  const bool conversations = with.samples->conversations();
  std::string out =
      endless
          ? "Requests: as many as are due until the run ends\n"
          : fmt::format("Requests: {}{}\n", with.samples->requests(),
                        conversations ? fmt::format(" in {} conversations", with.samples->total())
                                      : std::string());
  if (with.protocol.engine)
    out += fmt::format("The backend {} is an engine, which gets the samples themselves\n",
                       with.plan.backend.use);
  else
    out += fmt::format("First request, to {}:\n\n{}\n", with.protocol.servers.front()->where.text(),
                       shown_request(with, *first));
  // Later turns of a conversation depend on the answers.
  if (endless || conversations) return out;
  token_range prompts;
  token_range outputs;
  for (std::optional<client::job> one = std::move(first); one; one = next_job(with, *jobs)) {
    prompts.add(one->sample->input_tokens);
    outputs.add(one->sample->output_tokens);
  }
  if (const std::string trouble = with.samples->trouble(); !trouble.empty())
    throw base::error(trouble);
  return out + fmt::format("Tokens of each prompt: {}\nWanted tokens of each output: {}\n",
                           prompts.text(), outputs.text());
}

}  // namespace inferbench::run
