// Standard output of a run: texts of the run itself and of reporters (through the console service),
// never mixed. Any thread.
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
  /// The reader of the output has closed it.
  [[nodiscard]] bool failed() const noexcept { return out_.failed(); }

  /// Keeps "Saved WHAT: PATH" for print_artifacts(), so that these lines stand below the reports,
  /// in whatever order the reporters finish.
  void artifact(std::string_view what, std::string_view path);
  void print_artifacts();
  /// Forgets all artifacts below that folder.
  void forget_artifacts_in(std::string_view folder);

  /// The service table; its functions find this object as services.console_state.
  [[nodiscard]] static const ifb_console_service& service() noexcept;

 private:
  std::mutex mutex_;
  base::output& out_;
  std::vector<std::pair<std::string, std::string>> artifacts_;  // what and path
};

}  // namespace inferbench::services
