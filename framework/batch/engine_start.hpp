// The start of an engine plugin, for `inferbench startup` without a server.
#pragma once

#include <functional>
#include <span>
#include <string>

#include "base/clock.hpp"
#include "batch/batch_executor.hpp"
#include "batch/engine_choice.hpp"
#include "options/node.hpp"
#include "plugin/host.hpp"
#include "startup/start_sample.hpp"

namespace inferbench::batch {

/// Creates, loads and destroys the engine at each start; an engine with a process of its own gets a
/// new process. The time is the engine's own: the construction without the import of libraries.
/// The phases are the parts of the start for which the engine gives a place in time; they are left
/// out if the engine's clock is not tied to the host's. One thread.
class engine_start final : public startup::repeatable_start {
 public:
  /// Loads an engine; the caller lets the user's signals cancel it.
  using loader = std::function<engine_facts(batch_executor& engine)>;

  /// `engine`, `shared` and `clock` must outlive the object.
  engine_start(const engine_choice& engine, const plugin::services& shared,
               const base::clock& clock, loader load);

  [[nodiscard]] startup::start_sample start(std::span<const std::string> environment) override;

  /// Facts for the result: the name and version of the engine, as it gave them at its last start.
  [[nodiscard]] options::node about() const;

 private:
  const engine_choice& engine_;
  const plugin::services& shared_;
  const base::clock& clock_;
  loader load_;
  std::string description_;
};

}  // namespace inferbench::batch
