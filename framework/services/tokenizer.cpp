#include "services/tokenizer.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <inferbench/guard.hpp>

#include "services/tokenizer_service.hpp"

namespace inferbench::services {

namespace {

// Lengths above these limits cannot be right. A normaliser may turn one character into some twenty,
// and a tokenizer may make several tokens of a byte; a template may add a long text of its own.
constexpr std::uint64_t most_bytes = std::uint64_t{1} << 30U;
constexpr std::uint64_t most_ids = most_bytes / sizeof(std::uint32_t);
constexpr std::uint64_t ids_of_a_byte = 64;
constexpr std::uint64_t bytes_of_an_id = std::uint64_t{1} << 16U;
constexpr std::uint64_t always_allowed = std::uint64_t{1} << 20U;

std::uint64_t limit_of(std::uint64_t given, std::uint64_t for_each, std::uint64_t most) {
  if (given > most / for_each) return most;
  return std::min(most, always_allowed + given * for_each);
}

/// Fails with IFB_E_INTERNAL if `length` is above `limit`.
template <typename unit_of>
ifb_status within(std::uint64_t length, std::uint64_t limit, ifb_error* error, unit_of&& message) {
  if (length <= limit) return IFB_OK;
  ifb::fill(error, IFB_E_INTERNAL, message());
  return IFB_E_INTERNAL;
}

ifb_status check_flags(const char* of, std::uint32_t given, std::uint32_t known, ifb_error* error) {
  if ((given & ~known) == 0) return IFB_OK;
  ifb::fill(error, IFB_E_UNSUPPORTED,
            fmt::format("this host does not know the {} flags {:#x}", of, given & ~known));
  return IFB_E_UNSUPPORTED;
}

/// Makes one call of the plugin `by`. `what` completes "could not ...", for a failure without a
/// message.
template <typename call>
ifb_status asked(const ifb_plugin& by, const char* what, ifb_error* error, call&& body) {
  ifb_error own;
  ifb_error& filled = error == nullptr ? own : *error;
  // The rest of the message is not cleared: this would cost more than counting a short text.
  filled.code = IFB_OK;
  filled.option = -1;
  filled.message[0] = '\0';
  const ifb_status status = body(&filled);
  if (status == IFB_OK) return status;
  const std::string reason = plugin::text_of(filled, status);
  const bool silent = filled.message[0] == '\0';
  ifb::fill(&filled, status,
            silent ? fmt::format("tokenizer {} could not {}: {}", by.id, what, reason) : reason);
  return status;
}

/// Calls `ask(out, &needed, &error)`, and once more with a larger `out` if the first was too small.
template <typename result, typename call>
result whole(const ifb_plugin& by, std::size_t guess, call&& ask) {
  result out;
  out.resize(guess);
  std::size_t needed = 0;
  ifb_error error = plugin::empty_error();
  for (int round = 0; round < 2; ++round) {
    if (const ifb_status status = ask(out, &needed, &error); status != IFB_OK)
      throw plugin::refused(plugin::text_of(error, status), -1, status);
    const std::size_t room = out.size();
    out.resize(needed);
    if (needed <= room) return out;
    if (round == 1)
      throw plugin::refused(
          fmt::format("tokenizer {} asked for room for {}, and with this room for "
                      "{}",
                      by.id, room, needed),
          -1, IFB_E_INTERNAL);
  }
  return out;
}

}  // namespace

tokenizer::tokenizer(const options::plugin_choice& choice, const plugin::services& shared)
    : instance_(choice.create(shared)),
      operations_(plugin::tokenizer_of(*instance_)),
      name_(choice.use),
      service_(tokenizer_service(name_.c_str())),
      log_(shared.log) {}

ifb_status tokenizer::vocabulary(ifb_vocabulary* out, ifb_error* error) const {
  return asked(*operations_.plugin, "describe its vocabulary", error,
               [&](ifb_error* to) { return operations_.vocabulary(self(), out, to); });
}

ifb_status tokenizer::count(ifb_str text, std::uint32_t flags, std::uint64_t* out,
                            ifb_error* error) const {
  return asked(*operations_.plugin, "count a text", error, [&](ifb_error* to) {
    if (const ifb_status bad = check_flags("encode", flags, IFB_ENCODE_SPECIAL, to)) return bad;
    if (const ifb_status bad = operations_.count(self(), text, flags, out, to)) return bad;
    return within(*out, limit_of(text.size, ids_of_a_byte, most_ids), to, [&] {
      return fmt::format("tokenizer {} counts {} tokens in a text of {} bytes",
                         operations_.plugin->id, *out, text.size);
    });
  });
}

ifb_status tokenizer::encode(ifb_str text, std::uint32_t flags, std::uint32_t* ids,
                             std::size_t capacity, std::size_t* needed, ifb_error* error) const {
  return asked(*operations_.plugin, "encode a text", error, [&](ifb_error* to) {
    if (const ifb_status bad = check_flags("encode", flags, IFB_ENCODE_SPECIAL, to)) return bad;
    if (const ifb_status bad = operations_.encode(self(), text, flags, ids, capacity, needed, to))
      return bad;
    return within(*needed, limit_of(text.size, ids_of_a_byte, most_ids), to, [&] {
      return fmt::format("tokenizer {} asks for room for {} ids of a text of {} bytes",
                         operations_.plugin->id, *needed, text.size);
    });
  });
}

ifb_status tokenizer::decode(std::span<const std::uint32_t> ids, std::uint32_t flags, char* text,
                             std::size_t capacity, std::size_t* needed, ifb_error* error) const {
  return asked(*operations_.plugin, "decode ids", error, [&](ifb_error* to) {
    if (const ifb_status bad = check_flags("decode", flags, IFB_DECODE_SKIP_SPECIAL, to))
      return bad;
    if (const ifb_status bad =
            operations_.decode(self(), ids.data(), ids.size(), flags, text, capacity, needed, to))
      return bad;
    return within(*needed, limit_of(ids.size(), bytes_of_an_id, most_bytes), to, [&] {
      return fmt::format("tokenizer {} asks for room for {} bytes of text for {} ids",
                         operations_.plugin->id, *needed, ids.size());
    });
  });
}

ifb_status tokenizer::encode_pair(ifb_str text, ifb_str pair, std::uint32_t flags,
                                  std::uint32_t* ids, std::uint32_t* type_ids, std::size_t capacity,
                                  std::size_t* needed, ifb_error* error) const {
  return asked(*operations_.plugin, "encode a pair", error, [&](ifb_error* to) {
    if (const ifb_status bad = check_flags("encode", flags, IFB_ENCODE_SPECIAL, to)) return bad;
    if (const ifb_status bad =
            operations_.encode_pair(self(), text, pair, flags, ids, type_ids, capacity, needed, to))
      return bad;
    return within(*needed, limit_of(text.size + pair.size, ids_of_a_byte, most_ids), to, [&] {
      return fmt::format("tokenizer {} asks for room for {} ids of two texts of {} and {} bytes",
                         operations_.plugin->id, *needed, text.size, pair.size);
    });
  });
}

ifb_status tokenizer::render(ifb_str chat, char* text, std::size_t capacity, std::size_t* needed,
                             ifb_error* error) const {
  return asked(*operations_.plugin, "render a conversation", error, [&](ifb_error* to) {
    if (const ifb_status bad = operations_.render(self(), chat, text, capacity, needed, to))
      return bad;
    return within(*needed, most_bytes, to, [&] {
      return fmt::format("tokenizer {} asks for room for {} bytes of a prompt",
                         operations_.plugin->id, *needed);
    });
  });
}

std::uint64_t tokenizer::counted(std::string_view text, std::uint32_t flags) const {
  std::uint64_t tokens = 0;
  ifb_error error = plugin::empty_error();
  if (const ifb_status status = count(plugin::str(text), flags, &tokens, &error); status != IFB_OK)
    throw plugin::refused(plugin::text_of(error, status), -1, status);
  return tokens;
}

// Most tokenizers produce at most one token for three bytes, and at most six bytes for a token, so
// the first call usually has enough room.
tokenizer::token_ids tokenizer::encoded(std::string_view text, std::uint32_t flags) const {
  return whole<token_ids>(*operations_.plugin, text.size() / 3 + 16,
                          [&](token_ids& to, std::size_t* needed, ifb_error* error) {
                            return encode(plugin::str(text), flags, to.data(), to.size(), needed,
                                          error);
                          });
}

std::string tokenizer::decoded(std::span<const std::uint32_t> ids, std::uint32_t flags) const {
  return whole<std::string>(*operations_.plugin, ids.size() * 6 + 16,
                            [&](std::string& to, std::size_t* needed, ifb_error* error) {
                              return decode(ids, flags, to.data(), to.size(), needed, error);
                            });
}

tokenizer::pair_ids tokenizer::encoded_pair(std::string_view text, std::string_view pair,
                                            std::uint32_t flags) const {
  pair_ids out;
  out.ids =
      whole<token_ids>(*operations_.plugin, (text.size() + pair.size()) / 3 + 16,
                       [&](token_ids& to, std::size_t* needed, ifb_error* error) {
                         out.type_ids.resize(to.size());
                         return encode_pair(plugin::str(text), plugin::str(pair), flags, to.data(),
                                            out.type_ids.data(), to.size(), needed, error);
                       });
  out.type_ids.resize(out.ids.size());
  return out;
}

std::string tokenizer::rendered(std::string_view chat) const {
  return whole<std::string>(*operations_.plugin, chat.size() * 2 + 4096,
                            [&](std::string& to, std::size_t* needed, ifb_error* error) {
                              return render(plugin::str(chat), to.data(), to.size(), needed, error);
                            });
}

std::optional<std::uint64_t> tokenizer::count(std::string_view text) const {
  try {
    return counted(text);
  } catch (const plugin::refused& failure) {
    tell(failure);
    return std::nullopt;
  }
}

void tokenizer::tell(const plugin::refused& failure) const {
  if (log_ == nullptr || told_.exchange(true)) return;
  log_->warning(fmt::format("tokenizer {} fails, so some lengths in tokens are not known: {}",
                            name_, failure.message()));
}

}  // namespace inferbench::services
