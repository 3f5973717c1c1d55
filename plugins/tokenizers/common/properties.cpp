#include "properties.hpp"

#include <iterator>
#include <string>
#include <utility>

#include "pcre2.hpp"

namespace tokenizers {

namespace {

using naming = std::pair<std::string_view, std::string_view>;

constexpr naming categories[] = {
    {"other", "C"},
    {"control", "Cc"},
    {"format", "Cf"},
    {"unassigned", "Cn"},
    {"privateuse", "Co"},
    {"surrogate", "Cs"},
    {"letter", "L"},
    {"casedletter", "L&"},
    {"lc", "L&"},
    {"l&", "L&"},
    {"lowercaseletter", "Ll"},
    {"modifierletter", "Lm"},
    {"otherletter", "Lo"},
    {"titlecaseletter", "Lt"},
    {"uppercaseletter", "Lu"},
    {"mark", "M"},
    {"combiningmark", "M"},
    {"spacingmark", "Mc"},
    {"enclosingmark", "Me"},
    {"nonspacingmark", "Mn"},
    {"number", "N"},
    {"decimalnumber", "Nd"},
    {"letternumber", "Nl"},
    {"othernumber", "No"},
    {"punctuation", "P"},
    {"connectorpunctuation", "Pc"},
    {"dashpunctuation", "Pd"},
    {"closepunctuation", "Pe"},
    {"finalpunctuation", "Pf"},
    {"initialpunctuation", "Pi"},
    {"otherpunctuation", "Po"},
    {"openpunctuation", "Ps"},
    {"symbol", "S"},
    {"currencysymbol", "Sc"},
    {"modifiersymbol", "Sk"},
    {"mathsymbol", "Sm"},
    {"othersymbol", "So"},
    {"separator", "Z"},
    {"lineseparator", "Zl"},
    {"paragraphseparator", "Zp"},
    {"spaceseparator", "Zs"},
};
constexpr std::string_view short_categories =
    " c cc cf cn co cs l ll lm lo lt lu m mc me mn n nd nl no p pc pd pe pf pi po ps s sc sk sm so "
    "z zl zp zs ";

constexpr naming posix[] = {
    {"alnum", "\\p{Alphabetic}\\p{Nd}"},
    {"alpha", "\\p{Alphabetic}"},
    {"ascii", "\\x00-\\x7f"},
    {"blank", "\\p{Zs}\\t"},
    {"cntrl", "\\p{Cc}"},
    {"digit", "\\p{Nd}"},
    {"graph", "\\p{L}\\p{M}\\p{N}\\p{P}\\p{S}\\p{Cf}\\p{Co}"},
    {"lower", "\\p{Lowercase}"},
    {"print", "\\p{L}\\p{M}\\p{N}\\p{P}\\p{S}\\p{Cf}\\p{Co}\\p{Zs}"},
    {"punct", "\\p{P}\\p{S}"},
    {"space",
     "\\t-\\r \\x{85}\\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}"
     "\\x{205f}\\x{3000}"},
    {"upper", "\\p{Uppercase}"},
    {"word", "\\p{Alphabetic}\\p{M}\\p{Nd}\\p{Pc}"},
    {"xdigit", "0-9A-Fa-f"},
};

// In Rust's syntax, these names mean only ASCII characters.
constexpr naming ascii[] = {
    {"alnum", "0-9A-Za-z"},
    {"alpha", "A-Za-z"},
    {"ascii", "\\x00-\\x7f"},
    {"blank", "\\t "},
    {"cntrl", "\\x00-\\x1f\\x7f"},
    {"digit", "0-9"},
    {"graph", "!-~"},
    {"lower", "a-z"},
    {"print", " -~"},
    {"punct", "!-/:-@\\[-`{-~"},
    {"space", "\\t-\\r "},
    {"upper", "A-Z"},
    {"word", "0-9A-Za-z_"},
    {"xdigit", "0-9A-Fa-f"},
};

std::string_view among(const naming* begin, const naming* end, std::string_view name) {
  for (const naming* it = begin; it != end; ++it)
    if (it->first == name) return it->second;
  return {};
}

bool known_to_pcre2(const std::string& item) {
  compile_error unused;
  return compile(item, PCRE2_UTF | PCRE2_UCP, unused) != nullptr;
}

std::string plain(std::string_view name) {
  std::string out;
  for (const char c : name) {
    if (c == ' ' || c == '_' || c == '-') continue;
    const bool upper = c >= 'A' && c <= 'Z';
    out += upper ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return out;
}

bool alphanumeric(std::string_view name) {
  return name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789") == std::string_view::npos;
}

std::string category(const std::string& name) {
  if (short_categories.find(" " + name + " ") != std::string_view::npos && !name.empty()) {
    std::string out = "\\p{" + name + "}";
    out[3] = static_cast<char>(out[3] - 'a' + 'A');
    return out;
  }
  const auto known = among(std::begin(categories), std::end(categories), name);
  return known.empty() ? std::string() : "\\p{" + std::string(known) + "}";
}

}  // namespace

std::string_view white_space_items() { return among(std::begin(posix), std::end(posix), "space"); }
// In Latin-1, Oniguruma's table also contains superscripts and fractions. Rust's \w also contains
// the two join controls.
std::string_view word_items(dialect written) {
  return written == dialect::oniguruma
             ? "\\p{Alphabetic}\\p{M}\\p{Nd}\\p{Pc}\\xb2\\xb3\\xb9\\xbc-\\xbe"
             : "\\p{Alphabetic}\\p{M}\\p{Nd}\\p{Pc}\\x{200c}\\x{200d}";
}

std::string property_items(std::string_view given, dialect written) {
  const std::string name = plain(given);
  const auto equals = name.find('=');
  if (equals != std::string::npos) {
    const std::string kind = name.substr(0, equals);
    const std::string value = name.substr(equals + 1);
    if (kind == "gc" || kind == "generalcategory") return category(value);
    const bool script = kind == "sc" || kind == "script";
    if (!script && kind != "scx" && kind != "scriptextensions") return {};
    const std::string item = std::string(script ? "\\p{sc:" : "\\p{scx:") + value + "}";
    return alphanumeric(value) && known_to_pcre2(item) ? item : std::string();
  }
  if (std::string found = category(name); !found.empty()) return found;
  if (name == "punct") return "\\p{P}";
  if (name == "word") return std::string(word_items(written));
  if (const auto found = among(std::begin(posix), std::end(posix), name); !found.empty())
    return std::string(found);
  if (name == "any") return "\\x{0}-\\x{10ffff}";
  if (name == "assigned") return "\\P{Cn}";
  if (name.empty() || !alphanumeric(name)) return {};
  // For PCRE2, the bare name of a script includes its script extensions; "sc:" selects only the
  // script. Names of other properties have no such prefix.
  for (const std::string_view prefix : {"\\p{sc:", "\\p{"})
    if (std::string item = std::string(prefix) + name + "}"; known_to_pcre2(item)) return item;
  return {};
}

std::string_view posix_items(std::string_view name, dialect written) {
  return written == dialect::oniguruma ? among(std::begin(posix), std::end(posix), name)
                                       : among(std::begin(ascii), std::end(ascii), name);
}

}  // namespace tokenizers
