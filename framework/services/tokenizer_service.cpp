#include "services/tokenizer_service.hpp"

#include <inferbench/guard.hpp>

#include "plugin/host.hpp"
#include "services/tokenizer.hpp"

namespace inferbench::services {

namespace {

/// Calls `body` with the tokenizer of `host`. No exception leaves a service (R7).
template <typename call>
ifb_status with_tokenizer(const ifb_host* host, ifb_error* error, call&& body) noexcept {
  return ifb::guard(error, [&]() -> ifb_status {
    return body(*static_cast<const tokenizer*>(plugin::services_of(host).tokenizer_state));
  });
}

ifb_status vocabulary(const ifb_host* host, ifb_vocabulary* out, ifb_error* error) {
  return with_tokenizer(host, error,
                        [&](const tokenizer& by) { return by.vocabulary(out, error); });
}

ifb_status count(const ifb_host* host, ifb_str text, std::uint32_t flags, std::uint64_t* out,
                 ifb_error* error) {
  return with_tokenizer(host, error,
                        [&](const tokenizer& by) { return by.count(text, flags, out, error); });
}

ifb_status encode(const ifb_host* host, ifb_str text, std::uint32_t flags, std::uint32_t* ids,
                  std::size_t capacity, std::size_t* needed, ifb_error* error) {
  return with_tokenizer(host, error, [&](const tokenizer& by) {
    return by.encode(text, flags, ids, capacity, needed, error);
  });
}

ifb_status decode(const ifb_host* host, const std::uint32_t* ids, std::size_t n,
                  std::uint32_t flags, char* text, std::size_t capacity, std::size_t* needed,
                  ifb_error* error) {
  return with_tokenizer(host, error, [&](const tokenizer& by) {
    return by.decode({ids, n}, flags, text, capacity, needed, error);
  });
}

ifb_status encode_pair(const ifb_host* host, ifb_str text, ifb_str pair, std::uint32_t flags,
                       std::uint32_t* ids, std::uint32_t* type_ids, std::size_t capacity,
                       std::size_t* needed, ifb_error* error) {
  return with_tokenizer(host, error, [&](const tokenizer& by) {
    return by.encode_pair(text, pair, flags, ids, type_ids, capacity, needed, error);
  });
}

ifb_status render(const ifb_host* host, ifb_str chat, char* text, std::size_t capacity,
                  std::size_t* needed, ifb_error* error) {
  return with_tokenizer(host, error, [&](const tokenizer& by) {
    return by.render(chat, text, capacity, needed, error);
  });
}

}  // namespace

ifb_tokenizer_service tokenizer_service(const char* name) noexcept {
  return {sizeof(ifb_tokenizer_service),
          0,
          name,
          &vocabulary,
          &services::count,
          &encode,
          &decode,
          &encode_pair,
          &render};
}

}  // namespace inferbench::services
