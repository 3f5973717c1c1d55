#include "llama_gguf.hpp"

#include <bit>
#include <cmath>
#include <cstring>
#include <fstream>
#include <numbers>
#include <stdexcept>
#include <string_view>
#include <vector>

namespace llama_test {

namespace {

static_assert(std::endian::native == std::endian::little, "GGUF files are little-endian");

constexpr std::uint32_t width = 64;
constexpr std::uint32_t layers = 2;
constexpr std::uint32_t heads = 2;
constexpr std::uint32_t hidden = 128;
constexpr std::size_t alignment = 32;

// Types of values in a GGUF file, and of tensors.
constexpr std::uint32_t type_u32 = 4;
constexpr std::uint32_t type_i32 = 5;
constexpr std::uint32_t type_f32 = 6;
constexpr std::uint32_t type_bool = 7;
constexpr std::uint32_t type_text = 8;
constexpr std::uint32_t type_array = 9;
constexpr std::uint32_t tensor_f32 = 0;

template <typename number>
void put(std::string& to, number value) {
  std::string bytes(sizeof value, '\0');
  std::memcpy(bytes.data(), &value, sizeof value);
  to += bytes;
}
void put_text(std::string& to, std::string_view text) {
  put<std::uint64_t>(to, text.size());
  to += text;
}

/// Random numbers that are the same with every standard library.
class normal_numbers {
 public:
  explicit normal_numbers(std::uint64_t seed) : state_(seed) {}
  float next() {
    const double radius = std::sqrt(-2 * std::log(uniform()));
    return static_cast<float>(radius * std::cos(2 * std::numbers::pi * uniform()));
  }

 private:
  double uniform() {  // above 0
    state_ += 0x9E3779B97F4A7C15U;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30U)) * 0xBF58476D1CE4E5B9U;
    z = (z ^ (z >> 27U)) * 0x94D049BB133111EBU;
    z ^= z >> 31U;
    return (static_cast<double>(z >> 11U) + 1) / 9007199254740993.0;
  }
  std::uint64_t state_;
};

class gguf_file {
 public:
  void number(std::string_view name, std::uint32_t value) {
    key(name, type_u32);
    put(values_, value);
  }
  void real(std::string_view name, float value) {
    key(name, type_f32);
    put(values_, value);
  }
  void flag(std::string_view name, bool value) {
    key(name, type_bool);
    put<std::uint8_t>(values_, value ? 1 : 0);
  }
  void text(std::string_view name, std::string_view value) {
    key(name, type_text);
    put_text(values_, value);
  }
  void texts(std::string_view name, const std::vector<std::string>& list) {
    array(name, type_text, list.size());
    for (const std::string& each : list)
      put_text(values_, each);
  }
  void numbers(std::string_view name, const std::vector<std::int32_t>& list) {
    array(name, type_i32, list.size());
    for (const std::int32_t each : list)
      put(values_, each);
  }
  /// `shape`: the fastest dimension first.
  void tensor(std::string_view name, const std::vector<std::uint32_t>& shape,
              const std::vector<float>& data) {
    ++tensors_;
    put_text(infos_, name);
    put(infos_, static_cast<std::uint32_t>(shape.size()));
    for (const std::uint32_t each : shape)
      put<std::uint64_t>(infos_, each);
    put(infos_, tensor_f32);
    put<std::uint64_t>(infos_, data_.size());
    for (const float each : data)
      put(data_, each);
    data_.resize((data_.size() + alignment - 1) / alignment * alignment);
  }
  [[nodiscard]] std::string take() const {
    std::string out = "GGUF";
    put<std::uint32_t>(out, 3);  // version of the format
    put(out, tensors_);
    put(out, count_);
    out += values_ + infos_;
    out.resize((out.size() + alignment - 1) / alignment * alignment);
    return out + data_;
  }

 private:
  void key(std::string_view name, std::uint32_t type) {
    ++count_;
    put_text(values_, name);
    put(values_, type);
  }
  void array(std::string_view name, std::uint32_t type, std::size_t size) {
    key(name, type_array);
    put(values_, type);
    put<std::uint64_t>(values_, size);
  }

  std::uint64_t count_ = 0;
  std::uint64_t tensors_ = 0;
  std::string values_;
  std::string infos_;
  std::string data_;
};

std::string utf8_of(std::uint32_t code) {
  if (code < 0x80) return {static_cast<char>(code)};
  return {static_cast<char>(0xC0U | (code >> 6U)), static_cast<char>(0x80U | (code & 0x3FU))};
}

/// Byte-level vocabularies write each byte as a printable character.
std::vector<std::string> byte_tokens() {
  std::vector<std::string> out;
  std::uint32_t other = 256;
  for (std::uint32_t byte = 0; byte < 256; ++byte) {
    const bool printable = (byte >= 33 && byte <= 126) || (byte >= 161 && byte != 173);
    out.push_back(utf8_of(printable ? byte : other++));
  }
  return out;
}

void put_vocabulary(gguf_file& to, const tiny_model& wanted) {
  std::vector<std::string> tokens = byte_tokens();
  std::vector<std::int32_t> types(tokens.size(), 1);  // normal
  for (const char* special : {"<|endoftext|>", "<|im_start|>", "<|im_end|>"}) {
    tokens.emplace_back(special);
    types.push_back(3);  // control
  }
  while (tokens.size() < wanted.vocabulary) {
    tokens.push_back("<" + std::to_string(tokens.size()) + ">");
    types.push_back(1);
  }
  to.text("tokenizer.ggml.model", "gpt2");
  to.text("tokenizer.ggml.pre", "gpt-2");
  to.texts("tokenizer.ggml.tokens", tokens);
  to.numbers("tokenizer.ggml.token_type", types);
  to.texts("tokenizer.ggml.merges", {});
  to.number("tokenizer.ggml.bos_token_id", end_of_text);
  to.number("tokenizer.ggml.eos_token_id", end_of_text);
  to.number("tokenizer.ggml.eot_token_id", im_end);
  to.flag("tokenizer.ggml.add_bos_token", false);
  if (wanted.chat_template)
    to.text("tokenizer.chat_template",
            "{% for message in messages %}{{'<|im_start|>' + message['role'] + '\\n' + "
            "message['content'] + '<|im_end|>' + '\\n'}}{% endfor %}"
            "{% if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}{% endif %}");
}

/// A permutation.
std::uint32_t successor(std::uint32_t token, std::uint32_t vocabulary) {
  if (token == '.') return end_of_text;
  return token == 255 ? std::uint32_t{'/'} : (token + 1) % vocabulary;
}

}  // namespace

std::string gguf_of(const tiny_model& wanted) {
  const bool chain = wanted.kind == weights::chain;
  gguf_file file;
  normal_numbers numbers(wanted.seed);
  const auto random = [&](std::size_t count, float deviation) {
    std::vector<float> out(count);
    for (float& each : out)
      each = numbers.next() * deviation;
    return out;
  };
  file.text("general.architecture", "llama");
  file.text("general.name", chain ? "tiny-chain" : "tiny-random");
  file.number("llama.context_length", wanted.context);
  file.number("llama.embedding_length", width);
  file.number("llama.block_count", layers);
  file.number("llama.feed_forward_length", hidden);
  file.number("llama.attention.head_count", heads);
  file.number("llama.rope.dimension_count", width / heads);
  file.real("llama.attention.layer_norm_rms_epsilon", 1e-5F);
  put_vocabulary(file, wanted);

  const std::vector<float> embedding = random(std::size_t{wanted.vocabulary} * width, 1);
  std::vector<float> output = random(embedding.size(), 0.25F);
  if (chain)
    for (std::uint32_t token = 0; token < wanted.vocabulary; ++token)
      for (std::uint32_t i = 0; i < width; ++i)
        output[std::size_t{successor(token, wanted.vocabulary)} * width + i] =
            embedding[std::size_t{token} * width + i];
  const std::vector<float> ones(width, 1);
  file.tensor("token_embd.weight", {width, wanted.vocabulary}, embedding);
  file.tensor("output.weight", {width, wanted.vocabulary}, output);
  file.tensor("output_norm.weight", {width}, ones);
  for (std::uint32_t layer = 0; layer < layers; ++layer) {
    const std::string prefix = "blk." + std::to_string(layer) + ".";
    const auto matrix = [&](const char* name, std::uint32_t in, std::uint32_t out, bool adds) {
      const float deviation = adds && chain ? 0.0F : 0.1F;
      file.tensor(prefix + name + ".weight", {in, out}, random(std::size_t{in} * out, deviation));
    };
    file.tensor(prefix + "attn_norm.weight", {width}, ones);
    file.tensor(prefix + "ffn_norm.weight", {width}, ones);
    matrix("attn_q", width, width, false);
    matrix("attn_k", width, width, false);
    matrix("attn_v", width, width, false);
    matrix("attn_output", width, width, true);
    matrix("ffn_gate", width, hidden, false);
    matrix("ffn_up", width, hidden, false);
    matrix("ffn_down", hidden, width, true);
  }
  return file.take();
}

void write_gguf(const std::filesystem::path& file, const tiny_model& wanted) {
  std::ofstream out(file, std::ios::binary);
  out << gguf_of(wanted);
  if (!out.flush()) throw std::runtime_error("cannot write " + file.string());
}

}  // namespace llama_test
