#include "field.hpp"

#include <algorithm>
#include <cmath>

#include <inferbench/guard.hpp>

#include "datasets/common/json_array.hpp"

namespace conversations {

std::string field::path_to(std::string_view name) const {
  return path_ + (path_.empty() ? "" : ".") + std::string(name);
}

std::optional<field> field::find(std::string_view name) const {
  if (!value_->IsObject()) refuse("must be an object");
  const rapidjson::Value* const found = files::find(*value_, name);
  if (found == nullptr) return std::nullopt;
  field out(file_, *found);
  out.path_ = path_to(name);
  return out;
}

field field::get(std::string_view name) const {
  if (auto found = find(name)) return *std::move(found);
  refuse("\"" + std::string(name) + "\" is missing");
}

void field::warn_of_others(ifb::host host, std::initializer_list<std::string_view> names) const {
  for (const auto& each : value_->GetObject()) {
    const std::string_view name = files::string_of(&each.name).value_or("");
    if (std::ranges::find(names, name) == names.end())
      host.warn(std::string(file_) + ": " + path_to(name.substr(0, 80)) + " is not known here");
  }
}

double field::number() const {
  if (!value_->IsNumber()) refuse("must be a number");
  const double out = value_->GetDouble();
  if (!std::isfinite(out)) refuse("must be a finite number");
  return out;
}

std::string_view field::text() const {
  const auto out = files::string_of(value_);
  if (!out) refuse("must be a text");
  return *out;
}

bool field::boolean() const {
  if (!value_->IsBool()) refuse("must be true or false");
  return value_->GetBool();
}

void field::refuse(const std::string& what) const {
  throw ifb::failure(
      IFB_E_CONFIG, std::string(file_) + ": " + path_ + (path_.empty() ? "" : ": ") + what, "path");
}

}  // namespace conversations
