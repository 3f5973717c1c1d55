#include "options.hpp"

#include <array>
#include <string_view>
#include <type_traits>
#include <utility>

#include <inferbench/json_reader.hpp>

namespace llama_cpp {

namespace {

[[noreturn]] void refuse_option(std::string_view name, const std::string& why) {
  throw ifb::failure{IFB_E_CONFIG, "option " + std::string(name) + " of llama-cpp: " + why};
}

std::string plain_name(std::string_view given) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 3> synonyms{
      {{"max-model-len", "n-ctx"},
       {"max-num-seqs", "n-seq-max"},
       {"max-num-batched-tokens", "n-batch"}}};
  std::string name(given);
  for (char& each : name)
    if (each == '_') each = '-';
  for (const auto& [theirs, ours] : synonyms)
    if (name == theirs) return std::string(ours);
  return name;
}

/// A member that only says what the engine does anyway.
bool asks_for_nothing(std::string_view name, const ifb::json_value& value) {
  if (name == "tokenizer" || name == "tokenizer-mode" || name == "trust-remote-code") return true;
  if (name == "dtype") return ifb::text_of(&value) == "auto";
  return name == "enable-prefix-caching" && value.IsFalse();
}

/// The value of the member as the host would hand it over.
ifb_value value_of(const ifb_option& option, std::string_view name, const ifb::json_value& from) {
  ifb_value out{};
  out.type = option.type;
  out.is_set = 1;
  const auto require = [&](bool good, const char* what) {
    if (!good) refuse_option(name, std::string("it must be ") + what);
  };
  double number = 0;
  bool ranged = false;
  switch (option.type) {
    case IFB_INT:
      require(from.IsInt64(), "a whole number");
      out.as.i = from.GetInt64();
      number = static_cast<double>(out.as.i);
      ranged = true;
      break;
    case IFB_FLOAT:
      require(from.IsNumber(), "a number");
      out.as.f = number = from.GetDouble();
      ranged = true;
      break;
    case IFB_BOOL:
      require(from.IsBool(), "true or false");
      out.as.i = from.GetBool() ? 1 : 0;
      break;
    default:
      require(from.IsString(), "a text");
      out.as.s = ifb::str(ifb::text_of(&from));
      break;
  }
  if (ranged && (number < option.minimum || number > option.maximum))
    refuse_option(name, "it must be from " +
                            std::to_string(static_cast<long long>(option.minimum)) + " to " +
                            std::to_string(static_cast<long long>(option.maximum)));
  return out;
}

/// Assigns the member, which the user calls `given`, to the option of this name. Returns whether
/// there is one.
bool assign(engine_options& to, const std::string& name, std::string_view given,
            const ifb::json_value& value) {
  bool found = false;
  const auto try_one = [&](const auto& option) {
    if (found || name != option.abi().name) return;
    found = true;
    option.assign(to, value_of(option.abi(), given, value));
  };
  std::apply([&](const auto&... each) { (try_one(each), ...); }, engine_options::schema());
  return found;
}

}  // namespace

void lay_over(engine_options& options, std::string_view json) {
  if (json.empty()) return;
  const ifb::json_document document = ifb::read_json(json, IFB_E_CONFIG);
  if (!document.IsObject())
    throw ifb::failure{IFB_E_CONFIG, "the options of llama-cpp are no JSON object"};
  for (const auto& member : document.GetObject()) {
    const std::string_view given = ifb::text_of(&member.name);
    const std::string name = plain_name(given);
    if (assign(options, name, given, member.value) || asks_for_nothing(name, member.value))
      continue;
    refuse_option(given, "it does not exist, or llama.cpp cannot do it");
  }
}

}  // namespace llama_cpp
