#include "simulator/form_data.hpp"

#include <array>
#include <utility>

#include "base/text.hpp"

namespace inferbench::simulator {

namespace {

constexpr std::string_view line_end = "\r\n";
constexpr std::size_t longest_boundary = 70;  // RFC 2046 5.1.1
constexpr std::size_t most_fields = 1000;

/// Removes the next parameter, such as `; name="form"`, from `rest`, the text after the first word
/// of a field's value. False if there is no further parameter, or if it is malformed. In a quoted
/// value \" and, as browsers write it, %22 mean a quote, and \\ means a backslash; all other
/// characters mean themselves.
bool next_parameter(std::string_view& rest, std::string_view& name, std::string& value) {
  rest = base::trim(rest);
  if (!rest.starts_with(';')) return false;
  rest = base::trim(rest.substr(1));
  const auto equals = rest.find('=');
  if (equals == std::string_view::npos) return false;
  name = base::trim(rest.substr(0, equals));
  rest = base::trim(rest.substr(equals + 1));
  value.clear();
  if (!rest.starts_with('"')) {
    const std::string_view token = rest.substr(0, rest.find(';'));
    value = base::trim(token);
    rest.remove_prefix(token.size());
    return true;
  }
  rest.remove_prefix(1);
  while (!rest.empty() && rest.front() != '"') {
    if (rest.size() > 1 && rest.front() == '\\' && (rest[1] == '"' || rest[1] == '\\'))
      rest.remove_prefix(1);
    if (rest.starts_with("%22")) {
      value += '"';
      rest.remove_prefix(3);
      continue;
    }
    value += rest.front();
    rest.remove_prefix(1);
  }
  if (rest.empty()) return false;
  rest.remove_prefix(1);
  return true;
}

/// Reads the header fields of a part. False if the part has no name, if a field has no colon, or if
/// the field Content-Disposition is not form-data.
bool read_part_head(std::string_view head, form_field& out) {
  bool named = false;
  while (!head.empty()) {
    const auto end = head.find(line_end);
    const std::string_view line = head.substr(0, end);
    head.remove_prefix(end == std::string_view::npos ? head.size() : end + line_end.size());
    const auto colon = line.find(':');
    if (colon == std::string_view::npos) return false;
    const std::string_view field = base::trim(line.substr(0, colon));
    const std::string_view text = base::trim(line.substr(colon + 1));
    if (base::equal_no_case(field, "content-type")) out.type = text;
    if (!base::equal_no_case(field, "content-disposition")) continue;
    const auto semicolon = text.find(';');
    if (!base::equal_no_case(base::trim(text.substr(0, semicolon)), "form-data")) return false;
    std::string_view rest =
        semicolon == std::string_view::npos ? std::string_view() : text.substr(semicolon);
    std::string_view name;
    for (std::string value; next_parameter(rest, name, value);) {
      if (base::equal_no_case(name, "name")) {
        out.name = value;
        named = true;
      } else if (base::equal_no_case(name, "filename")) {
        out.file_name = value;
      }
    }
  }
  return named;
}

}  // namespace

std::string boundary_of(std::string_view content_type) {
  const auto semicolon = content_type.find(';');
  const std::string_view type = base::trim(content_type.substr(0, semicolon));
  if (semicolon == std::string_view::npos || !base::equal_no_case(type, "multipart/form-data"))
    return {};
  std::string_view rest = content_type.substr(semicolon);
  std::string_view name;
  for (std::string value; next_parameter(rest, name, value);)
    if (base::equal_no_case(name, "boundary") && value.size() <= longest_boundary) return value;
  return {};
}

std::optional<std::vector<form_field>> read_form(std::string_view body, std::string_view boundary,
                                                 std::string& fault) {
  const std::string opening = "--" + std::string(boundary);
  const std::string separator = std::string(line_end) + opening;
  std::vector<form_field> out;
  const auto refuse = [&](std::string_view why) {
    fault = why;
    return std::nullopt;
  };
  // Text before the first boundary is allowed, and ignored (RFC 2046 5.1.1).
  if (body.starts_with(opening)) {
    body.remove_prefix(opening.size());
  } else {
    const auto first = body.find(separator);
    if (first == std::string_view::npos) return refuse("The form does not have its boundary.");
    body.remove_prefix(first + separator.size());
  }
  while (!body.starts_with("--")) {
    const auto blanks = body.find_first_not_of(" \t");
    if (blanks == std::string_view::npos || !body.substr(blanks).starts_with(line_end))
      return refuse("A boundary of the form does not end its line.");
    body.remove_prefix(blanks + line_end.size());
    const auto head = body.find("\r\n\r\n");
    form_field field;
    if (head == std::string_view::npos || !read_part_head(body.substr(0, head), field))
      return refuse("A part of the form has no name.");
    body.remove_prefix(head + 4);
    const auto end = body.find(separator);
    if (end == std::string_view::npos) return refuse("The form does not end with its boundary.");
    field.value = body.substr(0, end);
    body.remove_prefix(end + separator.size());
    if (out.size() == most_fields)
      return refuse("Too many fields. Maximum number of fields is 1000.");
    out.push_back(std::move(field));
  }
  return out;
}

}  // namespace inferbench::simulator
