// A whole request by POST: the layout of its body, the values of one sample in it, and the
// parts of an exchange that every protocol shares.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <inferbench/abi.h>
#include <inferbench/host.hpp>

#include "body.hpp"

namespace bodies {

/// A body and where it goes. Belongs to one request.
class post {
 public:
  /// `endpoint`: of the instance, which outlives its exchanges; so must `content_type`.
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

/// The layout of one request: the shared one, or its own.
class request_layout {
 public:
  /// `shared`: the instance's layout; copied if the sample has overrides. Throws ifb::failure,
  /// IFB_E_DATA, for overrides that are no JSON object.
  request_layout(const body_layout& shared, const ifb_sample& sample);
  /// `made`: for this request alone.
  request_layout(body_layout&& made, const ifb_sample& sample);
  request_layout(const request_layout&) = delete;
  request_layout& operator=(const request_layout&) = delete;
  ~request_layout() = default;

  [[nodiscard]] const body_layout& operator*() const { return own_ ? *own_ : *shared_; }
  [[nodiscard]] const body_layout* operator->() const { return &**this; }
  /// Whether the layout is the request's own.
  [[nodiscard]] bool own() const { return own_.has_value(); }

 private:
  void overlay(const ifb_sample& sample);

  const body_layout* shared_ = nullptr;
  std::optional<body_layout> own_;
};

/// Writes a sample's prompt into its slots.
using prompt_writer = void (*)(slot, const ifb_sample&, gather_list&);

/// Writes the body. `model`: the model's name as JSON, for samples without one of their own.
[[nodiscard]] gather_list write_body(const request_layout& layout, std::string_view model,
                                     const ifb_sample& sample, prompt_writer write_prompt,
                                     ifb::arena memory);

/// The value of a header; nullopt if the answer lacks it. `name`: in lower case.
[[nodiscard]] std::optional<std::string_view> header(const ifb_http_head& head,
                                                     std::string_view name);

/// The framing (ifb_framing) of an answer; `streamed`: a stream was asked for. The answer's type is
/// not asked, since servers and proxies name other types, or none.
[[nodiscard]] std::uint32_t framing_of(const ifb_http_head& head, bool streamed);

}  // namespace bodies
