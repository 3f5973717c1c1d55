// The engine of a plugin with the draft interface inferbench.batch-engine.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/arena.hpp"
#include "batch/batch_executor.hpp"
#include "batch/engine_choice.hpp"
#include "plugin/batch_engine.hpp"
#include "plugin/instance.hpp"

namespace inferbench::batch {

class plugin_executor final : public batch_executor {
 public:
  /// Creates the plugin and passes it the options of the engine and `environment`, variables for
  /// the engine's own process. `shared` must outlive this object. Throws base::error.
  plugin_executor(const engine_choice& engine, const plugin::services& shared,
                  const std::vector<std::pair<std::string, std::string>>& environment = {});

  [[nodiscard]] engine_facts load() override;
  [[nodiscard]] batch_outcome run(const batch_order& order) override;
  void cancel() noexcept override;

 private:
  void require_abilities(const batch_order& order) const;

  std::string name_;
  std::unique_ptr<plugin::instance> instance_;
  plugin::batch_engine engine_;
  std::optional<base::arena> memory_;  // of the latest batch
};

}  // namespace inferbench::batch
