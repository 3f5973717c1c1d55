// A tokenizer plugin as the tokenizer service for datasets.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <inferbench/abi.h>
#include <inferbench/text.hpp>

#include "support/plugin_box.hpp"

namespace support {

/// Must be the state of a support::host.
class plugin_tokenizer {
 public:
  plugin_tokenizer(const std::string& id, const settings& given)
      : box_(plugin_file(("tokenizers/" + id).c_str()), IFB_TOKENIZER, id),
        status_(box_.create(given)),
        calls_(&box_.query<ifb_tokenizer>(IFB_TOKENIZER_OPS)) {}

  /// The reason why the plugin could not be created; empty if it was created.
  [[nodiscard]] std::string trouble() const {
    return status_ == IFB_OK ? "" : "cannot be made: " + std::string(box_.error.message);
  }

  void offer(host& to) {
    static constexpr ifb_tokenizer_service table = {
        sizeof(ifb_tokenizer_service),
        0,
        "a plugin",
        [](const ifb_host* h, ifb_vocabulary* out, ifb_error* error) {
          return of(h).calls_->vocabulary(of(h).box_.get(), out, error);
        },
        [](const ifb_host* h, ifb_str text, std::uint32_t flags, std::uint64_t* out,
           ifb_error* error) {
          std::size_t needed = 0;
          const ifb_status status =
              of(h).calls_->encode(of(h).box_.get(), text, flags, nullptr, 0, &needed, error);
          *out = needed;
          return status;
        },
        [](const ifb_host* h, ifb_str text, std::uint32_t flags, std::uint32_t* ids,
           std::size_t capacity, std::size_t* needed, ifb_error* error) {
          return of(h).calls_->encode(of(h).box_.get(), text, flags, ids, capacity, needed, error);
        },
        [](const ifb_host* h, const std::uint32_t* ids, std::size_t count, std::uint32_t flags,
           char* text, std::size_t capacity, std::size_t* needed, ifb_error* error) {
          return of(h).calls_->decode(of(h).box_.get(), ids, count, flags, text, capacity, needed,
                                      error);
        },
        nullptr,
        nullptr};
    to.state = this;
    to.services[IFB_SERVICE_TOKENIZER] = &table;
  }

  /// The number of tokens of a text.
  [[nodiscard]] std::size_t count(std::string_view text, std::uint32_t flags = 0) const {
    std::size_t needed = 0;
    EXPECT_EQ(calls_->encode(box_.get(), ifb::str(text), flags, nullptr, 0, &needed, nullptr),
              IFB_OK);
    return needed;
  }
  /// The number of tokens that the model adds to a text.
  [[nodiscard]] std::uint32_t added() const {
    ifb_vocabulary words{};
    words.struct_size = sizeof words;
    EXPECT_EQ(calls_->vocabulary(box_.get(), &words, nullptr), IFB_OK);
    return words.added;
  }

 private:
  static const plugin_tokenizer& of(const ifb_host* h) {
    return *static_cast<const plugin_tokenizer*>(host::of(h).state);
  }

  plugin_box box_;
  ifb_status status_;
  const ifb_tokenizer* calls_;
};

}  // namespace support
