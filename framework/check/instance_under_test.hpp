// An instance of the plugin under test, made on a host of the kit, and the operation
// tables of a plugin. One thread at a time, but for what says otherwise.
#pragma once

#include <atomic>
#include <vector>

#include <inferbench/abi.h>

#include "check/host.hpp"
#include "check/subject.hpp"
#include "plugin/operations.hpp"

namespace inferbench::check {

class instance_under_test {
 public:
  /// Calls create, with everything that it is given lent as `how` says and given back
  /// after it. `on` must outlive this.
  instance_under_test(subject& s, const host& on, const std::vector<options::option_value>& values,
                      lending how = {});
  instance_under_test(const instance_under_test&) = delete;
  instance_under_test& operator=(const instance_under_test&) = delete;
  ~instance_under_test();

  [[nodiscard]] explicit operator bool() const noexcept {
    return status == IFB_OK && self_ != nullptr;
  }
  /// [any]
  [[nodiscard]] ifb_instance* get() const noexcept { return self_; }
  /// Something of it is still busy: it is not destroyed, and neither is what it sees of the host.
  /// Others may go on using it until then. [any]
  void leave_behind() noexcept;

  ifb_status status;
  ifb_error error;
  bool touched = false;  // create failed, and wrote to *out

 private:
  const ifb_plugin* plugin_;
  const host& on_;
  lent_memory memory_;  // what create was lent; see lent_memory::give_back
  ifb_instance* self_ = nullptr;
  std::atomic<bool> left_behind_{false};
};

/// Skips where create refuses: without an instance there is nothing to look at, and the
/// test create says whose fault that is.
void need(const instance_under_test& instance);

/// "IFB_E_IO: cannot read x"
[[nodiscard]] std::string refusal(ifb_status status, const ifb_error& error);

/// Whether an answer is one: a status that the contract has for that call, and of a refusal its
/// code in the error, a message that ends, and an option that exists. Says what is wrong with it.
void judge_refusal(subject& s, const std::string& call, ifb_status status, const ifb_error& error);

/// An error as a host lends it.
[[nodiscard]] ifb_error blank_error() noexcept;
/// The same for one call, gone like the rest of `memory`.
[[nodiscard]] ifb_error* lend_error(lent_memory& memory);

/// The plugin's operation tables, completed (plugin/complete.hpp). Skip the test where a table
/// lacks something that the contract demands: the test interfaces is about that.
[[nodiscard]] plugin::codec codec_of(subject& s);
[[nodiscard]] plugin::dataset dataset_of(subject& s);
[[nodiscard]] plugin::reporter reporter_of(subject& s);
[[nodiscard]] plugin::tokenizer tokenizer_of(subject& s);
[[nodiscard]] plugin::engine engine_of(subject& s);

/// Whether the plugin has that interface.
[[nodiscard]] bool offers(subject& s, const char* interface_id);

}  // namespace inferbench::check
