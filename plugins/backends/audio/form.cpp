#include "form.hpp"

#include <charconv>

#include <inferbench/json_writer.hpp>
#include <inferbench/text.hpp>

#include "backends/bodies/json.hpp"

namespace openai {
namespace {

constexpr std::string_view line_end = "\r\n";

/// Returns `name`, escaped for a quoted parameter of a Content-Disposition header ("%22" for a
/// quote).
std::string escaped_name(std::string_view name) {
  std::string out;
  for (const char c : name) {
    switch (c) {
      case '"': out += "%22"; break;
      case '\r': out += "%0D"; break;
      case '\n': out += "%0A"; break;
      default: out += c;
    }
  }
  return out;
}

/// Returns the text up to the first line break, because a header must not contain a line break.
std::string_view one_line(std::string_view text) {
  return text.substr(0, text.find_first_of("\r\n"));
}

std::string head_of(std::string_view boundary, std::string_view name) {
  return "--" + std::string(boundary) + "\r\nContent-Disposition: form-data; name=\"" +
         escaped_name(name) + "\"";
}

}  // namespace

std::string python_text(std::string_view json) {
  if (json == "true") return "True";
  if (json == "false") return "False";
  if (json.starts_with('"')) return bodies::string_value(json);
  const bool number = json.find_first_not_of("+-.0123456789eE") == json.npos;
  if (!number || json.find_first_of(".eE") == json.npos) return std::string(json);
  double value = 0;  // stays 0 if the number is too small for a double
  std::from_chars(json.data(), json.data() + json.size(), value);
  std::string out;
  ifb::append_python_float(out, value);
  return out;
}

form::form(const bodies::body_layout& layout, std::string boundary)
    : boundary_(std::move(boundary)) {
  for (const auto& entry : layout.entries()) {
    if (entry.json == "null") continue;
    fields_.push_back({head_of(boundary_, entry.key) + "\r\n\r\n",
                       entry.kind == bodies::slot::none ? python_text(entry.json) : std::string(),
                       entry.kind});
  }
}

void form::put(bodies::gather_list& out, const sound& what, std::string_view model,
               const ifb_sample& sample) const {
  out.copy(head_of(boundary_, "file"));
  out.copy("; filename=\"");
  out.copy(escaped_name(what.name));
  out.copy("\"\r\nContent-Type: ");
  out.copy(one_line(what.type));
  out.copy("\r\n\r\n");
  out.refer(what.file);
  out.copy(line_end);
  for (const field& one : fields_) {
    if (one.kind == bodies::slot::limit && sample.output_tokens < 0) continue;
    out.copy(one.head);
    switch (one.kind) {
      case bodies::slot::model:
        out.copy(sample.model.size != 0 ? ifb::view(sample.model) : model);
        break;
      case bodies::slot::limit: out.number(sample.output_tokens); break;
      default: out.copy(one.value);
    }
    out.copy(line_end);
  }
  out.copy("--");
  out.copy(boundary_);
  out.copy("--\r\n");
}

}  // namespace openai
