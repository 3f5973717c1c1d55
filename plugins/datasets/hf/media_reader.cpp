#include "media_reader.hpp"

#include <algorithm>
#include <span>
#include <utility>

#include <inferbench/guard.hpp>
#include <inferbench/views.hpp>

#include "datasets/media/media_folder.hpp"
#include "datasets/media/media_url.hpp"
#include "datasets/media/unusable.hpp"

namespace hf {

namespace {

using row_media::unusable;

std::string quoted_name(const media_column& column) { return "\"" + column.column + "\""; }

// The path of a file in the data set; empty if the text is a URL.
std::string path_in_data_set(const media_column& column, std::string_view text) {
  if (!column.base_url.empty() && text.starts_with(column.base_url)) {
    text.remove_prefix(column.base_url.size());
  } else if (row_media::is_web_url(text) || text.starts_with("data:")) {
    return {};
  } else if (row_media::is_file_url(text)) {
    throw unusable(quoted_name(column) + " names a file outside of the data set");
  }
  while (text.starts_with("./"))
    text.remove_prefix(2);
  if (text.empty()) throw unusable(quoted_name(column) + " is an empty text");
  return std::string(text);
}

template <typename element>
std::span<const element> joined(std::span<const element> before, std::span<const element> after,
                                ifb::arena memory) {
  const auto out = memory.array<element>(before.size() + after.size());
  std::ranges::copy(after, std::ranges::copy(before, out.begin()).out);
  return out;
}

ifb_part_list with_parts(const ifb_part_list& before, const std::vector<ifb_part>& parts,
                         ifb::arena memory) {
  return ifb::list_of(joined<ifb_part>({before.first, before.count}, parts, memory));
}

}  // namespace

media_reader::media_reader(ifb::host host, const recipe& of,
                           std::unique_ptr<tables::attached_files> files, recording_lengths allowed)
    : recipe_(&of),
      files_(std::move(files)),
      allowed_(allowed),
      // Hugging Face's library turns the images that it decodes.
      maker_(host, row_media::media_folder::of_strangers(files_->folder()),
             {.turn = inferbench::media::orientation::upright}) {}

std::string media_reader::add(const ifb::json_value& row, std::uint64_t position, ifb::arena memory,
                              ifb_sample& out) const {
  row_parts found;
  try {
    for (std::size_t i = 0; i < recipe_->media.size(); ++i)
      read_column(recipe_->media[i], row, std::to_string(position) + "/" + std::to_string(i),
                  memory, found);
  } catch (const unusable& e) {
    return e.what();
  } catch (const ifb::failure& e) {
    if (e.code() != IFB_E_DATA) throw;
    return unusable(e.message()).what();
  }
  if (!found.parts.empty()) {
    ifb_part_list& to = out.shape == IFB_PROMPT_PARTS ? out.prompt : out.media;
    to = with_parts(to, found.parts, memory);
  }
  if (!found.fields.empty()) {
    const auto fields = joined<ifb_field>({out.metadata, out.metadata_count}, found.fields, memory);
    out.metadata = fields.data();
    out.metadata_count = fields.size();
  }
  return {};
}

void media_reader::read_column(const media_column& column, const ifb::json_value& row,
                               const std::string& key, ifb::arena memory, row_parts& to) const {
  const ifb::json_value* const value = ifb::find(row, column.column);
  const bool is_list = value != nullptr && value->IsArray();
  if (value == nullptr || value->IsNull() || (is_list && value->Empty())) {
    if (column.optional) return;
    throw unusable("no value in " + quoted_name(column));
  }
  if (!is_list) return read_one(column, *value, key, memory, to);
  const rapidjson::SizeType count = column.all ? value->Size() : 1;
  for (rapidjson::SizeType i = 0; i < count; ++i)
    read_one(column, (*value)[i], key + "/" + std::to_string(i), memory, to);
}

void media_reader::read_one(const media_column& column, const ifb::json_value& value,
                            const std::string& key, ifb::arena memory, row_parts& to) const {
  if (value.IsString()) {
    const std::string path = path_in_data_set(column, ifb::text_of(&value));
    if (path.empty()) return make(column, value, key, memory, to);
    fetch(column, path);
    const ifb::json_value text(
        rapidjson::StringRef(path.data(), static_cast<rapidjson::SizeType>(path.size())));
    return make(column, text, key, memory, to);
  }
  // The path tells only where the bytes or the samples come from, if there are any.
  const ifb::json_value* const bytes = ifb::find(value, "bytes");
  const bool has_content =
      (bytes != nullptr && !bytes->IsNull()) || ifb::find(value, "array") != nullptr;
  const std::string_view path = ifb::text_of(ifb::find(value, "path"));
  if (!has_content && !path.empty()) fetch(column, std::string(path));
  make(column, value, key, memory, to);
}

void media_reader::fetch(const media_column& column, const std::string& path) const {
  if (!files_->fetch(path))
    throw unusable("the data set lacks the file that " + quoted_name(column) + " names");
}

void media_reader::make(const media_column& column, const ifb::json_value& value,
                        const std::string& key, ifb::arena memory, row_parts& to) const {
  switch (column.kind) {
    case medium::image: to.parts.push_back(maker_.image(value, key, memory)); return;
    case medium::video: to.parts.push_back(maker_.video(value, key, memory)); return;
    case medium::sound: break;
  }
  const row_media::sound_part sound =
      maker_.sound(value, row_media::sound_use::upload, key, memory);
  if (sound.seconds < allowed_.least || sound.seconds > allowed_.most)
    throw unusable("recording outside --asr-min-audio-len-sec and --asr-max-audio-len-sec");
  to.parts.push_back(sound.part);
  to.fields.push_back(row_media::duration_field(sound.seconds, memory));
}

}  // namespace hf
