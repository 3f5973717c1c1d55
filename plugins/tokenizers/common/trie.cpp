#include "trie.hpp"

#include <algorithm>
#include <bit>
#include <bitset>
#include <utility>

#include "hash.hpp"

namespace tokenizers {

namespace {

constexpr std::size_t block_size = 256;
// Only the newest blocks are searched. Older blocks are nearly full, so a search costs more than
// their free cells save.
constexpr std::size_t open_blocks = 16;
constexpr int failures_to_close = 64;

/// Sorts by the bytes of the keys. If keys are equal, only the last entry stays; entries with an
/// empty key are removed. Sorts in place, because vocabularies take most of a tokenizer's memory.
void sort_by_key(std::vector<trie::entry>& entries) {
  std::erase_if(entries, [](const trie::entry& it) { return it.key.empty(); });
  struct order {
    std::uint64_t head;  // the first eight bytes, which nearly always decide the order
    std::uint32_t index;
  };
  std::vector<order> orders;
  orders.reserve(entries.size());
  for (std::uint32_t i = 0; i < entries.size(); ++i) {
    const std::string_view key = entries[i].key;
    orders.push_back({__builtin_bswap64(load_bytes(key.data(), key.size())), i});
  }
  std::ranges::sort(orders, [&](const order& a, const order& b) {
    if (a.head != b.head) return a.head < b.head;
    const int by_text = entries[a.index].key.compare(entries[b.index].key);
    return by_text != 0 ? by_text < 0 : a.index < b.index;
  });
  // Moves the entries along each cycle of the permutation. An order that contains its own index is
  // finished.
  for (std::uint32_t i = 0; i < orders.size(); ++i) {
    const trie::entry first = entries[i];
    std::uint32_t to = i;
    while (orders[to].index != i) {
      const std::uint32_t from = std::exchange(orders[to].index, to);
      entries[to] = entries[from];
      to = from;
    }
    orders[to].index = to;
    entries[to] = first;
  }
  std::size_t kept = 0;
  for (const trie::entry& it : entries) {
    if (kept == 0 || entries[kept - 1].key != it.key) ++kept;
    entries[kept - 1] = it;
  }
  entries.resize(kept);
}

/// Returns the number of cells: one for the root and one for each distinct prefix of a key. The
/// entries must be sorted.
std::size_t count_cells(const std::vector<trie::entry>& entries) {
  std::size_t out = 1;
  std::string_view before;
  for (const trie::entry& it : entries) {
    const auto [end, ignored] = std::ranges::mismatch(it.key, before);
    out += static_cast<std::size_t>(it.key.end() - end);
    before = it.key;
  }
  return out;
}

}  // namespace

class trie::builder {
 public:
  explicit builder(std::vector<cell>& cells) : cells_(cells) {
    add_block();
    taken_[0].set(root);
  }

  /// Finds a base for which the cells of all `labels` are free, and marks these cells as used.
  std::uint32_t place(const std::vector<unsigned char>& labels) {
    for (std::size_t n = open_.size(); n > 0; --n) {
      const std::size_t block = open_[n - 1];
      if (block_size - taken_[block].count() >= labels.size()) {
        const std::uint32_t base = try_block(block, labels);
        if (base != nowhere) return base;
      }
      if (++failures_[block] >= failures_to_close)
        open_.erase(open_.begin() + static_cast<std::ptrdiff_t>(n - 1));
    }
    add_block();
    return try_block(taken_.size() - 1, labels);
  }

 private:
  std::uint32_t try_block(std::size_t block, const std::vector<unsigned char>& labels) {
    auto& taken = taken_[block];
    for (std::size_t first = 0; first < block_size; ++first) {
      if (taken[first]) continue;
      const std::size_t base = first ^ labels[0];
      const bool fits =
          std::ranges::all_of(labels, [&](unsigned char label) { return !taken[base ^ label]; });
      if (!fits) continue;
      for (const unsigned char label : labels)
        taken.set(base ^ label);
      return static_cast<std::uint32_t>(block * block_size + base);
    }
    return nowhere;
  }
  void add_block() {
    cells_.resize(cells_.size() + block_size);
    open_.push_back(taken_.size());
    if (open_.size() > open_blocks) open_.erase(open_.begin());
    taken_.emplace_back();
    failures_.push_back(0);
  }

  std::vector<cell>& cells_;
  std::vector<std::bitset<block_size>> taken_;  // used cells of each block
  std::vector<int> failures_;                   // failed attempts in each block
  std::vector<std::size_t> open_;
};

trie::trie(std::vector<entry> entries) {
  sort_by_key(entries);
  // The cells are reserved in advance: growing by doubling would copy them and need twice their
  // memory.
  const std::size_t cells = count_cells(entries);
  cells_.reserve(cells + cells / 8 + block_size);
  builder build(cells_);
  // A range of entries whose keys have the path to one cell in common. There is no recursion,
  // because keys can be long.
  struct work {
    std::uint32_t at;
    std::size_t begin;
    std::size_t end;
    std::size_t depth;
  };
  std::vector<work> left;
  if (!entries.empty()) left.push_back({root, 0, entries.size(), 0});
  std::vector<unsigned char> labels;
  std::vector<std::size_t> begins;
  while (!left.empty()) {
    work now = left.back();
    left.pop_back();
    if (entries[now.begin].key.size() == now.depth) {
      cells_[now.at].value = entries[now.begin].value + 1;
      if (++now.begin == now.end) continue;
    }
    labels.clear();
    begins.clear();
    for (std::size_t i = now.begin; i < now.end; ++i) {
      const auto label = static_cast<unsigned char>(entries[i].key[now.depth]);
      if (!labels.empty() && labels.back() == label) continue;
      labels.push_back(label);
      begins.push_back(i);
    }
    begins.push_back(now.end);
    const std::uint32_t base = build.place(labels);
    cells_[now.at].base = base;
    for (std::size_t i = 0; i < labels.size(); ++i) {
      const std::uint32_t child = base ^ labels[i];
      cells_[child].parent = now.at;
      left.push_back({child, begins[i], begins[i + 1], now.depth + 1});
    }
  }
  if (cells_.capacity() > cells_.size() + cells_.size() / 4) cells_.shrink_to_fit();
}

}  // namespace tokenizers
