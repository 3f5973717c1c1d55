// Tokenizer "server": the tokenizer of the server under test, used through its paths /tokenize and
// /detokenize. Its counts are the server's own counts. Each call is a request, which the host keeps
// separate from the measured requests.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include <inferbench/abi.h>
#include <inferbench/host.hpp>
#include <inferbench/options.hpp>

#include "leftovers.hpp"
#include "remote.hpp"

namespace server {

/// [any thread] Failures are thrown as ifb::failure (remote.hpp).
class tokenizer {
 public:
  static constexpr const char* id = "server";
  static constexpr const char* version = "0.1.0";
  static constexpr const char* summary = "The tokenizer of the server under test.";
  static constexpr const char* license = "Apache-2.0";

  struct options {
    std::string model;
    std::optional<std::int64_t> vocab_size;
    std::chrono::nanoseconds timeout{};
    static constexpr auto schema() {
      return std::tuple{
          ifb::option{"model", &options::model,
                      "Name of the model for the server; without it the server takes its own."}
              .general(),
          ifb::option{"vocab-size", &options::vocab_size,
                      "Number of ids in the base vocabulary, which the server does not tell."}
              .range(1, 4294967295.0),
          ifb::option{"timeout", &options::timeout, "Longest wait for one answer.", "\"300s\"",
                      IFB_OPT_ADVANCED}};
    }
  };

  tokenizer(ifb::host host, const options& chosen)
      : remote_(host, chosen.model, chosen.timeout), vocab_size_(chosen.vocab_size) {}

  /// The special ids are the ids that the server adds to an empty text. The server is asked for
  /// them only once. Throws ifb::failure, IFB_E_UNSUPPORTED, if vocab-size is not given.
  [[nodiscard]] ifb_vocabulary vocabulary() const;
  /// encode() and decode() write until `out` is full, and return the length of the whole result.
  /// With IFB_DECODE_SKIP_SPECIAL, the special ids of vocabulary() are left out.
  [[nodiscard]] std::size_t encode(std::string_view text, std::uint32_t flags,
                                   std::span<std::uint32_t> out) const;
  [[nodiscard]] std::size_t decode(std::span<const std::uint32_t> ids, std::uint32_t flags,
                                   std::span<char> out) const;
  [[nodiscard]] std::uint64_t count(std::string_view text, std::uint32_t flags) const;

 private:
  /// The ids are in ascending order. `count` is the number of ids that the server adds to an empty
  /// text.
  struct special_tokens {
    std::vector<std::uint32_t> ids;
    std::uint32_t count = 0;
  };
  /// Returns the special tokens. They are requested once; afterwards the object never moves.
  [[nodiscard]] const special_tokens& special() const;

  remote remote_;
  std::optional<std::int64_t> vocab_size_;
  mutable leftovers<std::vector<std::uint32_t>> encoded_;
  mutable leftovers<std::string> decoded_;
  mutable std::mutex special_mutex_;
  mutable std::optional<special_tokens> special_;
};

}  // namespace server
