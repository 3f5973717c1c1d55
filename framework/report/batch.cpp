#include "report/batch.hpp"

#include <string>

#include "plugin/instance.hpp"

namespace inferbench::report {

void describe(const client::record& r, ifb_record& out) {
  out.struct_size = sizeof out;
  out.http_status = r.http_status;
  out.sequence = r.sequence;
  out.due_ns = r.due_ns;
  out.start_ns = r.start_ns;
  out.tls_ns = r.tls_ns;
  out.server = r.server;
  out.turn = r.turn;
  out.connected_ns = r.connected_ns;
  out.sent_ns = r.sent_ns;
  out.first_byte_ns = r.first_byte_ns;
  out.first_text_ns = r.first_text_ns;
  out.last_text_ns = r.last_text_ns;
  out.first_answer_ns = r.first_answer_ns;
  out.end_ns = r.end_ns;
  out.sample_tokens = r.sample_tokens;
  out.prompt_tokens = r.prompt_tokens >= 0 ? r.prompt_tokens : r.sample_tokens;
  out.output_tokens = r.output_tokens;
  out.wanted_tokens = r.wanted_tokens;
  out.cached_tokens = r.cached_tokens;
  out.reasoning_tokens = r.reasoning_tokens;
  out.bytes_sent = r.bytes_sent;
  out.bytes_received = r.bytes_received;
  out.status = r.status;
  out.attribute_count = static_cast<std::uint32_t>(r.attributes.size());
  out.id = plugin::str(r.id);
  out.session = plugin::str(r.session);
  out.error = plugin::str(r.error);
  out.finish_reason = plugin::str(r.finish_reason);
  out.text = plugin::str(r.text);
  out.token_count = r.tokens.size();
  if (r.tokens.empty()) return;
  out.first_token_ns = r.tokens.front();
  out.last_token_ns = r.tokens.back();
}

batch::batch(std::vector<client::record> records, bool stamps) : records_(std::move(records)) {
  std::size_t stamp_count = 0;
  std::size_t attribute_count = 0;
  for (const client::record& r : records_) {
    if (stamps) stamp_count += r.tokens.size();
    attribute_count += r.attributes.size();
  }
  // The code below adds exactly this number of elements, so pointers into the array stay valid.
  stamps_.reserve(stamp_count);
  attributes_.reserve(attribute_count);
  views_.resize(records_.size());
  bytes_ = records_.size() * (sizeof(client::record) + sizeof(ifb_record)) +
           stamp_count * sizeof(std::uint64_t) + attribute_count * sizeof(ifb_field);
  for (std::size_t i = 0; i < records_.size(); ++i) {
    client::record& r = records_[i];
    ifb_record& view = views_[i];
    describe(r, view);
    if (stamps) {
      view.token_ns = stamps_.data() + stamps_.size();
      r.tokens.for_each([&](std::uint64_t at) { stamps_.push_back(at); });
    }
    // The views do not point to the stamps of the records, so these are freed.
    r.tokens = client::stamps();
    view.attributes = attributes_.data() + attributes_.size();
    for (const auto& [key, value] : r.attributes) {
      attributes_.push_back({plugin::str(key), plugin::str(value)});
      bytes_ += key.size() + value.size();
    }
    for (const std::string* text : {&r.id, &r.session, &r.error, &r.finish_reason, &r.text})
      bytes_ += text->size();
  }
}

}  // namespace inferbench::report
