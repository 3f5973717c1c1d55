// One declared key: of the host (keys.hpp) or of a plugin (ifb_option). From this
// description alone come its flag, its TOML key, its check and its line of --help.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <inferbench/abi.h>

#include "plugin/library.hpp"

namespace inferbench::options {

/// How many tokens a flag takes.
enum class arity : std::uint8_t {
  one,
  none,  // a switch; "=true" and "=false" may follow
  any,   // up to the next flag, none too
  some   // up to the next flag, at least one
};

/// What a host key of type STRINGS holds, and how else it may be written in TOML.
enum class form : std::uint8_t {
  plain,
  pairs,   // KEY=VALUE; a table of texts. Items keep "${NAME}": resolve_pair()
  goals,   // KEY:MILLISECONDS; a table of numbers
  names,   // a flag's one text, split at commas
  numbers  // the same, of numbers
};

/// Which commands know a flag.
enum command : std::uint8_t { for_serve = 1, for_run = 2, for_dataset_show = 4, for_tokenizer = 8 };

/// What happens to a general flag when the plugin in use lacks the option: it has a
/// meaning all the same, is ignored with a warning, or is an error.
enum class undeclared : std::uint8_t { kept, warned, refused };

struct option {
  std::string table;   // "load"; of a plugin: the name of its kind
  std::string name;    // "request-rate"
  std::string flag{};  // without dashes; empty: TOML only
  ifb_type type = IFB_STRING;
  std::string help{};                     // one sentence without its full stop
  std::string group{};                    // the heading in --help
  std::string value_name{};               // empty: from the type
  std::optional<std::string> fallback{};  // a TOML literal
  std::vector<std::string> choices{};
  double minimum = 0, maximum = 0;  // both 0: unchecked; units of the stored value
  bool above = false;               // the minimum itself is out
  form shape = form::plain;
  arity takes = arity::one;
  std::string sets{};     // of a switch: the TOML literal that it stands for, "true" if empty
  std::string member{};   // the flag sets this member of a JSON option
  std::string remedy{};   // of complaints about a value, instead of that of its type
  std::string instead{};  // of an old spelling: the flag that is meant
  bool required = false, advanced = false;
  bool secret = false;       // of pairs: the values
  bool accumulates = false;  // given again, a list flag adds instead of replacing
  bool general = false;      // wins over other flags that set the same key
  bool forwarded = false;    // to a plugin's option of the same path, where it is declared
  undeclared otherwise = undeclared::kept;
  std::uint8_t commands = for_serve;

  /// "load.request-rate"
  [[nodiscard]] std::string path() const { return table + "." + name; }
};

/// What a plugin declares. `id` makes the flag: --<id>-<name>, "_" as "-". Options
/// that the host's own flags speak for (abi.h, "Option names with a meaning") get none,
/// but a dataset's lengths, which have both.
[[nodiscard]] option option_of(const ifb_option& declared, ifb_kind kind, std::string_view id);
[[nodiscard]] option option_of(const plugin::described::option& declared, ifb_kind kind,
                               std::string_view id);

/// "NUMBER", "URL", ...: what --help shows for the value.
[[nodiscard]] std::string value_name_of(const option& declared);

}  // namespace inferbench::options
