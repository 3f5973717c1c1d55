#include "dataset/skips.hpp"

#include <algorithm>
#include <cstddef>

namespace inferbench::dataset {

namespace {

constexpr std::size_t most_reasons = 16;

}  // namespace

void skips::add(std::string_view message, std::uint64_t row) {
  ++total_;
  const std::size_t cut = message.find("; ");
  std::string_view reason = message.substr(0, cut);
  if (reason.empty()) reason = "no reason given";
  auto at = std::ranges::find(entries_, reason, &entry::reason);
  if (at == entries_.end() && entries_.size() >= most_reasons) {
    reason = "other reasons";
    at = std::ranges::find(entries_, reason, &entry::reason);
  }
  if (at == entries_.end()) {
    std::string first = cut == std::string_view::npos ? "row " + std::to_string(row + 1)
                                                      : std::string(message.substr(cut + 2));
    at = entries_.insert(at, entry{std::string(reason), std::move(first), 0});
  }
  ++at->count;
}

std::vector<std::string> skips::lines() const {
  std::vector<std::string> out;
  for (const entry& e : entries_)
    out.push_back(std::to_string(e.count) + (e.count == 1 ? " row" : " rows") +
                  " skipped: " + e.reason + " (first: " + e.first + ")");
  return out;
}

void skips::clear() {
  entries_.clear();
  total_ = 0;
}

}  // namespace inferbench::dataset
