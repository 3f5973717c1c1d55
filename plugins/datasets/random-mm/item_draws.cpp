#include "item_draws.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <inferbench/guard.hpp>
#include <inferbench/json_reader.hpp>
#include <inferbench/json_writer.hpp>

namespace random_mm {

namespace {

constexpr std::array<const char*, modality_count> names = {"image", "video"};
constexpr std::array<const char*, modality_count> plurals = {"images", "videos"};
constexpr std::int64_t most_of_modality = 2147483647;

[[noreturn]] void refuse(const std::string& what, const char* option) {
  throw ifb::failure(IFB_E_CONFIG, what, option);
}

// Divides the weights by their sum.
void normalise(std::vector<double>& weights) {
  const double total = std::accumulate(weights.begin(), weights.end(), 0.0);
  for (double& each : weights)
    each /= total;
}

std::string counted(std::int64_t count, const char* one, const char* many) {
  return std::to_string(count) + " " + (count == 1 ? one : many);
}

}  // namespace

item_limits parse_limits(std::string_view json) {
  constexpr const char* option = "limit-mm-per-prompt";
  constexpr const char* example = "; write {\"image\": 255, \"video\": 1}";
  if (json.empty()) return {255, 1};
  rapidjson::Document document;
  document.Parse<rapidjson::kParseIterativeFlag>(json.data(), json.size());
  if (document.HasParseError() || !document.IsObject())
    refuse(std::string("the limits are not a JSON object") + example, option);
  item_limits out;
  for (std::size_t i = 0; i < modality_count; ++i) {
    const auto* const value = ifb::find(document, names[i]);
    if (value == nullptr) continue;
    if (!value->IsInt64() || value->GetInt64() < 0 || value->GetInt64() > most_of_modality)
      refuse(std::string("the limit of ") + plurals[i] + " is not a whole number from 0 to " +
                 std::to_string(most_of_modality) + example,
             option);
    out[i] = value->GetInt64();
  }
  return out;
}

item_draws::item_draws(const std::vector<bucket>& all, const choices& chosen) {
  if (!(chosen.ratio >= 0 && chosen.ratio <= 1)) {
    std::string text;
    ifb::append_python_float(text, chosen.ratio);
    refuse("the range ratio of the number of items must be from 0 to 1, not " + text,
           "num-mm-items-range-ratio");
  }
  std::vector<double> weights;
  for (const bucket& each : all) {
    if (each.weight <= 0) continue;
    buckets_.push_back(each);
    weights.push_back(each.weight);
  }
  if (buckets_.empty())
    refuse("no bucket has a weight above 0, so there is no size to draw", "bucket-config");
  if (!std::isfinite(std::accumulate(weights.begin(), weights.end(), 0.0)))
    refuse("the sum of the weights of the buckets is not finite", "bucket-config");
  normalise(weights);
  for (std::size_t i = 0; i < buckets_.size(); ++i)
    buckets_[i].weight = weights[i];

  take_limits(chosen.limits);
  find_range(chosen);
  all_ = lottery_without(std::nullopt);
  for (std::size_t i = 0; i < modality_count; ++i)
    without_[i] = lottery_without(static_cast<modality>(i));
}

bool item_draws::has(modality kind) const {
  return std::ranges::any_of(buckets_, [&](const bucket& each) { return each.kind() == kind; });
}

void item_draws::take_limits(const item_limits& limits) {
  for (std::size_t i = 0; i < modality_count; ++i) {
    if (!has(static_cast<modality>(i))) continue;
    if (!limits[i])
      refuse(std::string("the buckets have ") + plurals[i] + ", whose number is not limited; add " +
                 "\"" + names[i] + "\": N, or give these buckets the weight 0",
             "limit-mm-per-prompt");
    limits_[i] = *limits[i];
  }
}

void item_draws::find_range(const choices& chosen) {
  const auto base = static_cast<double>(chosen.base);
  const std::int64_t limit = std::accumulate(limits_.begin(), limits_.end(), std::int64_t{0});
  const auto high = static_cast<std::int64_t>(std::ceil(base * (1 + chosen.ratio)));
  most_ = std::min(limit, high);
  least_ =
      std::max<std::int64_t>(0, static_cast<std::int64_t>(std::floor(base * (1 - chosen.ratio))));
  if (least_ > most_)
    refuse("each request would have at least " + counted(least_, "item", "items") +
               ", and the limits allow " + std::to_string(limit) +
               "; ask for fewer items, or raise --random-mm-limit-mm-per-prompt",
           "base-items-per-request");
  if (most_ > most_items)
    refuse("a request would have up to " + std::to_string(most_) + " items, which is more than " +
               std::to_string(most_items) + "; ask for fewer items",
           "base-items-per-request");
}

item_draws::lottery item_draws::lottery_without(std::optional<modality> left_out) const {
  lottery out;
  std::vector<double> weights;
  for (std::size_t i = 0; i < buckets_.size(); ++i) {
    if (buckets_[i].kind() == left_out) continue;
    out.numbers.push_back(i);
    weights.push_back(buckets_[i].weight);
  }
  if (left_out) normalise(weights);
  out.sums.resize(weights.size());
  std::partial_sum(weights.begin(), weights.end(), out.sums.begin());
  return out;
}

std::vector<bucket> item_draws::used() const {
  std::vector<bucket> out;
  if (most_ == 0) return out;
  for (const bucket& each : buckets_)
    if (limits_[static_cast<std::size_t>(each.kind())] > 0) out.push_back(each);
  return out;
}

std::string item_draws::text() const {
  std::string out = least_ == most_ ? "" : std::to_string(least_) + " to ";
  const bool both = has(modality::image) && has(modality::video);
  if (both) return out + counted(most_, "image or video", "images or videos");
  const std::size_t i = has(modality::image) ? 0 : 1;
  return out + counted(most_, names[i], plurals[i]);
}

}  // namespace random_mm
