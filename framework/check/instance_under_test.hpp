// An instance of the plugin under test, made on a host of the kit, and the operation tables of
// the plugin. One thread at a time, unless a function says otherwise.
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
  /// Calls create. Its arguments are lent as `how` says and taken back after the call. `on`
  /// must outlive this object.
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
  /// A thread of the instance is still busy: the instance is not destroyed, and neither are
  /// the parts of the host that it sees. Other threads may go on using it. [any]
  void leave_behind() noexcept;

  ifb_status status;
  ifb_error error;
  bool touched = false;  // create failed, and wrote to *out

 private:
  const ifb_plugin* plugin_;
  const host& on_;
  lent_memory memory_;  // the arguments of create; see lent_memory::give_back
  ifb_instance* self_ = nullptr;
  std::atomic<bool> left_behind_{false};
};

/// Skips the test where create refuses: there is no instance to test, and the test create says
/// whose fault that is.
void need(const instance_under_test& instance);

/// "IFB_E_IO: cannot read x"
[[nodiscard]] std::string refusal(ifb_status status, const ifb_error& error);

/// Reports what is wrong with the status and error of a call: a status that the contract does
/// not have for that call; in a refusal another code than the status, a message without an end,
/// or an option that does not exist.
void judge_refusal(subject& s, const std::string& call, ifb_status status, const ifb_error& error);

/// An error as a host lends it.
[[nodiscard]] ifb_error blank_error() noexcept;
/// The same in lent memory, for one call.
[[nodiscard]] ifb_error* lend_error(lent_memory& memory);

/// The plugin's operation tables, completed (plugin/complete.hpp). They skip the test where a
/// table lacks something that the contract demands, which is reported by the test interfaces.
[[nodiscard]] plugin::codec codec_of(subject& s);
[[nodiscard]] plugin::dataset dataset_of(subject& s);
[[nodiscard]] plugin::reporter reporter_of(subject& s);
[[nodiscard]] plugin::tokenizer tokenizer_of(subject& s);
[[nodiscard]] plugin::engine engine_of(subject& s);

/// Whether the plugin has a complete table of that interface.
[[nodiscard]] bool offers(subject& s, const char* interface_id);

}  // namespace inferbench::check
