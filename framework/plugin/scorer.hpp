// The operations of the draft inferbench.scorer (draft/scorer.h), in the form that operations.hpp
// describes.
#pragma once

#include <inferbench/draft/scorer.h>

#include "plugin/complete.hpp"
#include "plugin/cost.hpp"
#include "plugin/instance.hpp"
#include "plugin/status.hpp"

namespace inferbench::plugin {

struct scorer : ifb_scorer {
  const ifb_plugin* plugin = nullptr;
  cost_sheet* costs = nullptr;  // nullptr: no call is timed

  ifb_status score(ifb_instance* self, const ifb_record* of, ifb_arena* arena, ifb_score* out,
                   ifb_error* error) const {
    const crossing inside(plugin, call::score, costs);
    return settled(inside.run([&] { return ifb_scorer::score(self, of, arena, out, error); }),
                   "score", error, {IFB_SKIP});
  }
};

template <>
inline constexpr const char* interface_of<scorer> = IFB_SCORER_OPS;

/// The operations of a scorer plugin. Throws base::error like codec_of() (instance.hpp).
[[nodiscard]] scorer scorer_of(const instance& from);

}  // namespace inferbench::plugin
