// The services that a run lends to its plugins: log, clock, seed, progress, console, http to the
// server under test and, once created, the tokenizer. Owned by main; outlives every plugin.
#pragma once

#include <atomic>
#include <memory>

#include "base/clock.hpp"
#include "base/log.hpp"
#include "base/output.hpp"
#include "config/plan.hpp"
#include "dataset/feed.hpp"
#include "metrics/resolve.hpp"
#include "plugin/host.hpp"
#include "services/console.hpp"
#include "services/preparation.hpp"
#include "services/target.hpp"
#include "services/tokenizer.hpp"

namespace inferbench::services {

class lender {
 public:
  /// Throws base::error if the server's address cannot be resolved.
  lender(const config::server& server, std::uint64_t seed, const base::clock& clock, base::log& log,
         base::output& out);
  lender(const lender&) = delete;
  lender& operator=(const lender&) = delete;

  /// Creates the tokenizer, so that plugins created afterwards find it, and returns its choice. If
  /// `first` finds no files, a tokenizer of `after` replaces it; the server tokenizer does so only
  /// if the user did not name the model's tokenizer. Throws as plugin_choice::create does.
  options::plugin_choice create_tokenizer(options::plugin_choice first,
                                          std::vector<options::plugin_choice> after, bool named);
  /// The same for the tokenizer of a plan, if it has one.
  void create_tokenizer(const config::plan& plan);

  /// Prepares the samples of that dataset. The error includes the latest refusal of the server to a
  /// plugin, because a tokenizer that asks the server cannot tell its caller why it could not
  /// count.
  void prepare(const options::plugin_choice& data, dataset::feed& samples) const;

  [[nodiscard]] const plugin::services& services() const noexcept { return services_; }
  [[nodiscard]] const target& server() const noexcept { return server_; }
  [[nodiscard]] console& out() noexcept { return out_; }
  /// nullptr: there is no tokenizer.
  [[nodiscard]] const tokenizer* tokens() const noexcept { return tokenizer_.get(); }
  /// Counts with the tokenizer; empty without a tokenizer. Valid as long as this object.
  [[nodiscard]] metrics::token_counter counter() const;

  /// From now on ifb_host::cancelled returns true.
  void cancel() noexcept { cancelled_ = true; }

 private:
  target server_;
  console out_;
  preparation preparation_;
  std::atomic<bool> cancelled_ = false;
  std::unique_ptr<tokenizer> tokenizer_;
  plugin::services services_;
};

}  // namespace inferbench::services
