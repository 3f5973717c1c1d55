// ifb::draft::batch_engine<T> makes the class T an engine of the draft inferbench.batch-engine
// (draft/batch_engine.h): a backend that gets all samples of a benchmark in one call. A draft may
// change with every release.
//
//   class mine {
//    public:
//     static constexpr const char* id = "mine", *version = ..., *summary = ..., *license = ...;
//     static constexpr std::uint32_t abilities = IFB_BATCH_ENGINE_CHAT;  // ifb_batch_engine_flag
//     struct options { ... };                                            // optional
//     mine(ifb::host, const options&);
//     void configure(const ifb_engine_setup&);                           // optional
//     ifb_loaded_engine load();
//     ifb_batch_report run(const ifb_batch&, ifb::arena);
//     void cancel() noexcept;                                            // on any thread
//     void start_profile();                                              // optional: both or
//     void stop_profile();                                               // neither
//   };
//
// batch, sampling and setup have the length of this header: members that the host does not have are
// zero. The results may point into the arena or into the instance; they must stay valid until the
// next run() or the end of the instance. An exception fails the call. If the class also has a
// nested class call and a function open(), as engine.hpp describes them, the plugin offers
// inferbench.engine/1, too.
#pragma once

#include <concepts>
#include <cstdint>
#include <cstring>

#include <inferbench/abi.h>
#include <inferbench/descriptor.hpp>
#include <inferbench/draft/batch_engine.h>
#include <inferbench/engine.hpp>
#include <inferbench/host.hpp>

namespace ifb::draft {

namespace detail {

template <typename plugin>
concept runs_batches = requires(plugin& p, const ifb_batch& batch, arena memory) {
  { plugin::abilities } -> std::convertible_to<std::uint32_t>;
  { p.load() } -> std::same_as<ifb_loaded_engine>;
  { p.run(batch, memory) } -> std::same_as<ifb_batch_report>;
  { p.cancel() } noexcept -> std::same_as<void>;
};

template <typename plugin>
concept is_configured = requires(plugin& p, const ifb_engine_setup& setup) {
  { p.configure(setup) } -> std::same_as<void>;
};

template <typename plugin>
concept is_profiled = requires(plugin& p) {
  { p.start_profile() } -> std::same_as<void>;
  { p.stop_profile() } -> std::same_as<void>;
};

template <typename plugin>
concept also_takes_single_requests = requires { typename plugin::call; };

template <typename plugin>
consteval bool check_batch_engine() {
  static_assert(ifb::detail::check_description<plugin>());
  static_assert(runs_batches<plugin>,
                "a batch engine needs: abilities, ifb_loaded_engine load(), ifb_batch_report "
                "run(const ifb_batch&, ifb::arena), and void cancel() noexcept");
  if constexpr (requires { &plugin::configure; }) {
    static_assert(is_configured<plugin>, "configure is: void configure(const ifb_engine_setup&)");
  }
  if constexpr (requires { &plugin::start_profile; } || requires { &plugin::stop_profile; }) {
    static_assert(is_profiled<plugin>,
                  "a profiler needs both: void start_profile() and void stop_profile()");
  }
  return true;
}

/// The functions of one ifb_batch_engine.
template <typename plugin>
struct batch_engine_table {
  static plugin& of(ifb_instance* self) noexcept {
    return ifb::detail::box<plugin>::of(self).get();
  }

  static ifb_status IFB_CALL load(ifb_instance* self, ifb_loaded_engine* out,
                                  ifb_error* error) noexcept {
    return ifb::detail::guarded<plugin>(error, [&] {
      const ifb_loaded_engine loaded = of(self).load();
      ifb::detail::hand_over(loaded, out);
    });
  }
  static ifb_status IFB_CALL run(ifb_instance* self, const ifb_batch* batch, ifb_arena* memory,
                                 ifb_batch_report* out, ifb_error* error) noexcept {
    return ifb::detail::guarded<plugin>(error, [&] {
      const ifb_sampling sampling = ifb::detail::taken_over(*batch->sampling);
      ifb_batch whole = ifb::detail::taken_over(*batch);
      whole.sampling = &sampling;
      const arena room{ifb::detail::box<plugin>::of(self).host().table(), memory};
      const ifb_batch_report report = of(self).run(whole, room);
      ifb::detail::hand_over(report, out);
    });
  }
  static void IFB_CALL cancel(ifb_instance* self) noexcept { of(self).cancel(); }
  static ifb_status IFB_CALL configure(ifb_instance* self, const ifb_engine_setup* setup,
                                       ifb_error* error) noexcept {
    return ifb::detail::guarded<plugin>(
        error, [&] { of(self).configure(ifb::detail::taken_over(*setup)); });
  }

  static ifb_status IFB_CALL start_profile(ifb_instance* self, ifb_error* error) noexcept {
    return ifb::detail::guarded<plugin>(error, [&] { of(self).start_profile(); });
  }
  static ifb_status IFB_CALL stop_profile(ifb_instance* self, ifb_error* error) noexcept {
    return ifb::detail::guarded<plugin>(error, [&] { of(self).stop_profile(); });
  }

  static constexpr ifb_batch_engine make() {
    ifb_batch_engine out{};
    out.struct_size = sizeof out;
    out.flags = plugin::abilities;
    out.load = &load;
    out.run = &run;
    out.cancel = &cancel;
    if constexpr (is_configured<plugin>) out.configure = &configure;
    if constexpr (is_profiled<plugin>) {
      out.start_profile = &start_profile;
      out.stop_profile = &stop_profile;
    }
    return out;
  }
};

}  // namespace detail

template <typename plugin>
struct batch_engine {
  static_assert(detail::check_batch_engine<plugin>());

  static constexpr bool has_engine = detail::also_takes_single_requests<plugin>;
  static constexpr ifb_batch_engine operations = detail::batch_engine_table<plugin>::make();
  static constexpr const char* interfaces[] = {IFB_BATCH_ENGINE, has_engine ? IFB_ENGINE : nullptr,
                                               nullptr};
  static const void* IFB_CALL query(const ifb_plugin* self, const char* id) noexcept {
    if (std::strcmp(id, IFB_BATCH_ENGINE) == 0) return &operations;
    if constexpr (has_engine) return ifb::engine<plugin>::query(self, id);
    return nullptr;
  }
  static constexpr ifb_plugin descriptor =
      ifb::detail::describe<plugin>(IFB_BACKEND, interfaces, &query);
};

}  // namespace ifb::draft
