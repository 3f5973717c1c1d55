#include "simulator/schema_reference.hpp"

#include <cstddef>
#include <string>

#include <rapidjson/pointer.h>

namespace inferbench::simulator {

const base::json_value* resolved_schema(const base::json_value& root,
                                        const base::json_value& given) {
  constexpr int most_references = 16;
  const base::json_value* at = &given;
  for (int i = 0; i <= most_references; ++i) {
    const base::json_value* reference = at->IsObject() ? base::find(*at, "$ref") : nullptr;
    if (reference == nullptr) return at;
    if (!reference->IsString()) return nullptr;
    const std::string text = std::string(base::text_of(reference));
    if (!text.starts_with('#')) return nullptr;
    // A pointer in the form of a URL's fragment.
    const rapidjson::Pointer place(text.data(), text.size());
    if (!place.IsValid()) return nullptr;
    at = place.Get(root);
    if (at == nullptr) return nullptr;
  }
  return nullptr;
}

}  // namespace inferbench::simulator
