// Tokenizer services for the tests of datasets.
#pragma once

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <inferbench/abi.h>
#include <inferbench/text.hpp>

#include "support/plugin_box.hpp"

namespace support {

/// Token 813 has the text "813"; a space separates two tokens. Must be the state of a
/// support::host.
struct number_tokenizer {
  std::uint64_t size = 1000;
  std::uint32_t added = 0;
  std::vector<std::uint32_t> special;
  /// Returns the ids after decoding and encoding. Empty function: the ids do not change.
  std::function<std::vector<std::uint32_t>(std::span<const std::uint32_t>)> decoded = nullptr;
  /// Ids that encoding appends to each text.
  std::vector<std::uint32_t> tail;
  ifb_status vocabulary_status = IFB_OK;
  const char* digest = nullptr;
  /// Called before each decoding on any thread; a failure is the result of the decoding. Empty
  /// function: decoding works.
  std::function<ifb_status()> troubled = nullptr;
  /// Ids that decoding can leave out; they include `special`. Empty: not known.
  std::vector<std::uint32_t> skipped;

  void offer(host& to) {
    static constexpr ifb_tokenizer_service table = {sizeof(ifb_tokenizer_service),
                                                    0,
                                                    "numbers",
                                                    &vocabulary,
                                                    &count,
                                                    &encode,
                                                    &decode,
                                                    nullptr,
                                                    nullptr};
    to.state = this;
    to.services[IFB_SERVICE_TOKENIZER] = &table;
  }

 private:
  static number_tokenizer& of(const ifb_host* h) {
    return *static_cast<number_tokenizer*>(host::of(h).state);
  }
  static ifb_status IFB_CALL vocabulary(const ifb_host* h, ifb_vocabulary* out, ifb_error*) {
    const number_tokenizer& me = of(h);
    out->added = me.added;
    out->size = out->total_size = me.size;
    out->special_ids = me.special.data();
    out->special_id_count = me.special.size();
    out->digest = me.digest;
    if (!me.skipped.empty()) {
      out->skipped_ids = me.skipped.data();
      out->skipped_id_count = me.skipped.size();
    }
    return me.vocabulary_status;
  }
  static ifb_status IFB_CALL count(const ifb_host* h, ifb_str text, std::uint32_t flags,
                                   std::uint64_t* out, ifb_error* error) {
    std::size_t needed = 0;
    const ifb_status status = encode(h, text, flags, nullptr, 0, &needed, error);
    *out = needed;
    return status;
  }
  static ifb_status IFB_CALL encode(const ifb_host* h, ifb_str text, std::uint32_t flags,
                                    std::uint32_t* ids, std::size_t capacity, std::size_t* needed,
                                    ifb_error*) {
    const std::string_view all = ifb::view(text);
    std::vector<std::uint32_t> out;
    for (std::size_t at = 0; at < all.size();) {
      std::uint32_t id = 0;
      const auto end = std::from_chars(all.data() + at, all.data() + all.size(), id).ptr;
      out.push_back(id);
      at = static_cast<std::size_t>(end - all.data()) + 1;
    }
    out.insert(out.end(), of(h).tail.begin(), of(h).tail.end());
    if ((flags & IFB_ENCODE_SPECIAL) != 0) out.insert(out.begin(), of(h).added, 0);
    *needed = out.size();
    std::copy_n(out.begin(), std::min(capacity, out.size()), ids);
    return IFB_OK;
  }
  static ifb_status IFB_CALL decode(const ifb_host* h, const std::uint32_t* ids, std::size_t size,
                                    std::uint32_t, char* text, std::size_t capacity,
                                    std::size_t* needed, ifb_error*) {
    if (of(h).troubled)
      if (const ifb_status trouble = of(h).troubled(); trouble != IFB_OK) return trouble;
    std::vector<std::uint32_t> all(ids, ids + size);
    if (of(h).decoded) all = of(h).decoded(all);
    std::string out;
    for (const std::uint32_t id : all)
      out += (out.empty() ? "" : " ") + std::to_string(id);
    *needed = out.size();
    std::copy_n(out.begin(), std::min(capacity, out.size()), text);
    return IFB_OK;
  }
};

/// One token per byte, and the model adds one token. Has no state, so it works with any host.
inline constexpr ifb_tokenizer_service byte_counter = {
    sizeof(ifb_tokenizer_service),
    0,
    "bytes",
    [](const ifb_host*, ifb_vocabulary*, ifb_error*) -> ifb_status { return IFB_E_UNSUPPORTED; },
    [](const ifb_host*, ifb_str text, std::uint32_t flags, std::uint64_t* out,
       ifb_error*) -> ifb_status {
      *out = text.size + ((flags & IFB_ENCODE_SPECIAL) != 0 ? 1 : 0);
      return IFB_OK;
    },
    [](const ifb_host*, ifb_str, std::uint32_t, std::uint32_t*, std::size_t, std::size_t*,
       ifb_error*) -> ifb_status { return IFB_E_UNSUPPORTED; },
    [](const ifb_host*, const std::uint32_t*, std::size_t, std::uint32_t, char*, std::size_t,
       std::size_t*, ifb_error*) -> ifb_status { return IFB_E_UNSUPPORTED; },
    nullptr,
    nullptr};

/// A dataset plugin and its operations.
class dataset_box : public plugin_box {
 public:
  explicit dataset_box(const std::string& id)
      : plugin_box(plugin_file(("datasets/" + id).c_str()), IFB_DATASET, id) {}

  ifb_status prepare(std::int64_t wanted, std::uint64_t seed = 0) {
    ifb_dataset_request request{};
    request.struct_size = sizeof request;
    request.wanted = wanted;
    request.seed = seed;
    info = {};
    info.struct_size = sizeof info;
    error = {};
    error.option = -1;
    return operations().prepare(get(), &request, &info, &error);
  }

  ifb_status read(std::uint64_t row) {
    memory = std::make_unique<arena>();
    sample = {};
    sample.struct_size = sizeof sample;
    error = {};
    error.option = -1;
    return operations().read(get(), row, memory->handle(), &sample, &error);
  }

  [[nodiscard]] const ifb_dataset& operations() const {
    return query<ifb_dataset>(IFB_DATASET_OPS);
  }
  [[nodiscard]] std::string message() const { return error.message; }
  /// The text of prompt part `index`.
  [[nodiscard]] std::string prompt(std::size_t index = 0) const {
    return std::string(ifb::view(ifb::view(sample.prompt)[index].data));
  }

  ifb_dataset_info info{};
  ifb_sample sample{};
  std::unique_ptr<arena> memory;
};

}  // namespace support
