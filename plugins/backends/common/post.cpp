#include "post.hpp"

#include <algorithm>
#include <utility>

#include <inferbench/guard.hpp>
#include <inferbench/text.hpp>
#include <inferbench/views.hpp>

#include "json.hpp"

namespace openai {
namespace {

bool equal_no_case(std::string_view a, std::string_view lower) {
  return a == lower || std::ranges::equal(a, lower, [](char x, char y) {
           return (x >= 'A' && x <= 'Z' ? static_cast<char>(x | 0x20) : x) == y;
         });
}

}  // namespace

void post::request(ifb_http_request& out) const {
  out.method = ifb::str("POST");
  out.target = ifb::str(endpoint_);
  out.headers = &header_;
  out.header_count = 1;
  out.body = body_.parts().data();
  out.body_count = body_.parts().size();
}

layout_of::layout_of(const body_layout& shared, const ifb_sample& sample) : shared_(&shared) {
  if (sample.overrides.size == 0) return;
  own_ = shared;
  overlay(sample);
}

layout_of::layout_of(body_layout&& made, const ifb_sample& sample) : own_(std::move(made)) {
  if (sample.overrides.size != 0) overlay(sample);
}

void layout_of::overlay(const ifb_sample& sample) {
  std::string why;
  const auto members = object_members(ifb::view(sample.overrides), why);
  if (!members)
    throw ifb::failure{IFB_E_DATA, "the overrides of a sample are not a JSON object: " + why};
  own_->overlay(*members);
  own_->close();
}

gather write_body(const layout_of& layout, std::string_view model, const ifb_sample& sample,
                  prompt_writer write_prompt, ifb::arena memory) {
  gather body(memory);
  layout->put(body, !layout.own(), [&](slot what, gather& out) {
    switch (what) {
      case slot::none: break;
      case slot::model:
        if (sample.model.size != 0)
          out.quote(ifb::view(sample.model));
        else
          out.refer(model);
        break;
      case slot::limit:
        if (sample.output_tokens >= 0)
          out.number(sample.output_tokens);
        else
          out.copy("null");
        break;
      case slot::prompt:
      case slot::beside_prompt: write_prompt(what, sample, out);
    }
  });
  return body;
}

std::optional<std::string_view> header(const ifb_http_head& head, std::string_view name) {
  for (const auto& field : ifb::headers_of(head)) {
    if (equal_no_case(ifb::view(field.name), name)) return ifb::view(field.value);
  }
  return std::nullopt;
}

std::uint32_t framing_of(const ifb_http_head& head, bool streamed) {
  if (head.status != 200 || !streamed) return IFB_FRAMING_AUTO;
  const auto stated = header(head, "content-type");
  if (!stated) return IFB_FRAMING_SSE;
  const auto type = ifb::trim(stated->substr(0, stated->find(';')));
  const bool vague = type.empty() || equal_no_case(type, "text/plain") ||
                     equal_no_case(type, "application/octet-stream");
  return vague ? IFB_FRAMING_SSE : IFB_FRAMING_AUTO;
}

}  // namespace openai
