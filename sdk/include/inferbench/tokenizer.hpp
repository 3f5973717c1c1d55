// ifb::tokenizer<T> makes the class T a tokenizer (inferbench.tokenizer/1).
//
//   class words {
//    public:
//     static constexpr const char* id = "words", ...;
//     words(ifb::host, const options&);
//     ifb_vocabulary vocabulary() const;
//     std::size_t encode(std::string_view, std::uint32_t flags, std::span<std::uint32_t>) const;
//     std::size_t decode(std::span<const std::uint32_t>, std::uint32_t flags,
//                        std::span<char>) const;
//     std::uint64_t count(std::string_view, std::uint32_t flags) const;  // optional
//   };
//
// encode and decode write until the span is full, and return the length of the whole result, in ids
// or bytes.
// Alternatively they return the ids or the text:
//     std::vector<std::uint32_t> encode(std::string_view, std::uint32_t flags) const;
//     std::string decode(std::span<const std::uint32_t>, std::uint32_t flags) const;
// count returns the number of ids that encode would return; without it, the host calls encode.
// Two further functions are optional: encode_pair for models that encode pairs of texts, and render
// for models with a chat template. `chat` is a JSON object (abi.h describes both):
//     ifb::pair_encoding encode_pair(std::string_view, std::string_view,
//                                    std::uint32_t flags) const;
//     std::string render(std::string_view chat) const;
// All functions are const, because any thread may call them at any time. An exception from them
// becomes a status and a message (guard.hpp). `flags` has only the bits of version 1.0 of abi.h:
// this layer refuses other bits with IFB_E_UNSUPPORTED, because a tokenizer that ignored them would
// count wrongly.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <inferbench/abi.h>
#include <inferbench/descriptor.hpp>

namespace ifb {

/// Two texts that were encoded as one input. type_ids must have the same length as ids.
struct pair_encoding {
  std::vector<std::uint32_t> ids;
  std::vector<std::uint32_t> type_ids;  // for each id the number of its text, 0 or 1
};

namespace detail {

using token_ids = std::span<const std::uint32_t>;

template <typename plugin>
concept knows_vocabulary = requires(const plugin& p) {
  { p.vocabulary() } -> std::same_as<ifb_vocabulary>;
};
template <typename plugin>
concept encodes_into =
    requires(const plugin& p, std::string_view text, std::span<std::uint32_t> to) {
      { p.encode(text, std::uint32_t{}, to) } -> std::same_as<std::size_t>;
    };
template <typename plugin>
concept encodes = requires(const plugin& p, std::string_view text) {
  { p.encode(text, std::uint32_t{}) } -> std::same_as<std::vector<std::uint32_t>>;
};
template <typename plugin>
concept decodes_into = requires(const plugin& p, token_ids ids, std::span<char> to) {
  { p.decode(ids, std::uint32_t{}, to) } -> std::same_as<std::size_t>;
};
template <typename plugin>
concept decodes = requires(const plugin& p, token_ids ids) {
  { p.decode(ids, std::uint32_t{}) } -> std::same_as<std::string>;
};
template <typename plugin>
concept counts = requires(const plugin& p, std::string_view text) {
  { p.count(text, std::uint32_t{}) } -> std::convertible_to<std::uint64_t>;
};
template <typename plugin>
concept encodes_pairs = requires(const plugin& p, std::string_view text) {
  { p.encode_pair(text, text, std::uint32_t{}) } -> std::same_as<pair_encoding>;
};
template <typename plugin>
concept renders = requires(const plugin& p, std::string_view chat) {
  { p.render(chat) } -> std::same_as<std::string>;
};

template <typename plugin>
consteval bool check_tokenizer() {
  static_assert(check_description<plugin>());
  static_assert(knows_vocabulary<plugin>, "a tokenizer needs: ifb_vocabulary vocabulary() const");
  static_assert(encodes_into<plugin> || encodes<plugin>,
                "a tokenizer needs: std::size_t encode(std::string_view, std::uint32_t flags, "
                "std::span<std::uint32_t>) const, or: std::vector<std::uint32_t> "
                "encode(std::string_view, std::uint32_t flags) const");
  static_assert(decodes_into<plugin> || decodes<plugin>,
                "a tokenizer needs: std::size_t decode(std::span<const std::uint32_t>, "
                "std::uint32_t flags, std::span<char>) const, or: std::string "
                "decode(std::span<const std::uint32_t>, std::uint32_t flags) const");
  if constexpr (requires { &plugin::count; }) {
    static_assert(counts<plugin>,
                  "count must have the signature std::uint64_t count(std::string_view, "
                  "std::uint32_t flags) const");
  }
  if constexpr (requires { &plugin::encode_pair; }) {
    static_assert(
        encodes_pairs<plugin>,
        "encode_pair must have the signature ifb::pair_encoding encode_pair(std::string_view, "
        "std::string_view, std::uint32_t flags) const");
  }
  if constexpr (requires { &plugin::render; }) {
    static_assert(renders<plugin>,
                  "render must have the signature std::string render(std::string_view chat) const");
  }
  return true;
}

/// The functions of the table. Each one calls the plugin; an exception becomes a status.
template <typename plugin>
struct tokenizer_calls {
  template <typename call>
  static ifb_status asked(const ifb_instance* self, ifb_error* error, call&& body) noexcept {
    return guarded<plugin>(error, [&] { body(box<plugin>::of(self).get()); });
  }
  static void check_flags(std::uint32_t given, std::uint32_t known) {
    if ((given & ~known) != 0)
      throw failure{IFB_E_UNSUPPORTED, "this tokenizer does not know the flags " +
                                           std::to_string(given & ~known) + " of the host"};
  }
  /// Copies the first `capacity` elements of a result. Sets `needed` to the length of the whole
  /// result.
  template <typename made, typename element>
  static void put(const made& from, element* to, std::size_t capacity, std::size_t* needed) {
    std::copy_n(from.begin(), std::min(from.size(), capacity), to);
    *needed = from.size();
  }

  static ifb_status IFB_CALL vocabulary(const ifb_instance* self, ifb_vocabulary* out,
                                        ifb_error* error) noexcept {
    return asked(self, error, [&](const plugin& p) { hand_over(p.vocabulary(), out); });
  }
  static ifb_status IFB_CALL count(const ifb_instance* self, ifb_str text, std::uint32_t flags,
                                   std::uint64_t* out, ifb_error* error) noexcept
    requires counts<plugin>
  {
    return asked(self, error, [&](const plugin& p) {
      check_flags(flags, IFB_ENCODE_SPECIAL);
      *out = p.count(view(text), flags);
    });
  }
  static ifb_status IFB_CALL encode(const ifb_instance* self, ifb_str text, std::uint32_t flags,
                                    std::uint32_t* ids, std::size_t capacity, std::size_t* needed,
                                    ifb_error* error) noexcept {
    return asked(self, error, [&](const plugin& p) {
      check_flags(flags, IFB_ENCODE_SPECIAL);
      if constexpr (encodes_into<plugin>)
        *needed = p.encode(view(text), flags, std::span{ids, capacity});
      else
        put(p.encode(view(text), flags), ids, capacity, needed);
    });
  }
  static ifb_status IFB_CALL decode(const ifb_instance* self, const std::uint32_t* ids,
                                    std::size_t count, std::uint32_t flags, char* text,
                                    std::size_t capacity, std::size_t* needed,
                                    ifb_error* error) noexcept {
    return asked(self, error, [&](const plugin& p) {
      check_flags(flags, IFB_DECODE_SKIP_SPECIAL);
      if constexpr (decodes_into<plugin>)
        *needed = p.decode(token_ids{ids, count}, flags, std::span{text, capacity});
      else
        put(p.decode(token_ids{ids, count}, flags), text, capacity, needed);
    });
  }
  static ifb_status IFB_CALL encode_pair(const ifb_instance* self, ifb_str text, ifb_str pair,
                                         std::uint32_t flags, std::uint32_t* ids,
                                         std::uint32_t* type_ids, std::size_t capacity,
                                         std::size_t* needed, ifb_error* error) noexcept
    requires encodes_pairs<plugin>
  {
    return asked(self, error, [&](const plugin& p) {
      check_flags(flags, IFB_ENCODE_SPECIAL);
      const pair_encoding both = p.encode_pair(view(text), view(pair), flags);
      if (both.type_ids.size() != both.ids.size())
        throw failure{IFB_E_INTERNAL, "a pair became " + std::to_string(both.ids.size()) +
                                          " ids of " + std::to_string(both.type_ids.size()) +
                                          " types"};
      put(both.ids, ids, capacity, needed);
      if (type_ids != nullptr) put(both.type_ids, type_ids, capacity, needed);
    });
  }
  static ifb_status IFB_CALL render(const ifb_instance* self, ifb_str chat, char* text,
                                    std::size_t capacity, std::size_t* needed,
                                    ifb_error* error) noexcept
    requires renders<plugin>
  {
    return asked(self, error,
                 [&](const plugin& p) { put(p.render(view(chat)), text, capacity, needed); });
  }

  static constexpr ifb_tokenizer make() {
    ifb_tokenizer out{};
    out.struct_size = sizeof out;
    out.vocabulary = &vocabulary;
    if constexpr (counts<plugin>) out.count = &count;
    out.encode = &encode;
    out.decode = &decode;
    if constexpr (encodes_pairs<plugin>) out.encode_pair = &encode_pair;
    if constexpr (renders<plugin>) out.render = &render;
    return out;
  }
};

}  // namespace detail

template <typename plugin>
struct tokenizer {
  static_assert(detail::check_tokenizer<plugin>());

  static constexpr ifb_tokenizer operations = detail::tokenizer_calls<plugin>::make();
  static constexpr const char* interfaces[] = {IFB_TOKENIZER_OPS, nullptr};
  static const void* IFB_CALL query(const ifb_plugin*, const char* id) noexcept {
    return std::strcmp(id, IFB_TOKENIZER_OPS) == 0 ? &operations : nullptr;
  }
  static constexpr ifb_plugin descriptor =
      detail::describe<plugin>(IFB_TOKENIZER, interfaces, &query);
};

}  // namespace ifb
