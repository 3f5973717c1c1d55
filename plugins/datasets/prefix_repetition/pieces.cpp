#include "pieces.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include <inferbench/guard.hpp>

namespace {

constexpr std::size_t farthest = 64;  // maximum number of drafts
constexpr std::size_t calm_enough = 8;

}  // namespace

pieces::pieces(ifb::host host, const synthetic::prompt_maker& maker,
               std::vector<std::uint32_t> lengths, std::uint32_t seed,
               std::optional<synthetic::cache_place> place, unsigned threads)
    : host_(host),
      maker_(maker),
      lengths_(std::move(lengths)),
      random_(seed),
      calm_(calm_enough),
      ahead_(lengths_.size() < farthest ? 0 : threads, farthest, [this](std::uint64_t i) {
        draft& from = drafts_[i];
        const std::size_t target = from.ids.size();
        return maker_.begin(std::move(from.ids), target);
      }) {
  made_.reserve(lengths_.size());
  if (!place) return;
  if (const auto kept = synthetic::open_cache(host_, *place, lengths_.size()))
    load(*kept);
  else
    keep_.emplace(host_, std::move(*place), lengths_.size());
}

std::span<const std::uint32_t> pieces::at(std::size_t i) {
  const bool long_way = i - std::min(i, made_.size()) > farthest;
  while (made_.size() <= i) {
    make_some();
    if (long_way) host_.progress().report("making prompts", made_.size(), lengths_.size());
    if (host_.cancelled()) throw ifb::failure(IFB_E_CANCELLED, "stopped");
  }
  return made_[i];
}

void pieces::load(const synthetic::kept_prompts& kept) {
  for (std::uint64_t i = 0; i < kept.size(); ++i) {
    synthetic::prompt piece = kept.at(i);
    wrong_.add(piece.mismatch);
    made_.push_back(std::move(piece.ids));
  }
  tell();
}

// A draft is drawn under the assumption that no piece before it needs padding. Padding advances the
// generator, so all drafts after a padded piece are drawn again.
void pieces::make_some() {
  const std::size_t first = made_.size();
  const std::size_t some =
      std::min(lengths_.size() - first, calm_ < calm_enough ? 1 : std::min(calm_, farthest));
  ahead_.start(0, 0);  // stops the threads that read drafts while drafts are drawn again
  drafts_.clear();
  ifb::numpy_legacy random = random_;
  for (std::size_t k = 0; k < some; ++k) {
    std::vector<std::uint32_t> ids(lengths_[first + k]);
    for (auto& token : ids)
      token = static_cast<std::uint32_t>(random.randint(0, maker_.vocabulary()));
    drafts_.push_back({std::move(ids), random});
  }
  if (some > 1) ahead_.start(0, some);
  for (std::size_t k = 0; k < some; ++k) {
    const std::size_t target = lengths_[first + k];
    synthetic::fit_state piece =
        some > 1 ? ahead_.take() : maker_.begin(std::move(drafts_[k].ids), target);
    const bool padded = piece.missing != 0;
    random_ = drafts_[k].random;
    put(maker_.finish(std::move(piece), target,
                      [this](std::int64_t n) { return random_.randint(0, n); }));
    calm_ = padded ? 0 : calm_ + 1;
    if (padded) break;
  }
}

void pieces::put(synthetic::fit_result piece) {
  wrong_.add(piece.mismatch);
  if (keep_) {
    synthetic::prompt kept;
    kept.ids = piece.ids;
    kept.tokens = piece.ids.size();
    kept.mismatch = piece.mismatch;
    keep_->add(kept);
  }
  made_.push_back(std::move(piece.ids));
  if (made_.size() == lengths_.size()) tell();
}

void pieces::tell() {
  keep_.reset();
  if (const std::string text = wrong_.text("prefixes and suffixes"); !text.empty())
    host_.warn(text);
}
