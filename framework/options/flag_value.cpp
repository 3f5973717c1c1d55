#include "options/flag_value.hpp"

#include "base/text.hpp"
#include "base/units.hpp"
#include "options/refusal.hpp"

namespace inferbench::options {

namespace {

// Size in bytes; messages do not show a longer text.
constexpr std::size_t longest_shown = 60;

// The value of a JSON flag. ".5" and "+1" are accepted as numbers, although they are not JSON.
node json_of(const option& declared, const std::string& text, const base::source_position& where) {
  try {
    return parse_json_node(text, where.file);
  } catch (const base::error& e) {
    if (const auto number = base::parse_number(text)) return node::of(*number);
    const bool visible = text.size() <= longest_shown && !declared.secret;
    throw usage_error(e.message() + (visible ? ", in " + in_quotes(text) : ""),
                      e.remedy().empty() ? remedy_of(declared) : e.remedy(), e.where());
  }
}

}  // namespace

node node_of_text(const option& declared, std::span<const std::string> texts,
                  const base::source_position& where) {
  for (const std::string& text : texts)
    if (base::valid_utf8(text) != text)
      misread(declared, where, "the text is not valid UTF-8", "write it in UTF-8");
  node out;
  if (declared.type == IFB_STRINGS && declared.takes != arity::one) {
    out = node::list();
    for (const std::string& text : texts) {
      out.items.push_back(node::of(text));
      out.items.back().where = where;
    }
    out.where = where;
    return out;
  }
  const std::string& text = texts.front();
  out = node::of(text);
  switch (declared.type) {
    case IFB_INT:
      if (const auto value = base::parse_whole(text)) out = node::of(*value);
      out.text = text;  // the text as written, for messages
      break;
    case IFB_FLOAT:
      if (const auto value = base::parse_number(text)) out = node::of(*value);
      out.text = text;
      break;
    case IFB_BOOL:
      if (text == "true" || text == "false") out = node::of(text == "true");
      break;
    case IFB_JSON: {
      out = json_of(declared, text, where);
      // check() parses the text of a JSON option again, so this text must be JSON.
      if (out.is(node::kind::text)) out.text = to_json(out);
      break;
    }
    default: break;
  }
  out.where = where;
  return out;
}

bool holds_json(const std::string& text, node& out) {
  const std::string_view bare = base::trim(text);
  if (bare.empty()) return false;
  const bool digits = bare.find_first_not_of("0123456789") == std::string_view::npos;
  if (!digits && std::string_view("{[\"").find(bare.front()) == std::string_view::npos)
    return false;
  try {
    out = parse_json_node(bare, {});
  } catch (const base::error&) {
    return false;
  }
  return !digits || out.is(node::kind::big);
}

}  // namespace inferbench::options
