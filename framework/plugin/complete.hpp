// The operation tables of a plugin, completed: members that an older plugin lacks, or that it left
// NULL although they are optional, do what the contract says is the default. A table that lacks
// something that the contract demands cannot be completed; what it lacks is data here, and the
// caller decides whether that is an error (instance.hpp) or a test that is skipped (check). Pure,
// any thread.
#pragma once

#include <cstdint>
#include <optional>

#include <inferbench/abi.h>

#include "plugin/operations.hpp"

namespace inferbench::plugin {

/// The first thing that a plugin's table lacks of version 1.0 of its interface, which all
/// plugins have.
struct lack {
  const char* member = nullptr;  // the first that is missing; nullptr: there is no table at all
  std::uint32_t size = 0;        // the table's struct_size
  std::uint32_t least = 0;  // struct_size of version 1.0; more than `size`: the table is cut off
};

/// `table` is what query() answered to `interface_id`, or nullptr. Nothing: the table is complete,
/// or of an interface that the host does not know.
[[nodiscard]] std::optional<lack> lack_of(const char* interface_id, const void* table);

/// The id of the interface that the operations belong to.
template <typename operations>
inline constexpr const char* interface_of = nullptr;
template <>
inline constexpr const char* interface_of<codec> = IFB_HTTP_CODEC;
template <>
inline constexpr const char* interface_of<engine> = IFB_ENGINE;
template <>
inline constexpr const char* interface_of<dataset> = IFB_DATASET_OPS;
template <>
inline constexpr const char* interface_of<reporter> = IFB_REPORTER_OPS;
template <>
inline constexpr const char* interface_of<tokenizer> = IFB_TOKENIZER_OPS;

/// The table of `plugin` as far as host and plugin both know it, with defaults for the rest. It
/// lacks nothing (lack_of). Its calls are not timed until `costs` is set.
template <typename operations>
[[nodiscard]] operations complete(const ifb_plugin& plugin, const void* table);

}  // namespace inferbench::plugin
