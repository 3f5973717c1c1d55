// The JSON frames of the host, as bytes that can be sent. Pure functions, any thread.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include <inferbench/draft/batch_engine.h>
#include <inferbench/host.hpp>

#include "frame.hpp"

namespace python_engine {

[[nodiscard]] std::string simple_frame(frame_kind kind, std::string_view payload = {});
[[nodiscard]] std::string hello_frame(std::string_view host_version);
/// `options` is the text of a JSON object.
[[nodiscard]] std::string load_frame(std::string_view options);
[[nodiscard]] std::string ping_frame(std::uint64_t now_ns);
/// Throws failure: IFB_E_UNSUPPORTED for an unknown mode and for more than 2^24 items.
[[nodiscard]] std::string run_frame(const ifb_batch& batch, std::uint64_t number);

/// Throws failure for an item that send_items() could not send, or that the worker would refuse.
/// `memory` holds the text of messages.
void check_items(const ifb_batch& batch, ifb::arena memory);

/// The items of a batch in frames of at most 1,024 items, and about 4 MiB; `send` gets each frame.
/// `memory` holds the text of messages. Throws failure: IFB_E_UNSUPPORTED for a sample that the
/// protocol cannot express ("item 3: ..."), IFB_E_CONFIG for an item without a length.
void send_items(const ifb_batch& batch, ifb::arena memory,
                const std::function<void(std::string_view)>& send);

/// A single request, in the arena of its call. `detokenize`: convert the output to text.
[[nodiscard]] std::string submit_frame(std::uint64_t request, const ifb_sample& sample,
                                       ifb::arena memory, const ifb_sampling& sampling,
                                       bool detokenize);
[[nodiscard]] std::string abort_frame(std::uint64_t request);

}  // namespace python_engine
