// The completed operation tables of abi.h. Each call of a table exists also as a member function
// with the same name and parameters, which hides the function pointer. The member function leaves a
// breadcrumb and, if a run makes the call often, is timed (cost.hpp):
//
//   const codec ops = codec_of(backend);
//   ops.open(backend.get(), &sample, &arena, &exchange, &error);
//
// No member is NULL. A member that the plugin left out has the default behaviour of the contract.
// The tags in abi.h specify the allowed threads. An exception that leaves a call is reported with
// plugin and call (breadcrumb.hpp). A status that a call does not have is IFB_E_INTERNAL
// (status.hpp), except for backends.
#pragma once

#include <inferbench/abi.h>

#include "plugin/breadcrumb.hpp"
#include "plugin/cost.hpp"
#include "plugin/status.hpp"

namespace inferbench::plugin {

/// A status is returned as the plugin returned it, because only the client knows the request that
/// it fails (client::answer::refuse). The same is true for an engine.
struct codec : ifb_http_codec {
  const ifb_plugin* plugin = nullptr;
  cost_sheet* costs = nullptr;  // nullptr: no call is timed

  ifb_status open(ifb_instance* self, const ifb_sample* sample, ifb_arena* arena,
                  ifb_exchange** out, ifb_error* error) const {
    const crossing inside(plugin, call::open, costs);
    return inside.run([&] { return ifb_http_codec::open(self, sample, arena, out, error); });
  }
  ifb_status request(ifb_exchange* self, ifb_http_request* out, ifb_error* error) const {
    const crossing inside(plugin, call::request, costs);
    return inside.run([&] { return ifb_http_codec::request(self, out, error); });
  }
  /// If the plugin left this out, returns IFB_OK and sets IFB_FRAMING_AUTO.
  ifb_status on_head(ifb_exchange* self, const ifb_http_head* head, std::uint32_t* framing,
                     ifb_error* error) const {
    const crossing inside(plugin, call::on_head, hears_head ? costs : nullptr);
    return inside.run([&] { return ifb_http_codec::on_head(self, head, framing, error); });
  }
  ifb_status on_message(ifb_exchange* self, const ifb_http_message* message,
                        const ifb_events* events, ifb_output* output, ifb_error* error) const {
    const crossing inside(plugin, call::on_message, costs);
    return inside.run(
        [&] { return ifb_http_codec::on_message(self, message, events, output, error); });
  }
  ifb_status on_end(ifb_exchange* self, const ifb_http_end* end, const ifb_events* events,
                    ifb_output* output, ifb_error* error) const {
    const crossing inside(plugin, call::on_end, costs);
    return inside.run([&] { return ifb_http_codec::on_end(self, end, events, output, error); });
  }
  void close(ifb_exchange* self) const {
    const crossing inside(plugin, call::close, costs);
    inside.run_last([&] { ifb_http_codec::close(self); });
  }
  /// If the plugin left this out, returns IFB_OK and changes nothing.
  ifb_status sign(ifb_exchange* self, const ifb_http_target* target, ifb_http_request* request,
                  ifb_error* error) const {
    const crossing inside(plugin, call::sign, signs ? costs : nullptr);
    return inside.run([&] { return ifb_http_codec::sign(self, target, request, error); });
  }

  /// Whether the codec authenticates its requests itself, so that the host adds no API key.
  [[nodiscard]] bool authorizes() const noexcept { return (flags & IFB_CODEC_AUTHORIZES) != 0; }

  bool hears_head = false;  // the plugin has its own on_head()
  bool signs = false;       // the plugin has its own sign()
};

struct engine : ifb_engine {
  const ifb_plugin* plugin = nullptr;
  cost_sheet* costs = nullptr;  // nullptr: no call is timed

  [[nodiscard]] bool blocks() const noexcept { return (flags & IFB_ENGINE_BLOCKING) != 0; }

  ifb_status submit(ifb_instance* self, const ifb_sample* sample, ifb_arena* arena,
                    const ifb_events* events, ifb_output* output, ifb_call** out,
                    ifb_error* error) const {
    // A blocking submit takes as long as the server needs, so it is not timed.
    const crossing inside(plugin, call::submit, blocks() ? nullptr : costs);
    return inside.run(
        [&] { return ifb_engine::submit(self, sample, arena, events, output, out, error); });
  }
  void cancel(ifb_call* self) const {
    const breadcrumb inside(plugin, "cancel");
    inside.run([&] { ifb_engine::cancel(self); });
  }
  void release(ifb_call* self) const {
    const crossing inside(plugin, call::release, costs);
    inside.run_last([&] { ifb_engine::release(self); });
  }
};

struct dataset : ifb_dataset {
  const ifb_plugin* plugin = nullptr;
  cost_sheet* costs = nullptr;  // nullptr: no call is timed

  /// On success, `out` has the flags of the table, too.
  ifb_status prepare(ifb_instance* self, const ifb_dataset_request* request, ifb_dataset_info* out,
                     ifb_error* error) const {
    const breadcrumb inside(plugin, "prepare");
    const ifb_status status =
        settled(inside.run([&] { return ifb_dataset::prepare(self, request, out, error); }),
                "prepare", error);
    if (status == IFB_OK) out->flags |= flags;
    return status;
  }
  ifb_status read(ifb_instance* self, std::uint64_t row, ifb_arena* arena, ifb_sample* out,
                  ifb_error* error) const {
    const crossing inside(plugin, call::read, costs);
    return settled(inside.run([&] { return ifb_dataset::read(self, row, arena, out, error); }),
                   "read", error, {IFB_END, IFB_SKIP});
  }
};

struct reporter : ifb_reporter {
  const ifb_plugin* plugin = nullptr;
  cost_sheet* costs = nullptr;  // nullptr: no call is timed

  ifb_status begin(ifb_instance* self, const ifb_run* run, ifb_error* error) const {
    const breadcrumb inside(plugin, "begin");
    return settled(inside.run([&] { return ifb_reporter::begin(self, run, error); }), "begin",
                   error);
  }
  /// If the plugin left this out, returns IFB_OK.
  ifb_status records(ifb_instance* self, const ifb_record* first, std::size_t count,
                     std::size_t stride, ifb_error* error) const {
    const crossing inside(plugin, call::records, costs, count);
    return settled(
        inside.run([&] { return ifb_reporter::records(self, first, count, stride, error); }),
        "records", error);
  }
  /// If the plugin left this out, returns IFB_OK.
  ifb_status snapshot(ifb_instance* self, const ifb_snapshot* figures, ifb_error* error) const {
    const breadcrumb inside(plugin, "snapshot");
    return settled(inside.run([&] { return ifb_reporter::snapshot(self, figures, error); }),
                   "snapshot", error);
  }
  ifb_status end(ifb_instance* self, const ifb_summary* summary, ifb_error* error) const {
    const breadcrumb inside(plugin, "end");
    return settled(inside.run([&] { return ifb_reporter::end(self, summary, error); }), "end",
                   error);
  }

  bool takes_records = false;    // the plugin has its own records()
  bool takes_snapshots = false;  // the plugin has its own snapshot()
};

/// A reporter of several runs. Its calls are never timed, because no traffic is under way.
struct table_reporter : ifb_table_reporter {
  const ifb_plugin* plugin = nullptr;
  cost_sheet* costs = nullptr;

  ifb_status begin(ifb_instance* self, const ifb_table* table, ifb_error* error) const {
    const breadcrumb inside(plugin, "begin");
    return settled(inside.run([&] { return ifb_table_reporter::begin(self, table, error); }),
                   "begin", error);
  }
  /// If the plugin left this out, returns IFB_OK.
  ifb_status records(ifb_instance* self, const ifb_table_run* of, const ifb_record* first,
                     std::size_t count, std::size_t stride, ifb_error* error) const {
    const breadcrumb inside(plugin, "records");
    return settled(inside.run([&] {
      return ifb_table_reporter::records(self, of, first, count, stride, error);
    }),
                   "records", error);
  }
  ifb_status run(ifb_instance* self, const ifb_table_run* one, ifb_error* error) const {
    const breadcrumb inside(plugin, "run");
    return settled(inside.run([&] { return ifb_table_reporter::run(self, one, error); }), "run",
                   error);
  }
  ifb_status end(ifb_instance* self, const ifb_table_end* all, ifb_error* error) const {
    const breadcrumb inside(plugin, "end");
    return settled(inside.run([&] { return ifb_table_reporter::end(self, all, error); }), "end",
                   error);
  }

  bool takes_records = false;  // the plugin has its own records()
};

/// `error` may be null in all calls of a tokenizer.
struct tokenizer : ifb_tokenizer {
  const ifb_plugin* plugin = nullptr;
  cost_sheet* costs = nullptr;  // nullptr: no call is timed

  ifb_status vocabulary(const ifb_instance* self, ifb_vocabulary* out, ifb_error* error) const {
    const breadcrumb inside(plugin, "vocabulary");
    return settled(inside.run([&] { return ifb_tokenizer::vocabulary(self, out, error); }),
                   "vocabulary", error);
  }
  /// If the plugin left this out, the result is the number of ids that encode needs. A plain C
  /// function does not know the plugin's encode, so in this case the function pointer in the table
  /// returns IFB_E_UNSUPPORTED; see `counts`.
  ifb_status count(const ifb_instance* self, ifb_str text, std::uint32_t flags, std::uint64_t* out,
                   ifb_error* error) const {
    if (!counts) {
      std::size_t needed = 0;
      const ifb_status status = encode(self, text, flags, nullptr, 0, &needed, error);
      if (status == IFB_OK) *out = needed;
      return status;
    }
    const crossing inside(plugin, call::count, costs, text.size);
    return settled(inside.run([&] { return ifb_tokenizer::count(self, text, flags, out, error); }),
                   "count", error);
  }
  ifb_status encode(const ifb_instance* self, ifb_str text, std::uint32_t flags, std::uint32_t* ids,
                    std::size_t capacity, std::size_t* needed, ifb_error* error) const {
    const crossing inside(plugin, call::encode, costs, text.size);
    return settled(inside.run([&] {
      return ifb_tokenizer::encode(self, text, flags, ids, capacity, needed, error);
    }),
                   "encode", error);
  }
  ifb_status decode(const ifb_instance* self, const std::uint32_t* ids, std::size_t size,
                    std::uint32_t flags, char* text, std::size_t capacity, std::size_t* needed,
                    ifb_error* error) const {
    const breadcrumb inside(plugin, "decode");
    return settled(inside.run([&] {
      return ifb_tokenizer::decode(self, ids, size, flags, text, capacity, needed, error);
    }),
                   "decode", error);
  }
  /// If the plugin left this out, returns IFB_E_UNSUPPORTED. The same is true for render.
  ifb_status encode_pair(const ifb_instance* self, ifb_str text, ifb_str pair, std::uint32_t flags,
                         std::uint32_t* ids, std::uint32_t* type_ids, std::size_t capacity,
                         std::size_t* needed, ifb_error* error) const {
    const breadcrumb inside(plugin, "encode_pair");
    return settled(inside.run([&] {
      return ifb_tokenizer::encode_pair(self, text, pair, flags, ids, type_ids, capacity, needed,
                                        error);
    }),
                   "encode_pair", error);
  }
  ifb_status render(const ifb_instance* self, ifb_str chat, char* text, std::size_t capacity,
                    std::size_t* needed, ifb_error* error) const {
    const breadcrumb inside(plugin, "render");
    return settled(inside.run([&] {
      return ifb_tokenizer::render(self, chat, text, capacity, needed, error);
    }),
                   "render", error);
  }

  bool counts = false;  // the plugin has its own count()
};

}  // namespace inferbench::plugin
