// References inside a schema: "#", "#/definitions/a~1b", and those that name the schema's own $id.
#pragma once

#include <string_view>

#include <rapidjson/document.h>

namespace scorers {

/// Returns the place in `root` to which a $ref refers. Throws unusable_schema if it is in another
/// document, or if `root` has no such place.
[[nodiscard]] const rapidjson::Value& referred(const rapidjson::Value& root, std::string_view ref);

}  // namespace scorers
