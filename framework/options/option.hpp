// A declared key of the host (config/keys.hpp) or a declared option of a plugin (ifb_option). The
// flag, the TOML key, the check and the text of --help are all made from this declaration.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <inferbench/abi.h>

#include "plugin/library.hpp"

namespace inferbench::options {

/// How many values a flag takes from the command line.
enum class arity : std::uint8_t {
  one,
  none,  // no value: a switch; "=true" and "=false" may follow
  any,   // all values up to the next flag; there may be no value
  some   // all values up to the next flag, at least one
};

/// The contents of a host key of type STRINGS. In TOML the value is a list of texts or has a second
/// form, which is given here.
enum class form : std::uint8_t {
  plain,   // texts; in TOML also one text, which means a list with one item
  pairs,   // items KEY=VALUE; in TOML also a table of texts. Items keep "${NAME}" until
           // resolve_pair()
  goals,   // items KEY:MILLISECONDS; in TOML also a table of numbers
  names,   // texts; one text with commas is split at the commas
  numbers  // numbers; one text with commas is split at the commas
};

/// The commands that know a flag.
enum command : std::uint8_t { for_serve = 1, for_run = 2, for_dataset_show = 4, for_tokenizer = 8 };

/// The treatment of a general flag if the plugin in use does not declare the option. kept: the flag
/// still has an effect; warned: it is ignored with a warning; refused: it is an error.
enum class undeclared : std::uint8_t { kept, warned, refused };

struct option {
  std::string table;     // "load"; for a plugin's option: the name of the plugin's kind
  std::string name;      // "request-rate"
  std::string flag{};    // without dashes; empty: TOML only
  std::string plugin{};  // for a plugin's option: the id of the plugin, for messages
  ifb_type type = IFB_STRING;
  std::string help{};                     // one sentence without the full stop
  std::string group{};                    // the heading of the option's group in --help
  std::string value_name{};               // the word for the value in --help; empty: depends on the
                                          // type
  std::optional<std::string> fallback{};  // the default as a TOML literal; nullopt: no default
  std::vector<std::string> choices{};
  double minimum = 0, maximum = 0;  // range in units of the stored value; both 0: not checked
  bool above = false;               // the value must be greater than the minimum
  form shape = form::plain;
  arity takes = arity::one;
  std::string sets{};     // for a switch: the TOML literal that it sets; empty: "true"
  std::string member{};   // the flag sets this member of a JSON option
  std::string remedy{};   // the remedy in errors about the value; empty: the remedy for the type
  std::string instead{};  // for an old spelling: the flag that replaces it
  bool required = false, advanced = false;
  bool secret = false;       // in a list of pairs only the values are secret
  bool accumulates = false;  // a list flag that is given again adds items instead of replacing them
  bool general = false;      // takes precedence over other flags that set the same key
  bool of_run = false;       // for a plugin's option: it is general, so a key of the host sets it
  bool forwarded = false;    // the value is passed to the plugin's option with the same path, if
                             // the plugin declares it as general
  undeclared otherwise = undeclared::kept;
  std::uint8_t commands = for_serve;

  /// "load.request-rate"
  [[nodiscard]] std::string path() const { return table + "." + name; }
};

/// An option that a plugin declares. `id` makes the flag: --<id>-<name>, with "_" as "-". General
/// options, which a flag of the host sets (abi.h, "GENERAL OPTIONS"), get no flag of their own. The
/// exception is a dataset's lengths, which have their own flags, too.
[[nodiscard]] option option_of(const ifb_option& declared, ifb_kind kind, std::string_view id);
[[nodiscard]] option option_of(const plugin::described::option& declared, ifb_kind kind,
                               std::string_view id);

/// The word that --help shows for the value: "N", "URL", ...
[[nodiscard]] std::string value_name_of(const option& declared);

}  // namespace inferbench::options
