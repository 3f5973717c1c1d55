// Reads the options of a backend from the JSON of a fixture: "options": {"extra-body": "{...}",
// "ignore-eos": 1}.
#pragma once

#include <string>

#include <rapidjson/document.h>

#include "support/plugin_box.hpp"

namespace backends {

inline support::settings options_of(const rapidjson::Value& json) {
  support::settings out;
  if (!json.HasMember("options")) return out;
  for (const auto& m : json["options"].GetObject()) {
    if (m.value.IsString())
      out[m.name.GetString()] = std::string(m.value.GetString());
    else
      out[m.name.GetString()] = m.value.GetInt64();
  }
  return out;
}

}  // namespace backends
