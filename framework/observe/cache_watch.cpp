#include "observe/cache_watch.hpp"

#include <algorithm>
#include <exception>
#include <utility>

#include <inferbench/json_writer.hpp>

namespace inferbench::observe {

cache_watch::cache_watch(settings with, const dataset::feed& feed,
                         const services::tokenizer* tokens)
    : with_(std::move(with)),
      feed_(feed),
      sharing_(feed.requests(), with_.servers, feed.conversations()) {
  if (!with_.salt.empty())
    salt_.emplace(with_.salt, tokens, (feed.flags() & IFB_DATASET_SYNTHETIC) != 0);
}

std::size_t cache_watch::at_once() const noexcept { return salt_ ? prompts::salt::at_once : 1; }

void cache_watch::salt_them(std::span<const dataset::sample_ptr> prompts) noexcept {
  if (salt_) salt_->put_into(prompts);
}

void cache_watch::see(std::span<const dataset::sample_ptr> prompts) noexcept {
  try {
    for (const dataset::sample_ptr& one : prompts)
      sharing_.add(one->c);
  } catch (const std::exception&) {
    // Out of memory: the comparison covers only the earlier prompts.
  }
}

// The ready check and the warm-up send the first prompt. The ready check sends it without the salt.
void cache_watch::begin(std::int64_t number) {
  answers_ = {};
  sharing_.clear();
  // The ready check and the warm-up both begin with the first server.
  const auto warmed = static_cast<std::uint64_t>(with_.preparation.num_warmups);
  const bool checked = with_.preparation.ready_check_timeout_ns != 0 && !salt_;
  if (const std::uint64_t sent = std::max<std::uint64_t>(warmed, checked ? 1 : 0); sent != 0)
    sharing_.sent_before(feed_.first().c, sent);
  if (salt_) salt_->begin(number);
}

void cache_watch::end(std::optional<prefix_cache_counts> counted, metrics::context& context,
                      base::log& log) const {
  if (salt_) {
    ifb::json_writer fact;
    fact.string(salt_->text());
    context.set_fact("salt", fact.take());
    for (const std::string& line : salt_->notes())
      log.warning(line);
  }
  // The feed is ahead of the requests: a run that ends early did not send all prompts.
  const auto shared = answers_.sent > 0 ? sharing_.shares(answers_.sent) : sharing_.shares();
  const cache_view all{shared, counted, answers_, salt_.has_value(), !with_.comparable};
  add_cache_fact(all, context);
  const cache_verdict told = judge_cache(all);
  if (told.warning)
    log.warning(told.line);
  else if (!told.line.empty())
    log.info(told.line);
}

}  // namespace inferbench::observe
