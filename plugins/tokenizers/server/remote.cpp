#include "remote.hpp"

#include <inferbench/guard.hpp>
#include <inferbench/json_reader.hpp>
#include <inferbench/json_writer.hpp>
#include <inferbench/text.hpp>

namespace server {
namespace {

std::string excerpt(std::string_view body) {
  constexpr std::size_t limit = 200;
  std::string out(ifb::cut_utf8(body, limit));
  for (char& c : out) {
    if (static_cast<unsigned char>(c) < 0x20) c = ' ';
  }
  return body.size() > limit ? out + "..." : out;
}

/// Finds one member of the JSON object in `body`.
class answer {
 public:
  answer(const std::string& body, const char* key, std::string_view target) {
    // The parser is iterative, so that no depth of nesting overflows the stack.
    document_.Parse<rapidjson::kParseIterativeFlag>(body.data(), body.size());
    if (!document_.HasParseError()) value_ = ifb::find(document_, key);
    if (value_ == nullptr) refuse(key, target, body);
  }

  [[noreturn]] static void refuse(const char* key, std::string_view target,
                                  const std::string& body) {
    throw ifb::failure{IFB_E_PROTOCOL, "the server's answer to " + std::string(target) +
                                           " has no usable \"" + key + "\": " + excerpt(body)};
  }
  [[nodiscard]] const rapidjson::Value& value() const noexcept { return *value_; }

 private:
  rapidjson::Document document_;
  const rapidjson::Value* value_ = nullptr;
};

void begin(ifb::json_writer& out, const std::string& model) {
  out.begin_object();
  if (!model.empty()) out.member("model", model);
}

}  // namespace

std::string remote::post(std::string_view target, std::string_view body) const {
  auto got = host_.http().fetch("POST", target, body, timeout_);
  if (got.status == 200) return std::move(got.body);
  const std::string what =
      "the server answers " + std::string(target) + " with HTTP " + std::to_string(got.status);
  if (got.status == 404 || got.status == 405 || got.status == 501)
    throw ifb::failure{IFB_E_UNSUPPORTED,
                       what +
                           "; name the model's own tokenizer with --tokenizer, or choose another "
                           "one with --tokenizer-mode, such as bytes"};
  throw ifb::failure{IFB_E_REMOTE, what + ": " + excerpt(got.body)};
}

std::vector<std::uint32_t> remote::tokenize(std::string_view text, bool special) const {
  ifb::json_writer out;
  begin(out, model_);
  out.member("prompt", text);
  out.member("add_special_tokens", special);
  out.end_object();
  const std::string body = post("/tokenize", out.text());
  const answer got(body, "tokens", "/tokenize");
  if (!got.value().IsArray()) answer::refuse("tokens", "/tokenize", body);
  std::vector<std::uint32_t> ids;
  ids.reserve(got.value().Size());
  for (const auto& id : got.value().GetArray()) {
    if (!id.IsUint()) answer::refuse("tokens", "/tokenize", body);
    ids.push_back(id.GetUint());
  }
  return ids;
}

std::string remote::detokenize(std::span<const std::uint32_t> ids) const {
  ifb::json_writer out;
  begin(out, model_);
  out.key("tokens");
  out.begin_array();
  for (const std::uint32_t id : ids)
    out.integer(id);
  out.end_array();
  out.end_object();
  const std::string body = post("/detokenize", out.text());
  const answer got(body, "prompt", "/detokenize");
  if (!got.value().IsString()) answer::refuse("prompt", "/detokenize", body);
  return {got.value().GetString(), got.value().GetStringLength()};
}

}  // namespace server
