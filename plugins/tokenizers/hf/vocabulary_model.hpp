// Shared by all models: a vocabulary, and the functions of a model that only query it.
#pragma once

#include <string_view>
#include <utility>

#include "model.hpp"
#include "tokenizers/common/vocabulary.hpp"

namespace tokenizers::hf {

class vocabulary_model : public model {
 public:
  [[nodiscard]] std::optional<std::uint32_t> id_of(std::string_view token) const final {
    return vocabulary_.id_of(token);
  }
  [[nodiscard]] std::optional<std::string_view> token_of(std::uint32_t id) const final {
    return vocabulary_.token_of(id);
  }
  [[nodiscard]] std::size_t size() const final { return vocabulary_.size(); }

 protected:
  explicit vocabulary_model(vocabulary tokens) : vocabulary_(std::move(tokens)) {}
  [[nodiscard]] const vocabulary& tokens() const noexcept { return vocabulary_; }

 private:
  vocabulary vocabulary_;
};

}  // namespace tokenizers::hf
