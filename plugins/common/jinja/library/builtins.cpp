#include "builtins.hpp"

#include <algorithm>

#include "filters.hpp"

namespace jinja {

namespace {

// Filters of Jinja2 that are left out: they depend on random numbers, on tables of HTML, or on
// typography that no prompt needs.
template <const char* Name>
value left_out(rendering&, const value&, arguments&) {
  raise_unsupported(std::string("the filter '") + Name + "'");
}

constexpr char random[] = "random";
constexpr char urlize[] = "urlize";
constexpr char pprint[] = "pprint";
constexpr char wordwrap[] = "wordwrap";
constexpr char striptags[] = "striptags";

constexpr entry unsupported[] = {
    {random, {.name = random, .open = left_out<random>}},
    {urlize, {.name = urlize, .open = left_out<urlize>}},
    {pprint, {.name = pprint, .open = left_out<pprint>}},
    {wordwrap, {.name = wordwrap, .open = left_out<wordwrap>}},
    {striptags, {.name = striptags, .open = left_out<striptags>}},
};

}  // namespace

const signature* find_filter(std::string_view name) {
  for (const std::span<const entry> entries :
       {text_filters(), sequence_filters(), selecting_filters(), number_filters(),
        std::span<const entry>(unsupported)}) {
    const auto at = std::ranges::find(entries, name, &entry::name);
    if (at != entries.end()) return &at->is;
  }
  return nullptr;
}

}  // namespace jinja
