#include "check/services.hpp"

#include <algorithm>
#include <cstring>
#include <memory>
#include <new>
#include <span>
#include <string>
#include <string_view>

#include <inferbench/guard.hpp>
#include <inferbench/json_writer.hpp>
#include <inferbench/text.hpp>

#include "base/error.hpp"
#include "base/json.hpp"
#include "base/text.hpp"
#include "check/host.hpp"
#include "check/words.hpp"

namespace inferbench::check {

namespace {

template <typename element>
void give(std::span<const element> all, element* to, std::size_t capacity, std::size_t* needed) {
  *needed = all.size();
  std::copy_n(all.data(), std::min(capacity, all.size()), to);
}

// Refuses flags that this version of abi.h does not have, as the contract demands.
bool knows(std::uint32_t flags, std::uint32_t known, ifb_error* error) {
  if ((flags & ~known) == 0) return true;
  refuse(error, IFB_E_UNSUPPORTED, "the tokenizer of the kit does not know this flag");
  return false;
}

ifb_status IFB_CALL vocabulary(const ifb_host*, ifb_vocabulary* out, ifb_error*) {
  const std::uint32_t size = out->struct_size;
  ifb_vocabulary all{};
  all.struct_size = size;
  all.size = word_count;
  all.total_size = token_count;
  all.digest = "0000000000000000";
  std::memcpy(out, &all, std::min<std::size_t>(size, sizeof all));
  return IFB_OK;
}

ifb_status IFB_CALL count(const ifb_host*, ifb_str text, std::uint32_t flags, std::uint64_t* out,
                          ifb_error* error) {
  if (!knows(flags, IFB_ENCODE_SPECIAL, error)) return IFB_E_UNSUPPORTED;
  *out = tokens_of(ifb::view(text)).size();
  return IFB_OK;
}

ifb_status IFB_CALL encode(const ifb_host*, ifb_str text, std::uint32_t flags, std::uint32_t* ids,
                           std::size_t capacity, std::size_t* needed, ifb_error* error) {
  if (!knows(flags, IFB_ENCODE_SPECIAL, error)) return IFB_E_UNSUPPORTED;
  const auto all = tokens_of(ifb::view(text));
  give<std::uint32_t>(all, ids, capacity, needed);
  return IFB_OK;
}

ifb_status IFB_CALL decode(const ifb_host*, const std::uint32_t* ids, std::size_t size,
                           std::uint32_t flags, char* text, std::size_t capacity,
                           std::size_t* needed, ifb_error* error) {
  if (!knows(flags, IFB_DECODE_SKIP_SPECIAL, error)) return IFB_E_UNSUPPORTED;
  // A part of a text may end inside a character, but a text of the contract is UTF-8.
  const std::string all = base::valid_utf8(text_of({ids, size}));
  give<char>(all, text, capacity, needed);
  return IFB_OK;
}

ifb_status IFB_CALL encode_pair(const ifb_host*, ifb_str text, ifb_str pair, std::uint32_t flags,
                                std::uint32_t* ids, std::uint32_t* types, std::size_t capacity,
                                std::size_t* needed, ifb_error* error) {
  if (!knows(flags, IFB_ENCODE_SPECIAL, error)) return IFB_E_UNSUPPORTED;
  auto all = tokens_of(ifb::view(text));
  std::vector<std::uint32_t> which(all.size(), 0);
  const auto second = tokens_of(ifb::view(pair));
  all.insert(all.end(), second.begin(), second.end());
  which.resize(all.size(), 1);
  give<std::uint32_t>(all, ids, capacity, needed);
  if (types != nullptr) give<std::uint32_t>(which, types, capacity, needed);
  return IFB_OK;
}

ifb_status IFB_CALL render(const ifb_host*, ifb_str chat, char* text, std::size_t capacity,
                           std::size_t* needed, ifb_error* error) {
  try {
    const std::string all = prompt_of(ifb::view(chat));
    give<char>(all, text, capacity, needed);
    return IFB_OK;
  } catch (const base::error& e) {
    return refuse(error, IFB_E_DATA, e.what());
  }
}

// Answers like vLLM on the paths of the tokenizer; 404 on all other paths.
std::string answer_to(std::string_view target, std::string_view body) {
  ifb::json_writer out;
  const rapidjson::Document asked = base::parse_json(body, "the request");
  out.begin_object();
  if (target == "/tokenize") {
    const auto ids = tokens_of(base::text_of(base::find(asked, "prompt")));
    out.member("count", static_cast<std::int64_t>(ids.size()));
    out.key("tokens");
    out.begin_array();
    for (const std::uint32_t id : ids)
      out.integer(id);
    out.end_array();
  } else if (target == "/detokenize") {
    std::vector<std::uint32_t> ids;
    if (const base::json_value* const given = base::find(asked, "tokens");
        given != nullptr && given->IsArray())
      for (const auto& id : given->GetArray())
        if (id.IsUint()) ids.push_back(id.GetUint());
    out.member("prompt", text_of(ids));
  } else {
    return {};
  }
  out.end_object();
  return out.take();
}

// A copy in the arena; nullptr if there is no memory.
template <typename plain>
plain* stored(arena& memory, std::span<const plain> from) {
  auto* const out = static_cast<plain*>(memory.alloc(std::max<std::size_t>(from.size_bytes(), 1)));
  if (out != nullptr) std::uninitialized_copy(from.begin(), from.end(), out);
  return out;
}

ifb_status IFB_CALL request(const ifb_host* h, const ifb_http_request* asked, std::uint64_t,
                            ifb_arena* memory, ifb_http_answer* out, ifb_error* error) {
  if (asked->reserved != 0)
    host::blame(h, reserved_is_set("an ifb_http_request for the HTTP service", asked->reserved));
  if (!ifb::view(asked->target).starts_with('/'))
    return refuse(error, IFB_E_IO, "the kit reaches no other server");
  std::string body;
  for (const ifb_bytes& piece : std::span(asked->body, asked->body_count))
    body += ifb::view(piece);
  std::string text;
  std::uint32_t status = 200;
  try {
    text = answer_to(ifb::view(asked->target), body);
    if (text.empty()) status = 404;
  } catch (const base::error&) {
    status = 400;
  }
  static constexpr ifb_field json{ifb::str("Content-Type"), ifb::str("application/json")};
  arena& room = arena::of(memory);
  const char* const content = stored<char>(room, text);
  const ifb_field* const headers = stored<ifb_field>(room, std::span(&json, 1));
  if (content == nullptr || headers == nullptr) return refuse(error, IFB_E_MEMORY, "out of memory");
  const std::uint32_t size = out->struct_size;
  const ifb_http_answer all{size, status, headers, 1, {content, text.size()}};
  std::memcpy(out, &all, std::min<std::size_t>(size, sizeof all));
  return IFB_OK;
}

ifb_arena* IFB_CALL make_arena(const ifb_host* h) {
  auto* const made = new (std::nothrow) arena(host::how(h).memory);
  return made == nullptr ? nullptr : made->handle();
}
void IFB_CALL free_arena(const ifb_host*, ifb_arena* memory) {
  if (memory != nullptr) delete &arena::of(memory);
}

void IFB_CALL ignore_report(const ifb_host*, ifb_str, std::uint64_t, std::uint64_t) {}
void IFB_CALL print(const ifb_host*, ifb_str) {}
void IFB_CALL artifact(const ifb_host*, ifb_str, ifb_str) {}

constexpr ifb_tokenizer_service tokenizer{sizeof(ifb_tokenizer_service),
                                          0,
                                          "words",
                                          &vocabulary,
                                          &count,
                                          &encode,
                                          &decode,
                                          &encode_pair,
                                          &render};
constexpr ifb_progress_service progress{sizeof(ifb_progress_service), 0, &ignore_report};
constexpr ifb_console_service console{sizeof(ifb_console_service), 0, &print, &artifact};
constexpr ifb_http_service http{sizeof(ifb_http_service), 0, &request, &make_arena, &free_arena};

}  // namespace

ifb_status refuse(ifb_error* error, ifb_status code, const char* message) noexcept {
  ifb::fill(error, code, message);
  return code;
}

const void* service_of(const char* id) noexcept {
  const std::string_view asked = id == nullptr ? "" : id;
  if (asked == IFB_SERVICE_TOKENIZER) return &tokenizer;
  if (asked == IFB_SERVICE_PROGRESS) return &progress;
  if (asked == IFB_SERVICE_CONSOLE) return &console;
  if (asked == IFB_SERVICE_HTTP) return &http;
  return nullptr;
}

}  // namespace inferbench::check
