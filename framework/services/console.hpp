// Standard output of a run. The run itself and reporters (through the console service) print here.
// Texts of two threads are never mixed. Any thread.
#pragma once

#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <inferbench/abi.h>

#include "base/output.hpp"

namespace inferbench::services {

class console {
 public:
  /// `out` must outlive the console.
  explicit console(base::output& out) : out_(out) {}

  void print(std::string_view text);
  void line(std::string_view text);
  /// Whether printing has failed because the reader of the output has closed it.
  [[nodiscard]] bool failed() const noexcept { return out_.failed(); }

  /// Keeps the line "Saved WHAT: PATH" for print_artifacts(). So these lines are printed after all
  /// reports, even if reporters finish in another order.
  void artifact(std::string_view what, std::string_view path);
  void print_artifacts();
  /// Forgets all artifacts below `folder`.
  void forget_artifacts_in(std::string_view folder);

  /// The service table. Its functions find this object through plugin::services::console_state,
  /// which the lender sets.
  [[nodiscard]] static const ifb_console_service& service() noexcept;

 private:
  std::mutex mutex_;
  base::output& out_;
  std::vector<std::pair<std::string, std::string>> artifacts_;  // pairs of WHAT and PATH
};

}  // namespace inferbench::services
