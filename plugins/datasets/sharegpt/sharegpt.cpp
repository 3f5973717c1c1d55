// Conversations in the layout of ShareGPT. The first turn of each conversation is a prompt, and the
// length of the second turn is the wanted length of the answer. With multi-turn or conversations,
// whole conversations are sent.
#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include <inferbench/plugin.hpp>

#include "count_memo.hpp"
#include "data_file.hpp"
#include "datasets/common/json_array.hpp"
#include "datasets/common/media_uri.hpp"
#include "datasets/common/multimodal.hpp"
#include "datasets/common/text_file.hpp"
#include "dialogue.hpp"
#include "prompt_range.hpp"
#include "scan.hpp"

namespace sharegpt {

namespace {

// Upstream's limits, in tokens.
constexpr std::int64_t least = 4;
constexpr std::int64_t most_of_prompt = 1024;
constexpr std::int64_t most_in_all = 2048;

// The limit of a whole conversation in tokens. Upstream does not have this limit; most models
// support this length.
constexpr std::int64_t usual_conversation = 8192;

// The fewest messages of user and assistant in a conversation: one turn with an answer, or with the
// option conversations two turns with answers, as in upstream's client in Rust.
constexpr std::int64_t fewest_messages = 2;
constexpr std::int64_t fewest_messages_of_conversations = 4;

class sharegpt {
 public:
  static constexpr const char* id = "sharegpt";
  static constexpr const char* version = "0.1.0";
  static constexpr const char* summary =
      "Conversations from a JSON file in the layout of "
      "ShareGPT.";
  static constexpr const char* license = "Apache-2.0";
  static constexpr std::uint32_t flags = IFB_DATASET_PARALLEL;

  struct options {
    ifb::path path;
    std::optional<std::int64_t> output_len;
    bool multimodal_chat = false;
    bool multi_turn = false;
    std::optional<std::int64_t> max_turns;
    std::optional<std::int64_t> min_turns;
    std::optional<std::int64_t> max_conversation_len;
    std::optional<std::string> input_length_range;
    bool conversations = false;
    std::int64_t most_user_turns = 0;

    /// Returns whether the rows are whole conversations.
    [[nodiscard]] bool whole() const noexcept { return multi_turn || conversations; }

    static constexpr auto schema() {
      return std::tuple{
          ifb::option{"path", &options::path,
                      "JSON file: a list of {\"conversations\": [{\"from\", \"value\"}, ...]}; or "
                      "a dataset of the hub, such as anon8231489123/ShareGPT_Vicuna_unfiltered.",
                      nullptr, IFB_OPT_REQUIRED}
              .general(),
          ifb::option{"output-len", &options::output_len,
                      "Answer length in tokens, instead of that of the recorded answer."}
              .general()
              .value_name("TOKENS")
              .range(1, 2147483647),
          multimodal::chat_option(&options::multimodal_chat),
          ifb::option{"multi-turn", &options::multi_turn,
                      "Hold the conversations whole, a request for each turn of the user, instead "
                      "of sending the first turn alone.",
                      "false"},
          ifb::option{"max-turns", &options::max_turns,
                      "With multi-turn: most messages of user and assistant in a conversation; "
                      "with an odd number the answer to the last message counts, too."}
              .value_name("COUNT")
              .range(1, 2147483647),
          ifb::option{"min-turns", &options::min_turns,
                      "With multi-turn: fewest messages of user and assistant in a conversation; "
                      "those with fewer are skipped (2 if not given)."}
              .value_name("COUNT")
              .range(1, 2147483647),
          ifb::option{"max-conversation-len", &options::max_conversation_len,
                      "With multi-turn: most tokens of a conversation, answers counted; longer "
                      "ones are skipped (8192 if not given; 0: any length)."}
              .value_name("TOKENS")
              .range(0, 2147483647),
          ifb::option{"input-length-range", &options::input_length_range,
                      "Use the prompts with MIN to MAX tokens, and no other limits; their texts "
                      "are decoded from their tokens again, as in upstream's script for prefix "
                      "caches."}
              .value_name("MIN:MAX"),
          ifb::option{"conversations", &options::conversations,
                      "Hold the conversations whole, as with multi-turn, but only conversations of "
                      "at least two turns with answers, and without limits of their lengths unless "
                      "such limits are given.",
                      "false"}
              .general(),
          ifb::option{"multi-turn-max-turns", &options::most_user_turns,
                      "Most turns of the user in a conversation; 0: all.", "0"}
              .flag("multi-turn-max-turns")
              .value_name("COUNT")
              .range(0, 100'000)};
    }
  };

  sharegpt(ifb::host host, const options& chosen) : host_(host), chosen_(chosen) {}

  ifb_dataset_info prepare(const ifb_dataset_request&) {
    if (chosen_.input_length_range)
      range_ = prompt_range::parse(*chosen_.input_length_range, "input-length-range");
    check_options();
    tokenizer_ = host_.find_tokenizer();
    if (!tokenizer_)
      throw ifb::failure(IFB_E_CONFIG,
                         "prompts are chosen by their length in tokens, which "
                         "needs a tokenizer; choose one with --tokenizer-mode");
    file_ = std::make_unique<files::text_file>(
        locate(host_, hub::read_environment(), chosen_.path.text));
    folder_ = files::folder_of(file_->path());
    records_ = scan(host_, *file_, chosen_.whole() ? layout::conversations : layout::pairs);
    counts_.start(records_.rows());
    std::uint32_t more = IFB_DATASET_SHUFFLE | IFB_DATASET_OVERSAMPLE;
    if (chosen_.whole()) more |= IFB_DATASET_SESSIONS;
    return ifb::dataset_info(static_cast<std::int64_t>(records_.rows()), more);
  }

  ifb::row_result read(std::uint64_t row, ifb::arena memory, ifb_sample& out) const {
    if (row >= records_.rows()) return ifb::row_result::end();
    const auto records = records_.row(static_cast<std::size_t>(row));
    std::vector<rapidjson::Document> documents(records.size());
    std::string trouble;
    for (std::size_t i = 0; i < records.size() && trouble.empty(); ++i)
      if (!files::parse_element(*file_, records[i].offset, documents[i]))
        trouble = "text that is not UTF-8";
    if (trouble.empty()) {
      counts known = counts_.open(static_cast<std::size_t>(row));
      trouble = chosen_.whole() ? read_conversation(documents, known, memory, out)
                                : read_pair(documents[0], known, memory, out);
      counts_.close(static_cast<std::size_t>(row), known);
    }
    if (trouble.empty()) return ifb::row_result::ok();
    return ifb::row_result::skip(trouble + "; record " + std::to_string(records[0].record));
  }

 private:
  using counts = count_memo::row_counts;

  void check_options() const {
    const auto needs_multi_turn = [&](const auto& option, const char* name) {
      if (option && !chosen_.whole())
        throw ifb::failure(IFB_E_CONFIG, "is about conversations; add --sharegpt-multi-turn", name);
    };
    needs_multi_turn(chosen_.max_turns, "max-turns");
    needs_multi_turn(chosen_.min_turns, "min-turns");
    needs_multi_turn(chosen_.max_conversation_len, "max-conversation-len");
    if (chosen_.most_user_turns != 0 && !chosen_.conversations)
      throw ifb::failure(IFB_E_CONFIG, "is about conversations; add --multi-turn",
                         "multi-turn-max-turns");
    if (range_ && chosen_.whole())
      throw ifb::failure(IFB_E_CONFIG,
                         std::string("is about single prompts; leave out ") +
                             (chosen_.conversations ? "--multi-turn" : "--sharegpt-multi-turn"),
                         "input-length-range");
    check_turns();
  }

  void check_turns() const {
    const std::int64_t most = most_turns();
    if (most == 0 || fewest_turns() <= most) return;
    const bool by_user_turns = most == 2 * chosen_.most_user_turns;
    const std::string limit = by_user_turns ? "multi-turn-max-turns" : "max-turns";
    if (chosen_.min_turns)
      throw ifb::failure(IFB_E_CONFIG,
                         std::to_string(fewest_turns()) + " turns are more than the " +
                             std::to_string(most) + " that --" +
                             (by_user_turns ? "" : "sharegpt-") + limit + " leaves",
                         "min-turns");
    throw ifb::failure(IFB_E_CONFIG,
                       "leaves " + std::to_string(most) +
                           " messages, and a conversation has at least " +
                           std::to_string(fewest_turns()) +
                           "; raise it, or give --sharegpt-min-turns " + std::to_string(most),
                       limit);
  }

  // Makes a request in the same way as upstream: from the first two turns, whoever speaks. Returns
  // an empty text, or the reason if the record cannot be used.
  std::string read_pair(const rapidjson::Value& record, counts& known, ifb::arena memory,
                        ifb_sample& out) const {
    const rapidjson::Value& turns = *files::find(record, "conversations");
    const auto prompt = files::string_of(files::find(turns[0], "value"));
    const auto answer = files::string_of(files::find(turns[1], "value"));
    if (!prompt || !answer) return "a turn without text in \"value\"";
    if (range_) return read_in_range(*prompt, *answer, known, memory, out);

    const std::int64_t input = count(*prompt, known, IFB_ENCODE_SPECIAL);
    const std::int64_t output =
        chosen_.output_len ? *chosen_.output_len : count(*answer, known, IFB_ENCODE_SPECIAL);
    if (input < least) return "prompt shorter than 4 tokens";
    if (!chosen_.output_len && output < least) return "answer shorter than 4 tokens";
    if (input > most_of_prompt) return "prompt longer than 1024 tokens";
    if (input + output > most_in_all) return "prompt and answer longer than 2048 tokens";

    std::vector<ifb_part> parts{ifb::text_part(memory.copy(*prompt))};
    if (auto wrong = add_media(record, memory, parts); !wrong.empty()) return wrong;
    const auto kept = memory.copy(std::span<const ifb_part>(parts));
    multimodal::put(kept, chosen_.multimodal_chat, out);
    out.input_tokens = input;
    out.output_tokens = output;
    return "";
  }

  // Chooses the prompt by its length alone.
  std::string read_in_range(std::string_view prompt, std::string_view answer, counts& known,
                            ifb::arena memory, ifb_sample& out) const {
    const std::int64_t input = count(prompt, known, IFB_ENCODE_SPECIAL);
    const std::int64_t output = answer_tokens(answer, known);
    if (input < range_->least) return "prompt shorter than the range";
    if (input > range_->most) return "prompt longer than the range";
    const auto parts = memory.array<ifb_part>(1);
    parts[0] = ifb::text_part(
        memory.copy(tokenizer_->decode(tokenizer_->encode(prompt, IFB_ENCODE_SPECIAL))));
    out.shape = IFB_PROMPT_TEXT;
    out.prompt = ifb::list_of(parts);
    out.input_tokens = input;
    out.output_tokens = output;
    return "";
  }

  // A conversation with the media of its records.
  struct conversation {
    dialogue talk;
    struct media_record {
      std::size_t turn;  // the user's turn to which the media belong
      const rapidjson::Value* record;
    };
    std::vector<media_record> media;
  };

  [[nodiscard]] conversation gather(const std::vector<rapidjson::Document>& records) const {
    conversation out{dialogue(static_cast<std::size_t>(most_turns())), {}};
    for (const rapidjson::Document& record : records) {
      const std::size_t before = out.talk.turns().size();
      out.talk.begin_record();
      for (const auto& turn : files::find(record, "conversations")->GetArray()) {
        const auto from = files::string_of(files::find(turn, "from"));
        out.talk.add(from ? speaker_of(*from) : speaker::other,
                     files::string_of(files::find(turn, "value")));
        if (out.talk.ended()) break;
      }
      if (out.talk.turns().size() > before) out.media.push_back({before + before % 2, &record});
    }
    return out;
  }

  // Returns the reason if the remaining turns do not form a conversation, otherwise an empty text.
  [[nodiscard]] std::string too_short(dialogue& talk) const {
    const std::size_t turns = talk.turns().size();
    if (turns % 2 != 0 && !chosen_.output_len) talk.cut(turns - 1);
    if (talk.turns().empty()) return "no turn of a user with an answer";
    if (talk.turns().size() >= static_cast<std::size_t>(fewest_turns())) return "";
    if (chosen_.conversations && !chosen_.min_turns) return "fewer than 2 turns with answers";
    return "fewer than " + std::to_string(fewest_turns()) + " turns in a row";
  }

  // Measures the turns. Returns the reason if the conversation is not used, otherwise an empty
  // text.
  std::string measure(dialogue& talk, std::int64_t all, counts& known,
                      std::vector<std::int64_t>& tokens) const {
    for (std::size_t i = 0; i < talk.turns().size(); ++i) {
      const bool answer = i % 2 != 0;
      const std::int64_t one =
          answer ? answer_tokens(talk.turns()[i], known) : count(talk.turns()[i], known);
      if (!answer && !chosen_.conversations && one > most_of_prompt) {
        if (i == 0) return "prompt longer than 1024 tokens";
        talk.cut(i);
        break;
      }
      tokens.push_back(one);
      all += one;
    }
    if (auto wrong = too_short(talk); !wrong.empty()) return wrong;
    const std::int64_t most =
        chosen_.max_conversation_len.value_or(chosen_.conversations ? 0 : usual_conversation);
    if (most == 0 || all <= most) return "";
    return "conversation longer than " + std::to_string(most) + " tokens";
  }

  std::string read_conversation(const std::vector<rapidjson::Document>& records, counts& known,
                                ifb::arena memory, ifb_sample& out) const {
    auto [talk, media] = gather(records);
    if (auto wrong = too_short(talk); !wrong.empty()) return wrong;
    const std::int64_t system = talk.system() ? count(*talk.system(), known) : 0;
    std::vector<std::int64_t> tokens;
    if (auto wrong = measure(talk, system, known, tokens); !wrong.empty()) return wrong;

    std::vector<ifb_message> messages;
    std::vector<ifb_part> parts;
    const auto say = [&](std::string_view role, std::int64_t length) {
      messages.push_back(
          ifb::message(role, ifb::list_of(memory.copy(std::span<const ifb_part>(parts))), length));
    };
    if (talk.system()) {
      parts = {ifb::text_part(memory.copy(*talk.system()))};
      say("system", system);
    }
    auto shown = media.begin();
    for (std::size_t i = 0; i < talk.turns().size(); ++i) {
      parts = {ifb::text_part(memory.copy(talk.turns()[i]))};
      for (; shown != media.end() && shown->turn <= i; ++shown)
        if (auto wrong = add_media(*shown->record, memory, parts); !wrong.empty()) return wrong;
      say(i % 2 == 0 ? "user" : "assistant", tokens[i]);
    }
    out.shape = IFB_PROMPT_CHAT;
    out.messages = ifb::list_of(memory.copy(std::span<const ifb_message>(messages)));
    out.output_tokens = chosen_.output_len.value_or(-1);
    return "";
  }

  /// Returns the most messages of user and assistant in a conversation; 0: no limit.
  [[nodiscard]] std::int64_t most_turns() const {
    const std::int64_t asked = chosen_.max_turns.value_or(0);
    const std::int64_t messages = asked + asked % 2;
    const std::int64_t of_turns = 2 * chosen_.most_user_turns;
    return messages != 0 && of_turns != 0 ? std::min(messages, of_turns) : messages + of_turns;
  }
  [[nodiscard]] std::int64_t fewest_turns() const {
    return chosen_.min_turns.value_or(chosen_.conversations ? fewest_messages_of_conversations
                                                            : fewest_messages);
  }

  [[nodiscard]] std::int64_t count(std::string_view text, counts& known,
                                   std::uint32_t encoding = 0) const {
    return known.count([&] { return tokenizer_->count(text, encoding); });
  }
  /// Returns at least 1, because every answer has at least one token.
  [[nodiscard]] std::int64_t answer_tokens(std::string_view text, counts& known) const {
    return chosen_.output_len ? *chosen_.output_len : std::max<std::int64_t>(count(text, known), 1);
  }

  /// Adds the record's media. Returns the fault of a medium, or an empty text.
  [[nodiscard]] std::string add_media(const rapidjson::Value& record, ifb::arena memory,
                                      std::vector<ifb_part>& out) const {
    constexpr std::array<std::pair<const char*, ifb_part_kind>, 2> kinds{
        {{"image", IFB_PART_IMAGE}, {"video", IFB_PART_VIDEO}}};
    for (const auto& [name, kind] : kinds) {
      const rapidjson::Value* const value = files::find(record, name);
      if (files::is_blank(value)) continue;
      const auto text = files::string_of(value);
      if (!text) return "\"" + std::string(name) + "\" is not a path or URL";
      out.push_back(files::media_part(kind, memory.copy(files::media_uri(*text, folder_))));
      break;
    }
    return "";
  }

  ifb::host host_;
  options chosen_;
  std::optional<prompt_range> range_;
  std::optional<ifb::service::tokenizer> tokenizer_;
  std::unique_ptr<files::text_file> file_;
  std::string folder_;
  record_index records_;
  mutable count_memo counts_;
};

}  // namespace

}  // namespace sharegpt

INFERBENCH_PLUGINS(ifb::dataset<sharegpt::sharegpt>)
