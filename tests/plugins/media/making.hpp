// A part maker with a folder of its own and with the memory of one call.
#pragma once

#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include <inferbench/json_reader.hpp>
#include <inferbench/text.hpp>

#include "datasets/media/part_maker.hpp"
#include "plugins/datasets/data_file.hpp"
#include "support/plugin_box.hpp"
#include "support/temporary_folder.hpp"

namespace media_test {

inline std::string fixture(const std::string& name) {
  return support::read_fixture("datasets/media/" + name);
}

inline ifb::json_document parsed(const std::string& text) {
  ifb::json_document out;
  EXPECT_EQ(ifb::parse_json(text, out), std::nullopt) << text;
  return out;
}

/// An object as the reader of Parquet makes it: {"bytes": BYTES, "path": null}.
inline ifb::json_document object_of_bytes(std::string_view bytes) {
  ifb::json_document out(rapidjson::kObjectType);
  auto& memory = out.GetAllocator();
  out.AddMember(
      "bytes",
      ifb::json_value(bytes.data(), static_cast<rapidjson::SizeType>(bytes.size()), memory),
      memory);
  out.AddMember("path", ifb::json_value(), memory);
  return out;
}

/// The value of a text.
inline ifb::json_document text_value(const std::string& text) {
  ifb::json_document out;
  out.SetString(text.data(), static_cast<rapidjson::SizeType>(text.size()), out.GetAllocator());
  return out;
}

struct making {
  using choices = row_media::part_maker::choices;

  explicit making(choices chosen = {})
      : maker(ifb::host(host.table()), row_media::media_folder::of_user(folder.path()), chosen) {}

  [[nodiscard]] ifb::arena memory() { return {host.table(), blocks.handle()}; }
  [[nodiscard]] ifb_part image(const ifb::json_value& value, std::string_view key = {}) {
    return maker.image(value, key, memory());
  }
  [[nodiscard]] row_media::sound_part sound(const ifb::json_value& value,
                                            row_media::sound_use use = row_media::sound_use::wav) {
    return maker.sound(value, use, {}, memory());
  }

  inferbench::support::temporary_folder folder;
  support::host host;
  support::arena blocks;
  row_media::part_maker maker;
};

inline std::string data_of(const ifb_part& part) { return std::string(ifb::view(part.data)); }
inline std::string uri_of(const ifb_part& part) { return std::string(ifb::view(part.uri)); }

/// The reason why `work` fails with unusable; empty if it succeeds.
template <typename job>
std::string trouble_of(job&& work) {
  try {
    static_cast<void>(work());
  } catch (const row_media::unusable& e) {
    return e.what();
  }
  return {};
}

}  // namespace media_test
