// A whole POST request: the layout of its body, the values of one sample in the body, and the parts
// of an exchange that are the same in every protocol.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <inferbench/abi.h>
#include <inferbench/host.hpp>

#include "body.hpp"

namespace bodies {

/// A body, its endpoint and its content type. Belongs to one request.
class post {
 public:
  /// `endpoint` belongs to the instance, which outlives its exchanges. `content_type` must live
  /// equally long.
  post(gather_list body, const std::string& endpoint,
       std::string_view content_type = "application/json")
      : body_(std::move(body)),
        endpoint_(endpoint),
        header_(ifb::field("Content-Type", content_type)) {}

  void request(ifb_http_request& out) const;

 private:
  gather_list body_;
  const std::string& endpoint_;
  ifb_field header_;
};

/// The layout of one request: the shared layout, or a layout of the request's own.
class request_layout {
 public:
  /// `shared` is the instance's layout. It is copied if the sample has overrides. Throws
  /// ifb::failure, IFB_E_DATA, if the overrides are not a JSON object.
  request_layout(const body_layout& shared, const ifb_sample& sample);
  /// `made` is a layout that was made only for this request.
  request_layout(body_layout&& made, const ifb_sample& sample);
  request_layout(const request_layout&) = delete;
  request_layout& operator=(const request_layout&) = delete;
  ~request_layout() = default;

  [[nodiscard]] const body_layout& operator*() const { return own_ ? *own_ : *shared_; }
  [[nodiscard]] const body_layout* operator->() const { return &**this; }
  /// Returns whether the layout is the request's own.
  [[nodiscard]] bool own() const { return own_.has_value(); }

 private:
  void overlay(const ifb_sample& sample);

  const body_layout* shared_ = nullptr;
  std::optional<body_layout> own_;
};

/// A function that writes a sample's prompt into its slots.
using prompt_writer = void (*)(slot, const ifb_sample&, gather_list&);

/// Writes the body. `model` is the model's name as JSON, for samples that do not name a model.
[[nodiscard]] gather_list write_body(const request_layout& layout, std::string_view model,
                                     const ifb_sample& sample, prompt_writer write_prompt,
                                     ifb::arena memory);

/// Returns the value of a header; nullopt if the answer lacks the header. Names are compared
/// without case.
[[nodiscard]] std::optional<std::string_view> header(const ifb_http_head& head,
                                                     std::string_view name);

/// Returns the framing (ifb_framing) of an answer. `streamed`: the request asked for a stream. The
/// answer's Content-Type is not checked, because some servers and proxies send a wrong type or no
/// type.
[[nodiscard]] std::uint32_t framing_of(const ifb_http_head& head, bool streamed);

}  // namespace bodies
