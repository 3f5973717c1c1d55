#include "services/tokenizer.hpp"

namespace inferbench::services {

namespace {

const tokenizer& tokenizer_of(const ifb_host* host) {
  return *static_cast<const tokenizer*>(plugin::services_of(host).tokenizer_state);
}

ifb_status vocabulary(const ifb_host* host, ifb_vocabulary* out) {
  const tokenizer& t = tokenizer_of(host);
  return t.operations().vocabulary(t.instance(), out);
}

ifb_status count(const ifb_host* host, ifb_str text, std::uint32_t flags, std::uint64_t* out) {
  const tokenizer& t = tokenizer_of(host);
  return t.operations().count(t.instance(), text, flags, out);
}

ifb_status encode(const ifb_host* host, ifb_str text, std::uint32_t flags, std::uint32_t* ids,
                  std::size_t capacity, std::size_t* needed) {
  const tokenizer& t = tokenizer_of(host);
  return t.operations().encode(t.instance(), text, flags, ids, capacity, needed);
}

ifb_status decode(const ifb_host* host, const std::uint32_t* ids, std::size_t n,
                  std::uint32_t flags, char* text, std::size_t capacity, std::size_t* needed) {
  const tokenizer& t = tokenizer_of(host);
  return t.operations().decode(t.instance(), ids, n, flags, text, capacity, needed);
}

ifb_status encode_pair(const ifb_host* host, ifb_str text, ifb_str pair, std::uint32_t flags,
                       std::uint32_t* ids, std::uint32_t* type_ids, std::size_t capacity,
                       std::size_t* needed) {
  const tokenizer& t = tokenizer_of(host);
  return t.operations().encode_pair(t.instance(), text, pair, flags, ids, type_ids, capacity,
                                    needed);
}

ifb_status render(const ifb_host* host, ifb_str chat, char* text, std::size_t capacity,
                  std::size_t* needed, ifb_error* error) {
  const tokenizer& t = tokenizer_of(host);
  return t.operations().render(t.instance(), chat, text, capacity, needed, error);
}

}  // namespace

tokenizer::tokenizer(const options::plugin_choice& choice, const plugin::services& shared)
    : instance_(choice.create(shared)),
      operations_(plugin::tokenizer_of(*instance_)),
      name_(choice.use),
      service_{sizeof(ifb_tokenizer_service),
               0,
               name_.c_str(),
               &vocabulary,
               &services::count,
               &encode,
               &decode,
               &encode_pair,
               &render} {}

std::optional<std::uint64_t> tokenizer::count(std::string_view text) const {
  std::uint64_t tokens = 0;
  const ifb_status status = operations_.count(instance_->get(), plugin::str(text), 0, &tokens);
  if (status != IFB_OK) return std::nullopt;
  return tokens;
}

}  // namespace inferbench::services
