#include "evaluation_rows.hpp"

#include <inferbench/guard.hpp>
#include <inferbench/json_reader.hpp>
#include <inferbench/json_writer.hpp>

namespace structured {

namespace {

constexpr const char* the_data_set = "NousResearch/json-mode-eval";

tables::request request_of(const std::string& path) {
  tables::request out;
  out.path = path;
  out.shuffle = false;
  return out;
}

// Returns the JSON text of a message, with `prefix` in front of its content.
std::string json_of(const ifb::json_value& message, std::string_view prefix) {
  ifb::json_writer out;
  out.begin_object();
  for (const auto& member : message.GetObject()) {
    const std::string_view name = ifb::text_of(&member.name);
    out.key(name);
    if (name == "content" && !prefix.empty())
      out.string(std::string(prefix).append(ifb::text_of(&member.value)));
    else
      ifb::write(out, member.value);
  }
  out.end_object();
  return out.take();
}

const char* are(std::uint64_t count) { return count == 1 ? " is" : " are"; }

std::string rows_text(std::uint64_t count) {
  return std::to_string(count) + (count == 1 ? " row" : " rows");
}

[[noreturn]] void refuse(const tables::row& row, const std::string& reason) {
  throw tables::unfit(row.place(), reason);
}

evaluation_row row_of(const tables::row& row, std::string_view prefix) {
  evaluation_row out;
  out.place = row.place();
  const ifb::json_value* const prompt = ifb::find(row.object(), "prompt");
  if (prompt == nullptr || !prompt->IsArray() || prompt->Empty())
    refuse(row, "\"prompt\" is not a list of messages");
  for (const ifb::json_value& message : prompt->GetArray()) {
    const ifb::json_value* const role = ifb::find(message, "role");
    const ifb::json_value* const content = ifb::find(message, "content");
    if (role == nullptr || !role->IsString() || content == nullptr || !content->IsString())
      refuse(row, "a message does not have \"role\" and \"content\", which are texts");
    const bool first = out.messages.empty();
    if (!first) out.contents += '\n';
    out.contents += ifb::text_of(content);
    out.messages.push_back(
        {std::string(ifb::text_of(role)), json_of(message, first ? prefix : std::string_view{})});
  }
  out.conversation = ifb::to_text(*prompt);
  const ifb::json_value* const schema = ifb::find(row.object(), "schema");
  if (schema == nullptr || !schema->IsString()) refuse(row, "\"schema\" is not a text");
  out.schema = ifb::text_of(schema);
  const ifb::json_value* const completion = ifb::find(row.object(), "completion");
  if (completion != nullptr && completion->IsString()) out.completion = ifb::text_of(completion);
  return out;
}

}  // namespace

evaluation_rows::evaluation_rows(ifb::host host, const std::string& path, xgrammar_rules rules)
    : title_(path.empty() ? the_data_set : path) {
  const std::string columns[] = {"prompt", "schema", "completion?"};
  rows_ = tables::rows::open(host, request_of(title_), columns);
  look_through(host, rules);
}

void evaluation_rows::look_through(ifb::host host, xgrammar_rules rules) {
  count_of_rows left_out;
  tables::row row;
  for (std::uint64_t position = 0;; ++position) {
    if (position % 1024 == 1023) {
      host.progress().report("looking through " + title_, position, rows_->count().value_or(0));
      if (host.cancelled()) throw ifb::failure(IFB_E_CANCELLED, "stopped");
    }
    try {
      if (!rows_->read(position, row)) break;
      const evaluation_row read = row_of(row, {});
      ifb::json_document schema;
      if (const auto fault = ifb::parse_json(read.schema, schema))
        refuse(row, "\"schema\" is not JSON");
      if (has_unsupported_features(schema, rules))
        ++left_out.unsupported;
      else
        usable_.push_back(position);
    } catch (const tables::unfit_row& e) {
      if (++left_out.malformed == 1) left_out.first_fault = e.message();
    }
  }
  report(host, left_out);
}

void evaluation_rows::report(ifb::host host, const count_of_rows& left_out) const {
  const std::string unsupported =
      std::to_string(left_out.unsupported) + are(left_out.unsupported) +
      " left out, because xgrammar does not support all features of the schema";
  if (usable_.empty())
    throw ifb::failure(
        IFB_E_DATA,
        title_ + " has no row that can be used: " + unsupported +
            (left_out.malformed == 0
                 ? ""
                 : "; " + std::to_string(left_out.malformed) + are(left_out.malformed) +
                       " malformed, the first at " + left_out.first_fault),
        "path");
  if (left_out.malformed != 0)
    host.warn(rows_text(left_out.malformed) + " of " + title_ + are(left_out.malformed) +
              " left out as malformed; the first: " + left_out.first_fault);
  host.info(title_ + " has " + rows_text(usable_.size()) + " to use; " + unsupported);
}

evaluation_row evaluation_rows::read(std::uint64_t row, std::string_view prefix) const {
  tables::row found;
  if (!rows_->read(usable_[row % usable_.size()], found))
    throw ifb::failure(IFB_E_DATA,
                       title_ + " has fewer rows than before; leave its files alone during a run",
                       "path");
  return row_of(found, prefix);
}

}  // namespace structured
