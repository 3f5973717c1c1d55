#include "sweep/links.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/text.hpp"

namespace inferbench::sweep {

namespace {

using options::node;

bool counts_as_number(const node& value) {
  using enum node::kind;
  return value.is(boolean) || value.is(integer) || value.is(real) || value.is(big);
}

/// The digits of a number without a fraction, otherwise the number's shortest form: two numbers are
/// equal if these texts are equal. Python compares numbers of different types exactly, too.
std::string exact_text(const node& value) {
  switch (value.type) {
    case node::kind::boolean: return value.boolean ? "1" : "0";
    case node::kind::integer: return std::to_string(value.integer);
    case node::kind::big: return value.text;
    default: break;
  }
  const double real = value.real == 0 ? 0 : value.real;  // without the sign of zero
  const bool whole = std::isfinite(real) && std::trunc(real) == real;
  return whole ? fmt::format("{:.0f}", real) : base::shortest(real);
}

bool equal_numbers(const node& a, const node& b) {
  const auto is_nan = [](const node& value) {
    return value.is(node::kind::real) && std::isnan(value.real);
  };
  return !is_nan(a) && !is_nan(b) && exact_text(a) == exact_text(b);
}

[[noreturn]] void bad_pair(std::string_view pair) {
  throw base::error("\"" + std::string(pair) + "\" is not a pair",
                    "write for example max_num_seqs=max_concurrency,max_model_len=random_input_len",
                    {"--link-vars"});
}

}  // namespace

std::vector<link> parse_links(std::string_view text) {
  std::vector<link> out;
  if (base::trim(text).empty()) return out;
  for (const std::string_view pair : base::split(text, ',')) {
    const auto sides = base::split(pair, '=');
    if (sides.size() != 2) bad_pair(base::trim(pair));
    link next{std::string(base::trim(sides[0])), std::string(base::trim(sides[1]))};
    if (next.serve_key.empty() || next.bench_key.empty()) bad_pair(base::trim(pair));
    out.push_back(std::move(next));
  }
  return out;
}

bool linked(const std::vector<link>& links, const item& serve, const item& bench) {
  return std::ranges::all_of(links, [&](const link& each) {
    const node* left = serve.find(each.serve_key);
    const node* right = bench.find(each.bench_key);
    return left != nullptr && right != nullptr && equal_values(*left, *right);
  });
}

bool equal_values(const node& a, const node& b) {
  if (counts_as_number(a) && counts_as_number(b)) return equal_numbers(a, b);
  if (a.type != b.type) return false;
  switch (a.type) {
    case node::kind::text: return a.text == b.text;
    case node::kind::list: return std::ranges::equal(a.items, b.items, equal_values);
    case node::kind::table:
      if (a.items.size() != b.items.size()) return false;
      for (std::size_t i = 0; i < a.items.size(); ++i) {
        const node* other = b.find(a.names[i]);
        if (other == nullptr || !equal_values(a.items[i], *other)) return false;
      }
      return true;
    default: return true;  // null
  }
}

}  // namespace inferbench::sweep
