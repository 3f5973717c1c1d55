#include "encodings.hpp"

#include <algorithm>
#include <iterator>

namespace tokenizers::tiktoken {

namespace {

#define CONTRACTION "(?i:'s|'t|'re|'ve|'m|'ll|'d)"
#define BEFORE "[^\\r\\n\\p{L}\\p{N}]?"
#define SYMBOLS " ?[^\\s\\p{L}\\p{N}]+"
#define WHITE "\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+"
#define U "\\p{Lu}\\p{Lt}\\p{Lm}\\p{Lo}\\p{M}"
#define W "\\p{Ll}\\p{Lm}\\p{Lo}\\p{M}"
#define NO_HAN "&&[^\\p{Han}]"

constexpr std::string_view gpt2 =
    "'(?:[sdmt]|ll|ve|re)| ?\\p{L}++| ?\\p{N}++| ?[^\\s\\p{L}\\p{N}]++|\\s++$|\\s+(?!\\S)|\\s";
constexpr std::string_view cl100k =
    "'(?i:[sdmt]|ll|ve|re)|[^\\r\\n\\p{L}\\p{N}]?+\\p{L}++|\\p{N}{1,3}+| "
    "?[^\\s\\p{L}\\p{N}]++[\\r\\n]*+|\\s++$|\\s*[\\r\\n]|\\s+(?!\\S)|\\s";
constexpr std::string_view o200k =
    BEFORE "[" U "]*[" W "]+" CONTRACTION "?|" BEFORE "[" U "]+[" W "]*" CONTRACTION
           "?|\\p{N}{1,3}|" SYMBOLS "[\\r\\n/]*|" WHITE;
constexpr std::string_view llama3 =
    CONTRACTION "|" BEFORE "\\p{L}+|\\p{N}{1,3}|" SYMBOLS "[\\r\\n]*|" WHITE;
constexpr std::string_view qwen =
    CONTRACTION "|" BEFORE "\\p{L}+|\\p{N}|" SYMBOLS "[\\r\\n]*|" WHITE;
constexpr std::string_view kimi =
    "[\\p{Han}]+|" BEFORE "[" U NO_HAN "]*[" W NO_HAN "]+" CONTRACTION "?|" BEFORE "[" U NO_HAN
    "]+[" W NO_HAN "]*" CONTRACTION "?|\\p{N}{1,3}|" SYMBOLS "[\\r\\n]*|" WHITE;

#undef CONTRACTION
#undef BEFORE
#undef SYMBOLS
#undef WHITE
#undef U
#undef W
#undef NO_HAN

// If two encodings have the same number of tokens, guess_encoding() returns the first.
constexpr encoding all[] = {
    {"gpt2", gpt2, 50256},           {"r50k_base", gpt2, 50256},
    {"p50k_base", gpt2, 50280},      {"p50k_edit", gpt2, 50280},
    {"cl100k_base", cl100k, 100256}, {"o200k_harmony", o200k, 199998},
    {"o200k_base", o200k, 199998},   {"llama3", llama3, 128000},
    {"qwen", qwen, 151643},          {"glm4", llama3, 151329},
    {"kimi", kimi, 163584},
};

using numbered = std::vector<std::pair<std::string, std::uint32_t>>;

/// Adds "<|reserved_17|>" and similar names: one name for each number from `first` to `last`. Their
/// ids begin with `id`.
void add_series(numbered& to, const std::string& begin, std::uint32_t first, std::uint32_t last,
                std::uint32_t id) {
  for (std::uint32_t n = first; n <= last; ++n)
    to.emplace_back(begin + std::to_string(n) + "|>", id + n - first);
}

numbered of_harmony() {
  numbered out = {{"<|startoftext|>", 199998}, {"<|endoftext|>", 199999}, {"<|return|>", 200002},
                  {"<|constrain|>", 200003},   {"<|channel|>", 200005},   {"<|start|>", 200006},
                  {"<|end|>", 200007},         {"<|message|>", 200008},   {"<|call|>", 200012},
                  {"<|endofprompt|>", 200018}};
  for (std::uint32_t id = 200000; id <= 201087; ++id) {
    const bool taken = std::ranges::any_of(out, [&](const auto& it) { return it.second == id; });
    if (!taken) add_series(out, "<|reserved_", id, id, id);
  }
  return out;
}

numbered of_llama3() {
  numbered out = {{"<|begin_of_text|>", 128000}, {"<|end_of_text|>", 128001}};
  add_series(out, "<|reserved_special_token_", 0, 3, 128002);
  out.emplace_back("<|start_header_id|>", 128006);
  out.emplace_back("<|end_header_id|>", 128007);
  out.emplace_back("<|reserved_special_token_4|>", 128008);
  out.emplace_back("<|eot_id|>", 128009);
  add_series(out, "<|reserved_special_token_", 5, 250, 128010);
  return out;
}

}  // namespace

const encoding* find_encoding(std::string_view name) {
  const auto* it = std::ranges::find(all, name, &encoding::name);
  return it == std::end(all) ? nullptr : it;
}

const encoding* guess_encoding(std::string_view file, std::size_t tokens) {
  // A name is better evidence than a number of tokens, and a long name is better evidence than a
  // part of it.
  const encoding* out = nullptr;
  for (const encoding& it : all)
    if (file.find(it.name) != std::string_view::npos &&
        (out == nullptr || it.name.size() > out->name.size()))
      out = &it;
  if (out != nullptr) return out;
  const auto* it = std::ranges::find(all, tokens, &encoding::tokens);
  return it == std::end(all) ? nullptr : it;
}

std::string encoding_names() {
  std::string out;
  for (const encoding& it : all)
    out += (out.empty() ? "" : ", ") + std::string(it.name);
  return out;
}

numbered special_tokens_of(const encoding& it) {
  if (it.name == "gpt2" || it.name == "r50k_base" || it.name == "p50k_base")
    return {{"<|endoftext|>", 50256}};
  if (it.name == "p50k_edit")
    return {{"<|endoftext|>", 50256},
            {"<|fim_prefix|>", 50281},
            {"<|fim_middle|>", 50282},
            {"<|fim_suffix|>", 50283}};
  if (it.name == "cl100k_base")
    return {{"<|endoftext|>", 100257},
            {"<|fim_prefix|>", 100258},
            {"<|fim_middle|>", 100259},
            {"<|fim_suffix|>", 100260},
            {"<|endofprompt|>", 100276}};
  if (it.name == "o200k_base") return {{"<|endoftext|>", 199999}, {"<|endofprompt|>", 200018}};
  if (it.name == "o200k_harmony") return of_harmony();
  if (it.name == "llama3") return of_llama3();
  numbered out;
  if (it.name == "qwen") {
    out = {{"<|endoftext|>", 151643}, {"<|im_start|>", 151644}, {"<|im_end|>", 151645}};
    add_series(out, "<|extra_", 0, 204, 151646);
  }
  if (it.name == "kimi") add_series(out, "<|reserved_token_", 163584, 163839, 163584);
  return out;
}

}  // namespace tokenizers::tiktoken
