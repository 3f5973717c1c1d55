// A request by POST, whole: the layout of its body, what one sample puts into it, and what
// exchanges of every protocol say about it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <inferbench/abi.h>
#include <inferbench/host.hpp>

#include "body.hpp"

namespace openai {

/// The body and its way. Belongs to one request.
class post {
 public:
  /// `endpoint`: of the instance, which outlives its exchanges; so must `content_type`.
  post(gather body, const std::string& endpoint, std::string_view content_type = "application/json")
      : body_(std::move(body)),
        endpoint_(endpoint),
        header_(ifb::field("Content-Type", content_type)) {}

  void request(ifb_http_request& out) const;

 private:
  gather body_;
  const std::string& endpoint_;
  ifb_field header_;
};

/// The layout of one request: that of all, or one of its own.
class layout_of {
 public:
  /// `shared`: the instance's; a copy where the sample lays something over it. Throws
  /// ifb::failure, IFB_E_DATA, for overrides that are no JSON object.
  layout_of(const body_layout& shared, const ifb_sample& sample);
  /// `made`: for this request alone.
  layout_of(body_layout&& made, const ifb_sample& sample);
  layout_of(const layout_of&) = delete;
  layout_of& operator=(const layout_of&) = delete;
  ~layout_of() = default;

  [[nodiscard]] const body_layout& operator*() const { return own_ ? *own_ : *shared_; }
  [[nodiscard]] const body_layout* operator->() const { return &**this; }
  /// Whether it is the request's own.
  [[nodiscard]] bool own() const { return own_.has_value(); }

 private:
  void overlay(const ifb_sample& sample);

  const body_layout* shared_ = nullptr;
  std::optional<body_layout> own_;
};

/// Writes what the prompt of a sample puts into its slots.
using prompt_writer = void (*)(slot, const ifb_sample&, gather&);

/// Writes the body. `model`: the model's name as JSON, for samples without one of their own.
[[nodiscard]] gather write_body(const layout_of& layout, std::string_view model,
                                const ifb_sample& sample, prompt_writer write_prompt,
                                ifb::arena memory);

/// The value of a header; nothing where the answer has none. `name`: in lower case.
[[nodiscard]] std::optional<std::string_view> header(const ifb_http_head& head,
                                                     std::string_view name);

/// The framing (ifb_framing) of an answer; `streamed`: it was asked for as a stream. Whether it is
/// one its body decides, since servers and proxies name other types, or none.
[[nodiscard]] std::uint32_t framing_of(const ifb_http_head& head, bool streamed);

}  // namespace openai
