#include "table.hpp"

#include <algorithm>
#include <utility>

namespace template_backend {
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
  std::string all;
  for (const std::string& one : known)
    all += (all.empty() ? "" : ", ") + one;
  return std::string(plural) + " are " + all;
}

table::table(const document& from, const value& read, std::string title)
    : from_(from), read_(read), title_(std::move(title)) {
  if (read.what != value::kind::table)
    refuse(read, title_ + " is " + std::string(name_of(read.what)), "expected a table");
}

const value* table::find(std::string_view key) {
  known_.emplace_back(key);
  const auto at = std::ranges::find(read_.names, key);
  return at == read_.names.end() ? nullptr
                                 : &read_.items[static_cast<std::size_t>(at - read_.names.begin())];
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

bool table::boolean(std::string_view key) {
  const value* const found = find(key, value::kind::boolean);
  return found != nullptr && found->boolean;
}

std::vector<path> table::paths(std::string_view key) {
  const value* const found = find(key);
  return found == nullptr ? std::vector<path>{} : paths(key, *found);
}

std::vector<path> table::paths(std::string_view key, const value& read) const {
  constexpr std::size_t most = 16;
  std::vector<path> out;
  const auto add = [&](const value& one) {
    if (one.what != value::kind::text)
      refuse(one, std::string(key) + " is " + std::string(name_of(one.what)),
             R"(expected a path such as "choices[0].text", or a list of them)");
    std::string why;
    auto parsed = parse_path(one.text, why);
    if (!parsed)
      refuse(one, std::string(key) + ": \"" + one.text + "\" is not a path",
             why.empty() ? std::string("expected one such as choices[0].text") : why);
    out.push_back(std::move(*parsed));
  };
  if (read.what == value::kind::list)
    for (const value& one : read.items)
      add(one);
  else
    add(read);
  if (out.size() > most)
    refuse(read, std::string(key) + " has " + std::to_string(out.size()) + " alternatives",
           "at most " + std::to_string(most) + " are read");
  return out;
}

void table::refuse_others() const {
  for (std::size_t i = 0; i < read_.names.size(); ++i) {
    if (std::ranges::find(known_, read_.names[i]) != known_.end()) continue;
    refuse(read_.items[i],
           (title_.empty() ? "" : title_ + " ") +
               std::string(title_.empty() ? "there is no table " : "has no key ") + read_.names[i],
           suggestion(read_.names[i], known_, title_.empty() ? "the tables" : "its keys"));
  }
}

}  // namespace template_backend
