// Questions of the Berkeley function calling leaderboard, with the tools from which the model
// chooses. With the same seed and tokenizer they are the same as the questions that `vllm bench
// serve` reads from the data set gorilla-llm/Berkeley-Function-Calling-Leaderboard.
#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include <inferbench/json_writer.hpp>
#include <inferbench/plugin.hpp>

#include "categories.hpp"
#include "datasets/prompts/chat.hpp"
#include "json_text.hpp"

namespace {

constexpr const char* the_leaderboard = "gorilla-llm/Berkeley-Function-Calling-Leaderboard";

class leaderboard {
 public:
  static constexpr const char* id = "bfcl";
  static constexpr const char* version = "0.1.0";
  static constexpr const char* summary =
      "Questions of the Berkeley function calling leaderboard, with their tools.";
  static constexpr const char* license = "Apache-2.0";

  struct options {
    ifb::path path;
    std::vector<std::string> categories;
    std::int64_t output_len = 512;

    static constexpr auto schema() {
      return std::tuple{
          ifb::option{"path", &options::path,
                      "Folder or data set of the hub with files BFCL_v3_CATEGORY.json; if not "
                      "given, the leaderboard's own data set."}
              .general(),
          ifb::option{"categories", &options::categories,
                      "Categories to take in turn, with commas or blanks between; if not given, "
                      "simple,live_simple,multiple."}
              .value_name("NAME"),
          ifb::option{"output-len", &options::output_len, "Answer length in tokens.", "512"}
              .general()
              .value_name("TOKENS")
              .range(1, 2147483647)};
    }
  };

  leaderboard(ifb::host host, const options& chosen) : host_(host), chosen_(chosen) {}

  ifb_dataset_info prepare(const ifb_dataset_request&) {
    tokenizer_ = host_.find_tokenizer();
    if (!tokenizer_)
      throw ifb::failure(IFB_E_CONFIG,
                         "prompts are counted with their tools, which needs a tokenizer; choose "
                         "one with --tokenizer-mode");
    chat_.emplace(*tokenizer_, "");
    questions_ = std::make_unique<bfcl::questions>(
        host_, chosen_.path.empty() ? the_leaderboard : chosen_.path.text,
        bfcl::categories_of(chosen_.categories));
    look_through();
    return ifb::dataset_info(static_cast<std::int64_t>(questions_->rows()),
                             IFB_DATASET_SHUFFLE | IFB_DATASET_OVERSAMPLE);
  }

  ifb::row_result read(std::uint64_t row, ifb::arena memory, ifb_sample& out) {
    if (row >= questions_->rows()) return ifb::row_result::end();
    questions_->read(row, row_);
    const question asked = question_of();
    if (asked.turn == nullptr)
      return ifb::row_result::skip(std::string(asked.reason) + "; line " +
                                   std::to_string(row_.line()) + " of " + questions_->path(row));
    put_messages(*asked.turn, memory, out);
    out.input_tokens = count(*asked.turn, asked.messages, asked.tools);
    put_tools(asked.tools, questions_->expected(row, row_.object()), memory, out);
    out.output_tokens = chosen_.output_len;
    return ifb::row_result::ok();
  }

 private:
  struct question {
    const rapidjson::Value* turn = nullptr;  // the first turn, a list of objects
    std::string messages;                    // its JSON
    std::string tools;
    std::string_view reason;  // for which the row is skipped, if `turn` is null
  };

  /// Reads every row of files that are not too large, so that a malformed row is an error before
  /// the first request.
  void look_through() {
    for (std::uint64_t row = 0; row < questions_->rows(); ++row) {
      if (row % 1024 == 1023) {
        host_.progress().report("looking through the questions", row, questions_->rows());
        if (host_.cancelled()) throw ifb::failure(IFB_E_CANCELLED, "stopped");
      }
      if (!questions_->is_looked_through(row)) continue;
      questions_->read(row, row_);
      static_cast<void>(question_of());
    }
  }

  [[nodiscard]] static question unfit(std::string_view reason) {
    question out;
    out.reason = reason;
    return out;
  }

  /// Reads the question of `row_`. Throws ifb::failure if the row is malformed.
  [[nodiscard]] question question_of() const {
    const auto* const turns = files::find(row_.object(), "question");
    if (files::is_blank(turns)) return unfit("no \"question\"");
    const auto* const functions = files::find(row_.object(), "function");
    if (files::is_blank(functions)) return unfit("no \"function\"");
    if (!turns->IsArray() || !(*turns)[0].IsArray() || (*turns)[0].Empty())
      return unfit("the first turn of \"question\" is not a list of messages");
    const rapidjson::Value& turn = (*turns)[0];
    for (const auto& each : turn.GetArray())
      if (!each.IsObject()) row_.refuse("a message is not an object");
    refuse_nameless(*functions);
    try {
      return {.turn = &turn,
              .messages = bfcl::json_of(turn),
              .tools = bfcl::tools_of(*functions),
              .reason = {}};
    } catch (const std::length_error& e) {
      row_.refuse(e.what());
    }
  }

  void refuse_nameless(const rapidjson::Value& functions) const {
    const auto check = [&](const rapidjson::Value& function) {
      if (!function.IsObject()) row_.refuse("a function is not an object");
      if (files::string_of(files::find(function, "name")).value_or("").empty())
        row_.refuse("a function has no \"name\"");
    };
    if (!functions.IsArray()) return check(functions);
    for (const auto& each : functions.GetArray())
      check(each);
  }

  static void put_messages(const rapidjson::Value& turn, ifb::arena memory, ifb_sample& out) {
    const auto messages = memory.array<ifb_message>(turn.Size());
    for (rapidjson::SizeType i = 0; i < turn.Size(); ++i) {
      const auto role = files::string_of(files::find(turn[i], "role")).value_or("");
      messages[i] = ifb::json_message(memory.copy(role), memory.copy(bfcl::json_of(turn[i])));
    }
    out.shape = IFB_PROMPT_CHAT;
    out.messages = ifb::list_of(messages);
  }

  /// The tools are a part of the request, and, without another copy, what a scorer needs.
  /// `expected`: the calls that the question expects; empty if they are not known.
  static void put_tools(const std::string& tools, const std::string& expected, ifb::arena memory,
                        ifb_sample& out) {
    const std::string_view overrides = memory.copy(overrides_of(tools));
    out.overrides = ifb::str(overrides);
    const auto metadata = memory.array<ifb_field>(expected.empty() ? 1 : 2);
    metadata[0] = ifb::field("tools", overrides.substr(overrides.find('['), tools.size()));
    if (!expected.empty()) metadata[1] = ifb::field("expected", memory.copy(expected));
    out.metadata = metadata.data();
    out.metadata_count = metadata.size();
  }

  [[nodiscard]] static std::string overrides_of(const std::string& tools) {
    ifb::json_writer out;
    out.begin_object();
    out.key("tools");
    out.raw(tools);
    out.member("tool_choice", "auto");
    out.end_object();
    return out.take();
  }

  [[nodiscard]] std::int64_t count(const rapidjson::Value& turn, const std::string& messages,
                                   const std::string& tools) {
    std::string text;
    try {
      text = chat_->render(messages, tools);
    } catch (const ifb::failure& e) {
      if (!warned_)
        host_.warn("prompts are counted without their tools, as the chat template fails: " +
                   e.message());
      warned_ = true;
      text = contents_of(turn);
    }
    return static_cast<std::int64_t>(tokenizer_->count(text, IFB_ENCODE_SPECIAL));
  }

  [[nodiscard]] static std::string contents_of(const rapidjson::Value& turn) {
    std::string out;
    for (rapidjson::SizeType i = 0; i < turn.Size(); ++i) {
      if (i > 0) out += '\n';
      out += files::string_of(files::find(turn[i], "content")).value_or("");
    }
    return out;
  }

  ifb::host host_;
  options chosen_;
  std::optional<ifb::service::tokenizer> tokenizer_;
  std::optional<prompts::chat> chat_;
  std::unique_ptr<bfcl::questions> questions_;
  files::json_row row_;
  bool warned_ = false;
};

}  // namespace

INFERBENCH_PLUGINS(ifb::dataset<leaderboard>)
