// Creates a model from a JSON text with the format of a tokenizer's file.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <inferbench/guard.hpp>

#include "tokenizers/common/node.hpp"
#include "tokenizers/hf/model.hpp"

inline std::unique_ptr<tokenizers::hf::model> model_of(
    std::string json, tokenizers::hf::alphabet pieces = tokenizers::hf::alphabet::text) {
  rapidjson::Document document;
  tokenizers::parse_json(json, document, "tokenizer.json");
  const tokenizers::node root(document, "tokenizer.json");
  auto out = tokenizers::hf::read_model(root, pieces);
  out->finish();
  return out;
}

inline std::vector<std::uint32_t> ids_of(const tokenizers::hf::model& model,
                                         std::string_view piece) {
  std::vector<std::uint32_t> out;
  model.encode(piece, out);
  return out;
}

/// The message of the failure for an invalid `json`.
inline std::string refusal_of(const std::string& json) {
  try {
    static_cast<void>(model_of(json));
  } catch (const ifb::failure& e) {
    return e.message();
  }
  return "taken";
}
