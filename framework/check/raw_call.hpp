// Calls a function of a plugin and returns the status as the plugin returned it. The calls in
// plugin/operations.hpp replace a status that a call does not have, but the kit reports it.
#pragma once

#include <inferbench/abi.h>

#include "plugin/breadcrumb.hpp"

namespace inferbench::check {

/// Throws `escaped` (subject.hpp) with the text of the current exception, which has left `call`.
[[noreturn]] void throw_escaped(const char* call);

/// Calls `function` of the plugin `of`. `name`: the name of the function in abi.h, for messages and
/// reports of crashes. Throws `escaped` if an exception leaves the function. The tags in abi.h
/// specify the allowed threads.
template <typename result, typename... formal, typename... actual>
result raw_call(const ifb_plugin* of, const char* name, result(IFB_CALL* function)(formal...),
                actual... arguments) {
  const plugin::breadcrumb inside(of, name);
  try {
    return function(arguments...);
  } catch (...) {
    throw_escaped(name);
  }
}

}  // namespace inferbench::check
