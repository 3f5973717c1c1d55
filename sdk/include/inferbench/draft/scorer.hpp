// ifb::draft::scorer<T> makes the class T a scorer of the draft inferbench.scorer
// (draft/scorer.h): it says how right the answer to a request is. A draft may change with every
// release.
//
//   class mine {
//    public:
//     static constexpr const char* id = "mine", *version = ..., *summary = ..., *license = ...;
//     struct options { ... };                                            // optional
//     mine(ifb::host, const options&);
//     ifb::draft::score_result score(const ifb_record&);
//   };
//
// score() is called for each request that succeeded, by one thread at a time. An exception ends the
// scorer. ifb::draft::attribute() finds what the dataset says about the right answer.
#pragma once

#include <concepts>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <inferbench/abi.h>
#include <inferbench/arena.hpp>
#include <inferbench/descriptor.hpp>
#include <inferbench/draft/scorer.h>
#include <inferbench/text.hpp>
#include <inferbench/views.hpp>

namespace ifb::draft {

/// The result of score().
class score_result {
 public:
  /// The answer is right.
  [[nodiscard]] static score_result right() { return {1, {}}; }
  /// The answer is wrong. `reason`: a few words, the same for the same fault.
  [[nodiscard]] static score_result wrong(std::string reason) { return {0, std::move(reason)}; }
  /// `value` from 0 to 1.
  [[nodiscard]] static score_result partly(double value, std::string reason) {
    return {value, std::move(reason)};
  }
  /// Nothing says what is right.
  [[nodiscard]] static score_result none() { return {std::nullopt, {}}; }

  [[nodiscard]] const std::optional<double>& value() const noexcept { return value_; }
  [[nodiscard]] const std::string& reason() const noexcept { return reason_; }

 private:
  score_result(std::optional<double> value, std::string reason)
      : value_(value), reason_(std::move(reason)) {}

  std::optional<double> value_;
  std::string reason_;
};

/// The first attribute of the record with this name; nullopt if there is none. Valid as long as
/// the record.
[[nodiscard]] inline std::optional<std::string_view> attribute(const ifb_record& of,
                                                               std::string_view name) noexcept {
  for (std::size_t i = 0; i < of.attribute_count; ++i)
    if (view(of.attributes[i].name) == name) return view(of.attributes[i].value);
  return std::nullopt;
}

namespace detail {

template <typename plugin>
concept scores = requires(plugin& p, const ifb_record& of) {
  { p.score(of) } -> std::same_as<score_result>;
};

template <typename plugin>
ifb_status IFB_CALL score(ifb_instance* self, const ifb_record* of, ifb_arena* memory,
                          ifb_score* out, ifb_error* error) noexcept {
  return ifb::detail::guarded<plugin>(error, [&]() -> ifb_status {
    auto& owner = ifb::detail::box<plugin>::of(self);
    const score_result found = owner.get().score(ifb::detail::taken_over(*of));
    if (!found.value()) return IFB_SKIP;
    ifb_score result{};
    result.struct_size = sizeof result;
    result.value = *found.value();
    result.reason = str(arena{owner.host().table(), memory}.copy(found.reason()));
    ifb::detail::hand_over(result, out);
    return IFB_OK;
  });
}

}  // namespace detail

template <typename plugin>
struct scorer {
  static_assert(ifb::detail::check_description<plugin>());
  static_assert(detail::scores<plugin>,
                "a scorer needs: ifb::draft::score_result score(const ifb_record&)");

  static constexpr ifb_scorer operations = {sizeof(ifb_scorer), 0, &detail::score<plugin>};
  static constexpr const char* interfaces[] = {IFB_SCORER_OPS, nullptr};
  static const void* IFB_CALL query(const ifb_plugin*, const char* id) noexcept {
    return std::strcmp(id, IFB_SCORER_OPS) == 0 ? &operations : nullptr;
  }
  static constexpr ifb_plugin descriptor =
      ifb::detail::describe<plugin>(IFB_SCORER, interfaces, &query);
};

}  // namespace ifb::draft
