#include "observe/prefix_cache.hpp"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>

#include <inferbench/json_writer.hpp>

#include "metrics/ledger.hpp"

namespace inferbench::observe {

namespace {

// A smaller share of hits is not reported.
constexpr double least_share = 0.01;

// The tolerance is needed because bytes and tokens are not exactly proportional, and beginnings are
// compared in steps.
constexpr double tolerance = 1.25;

// The server must have computed at least this share of the tokens that prompts do not share.
constexpr double left_over = 0.5;

// If the prompts share less than `much_shared`, no cache hits are expected. A share of hits below
// `far_below` times the expected share is far too low.
constexpr double much_shared = 0.1;
constexpr double far_below = 0.5;

// Used to estimate the tokens that a server adds around each prompt, such as its chat template. If
// the client has counted the prompt, the estimate is the server's count minus the client's count,
// plus `around_counted` for tokens that are in both counts (a beginning token and other text in
// front of each prompt). Otherwise the estimate is `around_unknown`.
constexpr double around_counted = 8;
constexpr double around_unknown = 32;

std::int64_t whole(double count) { return static_cast<std::int64_t>(std::min(count, 9e18)); }

bool uses(const cache_view& of) { return of.counted && of.counted->queries > 0; }

std::string percent(double share) { return fmt::format("{:.1f}%", 100 * share); }

constexpr std::string_view source = " of the prompt tokens came from the server's prefix cache";

}  // namespace

void cached_answers::add(const client::record& one) {
  if (!metrics::never_sent(one)) ++sent;
  if (!one.ok()) return;
  ++requests;
  const double prompt = static_cast<double>(std::max<std::int64_t>(one.prompt_tokens, 0));
  prompt_tokens += prompt;
  // A count of 1 or less means that there was no tokenizer. In that case a whole prompt counts as
  // one token.
  around += one.sample_tokens <= 1
                ? around_unknown
                : std::max(prompt - static_cast<double>(one.sample_tokens), 0.0) + around_counted;
  if (one.cached_tokens < 0) return;
  said_cached += static_cast<double>(one.cached_tokens);
  said_prompt += prompt;
}

// Some servers report 0 in each answer, even if their counters are above 0.
std::optional<double> observed_share(const cache_view& of) {
  const bool said = of.answers.said_prompt > 0;
  if (said && (of.answers.said_cached > 0 || !uses(of)))
    return std::min(of.answers.said_cached / of.answers.said_prompt, 1.0);
  if (uses(of)) return of.counted->hits / of.counted->queries;
  // The server has counters, but did not query its cache.
  if (of.counted && of.answers.requests > 0) return 0;
  return std::nullopt;
}

cache_verdict judge_cache(const cache_view& of) {
  const auto observed = observed_share(of);
  if (!observed) return {};
  const bool some = *observed >= least_share;
  if (!of.shared) {
    if (!some) return {};
    return {
        percent(*observed) + std::string(source) +
            (of.salted ? ": from prefixes that prompts of this run share"
                       : ": from prefixes that prompts of this run share, or from earlier runs, "
                         "which then make throughput look better than it is; to avoid that, give "
                         "each run prompts of its own with --salt auto, empty the cache (POST "
                         "/reset_prefix_cache) or restart the server"),
        !of.salted};
  }
  const double around =
      of.answers.prompt_tokens > 0 ? of.answers.around / of.answers.prompt_tokens : 0;
  const std::string share = percent(of.shared->most);
  // `too_many`: much more came from the cache than the prompts share. `too_few_left`: almost all
  // unshared tokens came from the cache, too.
  const double expected = of.shared->most + std::min(around, 0.5);
  const bool too_many =
      *observed > tolerance * of.shared->most + std::min(around, 0.5) + least_share;
  const bool too_few_left = expected < 1 && 1 - *observed < left_over * (1 - expected);
  if (some && (too_many || too_few_left))
    return {percent(*observed) + std::string(source) + ", but the prompts of this run share only " +
                share +
                ": the rest was there before, which makes throughput look better than it is; " +
                (of.salted ? "the salt was used before, or others send the same prompts"
                           : "give each run prompts of its own with --salt auto, empty the cache "
                             "(POST /reset_prefix_cache) or restart the server"),
            true};
  if (!of.may_be_less && of.shared->in_blocks >= much_shared &&
      *observed < far_below * of.shared->in_blocks)
    return {"only " + percent(*observed) + std::string(source) +
                ", but the prompts of this run share " + share +
                ": the cache is switched off or too small, or prompts that share were under way "
                "at the same time",
            true};
  if (!some) return {};
  return {percent(*observed) + std::string(source) + "; the prompts of this run share " + share,
          false};
}

void add_cache_fact(const cache_view& of, metrics::context& into) {
  const auto observed = observed_share(of);
  if (!uses(of) && !observed && !of.shared) return;
  ifb::json_writer fact;
  fact.begin_object();
  if (uses(of)) {
    fact.member("queries", whole(of.counted->queries));
    fact.member("hits", whole(of.counted->hits));
    fact.member("hit_rate", of.counted->hits / of.counted->queries);
  }
  if (of.shared) fact.member("expected_share", of.shared->most);
  if (observed) fact.member("observed_share", *observed);
  fact.end_object();
  into.set_fact("prefix_cache", fact.take());
}

}  // namespace inferbench::observe
