// The user's own prompts with images, one for each row. With the same seed and tokenizer they are
// the same as the prompts of `vllm bench serve --dataset-name custom_image`.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>

#include <inferbench/plugin.hpp>

#include "datasets/common/multimodal.hpp"
#include "datasets/media/own_rows.hpp"
#include "datasets/media/part_maker.hpp"
#include "image_row.hpp"

namespace custom_image {

namespace {

// Returns the URL of a part, in the form in which it is sent.
std::string url_of(const ifb_part& part) {
  if (part.uri.size != 0) return std::string(ifb::view(part.uri));
  const std::string head = std::string("data:") + part.mime + ";base64,";
  std::string out(head.size() + ifb::base64_size(part.data.size), '\0');
  out.replace(0, head.size(), head);
  ifb::write_base64(out.data() + head.size(), ifb::view(part.data));
  return out;
}

class custom_image {
 public:
  static constexpr const char* id = "custom_image";
  static constexpr const char* version = "0.1.0";
  static constexpr const char* summary = "Prompts with images of a JSON-lines file.";
  static constexpr const char* license = "Apache-2.0";
  static constexpr std::uint32_t flags = IFB_DATASET_PARALLEL;

  struct options {
    ifb::path path;
    std::optional<std::int64_t> output_len;
    bool client_side = false;
    bool multimodal_chat = false;

    static constexpr auto schema() {
      return std::tuple{
          ifb::option{"path", &options::path,
                      "JSON lines file: {\"prompt\", \"image_files\"} or {\"content\"} on each "
                      "line.",
                      nullptr, IFB_OPT_REQUIRED}
              .general(),
          row_media::output_len_option(&options::output_len),
          ifb::option{"ensure-client-side-data", &options::client_side,
                      "Read or fetch the images here and send them as PNG, instead of their paths "
                      "and URLs.",
                      "false"}
              .flag("custom-ensure-client-side-data"),
          multimodal::chat_option(&options::multimodal_chat)};
    }
  };

  custom_image(ifb::host host, const options& chosen)
      : host_(host), chosen_(chosen), rows_(host, chosen.path.text, chosen.output_len) {}

  ifb_dataset_info prepare(const ifb_dataset_request& request) {
    rows_.open();
    maker_.emplace(host_, rows_.folder(),
                   row_media::part_maker::choices{.client_side = chosen_.client_side});
    rows_.check_rows([this](const files::json_row& row) { check(row); });
    // The server reads all other images.
    if (chosen_.client_side)
      rows_.prepare_media(request, "reading the images of",
                          [this](const files::json_row& row, std::uint64_t) { return load(row); });
    return ifb::dataset_info(rows_.rows(), IFB_DATASET_SHUFFLE | IFB_DATASET_OVERSAMPLE);
  }

  ifb::row_result read(std::uint64_t row, ifb::arena memory, ifb_sample& out) const {
    const bool there =
        rows_.with_row(row, [&](const files::json_row& found) { put(found, memory, out); });
    return there ? ifb::row_result::ok() : ifb::row_result::end();
  }

 private:
  void check(const files::json_row& row) const {
    for (const row_item& each : image_row::of(row).items)
      if (each.image != nullptr) maker_->check_image(*each.image);
    static_cast<void>(rows_.answer_length(row));
  }

  // Returns false if the budget of the media is spent.
  [[nodiscard]] bool load(const files::json_row& row) const {
    bool kept = true;
    for (const row_item& each : image_row::of(row).items)
      if (each.image != nullptr) kept = maker_->prepare_image(*each.image, {}) && kept;
    return kept;
  }

  void put(const files::json_row& row, ifb::arena memory, ifb_sample& out) const {
    const image_row found = image_row::of(row);
    const auto parts = memory.array<ifb_part>(found.items.size());
    for (std::size_t i = 0; i < parts.size(); ++i)
      parts[i] = part_of(found.items[i], memory);
    multimodal::put(parts, found.layout == row_layout::content || chosen_.multimodal_chat, out);
    out.input_tokens = rows_.count(found.text());
    out.output_tokens = rows_.answer_length(row);
  }

  [[nodiscard]] ifb_part part_of(const row_item& item, ifb::arena memory) const {
    if (item.image == nullptr) return ifb::text_part(memory.copy(item.text));
    const ifb_part image = maker_->image(*item.image, {}, memory);
    if (item.image_url == nullptr) return image;
    ifb_part out{};
    out.struct_size = sizeof out;
    out.kind = IFB_PART_JSON;
    out.data = ifb::bytes(memory.copy(image_part_json(*item.image_url, url_of(image))));
    return out;
  }

  ifb::host host_;
  options chosen_;
  row_media::own_rows rows_;
  std::optional<row_media::part_maker> maker_;
};

}  // namespace

}  // namespace custom_image

INFERBENCH_PLUGINS(ifb::dataset<custom_image::custom_image>)
