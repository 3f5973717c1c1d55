#include "conversation_file.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>

#include <inferbench/guard.hpp>

#include "datasets/common/json_array.hpp"

namespace conversations {

namespace {

// The number of tokens of a message that was not counted yet.
constexpr std::uint32_t unknown = UINT32_MAX;

// A position in the file, for error messages.
struct spot {
  const files::text_file& file;
  std::uint64_t offset;  // of the conversation, in bytes
  std::string name;      // "conversation 3" or "conversation 3, message 2"; numbers from 1

  [[noreturn]] void refuse(const std::string& what) const {
    throw ifb::failure(IFB_E_DATA, file.place(offset) + ": " + name + ": " + what, "path");
  }
};

// At most 80 bytes of `text`, in quotes.
std::string quoted(std::string_view text) { return "\"" + std::string(text.substr(0, 80)) + "\""; }

// Checks the messages of a conversation (the rules are in the header) and returns their number.
std::uint32_t check_messages(const rapidjson::Value& messages, spot at) {
  const std::string conversation = at.name;
  std::uint32_t number = 0;
  std::string_view awaited = "user";
  for (const auto& each : messages.GetArray()) {
    at.name = conversation + ", message " + std::to_string(++number);
    const auto role = files::string_of(files::find(each, "role"));
    if (!role) at.refuse("no \"role\" that is a text");
    if (!files::string_of(files::find(each, "content"))) at.refuse("no \"content\" that is a text");
    if (each.MemberCount() != 2) at.refuse("a member other than \"role\" and \"content\"");
    if (number == 1 && *role == "system") continue;
    if (*role != awaited)
      at.refuse("the role must be " + quoted(awaited) + " here, not " + quoted(*role));
    awaited = awaited == "user" ? "assistant" : "user";
  }
  return number;
}

// `messages` must not be empty.
bool begins_with_system(const rapidjson::Value& messages) {
  return files::string_of(files::find(messages[0], "role")) == "system";
}

}  // namespace

conversation_file::conversation_file(ifb::host host, std::unique_ptr<files::text_file> file,
                                     ifb::service::tokenizer tokenizer, std::size_t most_turns)
    : file_(std::move(file)), tokenizer_(tokenizer) {
  // Number of bytes between two progress reports to the host.
  constexpr std::size_t step = std::size_t{16} << 20U;
  files::array_walk walk(*file_);
  std::unordered_set<std::string> ids;
  std::size_t told = 0;
  for (;;) {
    rapidjson::Document document;
    std::optional<std::size_t> offset;
    const auto next_element = [&](rapidjson::Document& into) {
      return (offset = walk.next(into)).has_value();
    };
    document.Populate(next_element);
    if (!offset) break;
    const spot at{*file_, *offset, "conversation " + std::to_string(walk.count())};
    if (!document.IsObject()) at.refuse("not an object with \"id\" and \"messages\"");
    const auto id = files::string_of(files::find(document, "id"));
    if (!id) at.refuse("no \"id\" that is a text");
    if (!ids.emplace(*id).second) at.refuse("the id " + quoted(*id) + " was there before");
    const auto* const messages = files::find(document, "messages");
    if (messages == nullptr || !messages->IsArray())
      at.refuse("no \"messages\" that is a list of {\"role\", \"content\"}");
    const std::uint32_t all = check_messages(*messages, at);
    const std::uint32_t system = all > 0 && begins_with_system(*messages) ? 1 : 0;
    if (all == system) at.refuse("has no message of a user");
    row made{*offset, counts_.size(), 0, 0};
    made.turns = static_cast<std::uint32_t>(kept_turns(most_turns, all - system));
    made.messages = made.turns + system;
    rows_.push_back(made);
    counts_.resize(counts_.size() + made.messages, unknown);
    if (walk.offset() - told < step) continue;
    told = walk.offset();
    host.progress().report("reading " + file_->path(), told, file_->text().size());
    if (host.cancelled()) throw ifb::failure(IFB_E_CANCELLED, "stopped");
  }
}

conversation conversation_file::make(std::size_t i) {
  const row& from = rows_[i];
  conversation out;
  rapidjson::Document document;
  if (!files::parse_element(*file_, static_cast<std::size_t>(from.offset), document)) {
    out.trouble = "text that is not UTF-8; conversation " + std::to_string(i + 1);
    return out;
  }
  out.id = *files::string_of(files::find(document, "id"));
  const rapidjson::Value& messages = *files::find(document, "messages");
  out.messages.resize(from.messages);
  for (std::uint32_t k = 0; k < from.messages; ++k) {
    message& said = out.messages[k];
    // For the system message the subtraction wraps around, and `turn` is not used.
    const std::uint32_t turn = k - (from.messages - from.turns);
    said.role = from.messages != from.turns && k == 0 ? "system"
                : turn % 2 == 0                       ? "user"
                                                      : "assistant";
    said.text = *files::string_of(files::find(messages[k], "content"));
    std::uint32_t& known = counts_[static_cast<std::size_t>(from.first) + k];
    if (known == unknown) known = static_cast<std::uint32_t>(tokenizer_.count(said.text));
    said.tokens = known;
  }
  return out;
}

}  // namespace conversations
