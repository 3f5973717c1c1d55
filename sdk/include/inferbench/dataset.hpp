// ifb::dataset<T> makes the class T a source of samples (inferbench.dataset/1).
//
//   class numbers {
//    public:
//     static constexpr const char* id = "numbers", ...;
//     static constexpr std::uint32_t flags = 0;             // optional: ifb_dataset_flag
//     numbers(ifb::host, const options&);
//     ifb_dataset_info prepare(const ifb_dataset_request&);
//     ifb::row_result read(std::uint64_t row, ifb::arena, ifb_sample& out);
//   };
//
// read() receives a sample in which every number is "unknown" and every list is empty. The views
// that it stores there must point into the arena or into the object. Both functions are called by
// one thread at a time. With IFB_DATASET_PARALLEL the host calls read() on several threads at the
// same time; if `flags` has this bit, read() must be const.
//
// `flags` are the flags that hold whatever the options are; the host knows them before it creates
// the object. prepare() adds the flags that depend on the options or on the data.
#pragma once

#include <concepts>
#include <cstring>
#include <string>
#include <utility>

#include <inferbench/abi.h>
#include <inferbench/descriptor.hpp>
#include <inferbench/views.hpp>

namespace ifb {

/// The outcome of reading a row.
class row_result {
 public:
  [[nodiscard]] static row_result ok() { return row_result{IFB_OK, {}}; }
  /// The row cannot be used. The host counts each reason and shows it once.
  [[nodiscard]] static row_result skip(std::string reason) {
    return row_result{IFB_SKIP, std::move(reason)};
  }
  /// The row is past the end of the data.
  [[nodiscard]] static row_result end() { return row_result{IFB_END, {}}; }

  [[nodiscard]] ifb_status status() const noexcept { return status_; }
  [[nodiscard]] const std::string& reason() const noexcept { return reason_; }

 private:
  row_result(ifb_status status, std::string reason) : status_(status), reason_(std::move(reason)) {}
  ifb_status status_;
  std::string reason_;
};

/// The return value of prepare(). If `rows` is -1, the number is unknown, and the host reads rows
/// in order until the end. `flags` is a combination of ifb_dataset_flag; the host adds the static
/// flags of the class.
[[nodiscard]] constexpr ifb_dataset_info dataset_info(std::int64_t rows, std::uint32_t flags = 0) {
  ifb_dataset_info out{};
  out.struct_size = sizeof out;
  out.flags = flags;
  out.rows = rows;
  return out;
}

namespace detail {

template <typename plugin>
concept prepares = requires(plugin p, const ifb_dataset_request& request) {
  { p.prepare(request) } -> std::same_as<ifb_dataset_info>;
};
template <typename plugin>
concept reads_rows = requires(plugin p, std::uint64_t row, arena memory, ifb_sample& out) {
  { p.read(row, memory, out) } -> std::same_as<row_result>;
};
template <typename plugin>
concept reads_rows_in_parallel =
    requires(const plugin& p, std::uint64_t row, arena memory, ifb_sample& out) {
      { p.read(row, memory, out) } -> std::same_as<row_result>;
    };

template <typename plugin>
consteval bool check_dataset() {
  static_assert(check_description<plugin>());
  static_assert(prepares<plugin>,
                "a dataset needs: ifb_dataset_info prepare(const ifb_dataset_request&)");
  static_assert(reads_rows<plugin>,
                "a dataset needs: ifb::row_result read(std::uint64_t row, ifb::arena, "
                "ifb_sample& out)");
  if constexpr ((flags_of<plugin>() & IFB_DATASET_PARALLEL) != 0) {
    static_assert(reads_rows_in_parallel<plugin>,
                  "with IFB_DATASET_PARALLEL read() is const: several threads call it");
  }
  return true;
}

template <typename plugin>
struct dataset_calls {
  static ifb_status IFB_CALL prepare(ifb_instance* self, const ifb_dataset_request* request,
                                     ifb_dataset_info* out, ifb_error* error) noexcept {
    return guarded<plugin>(error,
                           [&] { hand_over(box<plugin>::of(self).get().prepare(*request), out); });
  }
  static ifb_status IFB_CALL read(ifb_instance* self, std::uint64_t row, ifb_arena* memory,
                                  ifb_sample* out, ifb_error* error) noexcept {
    return guarded<plugin>(error, [&]() -> ifb_status {
      auto& owner = box<plugin>::of(self);
      ifb_sample sample = blank_sample();
      const row_result result = owner.get().read(row, arena{owner.host().table(), memory}, sample);
      if (result.status() == IFB_OK) hand_over(sample, out);
      if (result.status() == IFB_SKIP) fill(error, IFB_SKIP, result.reason());
      return result.status();
    });
  }
};

}  // namespace detail

template <typename plugin>
struct dataset {
  static_assert(detail::check_dataset<plugin>());

  static constexpr ifb_dataset operations = {sizeof(ifb_dataset), detail::flags_of<plugin>(),
                                             &detail::dataset_calls<plugin>::prepare,
                                             &detail::dataset_calls<plugin>::read};
  static constexpr const char* interfaces[] = {IFB_DATASET_OPS, nullptr};
  static const void* IFB_CALL query(const ifb_plugin*, const char* id) noexcept {
    return std::strcmp(id, IFB_DATASET_OPS) == 0 ? &operations : nullptr;
  }
  static constexpr ifb_plugin descriptor =
      detail::describe<plugin>(IFB_DATASET, interfaces, &query);
};

}  // namespace ifb
