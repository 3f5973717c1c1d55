#include "batch/context_length.hpp"

#include <algorithm>
#include <initializer_list>

#include "base/clock.hpp"
#include "base/error.hpp"
#include "base/json.hpp"

namespace inferbench::batch {

namespace {

constexpr std::uint64_t models_patience_ns = 10 * base::ns_per_s;

/// The first of the members `names` that is a positive integer; -1 if there is none.
std::int64_t positive_member(const rapidjson::Value& in, std::initializer_list<const char*> names) {
  if (!in.IsObject()) return -1;
  for (const char* name : names)
    if (const auto* at = base::find(in, name); at != nullptr && at->IsInt64() && at->GetInt64() > 0)
      return at->GetInt64();
  return -1;
}

std::int64_t length_in(const rapidjson::Value& model) {
  const std::int64_t said = positive_member(model, {"max_model_len"});
  if (said > 0) return said;
  const auto* meta = model.IsObject() ? base::find(model, "meta") : nullptr;
  // The context of a slot is what a request can use; a model may have been trained with more.
  return meta == nullptr ? -1 : positive_member(*meta, {"n_ctx", "n_ctx_train"});
}

}  // namespace

std::int64_t context_length_of(std::string_view body, std::string_view model) {
  try {
    const auto document = base::parse_json(body, "the list of models");
    const auto* data = document.IsObject() ? base::find(document, "data") : nullptr;
    if (data == nullptr || !data->IsArray()) return -1;
    for (const auto& each : data->GetArray())
      if (each.IsObject() && base::text_of(base::find(each, "id")) == model) return length_in(each);
    return data->Size() == 1 ? length_in((*data)[0]) : -1;
  } catch (const base::error&) {
    return -1;
  }
}

std::int64_t ask_context_length(const services::target& servers, const std::string& model,
                                const std::function<bool()>& stop) {
  std::int64_t least = -1;
  for (std::size_t i = 0; i < servers.endpoints().size(); ++i) {
    const auto answer = servers.fetch("GET", "/v1/models", {}, models_patience_ns, i, stop);
    if (!answer.ok() || answer.status != 200) continue;
    const std::int64_t one = context_length_of(answer.body, model);
    if (one > 0) least = least < 0 ? one : std::min(least, one);
  }
  return least;
}

}  // namespace inferbench::batch
