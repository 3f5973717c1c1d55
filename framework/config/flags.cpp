#include "config/flags.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include <boost/program_options/cmdline.hpp>
#include <boost/program_options/errors.hpp>
#include <boost/program_options/options_description.hpp>
#include <boost/program_options/parsers.hpp>
#include <boost/program_options/value_semantic.hpp>

#include "base/text.hpp"
#include "base/units.hpp"
#include "options/refusal.hpp"

namespace inferbench::config {

namespace {

namespace po = boost::program_options;

constexpr std::string_view one_form = "give it as --NAME=VALUE if it begins with a dash";

// Words that users of other programs write behind a switch.
constexpr std::array<std::string_view, 3> words_for_on{"true", "yes", "on"};
constexpr std::array<std::string_view, 3> words_for_off{"false", "no", "off"};

base::source_position at(const std::string& flag_as_written) { return {flag_as_written, 0, 0}; }

// Whether a token is a flag and not a value. A value may begin with a dash if it is a number, a
// number with a unit, or a text with blanks. No flag begins with a digit.
bool names_flag(std::string_view token) {
  if (token.size() < 2 || token[0] != '-') return false;
  if ((token[1] >= '0' && token[1] <= '9') || token[1] == '.') return false;
  return !base::parse_float(token) && token.find(' ') == std::string_view::npos;
}

std::string dashed(std::string_view name) {
  std::string out(name);
  std::ranges::replace(out, '_', '-');
  return out;
}

po::options_description described(std::span<const flag> table) {
  po::options_description out;
  for (const flag& f : table) {
    auto* value = po::value<std::vector<std::string>>();
    switch (f.takes) {
      case options::arity::one: break;
      case options::arity::none: value->implicit_value({"true"}, "true"); break;
      case options::arity::any: value->zero_tokens()->multitoken(); break;
      case options::arity::some: value->multitoken(); break;
    }
    out.add_options()(f.name.c_str(), value);
  }
  return out;
}

class parser {
 public:
  parser(std::span<const flag> table, bool guess)
      : table_(table), guess_(guess), known_(described(table)) {}

  command_line parse(std::span<const std::string> args) {
    std::vector<std::string> plain = without_dotted(args);
    for (const po::option& o : split(plain))
      take(o);
    // Upstream puts the merged object at the end of the line, so it replaces earlier values.
    for (auto& [name, object] : dotted_) {
      given_flag given;
      given.name = name;
      given.dotted = std::move(object);
      put(std::move(given));
    }
    return std::move(out_);
  }

 private:
  // Returns the arguments without dotted flags and their values; flags have their declared names.
  // Merges the dotted flags into dotted_.
  std::vector<std::string> without_dotted(std::span<const std::string> args) {
    std::vector<std::string> out;
    for (std::size_t i = 0; i < args.size(); ++i) {
      const std::string& token = args[i];
      if (!names_flag(token)) {
        out.push_back(token);
        continue;
      }
      if (!token.starts_with("--")) {
        out_.unknown.push_back(token);
        continue;
      }
      const auto equals = token.find('=');
      const std::string name = token.substr(2, equals == std::string::npos ? equals : equals - 2);
      const auto dot = name.find('.');
      if (dot == std::string::npos) {
        const std::string plain = dashed(name);
        const flag* f = resolve(plain, "--" + plain);
        out.push_back("--" + (f == nullptr ? plain : f->name));
        if (equals == std::string::npos) continue;
        // Here an empty text after "=" is a value, but Boost.Program_options would report an error.
        if (equals + 1 == token.size())
          out.emplace_back();
        else
          out.back() += token.substr(equals);
        continue;
      }
      const std::string written = token.substr(0, equals);
      std::string text;
      if (equals != std::string::npos) {
        text = token.substr(equals + 1);
      } else if (i + 1 < args.size() && !names_flag(args[i + 1])) {
        text = args[++i];
      } else {
        throw options::usage_error("a value is missing", std::string(one_form), at(written));
      }
      dotted(written, dashed(name.substr(0, dot)), name.substr(dot + 1), text);
    }
    return out;
  }

  void dotted(const std::string& written, const std::string& base_name, const std::string& keys,
              const std::string& text) {
    const flag* f = resolve(base_name, written);
    if (f == nullptr) {
      out_.unknown.push_back(written);
      return;
    }
    if (!f->json)
      throw options::usage_error("--" + f->name + " takes no dotted names",
                                 "only flags with a JSON value do", at(written));
    options::node above = dotted_value(keys, text, at(written));
    const auto same =
        std::ranges::find(dotted_, f->name, &std::pair<std::string, options::node>::first);
    if (same == dotted_.end())
      dotted_.emplace_back(f->name, std::move(above));
    else
      options::merge(same->second, std::move(above));
  }

  // The flag with this name, or the flag of which `name` is a unique prefix; nullptr if there is no
  // such flag. Adds a warning with the meaning of a prefix, because the prefix may mean another
  // flag when another plugin is installed. `written`: the flag as written, for messages.
  const flag* resolve(const std::string& name, const std::string& written) {
    if (const flag* exact = find(name)) return exact;
    if (!guess_ || name.empty()) return nullptr;
    std::vector<const flag*> could;
    for (const flag& f : table_)
      if (f.name.starts_with(name)) could.push_back(&f);
    if (could.empty()) return nullptr;
    const auto upstream = [](const flag* f) { return f->upstream; };
    const auto first = std::ranges::find_if(could, upstream);
    const bool one = could.size() == 1 || std::ranges::count_if(could, upstream) == 1;
    if (!one) ambiguous(written, could);
    const flag* meant = could.size() == 1 ? could.front() : *first;
    std::string note = "--" + name + " is read as --" + meant->name;
    if (std::ranges::find(out_.warnings, note) == out_.warnings.end())
      out_.warnings.push_back(std::move(note));
    return meant;
  }

  const flag* find(std::string_view name) const {
    const auto found = std::ranges::find(table_, name, &flag::name);
    return found == table_.end() ? nullptr : &*found;
  }

  [[noreturn]] static void ambiguous(const std::string& written,
                                     const std::vector<const flag*>& could) {
    std::string names;
    for (const flag* f : could)
      names += (names.empty() ? "--" : ", --") + f->name;
    throw options::usage_error(written + " could be " + names, "write it out");
  }

  std::vector<po::option> split(const std::vector<std::string>& tokens) const {
    using namespace po::command_line_style;
    constexpr int style = allow_long | long_allow_adjacent | long_allow_next;
    try {
      return po::command_line_parser(tokens)
          .options(known_)
          .style(style)
          .allow_unregistered()
          .run()
          .options;
    } catch (const po::error_with_option_name& e) {
      // Either the value is missing, or the next argument looks like a flag.
      throw options::usage_error("a value is missing", std::string(one_form),
                                 at(e.get_option_name()));
    }
  }

  void take(const po::option& o) {
    if (o.string_key.empty()) {
      out_.positional.insert(out_.positional.end(), o.value.begin(), o.value.end());
      return;
    }
    const std::string& first = o.original_tokens.front();
    const std::string written = first.substr(0, first.find('='));
    const flag* f = o.unregistered ? nullptr : find(o.string_key);
    if (f == nullptr) {
      out_.certain = std::min(out_.certain, out_.positional.size());
      out_.unknown.push_back(written);
      return;
    }
    given_flag given;
    given.name = f->name;
    given.values = o.value;
    const bool adjacent = first.find('=') != std::string::npos;
    if (f->takes == options::arity::none && !adjacent) {
      // Boost.Program_options takes the next word for the value.
      if (!o.value.empty()) refuse_value(f->name, o.value.front());
      out_.positional.insert(out_.positional.end(), o.value.begin(), o.value.end());
      given.values = {"true"};
    }
    const bool empty = given.values.empty();
    const bool other_flag = !adjacent && !empty && names_flag(given.values.front());
    if (other_flag || (empty && f->takes != options::arity::any))
      throw options::usage_error("a value is missing", std::string(one_form), at("--" + f->name));
    put(std::move(given));
  }

  // Throws if `word` was meant as the value of the switch before it: no argument that is not a flag
  // is named like this.
  static void refuse_value(const std::string& name, std::string_view word) {
    const std::string small = base::lower_case(word);
    const bool on = std::ranges::find(words_for_on, small) != words_for_on.end();
    if (!on && std::ranges::find(words_for_off, small) == words_for_off.end()) return;
    throw options::usage_error(
        "a switch takes no value, and " + options::in_quotes(word) + " follows it",
        on ? "leave the word out, or write --" + name + "=true"
           : "write --" + name + "=false, or leave both out if the switch is off by default",
        at("--" + name));
  }

  void put(given_flag given) {
    const auto old = std::ranges::find(out_.flags, given.name, &given_flag::name);
    if (old != out_.flags.end()) {
      const flag& f = *find(given.name);
      if (f.accumulates) {
        given.values.insert(given.values.begin(), old->values.begin(), old->values.end());
      } else if (f.takes != options::arity::none) {
        out_.warnings.push_back("--" + given.name + " is given more than once; the last " +
                                (given.dotted ? "dotted form counts" : "one counts"));
      }
      out_.flags.erase(old);
    }
    out_.flags.push_back(std::move(given));
  }

  std::span<const flag> table_;
  bool guess_;
  po::options_description known_;
  command_line out_;
  std::vector<std::pair<std::string, options::node>> dotted_;
};

}  // namespace

const given_flag* command_line::find(std::string_view name) const {
  const auto found = std::ranges::find(flags, name, &given_flag::name);
  return found == flags.end() ? nullptr : &*found;
}

command_line parse_flags(std::span<const std::string> args, std::span<const flag> table,
                         bool guess) {
  return parser(table, guess).parse(args);
}

options::node dotted_value(std::string_view key, const std::string& text,
                           const base::source_position& where, const char* form) {
  const auto dot = key.find('.');
  if (std::ranges::count(key, '.') >= options::deepest)
    throw options::usage_error(
        "the name has more than " + std::to_string(options::deepest) + " parts",
        "give the whole object as JSON", {where.file.substr(0, where.file.find('.')), 0, 0});
  if (key.substr(0, dot).empty() || key == "+")
    throw options::usage_error("a name is missing", std::string("write ") + form, where);
  if (dot != std::string_view::npos || !key.ends_with('+')) {
    options::node out = options::node::table();
    out.where = where;
    if (dot != std::string_view::npos) {
      out.set(key.substr(0, dot), dotted_value(key.substr(dot + 1), text, where, form));
      return out;
    }
    options::node value;
    try {
      value = options::parse_json_node(text, where.file);
    } catch (const base::error&) {
      const auto number = base::parse_suffixed_int(text);
      value = number ? options::node::of(*number) : options::node::of(text);
    }
    value.where = where;
    out.set(key, std::move(value));
    return out;
  }
  options::node items = options::node::list();
  for (const std::string_view part : base::split(text, ','))
    items.items.push_back(options::node::of(std::string(part)));
  options::node out = options::node::table();
  out.where = where;
  out.set(key.substr(0, key.size() - 1), std::move(items));
  return out;
}

}  // namespace inferbench::config
