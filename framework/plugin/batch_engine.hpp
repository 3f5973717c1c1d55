// The operations of the draft inferbench.batch-engine (draft/batch_engine.h), like those in
// operations.hpp. The benchmarks without a server use them (batch/plugin_executor.hpp), and
// runs with an engine call load (run/engine_load.hpp).
#pragma once

#include <inferbench/draft/batch_engine.h>

#include "plugin/breadcrumb.hpp"
#include "plugin/complete.hpp"
#include "plugin/instance.hpp"
#include "plugin/status.hpp"

namespace inferbench::plugin {

struct batch_engine : ifb_batch_engine {
  const ifb_plugin* plugin = nullptr;
  cost_sheet* costs = nullptr;  // never used: a call takes as long as the engine needs

  /// If the plugin left this out, returns IFB_E_UNSUPPORTED.
  ifb_status configure(ifb_instance* self, const ifb_engine_setup* setup, ifb_error* error) const {
    const breadcrumb inside(plugin, "configure");
    return settled(inside.run([&] { return ifb_batch_engine::configure(self, setup, error); }),
                   "configure", error);
  }
  ifb_status load(ifb_instance* self, ifb_loaded_engine* out, ifb_error* error) const {
    const breadcrumb inside(plugin, "load");
    return settled(inside.run([&] { return ifb_batch_engine::load(self, out, error); }), "load",
                   error);
  }
  ifb_status run(ifb_instance* self, const ifb_batch* batch, ifb_arena* arena,
                 ifb_batch_report* out, ifb_error* error) const {
    const breadcrumb inside(plugin, "run");
    return settled(
        inside.run([&] { return ifb_batch_engine::run(self, batch, arena, out, error); }), "run",
        error);
  }
  void cancel(ifb_instance* self) const {
    const breadcrumb inside(plugin, "cancel");
    inside.run([&] { ifb_batch_engine::cancel(self); });
  }
  /// If the plugin left this out, returns IFB_E_UNSUPPORTED. The same is true for stop_profile.
  ifb_status start_profile(ifb_instance* self, ifb_error* error) const {
    const breadcrumb inside(plugin, "start_profile");
    return settled(inside.run([&] { return ifb_batch_engine::start_profile(self, error); }),
                   "start_profile", error);
  }
  ifb_status stop_profile(ifb_instance* self, ifb_error* error) const {
    const breadcrumb inside(plugin, "stop_profile");
    return settled(inside.run([&] { return ifb_batch_engine::stop_profile(self, error); }),
                   "stop_profile", error);
  }

  bool profiles = false;  // the plugin has its own start_profile() and stop_profile()
};

template <>
inline constexpr const char* interface_of<batch_engine> = IFB_BATCH_ENGINE;

/// Throws base::error like the functions in instance.hpp.
[[nodiscard]] batch_engine batch_engine_of(const instance& backend);

}  // namespace inferbench::plugin
