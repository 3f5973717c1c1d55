#include "table.hpp"

#include <algorithm>
#include <utility>

namespace toml_file {

namespace {

/// Returns the edit distance: the number of letters to insert, delete, change or swap.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1);
  std::vector<std::size_t> last(b.size() + 1);
  std::vector<std::size_t> now(b.size() + 1);
  for (std::size_t k = 0; k <= b.size(); ++k)
    last[k] = k;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    now[0] = i;
    for (std::size_t k = 1; k <= b.size(); ++k) {
      const std::size_t changed = last[k - 1] + (a[i - 1] == b[k - 1] ? 0U : 1U);
      now[k] = std::min({last[k] + 1, now[k - 1] + 1, changed});
      if (i > 1 && k > 1 && a[i - 1] == b[k - 2] && a[i - 2] == b[k - 1])
        now[k] = std::min(now[k], before[k - 2] + 1);
    }
    before.swap(last);
    last.swap(now);
  }
  return last[b.size()];
}

template <typename list>
std::string joined(const list& names) {
  std::string out;
  for (const auto& one : names)
    out.append(out.empty() ? "" : ", ").append(one);
  return out;
}

}  // namespace

std::string suggestion(std::string_view name, std::span<const std::string> known,
                       std::string_view plural) {
  const std::string* best = nullptr;
  std::size_t least = std::max<std::size_t>(name.size() / 3, 1) + 1;
  // A very long name is not a typing error, and comparing it takes long.
  for (const std::string& one : name.size() < 64 ? known : std::span<const std::string>{}) {
    const std::size_t edits = distance(name, one);
    if (edits >= least) continue;
    least = edits;
    best = &one;
  }
  if (best != nullptr) return "did you mean " + *best + "?";
  return std::string(plural) + " are " + joined(known);
}

table::table(const document& from, const value& read, std::string title)
    : from_(&from), read_(&read), title_(std::move(title)) {
  if (read.what != value::kind::table)
    refuse(read, title_ + " is " + std::string(name_of(read.what)), "expected a table");
}

const value* table::find(std::string_view key) {
  known_.emplace_back(key);
  const auto at = std::ranges::find(read_->names, key);
  return at == read_->names.end()
             ? nullptr
             : &read_->items[static_cast<std::size_t>(at - read_->names.begin())];
}

const value* table::find(std::string_view key, value::kind what) {
  const value* const found = find(key);
  if (found != nullptr && found->what != what)
    refuse(*found, std::string(key) + " is " + std::string(name_of(found->what)),
           "expected " + std::string(name_of(what)));
  return found;
}

std::optional<std::string> table::text(std::string_view key) {
  const value* const found = find(key, value::kind::text);
  if (found == nullptr) return std::nullopt;
  return found->text;
}

std::optional<std::string> table::choice(std::string_view key,
                                         std::initializer_list<std::string_view> choices) {
  const value* const found = find(key, value::kind::text);
  if (found == nullptr) return std::nullopt;
  if (std::ranges::find(choices, found->text) == choices.end())
    refuse(*found, std::string(key) + " is \"" + found->text + "\"",
           "expected one of " + joined(choices));
  return found->text;
}

std::optional<bool> table::boolean(std::string_view key) {
  const value* const found = find(key, value::kind::boolean);
  if (found == nullptr) return std::nullopt;
  return found->boolean;
}

std::optional<std::int64_t> table::integer(std::string_view key, std::int64_t least,
                                           std::int64_t most) {
  const value* const found = find(key, value::kind::integer);
  if (found == nullptr) return std::nullopt;
  if (found->integer < least || found->integer > most)
    refuse(*found, std::string(key) + " is " + std::to_string(found->integer),
           "expected " + std::to_string(least) + " to " + std::to_string(most));
  return found->integer;
}

std::vector<std::string> table::texts(std::string_view key) {
  std::vector<std::string> out;
  const value* const found = find(key, value::kind::list);
  if (found == nullptr) return out;
  for (const value& one : found->items) {
    if (one.what != value::kind::text)
      refuse(one, "an element of " + std::string(key) + " is " + std::string(name_of(one.what)),
             "expected a list of texts");
    out.push_back(one.text);
  }
  return out;
}

std::vector<table> table::tables(std::string_view key) {
  std::vector<table> out;
  const value* const found = find(key, value::kind::list);
  if (found == nullptr) return out;
  for (const value& one : found->items)
    out.emplace_back(*from_, one, "[[" + std::string(key) + "]]");
  return out;
}

void table::refuse_others() const {
  for (std::size_t i = 0; i < read_->names.size(); ++i) {
    if (std::ranges::find(known_, read_->names[i]) != known_.end()) continue;
    const value& unknown = read_->items[i];
    const bool is_table = unknown.what == value::kind::table;
    refuse(unknown,
           (title_.empty() ? is_table ? "there is no table " : "there is no key "
                           : title_ + " has no key ") +
               read_->names[i],
           suggestion(read_->names[i], known_, title_.empty() ? "the keys" : "its keys"));
  }
}

}  // namespace toml_file
