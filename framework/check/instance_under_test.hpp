// An instance of the plugin under test on a host of the kit, and the operation tables of the
// plugin. Used by one thread at a time; any thread may call functions that are marked [any].
#pragma once

#include <atomic>
#include <vector>

#include <inferbench/abi.h>

#include "check/host.hpp"
#include "check/subject.hpp"
#include "plugin/operations.hpp"
#include "plugin/scorer.hpp"

namespace inferbench::check {

class instance_under_test {
 public:
  /// Calls create. The arguments are in memory that is lent according to `how` and taken back after
  /// the call. `on` must outlive this object.
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
  /// Call this if a thread of the instance is still busy. The instance and the parts of the host
  /// that it sees are then not destroyed, so other threads may continue to use the instance. [any]
  void leave_behind() noexcept;

  ifb_status status;
  ifb_error error;
  bool touched = false;  // create failed, but wrote to *out

 private:
  const ifb_plugin* plugin_;
  const host& on_;
  lent_memory memory_;  // the arguments of create; see lent_memory::give_back
  ifb_instance* self_ = nullptr;
  std::atomic<bool> left_behind_{false};
};

/// Skips the test if create has refused, because there is no instance to test. The test "create"
/// reports the reason.
void need(const instance_under_test& instance);

/// A refusal as text: "IFB_E_IO: cannot read x".
[[nodiscard]] std::string refusal(ifb_status status, const ifb_error& error);

/// Reports mistakes in the status and error of a call. A status must be one that the contract
/// allows for this call. In a refusal the error must contain the same code as the status, a
/// terminated message, and no index of an option that does not exist.
void judge_refusal(subject& s, const std::string& call, ifb_status status, const ifb_error& error);

/// An empty error, as a host lends it to a plugin.
[[nodiscard]] ifb_error blank_error() noexcept;
/// An empty error in lent memory, for one call.
[[nodiscard]] ifb_error* lend_error(lent_memory& memory);

/// The plugin's operation tables, completed (plugin/complete.hpp). These functions skip the test if
/// a table lacks an entry that the contract demands; the test "interfaces" reports this.
[[nodiscard]] plugin::codec codec_of(subject& s);
[[nodiscard]] plugin::dataset dataset_of(subject& s);
[[nodiscard]] plugin::reporter reporter_of(subject& s);
[[nodiscard]] plugin::table_reporter table_reporter_of(subject& s);
[[nodiscard]] plugin::tokenizer tokenizer_of(subject& s);
[[nodiscard]] plugin::scorer scorer_of(subject& s);
[[nodiscard]] plugin::engine engine_of(subject& s);

/// Whether the plugin has a complete table of the interface `interface_id`.
[[nodiscard]] bool offers(subject& s, const char* interface_id);

}  // namespace inferbench::check
