// The tokenizer of a run, for the run itself and for plugins. Its answers are checked before they
// are used: a length that no text can have is an error and not a reason to allocate memory.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <inferbench/abi.h>

#include "base/log.hpp"
#include "config/plan.hpp"
#include "plugin/host.hpp"
#include "plugin/instance.hpp"

namespace inferbench::services {

/// Owns the plugin's instance. Any thread may use it, if the plugin follows the contract.
class tokenizer {
 public:
  using token_ids = std::vector<std::uint32_t>;

  /// Creates the plugin's instance. Throws plugin::refused if the plugin refuses. If `shared` has a
  /// log, it must outlive this object.
  tokenizer(const options::plugin_choice& choice, const plugin::services& shared);

  // The calls of ifb_tokenizer_service, for the service and for callers that have their own memory.
  // `error` may be null. If a call fails, `error` has the tokenizer's own message; if the tokenizer
  // gives no message, the message names the tokenizer and the call. Calls fail with
  // IFB_E_UNSUPPORTED for a flag that this host does not know, and with IFB_E_INTERNAL for a length
  // that cannot be right. ifb_error.option is always -1, because it would be an index into the
  // options of the tokenizer, which the caller does not have.
  ifb_status vocabulary(ifb_vocabulary* out, ifb_error* error) const;
  ifb_status count(ifb_str text, std::uint32_t flags, std::uint64_t* out, ifb_error* error) const;
  ifb_status encode(ifb_str text, std::uint32_t flags, std::uint32_t* ids, std::size_t capacity,
                    std::size_t* needed, ifb_error* error) const;
  ifb_status decode(std::span<const std::uint32_t> ids, std::uint32_t flags, char* text,
                    std::size_t capacity, std::size_t* needed, ifb_error* error) const;
  ifb_status encode_pair(ifb_str text, ifb_str pair, std::uint32_t flags, std::uint32_t* ids,
                         std::uint32_t* type_ids, std::size_t capacity, std::size_t* needed,
                         ifb_error* error) const;
  ifb_status render(ifb_str chat, char* text, std::size_t capacity, std::size_t* needed,
                    ifb_error* error) const;

  // The same calls with whole results. They throw plugin::refused with the message that `error`
  // would have; the message need not contain the name of the tokenizer.
  struct pair_ids {
    token_ids ids;
    token_ids type_ids;  // for each id the text to which it belongs: 0 or 1
  };
  [[nodiscard]] std::uint64_t counted(std::string_view text, std::uint32_t flags = 0) const;
  [[nodiscard]] token_ids encoded(std::string_view text, std::uint32_t flags = 0) const;
  [[nodiscard]] std::string decoded(std::span<const std::uint32_t> ids,
                                    std::uint32_t flags = 0) const;
  [[nodiscard]] pair_ids encoded_pair(std::string_view text, std::string_view pair,
                                      std::uint32_t flags = 0) const;
  [[nodiscard]] std::string rendered(std::string_view chat) const;

  /// The number of tokens of `text`, without special tokens; nullopt if the tokenizer fails: see
  /// tell().
  [[nodiscard]] std::optional<std::uint64_t> count(std::string_view text) const;
  /// For callers that continue without the tokenizer's answer. The first failure is logged as a
  /// warning with its reason; later failures are not logged.
  void tell(const plugin::refused& failure) const;

  /// The name of the plugin that the user gave.
  [[nodiscard]] const std::string& name() const noexcept { return name_; }

  /// The service table. Its state is this object.
  [[nodiscard]] const ifb_tokenizer_service& service() const noexcept { return service_; }

  /// The plugin instance, for measuring the cost of its calls.
  [[nodiscard]] const plugin::instance& created() const noexcept { return *instance_; }

 private:
  [[nodiscard]] const ifb_instance* self() const noexcept { return instance_->get(); }

  std::unique_ptr<plugin::instance> instance_;
  plugin::tokenizer operations_;
  std::string name_;
  ifb_tokenizer_service service_;
  base::log* log_;  // null: failures are not logged
  mutable std::atomic<bool> told_ = false;
};

}  // namespace inferbench::services
