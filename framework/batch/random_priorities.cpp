#include "batch/random_priorities.hpp"

#include <string_view>

#include <inferbench/random.hpp>

#include "base/error.hpp"
#include "options/node.hpp"
#include "plugin/instance.hpp"

namespace inferbench::batch {

namespace {

std::string with_priority(std::string_view overrides, std::int64_t priority) {
  using options::node;
  node all = node::table();
  if (!overrides.empty()) all = options::parse_json_node(overrides, "the overrides of a sample");
  if (!all.is(node::kind::table)) throw base::error("the overrides of a sample are no JSON object");
  all.set("priority", node::of(priority));
  return options::to_json(all);
}

}  // namespace

random_priorities::random_priorities(std::span<const dataset::sample_ptr> prompts,
                                     std::uint64_t seed) {
  samples_.reserve(prompts.size());
  ifb::python_random random(seed);
  for (const dataset::sample_ptr& each : prompts) {
    const std::int64_t priority = random.real() < 0.5 ? 0 : 1;
    ifb_sample& one = samples_.emplace_back(each->c);
    one.overrides =
        plugin::str(overrides_.emplace_back(with_priority(plugin::view(one.overrides), priority)));
  }
}

}  // namespace inferbench::batch
