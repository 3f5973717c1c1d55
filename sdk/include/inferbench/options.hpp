// Options of a plugin, declared once: a struct with a schema() that lists its members. The table of
// ifb_option is built from schema() at compile time, and the struct is filled at run time. The
// position in schema() is the index of the option in the host's ifb_config.
//
//   struct options {
//     std::string model;
//     std::chrono::nanoseconds wait{};
//     static constexpr auto schema() {
//       return std::tuple{
//           ifb::option{"model", &options::model, "Model name.", nullptr, IFB_OPT_REQUIRED},
//           ifb::option{"wait", &options::wait, "Pause before sending.", "\"0s\""}
//               .value_name("TIME").range(0, 3600e9)};  // the unit of a duration is ns
//     }
//   };
//
// If an option has no value and no default, its member keeps its initialiser.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include <inferbench/abi.h>
#include <inferbench/guard.hpp>
#include <inferbench/text.hpp>

namespace ifb {

/// Any TOML value, as JSON text. Empty if the option is not set.
struct json_text {
  std::string text;
  [[nodiscard]] bool empty() const noexcept { return text.empty(); }
};

/// A path, in which ~ is expanded. A relative path is relative to the working directory.
struct path {
  std::string text;
  [[nodiscard]] bool empty() const noexcept { return text.empty(); }
  [[nodiscard]] const char* c_str() const noexcept { return text.c_str(); }
};

/// A number of bytes, written as "64KiB" or as a plain number.
struct byte_count {
  std::int64_t value = 0;
};

namespace detail {

template <typename member>
struct option_traits;  // not defined for a type that an option cannot have

template <ifb_type code>
struct plain_option {
  static constexpr ifb_type type = code;
};

template <>
struct option_traits<std::string> : plain_option<IFB_STRING> {
  static void assign(std::string& to, const ifb_value& from) { to = view(from.as.s); }
};
template <>
struct option_traits<std::int64_t> : plain_option<IFB_INT> {
  static void assign(std::int64_t& to, const ifb_value& from) { to = from.as.i; }
};
template <>
struct option_traits<double> : plain_option<IFB_FLOAT> {
  static void assign(double& to, const ifb_value& from) { to = from.as.f; }
};
template <>
struct option_traits<bool> : plain_option<IFB_BOOL> {
  static void assign(bool& to, const ifb_value& from) { to = from.as.i != 0; }
};
template <>
struct option_traits<std::chrono::nanoseconds> : plain_option<IFB_DURATION> {
  static void assign(std::chrono::nanoseconds& to, const ifb_value& from) {
    to = std::chrono::nanoseconds{from.as.i};
  }
};
template <>
struct option_traits<byte_count> : plain_option<IFB_SIZE> {
  static void assign(byte_count& to, const ifb_value& from) { to.value = from.as.i; }
};
template <>
struct option_traits<path> : plain_option<IFB_PATH> {
  static void assign(path& to, const ifb_value& from) { to.text = view(from.as.s); }
};
template <>
struct option_traits<json_text> : plain_option<IFB_JSON> {
  static void assign(json_text& to, const ifb_value& from) { to.text = view(from.as.s); }
};
template <>
struct option_traits<std::vector<std::string>> : plain_option<IFB_STRINGS> {
  static void assign(std::vector<std::string>& to, const ifb_value& from) {
    to.clear();
    to.reserve(from.as.list.size);
    for (std::size_t i = 0; i < from.as.list.size; ++i)
      to.emplace_back(view(from.as.list.data[i]));
  }
};
template <typename inner>
struct option_traits<std::optional<inner>> : plain_option<option_traits<inner>::type> {
  static void assign(std::optional<inner>& to, const ifb_value& from) {
    option_traits<inner>::assign(to.emplace(), from);
  }
};

template <typename member>
struct inside_optional {
  using type = member;
};
template <typename inner>
struct inside_optional<std::optional<inner>> {
  using type = inner;
};
template <typename member>
using inside_optional_t = typename inside_optional<member>::type;

template <typename member>
concept option_member = requires { option_traits<inside_optional_t<member>>::type; } ||
                        std::is_enum_v<inside_optional_t<member>>;

}  // namespace detail

/// One option of a schema. The texts and lists must be literals or static.
template <typename owner, typename member>
class option {
  using value_type = detail::inside_optional_t<member>;
  static_assert(detail::option_member<member>,
                "an option is std::string, std::int64_t, double, bool, std::chrono::nanoseconds, "
                "ifb::byte_count, ifb::path, ifb::json_text, std::vector<std::string>, an "
                "enumeration with choices, or std::optional of one of these");

 public:
  /// `name` is the TOML key, in kebab-case. `help` is one sentence. `fallback` is a TOML literal
  /// ("\"0s\"", "16", "[1, 2]") or nullptr. `flags` is a combination of ifb_option_flag.
  constexpr option(const char* name, member owner::* where, const char* help,
                   const char* fallback = nullptr, std::uint32_t flags = 0)
      : where_(where) {
    abi_.struct_size = sizeof abi_;
    if constexpr (std::is_enum_v<value_type>)
      abi_.type = IFB_CHOICE;
    else
      abi_.type = detail::option_traits<member>::type;
    abi_.flags = flags;
    abi_.name = name;
    abi_.help = help;
    abi_.fallback = fallback;
  }

  /// Sets the name of the value in --help, for example "URL".
  [[nodiscard]] constexpr option value_name(const char* text) const {
    option changed = *this;
    changed.abi_.value_name = text;
    return changed;
  }
  /// Sets the command-line flag, without dashes. The default is "<id>-<name>".
  [[nodiscard]] constexpr option flag(const char* text) const {
    option changed = *this;
    changed.abi_.flag = text;
    return changed;
  }
  /// Declares that the option takes the value of the run's flag with its name, if abi.h lists the
  /// name under GENERAL OPTIONS for the kind of the plugin. Otherwise the option stays the plugin's
  /// own.
  [[nodiscard]] constexpr option general() const {
    option changed = *this;
    changed.abi_.flags |= IFB_OPT_GENERAL;
    return changed;
  }
  /// Sets the range of values that the host accepts. Both ends are included.
  [[nodiscard]] constexpr option range(double minimum, double maximum) const {
    option changed = *this;
    changed.abi_.minimum = minimum;
    changed.abi_.maximum = maximum;
    return changed;
  }
  /// Sets the allowed texts of a std::string, or the texts for an enumeration. The values of the
  /// enumeration must count from 0, and the texts must be in their order. The list is a static
  /// array with a name, because the table of options keeps its address:
  ///   static constexpr const char* units[] = {"ms", "s"};
  ///   ... ifb::option{"unit", &options::unit, "Unit."}.choices(units)
  template <std::size_t count>
  [[nodiscard]] constexpr option choices(const char* const (&list)[count]) const {
    static_assert(std::is_enum_v<value_type> || std::is_same_v<value_type, std::string>,
                  "choices belong to a std::string or an enumeration");
    option changed = *this;
    changed.abi_.type = IFB_CHOICE;
    changed.abi_.choices = list;
    changed.abi_.choice_count = count;
    return changed;
  }
  /// Deleted: a list in braces is a temporary. Give the list a name, as above.
  option choices(std::initializer_list<const char*>) const = delete;

  [[nodiscard]] constexpr const ifb_option& abi() const noexcept { return abi_; }

  void assign(owner& to, const ifb_value& from) const {
    if (from.is_set == 0) return;
    if constexpr (std::is_enum_v<value_type>) {
      const std::string_view text = view(from.as.s);
      for (std::uint32_t i = 0; i < abi_.choice_count; ++i) {
        if (text == abi_.choices[i]) {
          to.*where_ = static_cast<value_type>(i);
          return;
        }
      }
      throw failure{IFB_E_CONFIG, "\"" + std::string{text} + "\" is none of its choices",
                    abi_.name};
    } else {
      detail::option_traits<member>::assign(to.*where_, from);
    }
  }

 private:
  ifb_option abi_{};
  member owner::* where_;
};

/// The options of a plugin that has no options.
struct no_options {
  static constexpr auto schema() { return std::tuple<>{}; }
};

namespace detail {

template <typename options>
constexpr auto make_option_table() {
  return std::apply(
      [](const auto&... each) { return std::array<ifb_option, sizeof...(each)>{each.abi()...}; },
      options::schema());
}

/// The table is computed by the compiler and stored in read-only memory.
template <typename options>
inline constexpr auto stored_table = make_option_table<options>();

constexpr bool kebab_case(std::string_view name) {
  if (name.empty() || name.front() == '-' || name.back() == '-') return false;
  for (const char c : name) {
    if (!((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-')) return false;
  }
  return true;
}
constexpr bool names_are_kebab_case(std::span<const ifb_option> table) {
  for (const auto& each : table) {
    if (each.name == nullptr || !kebab_case(each.name)) return false;
  }
  return true;
}
constexpr bool names_are_unique(std::span<const ifb_option> table) {
  for (std::size_t i = 0; i < table.size(); ++i) {
    for (std::size_t k = 0; k < i; ++k) {
      if (std::string_view{table[i].name} == table[k].name) return false;
    }
  }
  return true;
}
constexpr bool have_help(std::span<const ifb_option> table) {
  for (const auto& each : table) {
    if (each.help == nullptr || std::string_view{each.help}.empty()) return false;
  }
  return true;
}
constexpr bool choices_are_named(std::span<const ifb_option> table) {
  for (const auto& each : table) {
    if (each.type == IFB_CHOICE && each.choice_count == 0) return false;
  }
  return true;
}
constexpr bool required_has_no_fallback(std::span<const ifb_option> table) {
  for (const auto& each : table) {
    if ((each.flags & IFB_OPT_REQUIRED) != 0 && each.fallback != nullptr) return false;
  }
  return true;
}

// Catches a text whose author forgot the quotes of TOML: "/generate" instead of "\"/generate\"".
// The host checks the default as a whole.
constexpr bool fallback_has_quotes(const ifb_option& each) {
  if (each.fallback == nullptr) return true;
  const std::string_view text = each.fallback;
  if (each.type == IFB_BOOL) return text == "true" || text == "false";
  if (each.type != IFB_STRING && each.type != IFB_PATH && each.type != IFB_CHOICE) return true;
  // A text option whose default is a number takes numbers, too.
  if (each.type == IFB_STRING && !text.empty() && text.front() >= '0' && text.front() <= '9')
    return true;
  return text.size() >= 2 && (text.front() == '"' || text.front() == '\'') &&
         text.back() == text.front();
}
constexpr bool fallbacks_have_quotes(std::span<const ifb_option> table) {
  for (const auto& each : table) {
    if (!fallback_has_quotes(each)) return false;
  }
  return true;
}

}  // namespace detail

/// Returns the table of `options`, which is checked at compile time.
template <typename options>
[[nodiscard]] constexpr std::span<const ifb_option> option_table() {
  constexpr const auto& table = detail::stored_table<options>;
  static_assert(detail::names_are_kebab_case(table), "option names are kebab-case");
  static_assert(detail::names_are_unique(table), "option names are unique");
  static_assert(detail::have_help(table), "every option has a help text");
  static_assert(detail::choices_are_named(table), "an enumeration needs .choices()");
  static_assert(detail::required_has_no_fallback(table), "a required option has no fallback");
  static_assert(
      detail::fallbacks_have_quotes(table),
      "a fallback is a TOML literal: a text has quotes of its own, as in \"\\\"0s\\\"\", and "
      "a bool is \"true\" or \"false\"");
  return table;
}

/// Fills the struct: `config.values[i]` is the value of option i in the schema. If the host has
/// fewer values, the missing values count as not set. All values are copied.
template <typename options>
[[nodiscard]] options read_options(const ifb_config& config) {
  options out{};
  std::size_t index = 0;
  std::apply(
      [&](const auto&... each) {
        const auto one = [&](const auto& line) {
          if (index < config.count) line.assign(out, config.values[index]);
          ++index;
        };
        (one(each), ...);
      },
      options::schema());
  return out;
}

}  // namespace ifb
