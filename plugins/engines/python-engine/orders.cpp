#include "orders.hpp"

#include <inferbench/json_writer.hpp>

#include "item_writer.hpp"

namespace python_engine {

namespace {

constexpr std::uint32_t most_items_of_a_batch = 1U << 24U;
constexpr std::uint32_t most_items_of_a_frame = 1024;
constexpr std::size_t full_frame = std::size_t{4} << 20U;

const char* name_of_mode(std::uint32_t mode) {
  switch (mode) {
    case IFB_BATCH_GENERATE: return "generate";
    case IFB_BATCH_CHAT: return "chat";
    case IFB_BATCH_BEAM_SEARCH: return "beam_search";
    default: break;
  }
  throw ifb::failure{IFB_E_UNSUPPORTED,
                     "this version of the plugin has no mode " + std::to_string(mode)};
}

void write_sampling(ifb::json_writer& out, const ifb_sampling& sampling) {
  out.begin_object();
  out.member("n", sampling.n);
  out.member("temperature", sampling.temperature);
  out.member("top_p", sampling.top_p);
  out.member("ignore_eos", (sampling.flags & IFB_SAMPLING_IGNORE_EOS) != 0);
  out.key("max_tokens");
  if (sampling.max_tokens < 0)
    out.null();
  else
    out.integer(sampling.max_tokens);
  out.member("beam_width", sampling.beam_width);
  out.end_object();
}

ifb::strided<ifb_batch_item> items_of(const ifb_batch& batch) {
  return {batch.items, batch.item_count, batch.item_stride};
}

/// Calls `use`; a failure names the item.
template <typename call>
void with_number(std::uint32_t item, const call& use) {
  try {
    use();
  } catch (const ifb::failure& e) {
    throw ifb::failure{e.code(), "item " + std::to_string(item) + ": " + e.message()};
  }
}

/// A frame whose payload is the length of the JSON, the JSON, and blobs.
std::string frame_with_blobs(frame_kind kind, std::string_view json, std::string_view blobs) {
  std::string out = frame_header(kind, 4 + json.size() + blobs.size());
  append_number(out, json.size(), 4);
  out += json;
  out += blobs;
  return out;
}

}  // namespace

std::string simple_frame(frame_kind kind, std::string_view payload) {
  return frame_header(kind, payload.size()) += payload;
}

std::string hello_frame(std::string_view host_version) {
  ifb::json_writer out;
  out.begin_object();
  out.member("protocol", 1);
  out.member("host", "inferbench " + std::string(host_version));
  out.end_object();
  return simple_frame(frame_kind::hello, out.take());
}

std::string load_frame(std::string_view options) {
  ifb::json_writer out;
  out.begin_object();
  out.key("options");
  out.raw(options);
  out.end_object();
  return simple_frame(frame_kind::load, out.take());
}

std::string ping_frame(std::uint64_t now_ns) {
  std::string payload;
  append_number(payload, now_ns, 8);
  return simple_frame(frame_kind::ping, payload);
}

std::string run_frame(const ifb_batch& batch, std::uint64_t number) {
  if (batch.item_count > most_items_of_a_batch)
    throw ifb::failure{IFB_E_UNSUPPORTED, std::to_string(batch.item_count) +
                                              " items are more than the 16777216 of a batch"};
  ifb::json_writer out;
  out.begin_object();
  out.member("run", number);
  out.member("mode", name_of_mode(batch.mode));
  out.member("count", batch.item_count);
  out.member("async", (batch.flags & IFB_BATCH_ASYNC) != 0);
  out.member("prequeue", (batch.flags & IFB_BATCH_PREQUEUE) != 0);
  out.member("profile", (batch.flags & IFB_BATCH_PROFILE) != 0);
  out.member("detokenize", (batch.flags & IFB_BATCH_NO_TEXT) == 0);
  if (batch.request_id_prefix.size > 0)
    out.member("request_id_prefix", ifb::view(batch.request_id_prefix));
  out.key("sampling");
  write_sampling(out, *batch.sampling);
  out.end_object();
  return simple_frame(frame_kind::run, out.take());
}

void check_items(const ifb_batch& batch, ifb::arena memory) {
  const auto items = items_of(batch);
  for (std::uint32_t i = 0; i < items.size(); ++i)
    with_number(i, [&] {
      if (batch.sampling->max_tokens < 0 && items[i].sample->output_tokens < 0)
        throw ifb::failure{IFB_E_CONFIG, "no length of the output is known"};
      item_writer::check(*items[i].sample);
      item_writer::check_messages(*items[i].sample, batch.mode == IFB_BATCH_CHAT, memory);
    });
}

void send_items(const ifb_batch& batch, ifb::arena memory,
                const std::function<void(std::string_view)>& send) {
  const auto items = items_of(batch);
  for (std::uint32_t next = 0; next < items.size();) {
    item_writer writer(memory);
    ifb::json_writer& out = writer.json();
    out.begin_object();
    out.member("first", next);
    out.key("items");
    out.begin_array();
    for (std::uint32_t in_frame = 0;
         next < items.size() && in_frame < most_items_of_a_frame && writer.size() < full_frame;
         ++in_frame, ++next)
      with_number(next, [&] {
        writer.write(*items[next].sample, batch.mode == IFB_BATCH_CHAT, items[next].adapter);
      });
    out.end_array();
    out.end_object();
    send(frame_with_blobs(frame_kind::items, out.text(), writer.blobs()));
  }
}

std::string submit_frame(std::uint64_t request, const ifb_sample& sample, ifb::arena memory,
                         const ifb_sampling& sampling, bool detokenize) {
  item_writer writer(memory);
  ifb::json_writer& out = writer.json();
  out.begin_object();
  out.member("request", request);
  out.member("detokenize", detokenize);
  out.key("sampling");
  write_sampling(out, sampling);
  out.key("item");
  writer.write(sample, sample.shape == IFB_PROMPT_CHAT, nullptr);
  out.end_object();
  return frame_with_blobs(frame_kind::submit, out.text(), writer.blobs());
}

std::string abort_frame(std::uint64_t request) {
  ifb::json_writer out;
  out.begin_object();
  out.member("request", request);
  out.end_object();
  return simple_frame(frame_kind::abort, out.take());
}

}  // namespace python_engine
