#include "limit/verdict.hpp"

namespace inferbench::limit {

std::string_view name_of(verdict value) noexcept {
  switch (value) {
    case verdict::passed: return "passed";
    case verdict::failed: return "failed";
    case verdict::undecided: break;
  }
  return "undecided";
}

std::string_view name_of(ending value) noexcept {
  switch (value) {
    case ending::proved: return "proved";
    case ending::estimated: return "estimated";
    case ending::dependence: return "dependence";
    case ending::requests: return "requests";
    case ending::time: return "time";
    case ending::stopped: return "stopped";
    case ending::data: return "data";
    case ending::client: return "client";
    case ending::server: return "server";
    case ending::open: break;
  }
  return "open";
}

}  // namespace inferbench::limit
