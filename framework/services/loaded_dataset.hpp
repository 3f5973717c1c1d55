// The samples of a plan for a command that sends no request: the services, the tokenizer and the
// dataset of the plan, loaded and prepared. Owned by the command; main thread.
#pragma once

#include <memory>

#include "base/clock.hpp"
#include "base/log.hpp"
#include "base/output.hpp"
#include "config/plan.hpp"
#include "dataset/feed.hpp"
#include "plugin/instance.hpp"
#include "services/lender.hpp"

namespace inferbench::services {

/// The settings of the feed for the samples of a plan.
[[nodiscard]] dataset::settings sample_settings(const config::plan& plan);

class loaded_dataset {
 public:
  /// All references must outlive this object. Throws base::error if the plan's tokenizer or dataset
  /// cannot be loaded, or the dataset cannot be prepared.
  loaded_dataset(const config::plan& plan, base::log& log, base::output& out);
  loaded_dataset(const loaded_dataset&) = delete;
  loaded_dataset& operator=(const loaded_dataset&) = delete;

  [[nodiscard]] dataset::feed& samples() noexcept { return samples_; }
  [[nodiscard]] console& out() noexcept { return host_.out(); }
  /// The services with which other plugins of the command are created. Valid as long as this
  /// object.
  [[nodiscard]] const plugin::services& services() const noexcept { return host_.services(); }

 private:
  const base::monotonic_clock clock_;
  lender host_;
  std::unique_ptr<plugin::instance> data_;
  dataset::feed samples_;
};

}  // namespace inferbench::services
