#include "post.hpp"

#include <utility>

#include <inferbench/guard.hpp>
#include <inferbench/text.hpp>
#include <inferbench/views.hpp>

#include "json.hpp"

namespace bodies {

void post::request(ifb_http_request& out) const {
  out.method = ifb::str("POST");
  out.target = ifb::str(endpoint_);
  out.headers = &header_;
  out.header_count = 1;
  out.body = body_.parts().data();
  out.body_count = body_.parts().size();
}

request_layout::request_layout(const body_layout& shared, const ifb_sample& sample)
    : shared_(&shared) {
  if (sample.overrides.size == 0) return;
  own_ = shared;
  overlay(sample);
}

request_layout::request_layout(body_layout&& made, const ifb_sample& sample)
    : own_(std::move(made)) {
  if (sample.overrides.size != 0) overlay(sample);
}

void request_layout::overlay(const ifb_sample& sample) {
  std::string why;
  const auto members = object_members(ifb::view(sample.overrides), why);
  if (!members)
    throw ifb::failure{IFB_E_DATA, "the overrides of a sample are not a JSON object: " + why};
  own_->overlay(*members);
  own_->close();
}

gather_list write_body(const request_layout& layout, std::string_view model,
                       const ifb_sample& sample, prompt_writer write_prompt, ifb::arena memory) {
  gather_list body(memory);
  // If the sample sets no output length (output_tokens is negative), the body has no member for the
  // token limit. Some servers refuse null, and 0 requests an empty answer.
  const body_layout::way how{!layout.own(), sample.output_tokens >= 0};
  layout->put(body, how, [&](slot what, gather_list& out) {
    switch (what) {
      case slot::none: break;
      case slot::model:
        if (sample.model.size != 0)
          out.quote(ifb::view(sample.model));
        else
          out.refer(model);
        break;
      case slot::limit: out.number(sample.output_tokens); break;
      case slot::prompt:
      case slot::beside_prompt: write_prompt(what, sample, out);
    }
  });
  return body;
}

std::optional<std::string_view> header(const ifb_http_head& head, std::string_view name) {
  for (const auto& field : ifb::headers_of(head)) {
    if (ifb::same_without_case(ifb::view(field.name), name)) return ifb::view(field.value);
  }
  return std::nullopt;
}

std::uint32_t framing_of(const ifb_http_head& head, bool streamed) {
  return head.status == 200 && streamed ? IFB_FRAMING_SSE : IFB_FRAMING_AUTO;
}

}  // namespace bodies
