#include "options/option.hpp"

#include <algorithm>

#include "options/forwarding.hpp"
#include "plugin/option_names.hpp"

namespace inferbench::options {

namespace {

// Fills the members of an option that both option_of() functions set in the same way.
void complete(option& out, ifb_kind kind, std::string_view id, std::uint32_t flags) {
  out.table = plugin::name_of(kind);
  out.plugin = id;
  out.group = out.table + " " + std::string(id);
  out.required = (flags & IFB_OPT_REQUIRED) != 0;
  out.secret = (flags & IFB_OPT_SECRET) != 0;
  out.advanced = (flags & IFB_OPT_ADVANCED) != 0;
  out.of_run = plugin::is_general(kind, out.name, flags);
  if (out.flag.empty() && !(out.of_run && has_host_flag(kind, out.name)))
    out.flag = std::string(id) + "-" + out.name;
  std::ranges::replace(out.flag, '_', '-');
  if (out.type == IFB_BOOL) out.takes = arity::none;
  if (out.type == IFB_STRINGS) out.takes = arity::any;
  while (out.help.ends_with('.'))
    out.help.pop_back();
  out.commands = for_serve;
  if (kind == IFB_DATASET || kind == IFB_TOKENIZER) out.commands |= for_dataset_show;
  if (kind == IFB_TOKENIZER) out.commands |= for_tokenizer;
}

std::string text_or(const char* text, std::string_view otherwise = {}) {
  return std::string(text == nullptr ? otherwise : std::string_view(text));
}

}  // namespace

option option_of(const ifb_option& declared, ifb_kind kind, std::string_view id) {
  option out;
  out.name = text_or(declared.name);
  out.flag = text_or(declared.flag);
  out.type = declared.type;
  out.help = text_or(declared.help);
  out.value_name = text_or(declared.value_name);
  if (declared.fallback != nullptr) out.fallback = declared.fallback;
  for (std::uint32_t i = 0; i < declared.choice_count; ++i)
    out.choices.push_back(text_or(declared.choices[i]));
  out.minimum = declared.minimum;
  out.maximum = declared.maximum;
  complete(out, kind, id, declared.flags);
  return out;
}

option option_of(const plugin::described::option& declared, ifb_kind kind, std::string_view id) {
  option out;
  out.name = declared.name;
  out.flag = declared.flag;
  out.type = declared.type;
  out.help = declared.help;
  out.value_name = declared.value_name;
  if (!declared.fallback.empty()) out.fallback = declared.fallback;
  out.choices = declared.choices;
  out.minimum = declared.minimum;
  out.maximum = declared.maximum;
  complete(out, kind, id, declared.flags);
  return out;
}

std::string value_name_of(const option& declared) {
  if (!declared.value_name.empty()) return declared.value_name;
  switch (declared.shape) {
    case form::pairs: return "KEY=VALUE";
    case form::goals: return "KEY:MS";
    case form::names:
    case form::numbers:
    case form::plain: break;
  }
  switch (declared.type) {
    case IFB_INT: return "N";
    case IFB_BOOL: return "true|false";
    case IFB_FLOAT: return "X";
    case IFB_DURATION: return "TIME";
    case IFB_SIZE: return "SIZE";
    case IFB_PATH: return "PATH";
    case IFB_JSON: return "JSON";
    case IFB_CHOICE: {
      std::string out;
      for (const std::string& choice : declared.choices)
        out += (out.empty() ? "" : "|") + choice;
      return out;
    }
    default: return "TEXT";
  }
}

}  // namespace inferbench::options
