// The longest sequence that a server accepts, from its list of models.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "services/target.hpp"

namespace inferbench::batch {

/// Reads the answer to GET /v1/models: `max_model_len` (vLLM, SGLang) or `meta.n_ctx` or
/// `meta.n_ctx_train` (llama.cpp) of the model with the id `model`, or of the only model. In
/// tokens; -1 if the answer does not have it. The answer is not trusted.
[[nodiscard]] std::int64_t context_length_of(std::string_view body, std::string_view model);

/// Asks each server, and returns the smallest length; -1 if no server tells it. The requests end
/// early if `stop` returns true.
[[nodiscard]] std::int64_t ask_context_length(const services::target& servers,
                                              const std::string& model,
                                              const std::function<bool()>& stop = {});

}  // namespace inferbench::batch
