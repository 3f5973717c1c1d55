// Conversations in the layout of ShareGPT: the first turn is the prompt, the second
// tells how long the answer is to be.
#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include <inferbench/plugin.hpp>

#include "common/json_array.hpp"
#include "common/media_uri.hpp"
#include "common/text_file.hpp"
#include "turn_counter.hpp"

namespace {

// Upstream's limits, in tokens.
constexpr std::int64_t least = 4;
constexpr std::int64_t most_of_prompt = 1024;
constexpr std::int64_t most_in_all = 2048;

class sharegpt {
 public:
  static constexpr const char* id = "sharegpt";
  static constexpr const char* version = "0.1.0";
  static constexpr const char* summary =
      "Conversations from a JSON file in the layout of "
      "ShareGPT.";
  static constexpr const char* license = "Apache-2.0";

  struct options {
    ifb::path path;
    std::optional<std::int64_t> output_len;
    bool multimodal_chat = false;

    static constexpr auto schema() {
      return std::tuple{
          ifb::option{"path", &options::path,
                      "JSON file: a list of {\"conversations\": [{\"from\", \"value\"}, ...]}.",
                      nullptr, IFB_OPT_REQUIRED},
          ifb::option{"output-len", &options::output_len,
                      "Answer length in tokens, instead of that of the recorded answer."}
              .value_name("TOKENS")
              .range(1, 2147483647),
          ifb::option{"enable-multimodal-chat", &options::multimodal_chat,
                      "Send text and media as one chat message made here.", "false"}
              .flag("enable-multimodal-chat")};
    }
  };

  sharegpt(ifb::host host, const options& chosen) : host_(host), chosen_(chosen) {}

  ifb_dataset_info prepare(const ifb_dataset_request&) {
    tokenizer_ = host_.find_tokenizer();
    if (!tokenizer_)
      throw ifb::failure(IFB_E_CONFIG,
                         "prompts are chosen by their length in tokens, which "
                         "needs a tokenizer; choose one with --tokenizer-mode");
    file_ = std::make_unique<files::text_file>(chosen_.path.text);
    folder_ = files::folder_of(chosen_.path.text);
    find_rows();
    return ifb::dataset_info(static_cast<std::int64_t>(rows_.size()),
                             IFB_DATASET_SHUFFLE | IFB_DATASET_OVERSAMPLE);
  }

  ifb::row_result read(std::uint64_t row, ifb::arena memory, ifb_sample& out) {
    if (row >= rows_.size()) return ifb::row_result::end();
    const place& at = rows_[row];
    const auto skip = [&](std::string_view reason) {
      return ifb::row_result::skip(std::string(reason) + "; record " + std::to_string(at.record));
    };
    rapidjson::Document document;
    if (!files::parse_element(*file_, at.offset, document)) return skip("text that is not UTF-8");

    const rapidjson::Value& turns = *files::member(document, "conversations");
    const auto prompt = files::string_of(files::member(turns[0], "value"));
    const auto answer = files::string_of(files::member(turns[1], "value"));
    if (!prompt || !answer) return skip("a turn without text in \"value\"");

    const std::int64_t input = count(*prompt);
    const std::int64_t output = chosen_.output_len ? *chosen_.output_len : count(*answer);
    if (input < least) return skip("prompt shorter than 4 tokens");
    if (!chosen_.output_len && output < least) return skip("answer shorter than 4 tokens");
    if (input > most_of_prompt) return skip("prompt longer than 1024 tokens");
    if (input + output > most_in_all) return skip("prompt and answer longer than 2048 tokens");

    std::array<ifb_part, 2> parts{ifb::text_part(memory.copy(*prompt))};
    std::size_t count = 1;
    if (const auto* image = files::member(document, "image"); !files::is_blank(image)) {
      if (!add_media(IFB_PART_IMAGE, image, memory, parts[count++]))
        return skip("\"image\" is not a path or URL");
    } else if (const auto* video = files::member(document, "video"); !files::is_blank(video)) {
      if (!add_media(IFB_PART_VIDEO, video, memory, parts[count++]))
        return skip("\"video\" is not a path or URL");
    }
    const auto kept = memory.copy(std::span<const ifb_part>(parts).first(count));
    if (chosen_.multimodal_chat) {
      // Not a chat message: of a single text it need not make a list of parts.
      out.shape = IFB_PROMPT_PARTS;
      out.prompt = ifb::list_of(kept);
    } else {
      out.shape = IFB_PROMPT_TEXT;
      out.prompt = ifb::list_of(kept.first(1));
      out.media = ifb::list_of(kept.subspan(1));
    }
    out.input_tokens = input;
    out.output_tokens = output;
    return ifb::row_result::ok();
  }

 private:
  struct place {
    std::uint64_t offset;
    std::uint64_t record;  // in the file, from 1
  };
  struct tally {
    std::uint64_t count = 0;
    std::uint64_t first = 0;
  };

  // Rows dropped here are not counted as rows, so that what is shuffled is the
  // same list as upstream's.
  void find_rows() {
    constexpr std::size_t step = std::size_t{16} << 20U;
    std::array<tally, 5> dropped{};
    turn_counter turns;
    files::array_walk walk(*file_);
    std::size_t told = 0;
    while (const auto offset = walk.next(turns)) {
      const verdict found = turns.result();
      turns.reset();
      if (found == verdict::row) {
        rows_.push_back({*offset, walk.count()});
      } else {
        tally& seen = dropped[static_cast<std::size_t>(found)];
        if (seen.count++ == 0) seen.first = walk.count();
      }
      if (walk.offset() - told < step) continue;
      told = walk.offset();
      host_.progress().report("reading " + file_->path(), told, file_->text().size());
      if (host_.cancelled()) throw ifb::failure(IFB_E_CANCELLED, "stopped");
    }
    for (std::size_t i = 0; i < dropped.size(); ++i) {
      if (dropped[i].count == 0) continue;
      host_.warn(std::to_string(dropped[i].count) +
                 (dropped[i].count == 1 ? " record" : " records") +
                 " dropped: " + std::string(text_of(static_cast<verdict>(i))) + " (first: record " +
                 std::to_string(dropped[i].first) + " of " + file_->path() + ")");
    }
  }

  [[nodiscard]] std::int64_t count(std::string_view text) const {
    return static_cast<std::int64_t>(tokenizer_->count(text, IFB_ENCODE_SPECIAL));
  }

  [[nodiscard]] bool add_media(ifb_part_kind kind, const rapidjson::Value* value, ifb::arena memory,
                               ifb_part& out) const {
    const auto text = files::string_of(value);
    if (!text) return false;
    out = files::media_part(kind, memory.copy(files::media_uri(*text, folder_)));
    return true;
  }

  ifb::host host_;
  options chosen_;
  std::optional<ifb::service::tokenizer> tokenizer_;
  std::unique_ptr<files::text_file> file_;
  std::string folder_;
  std::vector<place> rows_;
};

}  // namespace

INFERBENCH_PLUGINS(ifb::dataset<sharegpt>)
