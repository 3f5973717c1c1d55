#include "structured/script_line.hpp"

#include <algorithm>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/text.hpp"
#include "options/refusal.hpp"
#include "pytext/python_number.hpp"

namespace inferbench::structured {

namespace {

using options::usage_error;

// A word that begins with a dash is a flag, unless it is a number.
bool is_flag(std::string_view word) {
  return word.size() > 1 && word.front() == '-' && !pytext::python_float(word);
}

void check_form(const script_flag& flag, const std::string& text) {
  const std::string name = std::string("--") + flag.name;
  if (flag.type == script_type::whole && !pytext::python_int(text))
    throw usage_error("\"" + base::one_line(text) + "\" is not a whole number", {}, {name});
  if (flag.type == script_type::real && !pytext::python_float(text))
    throw usage_error("\"" + base::one_line(text) + "\" is not a number", {}, {name});
  const auto datasets = script_datasets();
  if (std::string_view(flag.name) == "dataset" &&
      std::ranges::find(datasets, text) == datasets.end())
    throw usage_error("there is no data set \"" + base::one_line(text) + "\"",
                      fmt::format("choose one of {}", fmt::join(datasets, ", ")), {name});
}

std::string normal_name(std::string_view word) {
  std::string out(word.substr(0, word.find('=')));
  std::ranges::replace(out, '_', '-');
  return out;
}

}  // namespace

script_line::script_line(std::span<const std::string> args) {
  read(args);
  if (!help_ && last("model") == nullptr)
    throw usage_error("is required", "give the name of the model", {"--model"});
}

void script_line::read(std::span<const std::string> args) {
  for (std::size_t at = 0; at < args.size(); ++at) {
    const std::string& word = args[at];
    if (word == "-h" || normal_name(word) == "--help") {
      help_ = true;
      return;
    }
    const auto equals = word.find('=');
    const script_flag* flag = find_script_flag(std::string_view(word).substr(0, equals));
    if (flag == nullptr) {
      rest_.push_back(word);
      continue;
    }
    const std::string name = std::string("--") + flag->name;
    std::vector<std::string> values;
    if (equals != std::string::npos) values.push_back(word.substr(equals + 1));
    if (flag->type == script_type::toggle) {
      if (!values.empty())
        throw usage_error("takes no value", "leave out \"=" + base::one_line(values[0]) + "\"",
                          {name});
    } else if (values.empty()) {
      const bool several = flag->type == script_type::list;
      while (at + 1 < args.size() && !is_flag(args[at + 1]) && (several || values.empty()))
        values.push_back(args[++at]);
      if (values.empty())
        throw usage_error("a value is missing",
                          "give it as " + name +
                              "=VALUE if it begins with "
                              "a dash",
                          {name});
    }
    for (const std::string& each : values)
      check_form(*flag, each);
    given_.emplace_back(flag, std::move(values));
  }
}

const std::vector<std::string>* script_line::last(std::string_view name) const {
  const auto found = std::find_if(given_.rbegin(), given_.rend(),
                                  [&](const auto& each) { return each.first->name == name; });
  return found == given_.rend() ? nullptr : &found->second;
}

std::string script_line::text(std::string_view name) const {
  if (const auto* values = last(name); values != nullptr && !values->empty())
    return values->front();
  const auto flags = script_flags();
  const auto declared =
      std::ranges::find_if(flags, [&](const script_flag& each) { return each.name == name; });
  return declared == flags.end() || declared->fallback == nullptr ? std::string()
                                                                  : declared->fallback;
}

bool script_line::rest_has(std::string_view name) const {
  return std::ranges::any_of(rest_,
                             [&](const std::string& word) { return normal_name(word) == name; });
}

}  // namespace inferbench::structured
