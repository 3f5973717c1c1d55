// Standard output of a run: whole texts, never mixed, from the run itself and from
// reporters through the console service. Any thread.
#pragma once

#include <cstdio>
#include <mutex>
#include <string>
#include <string_view>

#include <inferbench/abi.h>

namespace inferbench::run {

class console {
 public:
  /// `out` must outlive the console.
  explicit console(std::FILE* out) : out_(out) {}

  void print(std::string_view text);
  void line(std::string_view text);

  /// Keeps "Saved WHAT: PATH" for print_artifacts(), so that it stands below the
  /// reports, whichever reporter is done first.
  void artifact(std::string_view what, std::string_view path);
  void print_artifacts();

  /// The service table; its functions find this object as services.console_state.
  [[nodiscard]] static const ifb_console_service& service() noexcept;

 private:
  std::mutex mutex_;
  std::FILE* out_;
  std::string artifacts_;
};

}  // namespace inferbench::run
