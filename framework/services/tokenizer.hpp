// The tokenizer of a run, for the run itself and for plugins.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include <inferbench/abi.h>

#include "config/plan.hpp"
#include "plugin/host.hpp"
#include "plugin/instance.hpp"

namespace inferbench::services {

/// Owns the plugin's instance. Any thread may use it, if the plugin follows the contract.
class tokenizer {
 public:
  /// Creates the plugin's instance. Throws plugin::refused if the plugin refuses.
  tokenizer(const options::plugin_choice& choice, const plugin::services& shared);

  /// The number of tokens of `text`, without special tokens; nullopt if the plugin fails.
  [[nodiscard]] std::optional<std::uint64_t> count(std::string_view text) const;

  /// The name of the plugin that the user gave.
  [[nodiscard]] const std::string& name() const noexcept { return name_; }

  /// The service table. Its state is this object.
  [[nodiscard]] const ifb_tokenizer_service& service() const noexcept { return service_; }

  // Used by the service functions.
  [[nodiscard]] const plugin::tokenizer& operations() const noexcept { return operations_; }
  [[nodiscard]] const ifb_instance* instance() const noexcept { return instance_->get(); }

  /// The plugin instance, for measuring the cost of its calls.
  [[nodiscard]] const plugin::instance& created() const noexcept { return *instance_; }

 private:
  std::unique_ptr<plugin::instance> instance_;
  plugin::tokenizer operations_;
  std::string name_;
  ifb_tokenizer_service service_;
};

}  // namespace inferbench::services
