#include "check/replay.hpp"

#include <random>

#include "check/host.hpp"
#include "check/sample.hpp"
#include "client/backend.hpp"
#include "client/exchange.hpp"
#include "plugin/instance.hpp"
#include "transport/resolver.hpp"

namespace inferbench::check {

namespace {

using client::exchange;

std::vector<std::string> lines_of(const client::record& r) {
  const auto count = [](std::int64_t n) { return n < 0 ? " -" : " " + std::to_string(n); };
  std::vector<std::string> out = {"events " + std::to_string(r.tokens.size()),
                                  "text \"" + r.text + "\"",
                                  "usage" + count(r.prompt_tokens) + count(r.cached_tokens) +
                                      count(r.output_tokens) + count(r.reasoning_tokens)};
  for (const auto& [name, value] : r.attributes)
    if (name != "reasoning" && name != "tool_call")
      out.emplace_back(name).append(" ").append(value);
  out.push_back(r.ok() ? "done " + r.finish_reason
                       : "error " + std::to_string(r.status) + " " + r.error);
  return out;
}

// `cuts`: the ascending offsets at which one read ends and the next read begins.
std::vector<std::string> once(exchange& work, bool signs, const ifb_sample& sample,
                              const std::string& bytes, bool closes,
                              const std::vector<std::size_t>& cuts) {
  if (work.prepare(sample, 0, 1) && (!signs || work.sign(2, wall_clock_ns))) {
    work.start(2);
    work.connected(3);
    work.sent(4);
    auto going = exchange::progress::more;
    std::size_t from = 0;
    std::uint64_t stamp = 5;
    for (std::size_t i = 0; i <= cuts.size() && going == exchange::progress::more; ++i) {
      const std::size_t to = i < cuts.size() ? cuts[i] : bytes.size();
      going = work.feed(std::string_view(bytes).substr(from, to - from), stamp++);
      from = to;
    }
    if (closes && going == exchange::progress::more) static_cast<void>(work.eof(stamp));
  }
  return lines_of(work.finish());
}

}  // namespace

std::vector<std::string> replayed(subject& s, std::vector<options::option_value> values,
                                  const std::string& sample, const std::string& bytes,
                                  bool closes) {
  const options::plugin_choice choice{
      .library = s.plugin(), .use = s.given().id, .values = std::move(values)};
  const plugin::services none;
  const auto instance = choice.create(none);
  const transport::endpoint nowhere{transport::parse_url("http://host"), {}};
  client::backend shared;
  shared.instance = instance->get();
  shared.codec = plugin::codec_of(*instance);
  shared.servers = {&nowhere};
  client::head_writer heads(shared);
  exchange work(shared, heads);
  lent_memory memory;
  const ifb_sample* const lent = lend_sample(memory, sample);
  const bool signs = shared.codec.signs;
  auto whole = once(work, signs, *lent, bytes, closes, {});
  // NOLINTNEXTLINE(cert-msc32-c,cert-msc51-cpp): the same cuts each time
  std::mt19937_64 random(bytes.size());
  std::vector<std::vector<std::size_t>> ways(1);
  for (std::size_t at = 1; at < bytes.size(); ++at)
    ways.front().push_back(at);
  for (int i = 0; i < 5; ++i) {
    auto& cuts = ways.emplace_back();
    for (std::size_t at = 1 + random() % 60; at < bytes.size(); at += 1 + random() % 60)
      cuts.push_back(at);
  }
  for (const auto& cuts : ways)
    if (once(work, signs, *lent, bytes, closes, cuts) != whole)
      whole.push_back("otherwise in " + std::to_string(cuts.size() + 1) + " reads");
  return whole;
}

}  // namespace inferbench::check
