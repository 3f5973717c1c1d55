#include "check/sample.hpp"

#include <array>
#include <iterator>

#include <inferbench/views.hpp>

#include "base/error.hpp"

namespace inferbench::check {

namespace {

constexpr std::array shapes = {"",      "text", "texts", "tokens", "token-lists",
                               "parts", "chat", "json"};
constexpr std::array kinds = {"", "text", "image", "audio", "video", "file", "tokens", "json"};

template <std::size_t size>
std::uint32_t index_in(const std::array<const char*, size>& names, const base::json_value* word,
                       const std::string& place) {
  if (word != nullptr && word->IsUint()) return word->GetUint();
  const std::string_view name = base::text_of(word);
  for (std::uint32_t i = 1; i < size; ++i)
    if (name == names[i]) return i;
  throw base::error(place + ": unknown word \"" + std::string(name) + "\" in a sample",
                    "write one of the words in docs/plugin-check.md");
}

std::string from_hex(std::string_view hex, const std::string& place) {
  const auto digit = [&](char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    throw base::error(place + ": bad hexadecimal digit in a sample");
  };
  std::string out;
  for (std::size_t i = 0; i + 1 < hex.size(); i += 2)
    out += static_cast<char>(digit(hex[i]) * 16 + digit(hex[i + 1]));
  return out;
}

class maker {
 public:
  maker(lent_memory& memory, const std::string& place) : memory_(memory), place_(place) {}

  ifb_sample* sample(const base::json_value& json) {
    ifb_sample out = ifb::blank_sample();
    out.shape = index_in(shapes, base::find(json, "shape"), place_);
    out.prompt = parts(base::find(json, "prompt"));
    out.media = parts(base::find(json, "media"));
    out.messages = messages(base::find(json, "messages"));
    out.input_tokens = number(json, "input_tokens");
    out.output_tokens = number(json, "output_tokens");
    out.id = text(json, "id");
    out.model = text(json, "model");
    out.overrides = text(json, "overrides");
    std::vector<ifb_field> fields;
    const base::json_value* const all = base::find(json, "metadata");
    if (all != nullptr && all->IsObject())
      for (const auto& m : all->GetObject())
        fields.push_back(
            {memory_.text(base::text_of(&m.name)), memory_.text(base::text_of(&m.value))});
    out.metadata = memory_.copy(std::span<const ifb_field>(fields));
    out.metadata_count = fields.size();
    return memory_.put(out);
  }

 private:
  static std::int64_t number(const base::json_value& json, const char* name) {
    const base::json_value* const at = base::find(json, name);
    return at != nullptr && at->IsInt64() ? at->GetInt64() : -1;
  }
  ifb_str text(const base::json_value& json, const char* name) {
    return memory_.text(base::text_of(base::find(json, name)));
  }

  ifb_part part(const base::json_value& json) {
    ifb_part out = ifb::text_part({});
    if (json.IsString()) {
      out.data = memory_.bytes(base::text_of(&json));
    } else if (json.IsArray()) {
      std::vector<std::uint32_t> ids;
      for (const auto& id : json.GetArray())
        ids.push_back(id.IsUint() ? id.GetUint() : 0);
      out.kind = IFB_PART_TOKENS;
      out.data = {memory_.copy(std::span<const std::uint32_t>(ids)),
                  ids.size() * sizeof(std::uint32_t)};
    } else {
      out.kind = index_in(kinds, base::find(json, "kind"), place_);
      out.uri = text(json, "uri");
      out.name = text(json, "name");
      out.data = memory_.bytes(base::text_of(base::find(json, "data")));
      if (const base::json_value* const hex = base::find(json, "hex"))
        out.data = memory_.bytes(from_hex(base::text_of(hex), place_));
      if (const base::json_value* const mime = base::find(json, "mime"))
        out.mime = memory_.name(std::string(base::text_of(mime)).c_str());
    }
    return out;
  }

  ifb_part_list parts(const base::json_value* json) {
    if (json == nullptr || !json->IsArray()) return {};
    std::vector<ifb_part> list;
    for (const auto& each : json->GetArray())
      list.push_back(part(each));
    return {memory_.put_array(std::span<const ifb_part>(list)),
            static_cast<std::uint32_t>(list.size()), memory_.stride<ifb_part>()};
  }

  ifb_message_list messages(const base::json_value* json) {
    if (json == nullptr || !json->IsArray()) return {};
    std::vector<ifb_message> list;
    for (const auto& each : json->GetArray()) {
      ifb_message out = ifb::message({}, parts(base::find(each, "parts")));
      out.role = text(each, "role");
      out.json = text(each, "json");
      list.push_back(out);
    }
    return {memory_.put_array(std::span<const ifb_message>(list)),
            static_cast<std::uint32_t>(list.size()), memory_.stride<ifb_message>()};
  }

  lent_memory& memory_;
  const std::string& place_;
};

std::string quoted(std::string_view bytes) {
  std::string out;
  ifb::append_json_string(out, bytes);
  return out;
}

}  // namespace

ifb_sample* lend_sample(lent_memory& memory, const base::json_value& json,
                        const std::string& place) {
  if (!json.IsObject()) throw base::error(place + ": a sample is an object");
  return maker(memory, place).sample(json);
}

ifb_sample* lend_sample(lent_memory& memory, std::string_view json) {
  const std::string place = "the kit";
  return lend_sample(memory, base::parse_json(json, place), place);
}

ifb_sample* room_for_sample(lent_memory& memory) {
  auto* const out = memory.room<ifb_sample>();
  out->arrival_ns = out->input_tokens = out->output_tokens = -1;
  return out;
}

const std::vector<named_sample>& all_shapes() {
  static const std::vector<named_sample> all = {
      {"text", R"({"shape": "text", "prompt": ["Say \"hi\" \u4e2d\n"], "input_tokens": 5,
                   "output_tokens": 7, "id": "check-1"})"},
      {"texts", R"({"shape": "texts", "prompt": ["a query", "a document", "another"]})"},
      {"tokens", R"({"shape": "tokens", "prompt": [[1, 2, 30000]], "output_tokens": 3})"},
      {"token-lists", R"({"shape": "token-lists", "prompt": [[1, 2], [3]]})"},
      {"parts", R"({"shape": "parts", "prompt": ["look", {"kind": "image", "mime": "image/png",
                    "data": "abc"}, {"kind": "image", "uri": "http://host/i.png"}]})"},
      {"chat", R"({"shape": "chat", "messages": [{"role": "system", "parts": ["be brief"]},
                   {"json": "{\"role\": \"user\", \"content\": \"x\"}"}], "output_tokens": 2,
                   "overrides": "{\"seed\": 7}", "model": "other"})"},
      {"json", R"({"shape": "json", "prompt": [{"kind": "json", "data": "{\"input\": \"x\"}"}]})"},
      {"sound", R"({"shape": "text", "prompt": [""], "metadata": {"a": "b"}, "media": [{
                    "kind": "audio", "data": "RIFF"}]})"},
  };
  return all;
}

std::string text_of(const ifb_sample& sample) {
  const auto part_text = [](const ifb_part& p) {
    return std::to_string(p.kind) + (p.mime == nullptr ? "" : " " + std::string(p.mime)) + " " +
           quoted(ifb::view(p.data)) + quoted(ifb::view(p.uri)) + quoted(ifb::view(p.name)) + ",";
  };
  std::string out = "shape " + std::to_string(sample.shape) + " prompt [";
  for (const ifb_part& p : ifb::view(sample.prompt))
    out += part_text(p);
  out += "] media [";
  for (const ifb_part& p : ifb::view(sample.media))
    out += part_text(p);
  out += "] messages [";
  for (const ifb_message& m : ifb::view(sample.messages)) {
    out += quoted(ifb::view(m.role)) + quoted(ifb::view(m.json)) + "(";
    for (const ifb_part& p : ifb::view(m.parts))
      out += part_text(p);
    out += "),";
  }
  out += "] id " + quoted(ifb::view(sample.id)) + " model " + quoted(ifb::view(sample.model)) +
         " session " + quoted(ifb::view(sample.session)) + " " + std::to_string(sample.turn) +
         " arrival " + std::to_string(sample.arrival_ns) + " tokens " +
         std::to_string(sample.input_tokens) + " " + std::to_string(sample.output_tokens) +
         " overrides " + quoted(ifb::view(sample.overrides)) + " metadata";
  for (const ifb_field& f : ifb::metadata_of(sample))
    out += " " + quoted(ifb::view(f.name)) + "=" + quoted(ifb::view(f.value));
  return out;
}

}  // namespace inferbench::check
