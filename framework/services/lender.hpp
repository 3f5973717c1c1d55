// The services that a run lends to its plugins: log, clock, seed, progress, console, HTTP requests
// and, after it is created, the tokenizer. Owned by main; outlives every plugin.
#pragma once

#include <atomic>
#include <memory>

#include "base/clock.hpp"
#include "base/log.hpp"
#include "base/output.hpp"
#include "config/plan.hpp"
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

  /// Creates the tokenizer, so that plugins that are created later can use it, and returns the
  /// choice that was used. If `first` finds no files, a tokenizer of `after` replaces it. The
  /// server tokenizer replaces it only if the user did not name the model's tokenizer (`named`).
  /// Throws the same errors as plugin_choice::create.
  options::plugin_choice create_tokenizer(options::plugin_choice first,
                                          std::vector<options::plugin_choice> after, bool named);
  /// Creates the tokenizer of the plan, if the plan has one.
  void create_tokenizer(const config::plan& plan);

  [[nodiscard]] const plugin::services& services() const noexcept { return services_; }
  [[nodiscard]] const target& server() const noexcept { return server_; }
  [[nodiscard]] console& out() noexcept { return out_; }
  /// nullptr if there is no tokenizer.
  [[nodiscard]] const tokenizer* tokens() const noexcept { return tokenizer_.get(); }
  /// A function that counts with the tokenizer; empty if there is no tokenizer. Valid as long as
  /// this object.
  [[nodiscard]] metrics::token_counter counter() const;

  /// After this call, ifb_host::cancelled returns true.
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
