// Completes the operation tables of a plugin. A member gets the default behaviour of the contract
// if an older plugin does not have the member, or if it is optional and NULL. A table without a
// member that the contract demands cannot be completed. lack_of() returns the missing member, and
// the caller decides whether this is an error (instance.hpp) or a reason to skip a test (check).
// These functions have no state; any thread may call them.
#pragma once

#include <cstdint>
#include <optional>

#include <inferbench/abi.h>

#include "plugin/operations.hpp"

namespace inferbench::plugin {

/// The first part of version 1.0 of the interface that is missing in a plugin's table. Every plugin
/// must have all of version 1.0.
struct lack {
  const char* member = nullptr;  // the first missing member; nullptr: there is no table
  std::uint32_t size = 0;        // the table's struct_size
  std::uint32_t least = 0;  // struct_size of version 1.0; if it is larger than `size`, the table is
                            // too short
};

/// `table` is the result of query() for `interface_id`, and may be nullptr. Returns nullopt if the
/// table is complete or if the host does not know the interface.
[[nodiscard]] std::optional<lack> lack_of(const char* interface_id, const void* table);

/// The id of the interface to which the operations belong.
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
inline constexpr const char* interface_of<table_reporter> = IFB_TABLE_REPORTER_OPS;
template <>
inline constexpr const char* interface_of<tokenizer> = IFB_TOKENIZER_OPS;

/// A copy of the table of `plugin`. It contains the members that both host and plugin know; all
/// other members have defaults. lack_of() must return nullopt for `table`. The calls are not timed
/// until `costs` is set.
template <typename operations>
[[nodiscard]] operations complete(const ifb_plugin& plugin, const void* table);

}  // namespace inferbench::plugin
