// A tokenizer whose answers a test determines, also against the contract. One at a time.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include <inferbench/abi.h>
#include <inferbench/guard.hpp>

#include "config/plan.hpp"

namespace fake {

class scripted_tokenizer {
 public:
  ifb_status status = IFB_OK;
  std::string message;              // of a call that fails; empty: the call leaves none
  std::int32_t option = -1;         // of a call that fails
  std::vector<std::size_t> needed;  // of the calls in turn; the last is repeated
  std::size_t calls = 0;            // calls so far

  scripted_tokenizer() {
    current() = this;
    plugin_.struct_size = sizeof plugin_;
    plugin_.kind = IFB_TOKENIZER;
    plugin_.id = "scripted";
    plugin_.version = "1.0.0";
    plugin_.summary = "Answers of a test.";
    plugin_.license = "Apache-2.0";
    plugin_.create = [](const ifb_host*, const ifb_config*, ifb_instance** out,
                        ifb_error*) -> ifb_status {
      *out = reinterpret_cast<ifb_instance*>(current());
      return IFB_OK;
    };
    plugin_.destroy = [](ifb_instance*) {};
    static constexpr const char* interfaces[] = {IFB_TOKENIZER_OPS, nullptr};
    plugin_.interfaces = interfaces;
    plugin_.query = [](const ifb_plugin*, const char* id) -> const void* {
      static constexpr ifb_tokenizer table{
          sizeof(ifb_tokenizer), 0, &vocabulary, &count, &encode, &decode, &encode_pair, &render};
      return std::strcmp(id, IFB_TOKENIZER_OPS) == 0 ? &table : nullptr;
    };
  }
  scripted_tokenizer(const scripted_tokenizer&) = delete;
  scripted_tokenizer& operator=(const scripted_tokenizer&) = delete;

  [[nodiscard]] inferbench::options::plugin_choice choice() const {
    inferbench::options::plugin_choice out;
    out.library.plugin = &plugin_;
    out.use = "scripted";
    return out;
  }

 private:
  static scripted_tokenizer*& current() {
    static scripted_tokenizer* it = nullptr;
    return it;
  }

  static ifb_status answer(std::size_t* length, ifb_error* error) {
    scripted_tokenizer& of = *current();
    const std::size_t call = of.calls++;
    if (length != nullptr && !of.needed.empty())
      *length = of.needed[std::min(call, of.needed.size() - 1)];
    if (of.status != IFB_OK && !of.message.empty())
      ifb::fill(error, of.status, of.message, of.option);
    return of.status;
  }

  static ifb_status vocabulary(const ifb_instance*, ifb_vocabulary*, ifb_error* error) {
    return answer(nullptr, error);
  }
  static ifb_status count(const ifb_instance*, ifb_str, std::uint32_t, std::uint64_t* out,
                          ifb_error* error) {
    std::size_t tokens = 0;
    const ifb_status status = answer(&tokens, error);
    *out = tokens;
    return status;
  }
  static ifb_status encode(const ifb_instance*, ifb_str, std::uint32_t, std::uint32_t*, std::size_t,
                           std::size_t* length, ifb_error* error) {
    return answer(length, error);
  }
  static ifb_status decode(const ifb_instance*, const std::uint32_t*, std::size_t, std::uint32_t,
                           char*, std::size_t, std::size_t* length, ifb_error* error) {
    return answer(length, error);
  }
  static ifb_status encode_pair(const ifb_instance*, ifb_str, ifb_str, std::uint32_t,
                                std::uint32_t*, std::uint32_t*, std::size_t, std::size_t* length,
                                ifb_error* error) {
    return answer(length, error);
  }
  static ifb_status render(const ifb_instance*, ifb_str, char*, std::size_t, std::size_t* length,
                           ifb_error* error) {
    return answer(length, error);
  }

  ifb_plugin plugin_{};
};

}  // namespace fake
