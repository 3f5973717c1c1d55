#include "image_row.hpp"

#include <inferbench/json_writer.hpp>

namespace custom_image {

namespace {

bool is_list(const ifb::json_value* value) {
  return value != nullptr && value->IsArray() && !value->Empty();
}

// A JSON file has no bytes, so an image is a text.
const ifb::json_value& image_of(const ifb::json_value* value, const std::string& where,
                                const files::json_row& row) {
  if (value == nullptr || !value->IsString())
    row.refuse("the image in " + where + " must be a path or a URL");
  return *value;
}

row_item image_url_of(const ifb::json_value* value, const files::json_row& row) {
  const std::string where = "\"image_url\"";
  if (value == nullptr || !value->IsObject()) return {{}, &image_of(value, where, row)};
  row_item out{{}, &image_of(ifb::find(value, "url"), where, row)};
  if (value->MemberCount() == 1) return out;
  out.image_url = value;
  return out;
}

row_item item_of(const ifb::json_value& part, const files::json_row& row) {
  if (!part.IsObject()) row.refuse("a part of \"content\" must be an object");
  const ifb::json_value* const type = ifb::find(part, "type");
  const std::string_view name = ifb::text_of(type);
  if (name == "text") {
    const auto text = files::string_of(ifb::find(part, "text"));
    if (!text) row.refuse("\"text\" in a part of type text must be a text");
    return {*text};
  }
  if (name == "image") return {{}, &image_of(ifb::find(part, "image"), "\"image\"", row)};
  if (name == "image_url") return image_url_of(ifb::find(part, name), row);
  row.refuse("the type of a part of \"content\" must be text, image or image_url" +
             (name.empty() ? std::string{} : ", not " + std::string(ifb::cut_utf8(name, 40))));
}

}  // namespace

image_row image_row::of(const files::json_row& row) {
  image_row out;
  if (const ifb::json_value* const content = ifb::find(row.object(), "content")) {
    if (!is_list(content)) row.refuse("\"content\" must be a list with at least one part");
    for (const ifb::json_value& part : content->GetArray())
      out.items.push_back(item_of(part, row));
    return out;
  }
  out.layout = row_layout::image_files;
  const ifb::json_value* const prompt = ifb::find(row.object(), "prompt");
  const ifb::json_value* const images = ifb::find(row.object(), "image_files");
  if (prompt == nullptr || images == nullptr)
    row.refuse("a row has \"content\", or \"prompt\" and \"image_files\"; this one has " +
               (row.members().empty() ? "no members" : "only " + row.members()));
  const auto text = files::string_of(prompt);
  if (!text) row.refuse("\"prompt\" must be a text");
  if (!is_list(images)) row.refuse("\"image_files\" must be a list with at least one image");
  out.items.push_back({*text});
  for (const ifb::json_value& image : images->GetArray())
    out.items.push_back({{}, &image_of(&image, "\"image_files\"", row)});
  return out;
}

std::string image_row::text() const {
  std::string out;
  for (const row_item& each : items)
    out += each.text;
  return out;
}

std::string image_part_json(const ifb::json_value& image_url, std::string_view url) {
  ifb::json_writer out;
  out.begin_object();
  out.member("type", "image_url");
  out.key("image_url");
  out.begin_object();
  out.member("url", url);
  for (const auto& each : image_url.GetObject()) {
    if (ifb::text_of(&each.name) == "url") continue;
    out.key(ifb::text_of(&each.name));
    ifb::write(out, each.value);
  }
  out.end_object();
  out.end_object();
  return out.take();
}

}  // namespace custom_image
