#include "multiturn/converter.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

#include <inferbench/random.hpp>

#include "base/error.hpp"
#include "base/text.hpp"
#include "experiment/durable_file.hpp"
#include "options/refusal.hpp"

namespace inferbench::multiturn {

namespace {

/// The role of a speaker of ShareGPT; empty for an unknown speaker.
std::string_view role_of(std::string_view from) {
  if (from == "human" || from == "user") return "user";
  if (from == "gpt" || from == "bing" || from == "chatgpt" || from == "bard") return "assistant";
  return from == "system" ? from : std::string_view();
}

/// The number of characters of a text in UTF-8.
std::int64_t characters(std::string_view text) {
  return std::ranges::count_if(
      text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; });
}

bool is_ascii(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x80U; });
}

/// The parts of one conversation in the order of their numbers.
using part_list = std::map<std::int64_t, sharegpt_entry>;

struct split_id {
  std::string base;
  std::int64_t number = 0;
};

/// nullopt: the id has another form.
std::optional<split_id> split_of(const std::string& id) {
  const auto parts = base::split(id, '_');
  const auto number = parts.size() == 2 ? base::parse_int(parts[1]) : std::nullopt;
  if (!number) return std::nullopt;
  return split_id{std::string(parts[0]), *number};
}

/// The fault of an entry; nullopt: a conversation can be made of it.
std::optional<base::error> fault_of(const sharegpt_entry& entry) {
  const std::string id = options::in_quotes(base::one_line(entry.id));
  if (!split_of(entry.id))
    return base::error("the id " + id + " is not a text, one \"_\" and a number",
                       "use the ShareGPT file whose long conversations are cut into parts");
  for (const sharegpt_entry::turn& turn : entry.turns)
    if (role_of(turn.from).empty())
      return base::error("the conversation " + id + " has the unknown speaker " +
                         options::in_quotes(base::one_line(turn.from)));
  return std::nullopt;
}

/// Throws base::error for the first entry, in the order of the file, that no conversation can be
/// made of, with the number of such entries.
void require_usable(const std::vector<sharegpt_entry>& entries, const std::string& path) {
  std::size_t count = 0;
  std::optional<base::error> first;
  std::size_t number = 0;
  for (const sharegpt_entry& entry : entries) {
    auto fault = fault_of(entry);
    if (!fault || count++ != 0) continue;
    first = std::move(fault);
    number = entry.number;
  }
  if (!first) return;
  const std::string place = path.empty() ? std::string() : path + ": ";
  throw base::error(
      fmt::format("{}entry {}: {}{}", place, number, first->message(),
                  count > 1
                      ? fmt::format("; {} entries have such an id or an unknown speaker", count)
                      : std::string()),
      first->remedy());
}

/// Groups the parts by conversation; the conversations keep the order of their first parts.
std::vector<std::pair<std::string, part_list>> grouped(std::vector<sharegpt_entry> entries) {
  std::vector<std::pair<std::string, part_list>> out;
  std::unordered_map<std::string, std::size_t> places;
  for (sharegpt_entry& entry : entries) {
    const split_id id = split_of(entry.id).value_or(split_id{});  // require_usable() has seen it
    const auto [at, fresh] = places.emplace(id.base, out.size());
    if (fresh) out.emplace_back(id.base, part_list{});
    out[at->second].second.insert_or_assign(id.number, std::move(entry));
  }
  return out;
}

std::vector<chat_message> joined(const part_list& parts) {
  std::vector<chat_message> out;
  for (const auto& [number, part] : parts) {
    bool first = true;
    for (const sharegpt_entry::turn& turn : part.turns) {
      const std::string_view role = role_of(turn.from);
      // A part repeats the message with which the part before it ended.
      const bool repeated = std::exchange(first, false) && !out.empty() && out.back().role == role;
      if (!repeated) out.push_back({std::string(role), turn.value});
    }
  }
  return out;
}

/// The messages that are kept of a conversation; empty: it is left out.
std::vector<chat_message> chosen(std::vector<chat_message> all, const converter_options& wanted) {
  const auto number = static_cast<std::int64_t>(all.size());
  if (wanted.min_turns && number < *wanted.min_turns) return {};
  if (wanted.max_turns && number > *wanted.max_turns)
    all.resize(static_cast<std::size_t>(*wanted.max_turns));
  if (!all.empty() && all.front().role != "user") all.erase(all.begin());
  for (const chat_message& each : all) {
    const std::int64_t length = characters(each.content);
    if (length < wanted.min_content.value_or(0) || length > wanted.max_content.value_or(INT64_MAX))
      return {};
  }
  if (wanted.filter != message_filter::none)
    std::erase_if(all, [&](const chat_message& each) {
      return is_ascii(each.content) != (wanted.filter == message_filter::ascii);
    });
  std::string_view awaited = "user";
  for (const chat_message& each : all) {
    if (each.role != awaited) return {};
    awaited = awaited == "user" ? "assistant" : "user";
  }
  return all;
}

/// Python's random.sample(chats, count).
std::vector<chat> sampled(std::vector<chat> chats, std::size_t count, ifb::python_random& random) {
  std::vector<chat> out;
  out.reserve(count);
  for (const std::size_t at : random.sample(chats.size(), count))
    out.push_back(std::move(chats[at]));
  return out;
}

/// A JSON string as json.dumps(text, ensure_ascii=False) writes it.
void append_string(std::string& out, std::string_view text) {
  out += '"';
  for (const char c : text) {
    switch (c) {
      case '"': out += "\\\""; break;
      case '\\': out += "\\\\"; break;
      case '\n': out += "\\n"; break;
      case '\r': out += "\\r"; break;
      case '\t': out += "\\t"; break;
      case '\b': out += "\\b"; break;
      case '\f': out += "\\f"; break;
      default:
        if (static_cast<unsigned char>(c) < 0x20)
          out += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
        else
          out += c;
    }
  }
  out += '"';
}

std::string statistics_line(const char* name, std::vector<double> values) {
  std::ranges::sort(values);
  double sum = 0;
  for (const double each : values)
    sum += each;
  const std::size_t middle = values.size() / 2;
  const double median =
      values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
  return fmt::format("{}: mean {:.2f}, min {:.0f}, median {:.1f}, max {:.0f}", name,
                     sum / static_cast<double>(values.size()), values.front(), median,
                     values.back());
}

}  // namespace

std::vector<chat> convert(std::vector<sharegpt_entry> entries, const converter_options& wanted) {
  require_usable(entries, wanted.input);
  ifb::python_random random(wanted.seed);
  random.shuffle(entries);
  std::vector<chat> out;
  for (const auto& [id, parts] : grouped(std::move(entries)))
    if (auto messages = chosen(joined(parts), wanted); !messages.empty())
      out.push_back({id, std::move(messages)});
  if (out.empty())
    throw base::error("no conversation is left", "give wider limits, or another file");
  const std::optional<std::int64_t>& most = wanted.max_items;
  if (most && static_cast<std::uint64_t>(*most) < out.size())
    out = sampled(std::move(out), static_cast<std::size_t>(*most), random);
  return out;
}

std::string chats_text(const std::vector<chat>& chats) {
  std::string out = "[";
  for (const chat& each : chats) {
    out += &each == &chats.front() ? "\n  {\n    \"id\": " : ",\n  {\n    \"id\": ";
    append_string(out, each.id);
    out += ",\n    \"messages\": [";
    for (const chat_message& message : each.messages) {
      out += &message == &each.messages.front() ? "\n" : ",\n";
      out += "      {\n        \"role\": ";
      append_string(out, message.role);
      out += ",\n        \"content\": ";
      append_string(out, message.content);
      out += "\n      }";
    }
    out += "\n    ]\n  }";
  }
  return out + (chats.empty() ? "]" : "\n]");
}

std::vector<std::string> chat_statistics(const std::vector<chat>& chats) {
  std::vector<double> turns;
  std::vector<double> lengths;
  for (const chat& each : chats) {
    turns.push_back(static_cast<double>(each.messages.size()));
    for (const chat_message& message : each.messages)
      lengths.push_back(static_cast<double>(characters(message.content)));
  }
  return {fmt::format("conversations: {}", chats.size()),
          statistics_line("messages of a conversation", std::move(turns)),
          statistics_line("characters of a message", std::move(lengths))};
}

std::vector<std::string> convert_file(const converter_options& wanted) {
  sharegpt_file file = parse_sharegpt(base::read_file(wanted.input), wanted.input);
  const std::vector<chat> chats = convert(std::move(file.entries), wanted);
  std::vector<std::string> out = chat_statistics(chats);
  if (file.left_out != 0)
    out.push_back(fmt::format("entries left out, which have another form: {}; the first: {}",
                              file.left_out, file.first_fault));
  experiment::write_durably(wanted.output, chats_text(chats));
  out.push_back("Saved: " + wanted.output);
  return out;
}

}  // namespace inferbench::multiturn
