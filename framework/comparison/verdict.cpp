#include "comparison/verdict.hpp"

namespace inferbench::comparison {

std::string_view name_of(verdict value) noexcept {
  switch (value) {
    case verdict::same: return "same";
    case verdict::faster: return "faster";
    case verdict::slower: return "slower";
    case verdict::cannot_tell: break;
  }
  return "cannot tell";
}

std::string_view name_of(conclusion value) noexcept {
  switch (value) {
    case conclusion::same: return "same";
    case conclusion::faster: return "faster";
    case conclusion::slower: return "slower";
    case conclusion::mixed: return "mixed";
    case conclusion::cannot_tell: break;
  }
  return "cannot tell";
}

}  // namespace inferbench::comparison
