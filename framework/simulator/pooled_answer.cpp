#include "simulator/pooled_answer.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include <inferbench/json_writer.hpp>
#include <inferbench/text.hpp>

#include "simulator/wire.hpp"

namespace inferbench::simulator {

namespace {

static_assert(std::endian::native == std::endian::little, "vectors are sent as they are in memory");

/// The values of vectors: as numbers, as text and as 4 bytes each. There are 64 values, so that a
/// mask turns any number into an index. They are odd multiples of 2^-11 in no obvious order, which
/// gives texts that are about as long as the numbers of a real model.
class value_list {
 public:
  static constexpr std::size_t count = 64;

  value_list() {
    for (std::size_t i = 0; i < count; ++i) {
      const auto step = static_cast<int>(i * 37 % count) * 2 - static_cast<int>(count) + 1;
      const auto value = static_cast<float>(step) / 2048.0F;
      ifb::append_python_float(texts_[i], static_cast<double>(value));
      // Twice, so that every run of `count` values is contiguous.
      for (const std::size_t at : {i, i + count})
        std::memcpy(bytes_.data() + at * sizeof value, &value, sizeof value);
    }
  }

  [[nodiscard]] const std::string& text(std::uint64_t number) const {
    return texts_[number % count];
  }

  void append_bytes(std::string& out, std::uint64_t first, std::uint64_t values) const {
    while (values > 0) {
      const auto run = std::min<std::uint64_t>(values, count);
      out.append(bytes_.data() + first % count * sizeof(float), run * sizeof(float));
      first += run;
      values -= run;
    }
  }

 private:
  std::array<std::string, count> texts_;
  std::array<char, 2 * count * sizeof(float)> bytes_{};
};

const value_list& values() {
  static const value_list all;
  return all;
}

std::string_view prefix_of_pooled(api_kind kind) {
  switch (kind) {
    case api_kind::pooling: return "pool-";
    case api_kind::rerank: return "rerank-";
    default: return "embd-";
  }
}

void append_pooled_id(std::string& out, const identity& who) {
  out += "{\"id\":";
  ifb::append_json_string(out, std::string(prefix_of_pooled(who.kind)).append(who.id));
}

/// The member `usage` without the brace at its end: all tokens are those of the inputs.
void append_input_usage(std::string& out, const usage& used) {
  out += "\"usage\":{\"prompt_tokens\":";
  append_number(out, used.prompt_tokens);
  out += ",\"total_tokens\":";
  append_number(out, used.prompt_tokens);
}

void append_vector(std::string& out, const pooled_answer& what, std::uint64_t index) {
  const std::uint64_t first = what.first_value + index * what.dimensions;
  if (what.form == vector_form::base64) {
    std::string bytes;
    values().append_bytes(bytes, first, what.dimensions);
    out += '"';
    out += ifb::base64(bytes);
    out += '"';
    return;
  }
  out += '[';
  for (std::uint64_t i = 0; i < what.dimensions; ++i) {
    if (i != 0) out += ',';
    out += values().text(first + i);
  }
  out += ']';
}

void append_vectors(std::string& out, const identity& who, const pooled_answer& what,
                    const usage& used) {
  const bool pooling = who.kind == api_kind::pooling;
  append_pooled_id(out, who);
  out += ",\"object\":\"list\",\"created\":";
  append_number(out, static_cast<std::uint64_t>(who.created));
  out += ",\"model\":";
  ifb::append_json_string(out, who.model);
  out += ",\"data\":[";
  for (std::uint64_t i = 0; i < what.vectors; ++i) {
    out += i == 0 ? "{\"index\":" : ",{\"index\":";
    append_number(out, i);
    out +=
        pooling ? ",\"object\":\"pooling\",\"data\":" : ",\"object\":\"embedding\",\"embedding\":";
    append_vector(out, what, i);
    out += '}';
  }
  out += "],";
  append_input_usage(out, used);
  out += ",\"completion_tokens\":0,\"prompt_tokens_details\":null}}";
}

/// The answer of an I/O plugin has a form of its own and no usage.
void append_plugin_answer(std::string& out, const identity& who, const pooled_answer& what) {
  out += "{\"request_id\":";
  ifb::append_json_string(out, who.id);
  out += ",\"created_at\":";
  append_number(out, static_cast<std::uint64_t>(who.created));
  out += ",\"data\":";
  append_vector(out, what, 0);
  out += '}';
}

void append_ranks(std::string& out, const identity& who, const pooled_answer& what,
                  const usage& used) {
  append_pooled_id(out, who);
  out += ",\"model\":";
  ifb::append_json_string(out, who.model);
  out += ',';
  append_input_usage(out, used);
  out += "},\"results\":[";
  const auto results = std::min<std::uint64_t>(what.documents.size(), what.top);
  for (std::uint64_t i = 0; i < results; ++i) {
    out += i == 0 ? "{\"index\":" : ",{\"index\":";
    append_number(out, i);
    out += ",\"document\":{\"text\":";
    ifb::append_json_string(out, what.documents[i]);
    out += ",\"multi_modal\":null},\"relevance_score\":0.5}";
  }
  out += "]}";
}

bool is_binary(const pooled_answer& what) {
  return what.form == vector_form::bytes || what.form == vector_form::bytes_only;
}

}  // namespace

void append_pooled(std::string& out, const identity& who, const pooled_answer& what,
                   const usage& used) {
  if (who.kind == api_kind::rerank) return append_ranks(out, who, what, used);
  if (what.from_plugin) return append_plugin_answer(out, who, what);
  if (is_binary(what))
    return values().append_bytes(out, what.first_value, what.vectors * what.dimensions);
  append_vectors(out, who, what, used);
}

std::string_view type_of(const pooled_answer& what) noexcept {
  return is_binary(what) && !what.from_plugin ? "application/octet-stream" : json_type;
}

std::string metadata_field(const identity& who, const pooled_answer& what, const usage& used) {
  if (what.form != vector_form::bytes || what.from_plugin) return {};
  std::string out = "metadata: ";
  append_pooled_id(out, who);
  out += ",\"created\":";
  append_number(out, static_cast<std::uint64_t>(who.created));
  out += ",\"model\":";
  ifb::append_json_string(out, who.model);
  out += ",\"data\":[";
  const std::uint64_t size = what.dimensions * sizeof(float);
  for (std::uint64_t i = 0; i < what.vectors; ++i) {
    out += i == 0 ? "{\"index\":" : ",{\"index\":";
    append_number(out, i);
    out += ",\"embed_dtype\":\"float32\",\"endianness\":\"native\",\"start\":";
    append_number(out, i * size);
    out += ",\"end\":";
    append_number(out, (i + 1) * size);
    out += ",\"shape\":[";
    append_number(out, what.dimensions);
    out += "]}";
  }
  out += "],";
  append_input_usage(out, used);
  out += "}}\r\n";
  return out;
}

}  // namespace inferbench::simulator
