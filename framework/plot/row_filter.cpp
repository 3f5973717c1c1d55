#include "plot/row_filter.hpp"

#include <algorithm>
#include <utility>

#include "base/error.hpp"
#include "base/text.hpp"
#include "plot/run_values.hpp"
#include "pytext/python_number.hpp"

namespace inferbench::plot {

namespace {

const base::source_position filter_flag{"--filter-by", 0, 0};

std::string without_quotes(std::string_view text) {
  for (const char quote : {'\'', '"'}) {
    while (text.starts_with(quote))
      text.remove_prefix(1);
    while (text.ends_with(quote))
      text.remove_suffix(1);
  }
  return std::string(text);
}

/// The boolean that the text names if the column has booleans and no other values.
std::optional<bool> truth_of(const std::string& text, const std::string& column,
                             const std::vector<run_row>& rows) {
  const bool yes = base::equal_no_case(text, "true");
  if (!yes && !base::equal_no_case(text, "false")) return std::nullopt;
  bool any = false;
  for (const run_row& row : rows)
    if (const base::json_value* const value = value_of(row, column)) {
      if (!value->IsBool()) return std::nullopt;
      any = true;
    }
  return any ? std::optional(yes) : std::nullopt;
}

}  // namespace

row_filter row_filter::parse(std::string_view text) {
  static constexpr std::pair<std::string_view, sign> signs[] = {
      {"==", sign::equal},    {"!=", sign::unequal}, {"<=", sign::at_most},
      {">=", sign::at_least}, {"<", sign::below},    {">", sign::above}};
  row_filter out;
  out.text_ = text;
  for (const auto& [written, meaning] : signs) {
    const std::size_t at = text.find(written);
    if (at == std::string_view::npos) continue;
    const std::string_view rest = text.substr(at + written.size());
    if (rest.find(written) != std::string_view::npos)
      throw base::error("\"" + out.text_ + "\" has the operator " + std::string(written) + " twice",
                        "write one comparison such as request_rate<=10", filter_flag);
    out.column_ = text.substr(0, at);
    out.value_ = without_quotes(rest);
    out.sign_ = meaning;
    out.number_ = pytext::python_float(out.value_);
    if (!out.number_ && meaning != sign::equal && meaning != sign::unequal)
      throw base::error("\"" + out.value_ + "\" is not a number, which the operator " +
                            std::string(written) + " of \"" + out.text_ + "\" needs",
                        {}, filter_flag);
    return out;
  }
  throw base::error("\"" + out.text_ + "\" has no operator", "use ==, !=, <=, >=, < or >",
                    filter_flag);
}

bool row_filter::equals(const base::json_value& value, std::optional<bool> truth) const {
  if (truth) return value.GetBool() == *truth;
  if (number_) {
    const auto number = number_of(&value);
    return number && *number == *number_;
  }
  return value.IsString() && base::text_of(&value) == value_;
}

bool row_filter::passes(const run_row& row, std::optional<bool> truth) const {
  const base::json_value* const value = value_of(row, column_);
  if (value == nullptr) return sign_ == sign::unequal;
  if (sign_ == sign::equal) return equals(*value, truth);
  if (sign_ == sign::unequal) return !equals(*value, truth);
  const auto number = number_of(value);
  if (!number)
    throw base::error(place_of(row) + ": " + column_ + " is \"" + text_of_value(value) +
                          "\", which cannot be compared by \"" + text_ + "\"",
                      "use == or != for a column of texts", filter_flag);
  switch (sign_) {
    case sign::at_most: return *number <= *number_;
    case sign::at_least: return *number >= *number_;
    case sign::below: return *number < *number_;
    default: return *number > *number_;
  }
}

std::vector<run_row> row_filter::passing(const std::vector<run_row>& rows) const {
  const std::optional<bool> truth = truth_of(value_, column_, rows);
  std::vector<run_row> out;
  std::ranges::copy_if(rows, std::back_inserter(out),
                       [&](const run_row& row) { return passes(row, truth); });
  return out;
}

std::vector<row_filter> parse_filters(std::string_view list) {
  std::vector<row_filter> out;
  if (list.empty()) return out;
  for (const std::string_view text : base::split(list, ','))
    out.push_back(row_filter::parse(text));
  return out;
}

}  // namespace inferbench::plot
