#include "sweep/item.hpp"

#include <algorithm>
#include <utility>

#include "pytext/python_text.hpp"

namespace inferbench::sweep {

item::item(options::node table) : table_(std::move(table)) {}

std::string item::name() const {
  const options::node* given = find(name_key);
  return given == nullptr ? text("-") : pytext::python_text(*given);
}

std::string item::text(std::string_view separator) const {
  std::string out;
  bool first = true;
  for (std::size_t i = 0; i < table_.items.size(); ++i) {
    if (table_.names[i] == name_key) continue;
    if (!std::exchange(first, false)) out += separator;
    out += table_.names[i] + "=" + pytext::python_text(table_.items[i]);
  }
  return out;
}

bool item::has(std::string_view key) const {
  std::string low(key);
  std::ranges::replace(low, '-', '_');
  std::string high(key);
  std::ranges::replace(high, '_', '-');
  return find(key) != nullptr || find(low) != nullptr || find(high) != nullptr;
}

item item::with(std::string_view key, options::node value) const {
  item out = *this;
  out.table_.set(key, std::move(value));
  return out;
}

item merged(const item& below, const item& above) {
  options::node out = below.table();
  for (std::size_t i = 0; i < above.table().items.size(); ++i)
    out.set(above.table().names[i], above.table().items[i]);
  return item(std::move(out));
}

}  // namespace inferbench::sweep
