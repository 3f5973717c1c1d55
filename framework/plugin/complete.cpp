#include "plugin/complete.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <initializer_list>
#include <string_view>

#include <inferbench/guard.hpp>

#include "plugin/batch_engine.hpp"
#include "plugin/scorer.hpp"

namespace inferbench::plugin {

namespace {

struct member {
  const char* name;
  std::size_t offset;
  bool optional = false;
};

std::uint32_t size_of(const void* table) {
  std::uint32_t out = 0;
  std::memcpy(&out, table, sizeof out);
  return out;
}

// The first of `members` that is NULL or missing in `table`. `members` are the members of version
// 1.0, in the order of the struct.
std::optional<lack> first_missing(const void* table, std::initializer_list<member> members) {
  lack out;
  out.least = static_cast<std::uint32_t>((members.end() - 1)->offset + sizeof(void*));
  if (table == nullptr) return out;
  out.size = size_of(table);
  for (const member& each : members) {
    const void* function = nullptr;
    const bool there = each.offset + sizeof function <= out.size;
    if (there)
      std::memcpy(static_cast<void*>(&function), static_cast<const std::byte*>(table) + each.offset,
                  sizeof function);
    if (function != nullptr || (there && each.optional)) continue;
    out.member = each.name;
    return out;
  }
  return std::nullopt;
}

void add_defaults(codec& out) {
  ifb_http_codec& table = out;
  out.hears_head = table.on_head != nullptr;
  if (!out.hears_head)
    table.on_head = [](ifb_exchange*, const ifb_http_head*, std::uint32_t* framing,
                       ifb_error*) -> ifb_status {
      *framing = IFB_FRAMING_AUTO;
      return IFB_OK;
    };
  out.signs = table.sign != nullptr;
  if (!out.signs)
    table.sign = [](ifb_exchange*, const ifb_http_target*, ifb_http_request*,
                    ifb_error*) -> ifb_status { return IFB_OK; };
}

void add_defaults(engine&) {}

void add_defaults(dataset&) {}

void add_defaults(reporter& out) {
  ifb_reporter& table = out;
  out.takes_records = table.records != nullptr;
  out.takes_snapshots = table.snapshot != nullptr;
  if (!out.takes_records)
    table.records = [](ifb_instance*, const ifb_record*, std::size_t, std::size_t,
                       ifb_error*) -> ifb_status { return IFB_OK; };
  if (!out.takes_snapshots)
    table.snapshot = [](ifb_instance*, const ifb_snapshot*, ifb_error*) -> ifb_status {
      return IFB_OK;
    };
}

void add_defaults(table_reporter& out) {
  ifb_table_reporter& table = out;
  out.takes_records = table.records != nullptr;
  if (!out.takes_records)
    table.records = [](ifb_instance*, const ifb_table_run*, const ifb_record*, std::size_t,
                       std::size_t, ifb_error*) -> ifb_status { return IFB_OK; };
}

void add_defaults(tokenizer& out) {
  ifb_tokenizer& table = out;
  out.counts = table.count != nullptr;
  if (!out.counts)
    table.count = [](const ifb_instance*, ifb_str, std::uint32_t, std::uint64_t*,
                     ifb_error* error) -> ifb_status {
      ifb::fill(error, IFB_E_UNSUPPORTED, "the tokenizer has no count of its own");
      return IFB_E_UNSUPPORTED;
    };
  if (table.encode_pair == nullptr)
    table.encode_pair = [](const ifb_instance*, ifb_str, ifb_str, std::uint32_t, std::uint32_t*,
                           std::uint32_t*, std::size_t, std::size_t*,
                           ifb_error* error) -> ifb_status {
      ifb::fill(error, IFB_E_UNSUPPORTED, "the tokenizer does not encode pairs");
      return IFB_E_UNSUPPORTED;
    };
  if (table.render == nullptr)
    table.render = [](const ifb_instance*, ifb_str, char*, std::size_t, std::size_t*,
                      ifb_error* error) -> ifb_status {
      ifb::fill(error, IFB_E_UNSUPPORTED, "the tokenizer has no chat template");
      return IFB_E_UNSUPPORTED;
    };
}

void add_defaults(batch_engine& out) {
  ifb_batch_engine& table = out;
  if (table.configure == nullptr)
    table.configure = [](ifb_instance*, const ifb_engine_setup*, ifb_error* error) -> ifb_status {
      ifb::fill(error, IFB_E_UNSUPPORTED,
                "the engine takes neither engine options nor an environment from the command");
      return IFB_E_UNSUPPORTED;
    };
  out.profiles = table.start_profile != nullptr && table.stop_profile != nullptr;
  if (out.profiles) return;
  table.start_profile = table.stop_profile = [](ifb_instance*, ifb_error* error) -> ifb_status {
    ifb::fill(error, IFB_E_UNSUPPORTED, "the engine has no profiler");
    return IFB_E_UNSUPPORTED;
  };
}

void add_defaults(scorer&) {}

// The C table from which the operations are derived.
ifb_http_codec& bare(codec& of) { return of; }
ifb_engine& bare(engine& of) { return of; }
ifb_batch_engine& bare(batch_engine& of) { return of; }
ifb_dataset& bare(dataset& of) { return of; }
ifb_reporter& bare(reporter& of) { return of; }
ifb_table_reporter& bare(table_reporter& of) { return of; }
ifb_tokenizer& bare(tokenizer& of) { return of; }
ifb_scorer& bare(scorer& of) { return of; }

}  // namespace

std::optional<lack> lack_of(const char* interface_id, const void* table) {
  const std::string_view id = interface_id;
  if (id == IFB_HTTP_CODEC)
    return first_missing(table, {{"open", offsetof(ifb_http_codec, open)},
                                 {"request", offsetof(ifb_http_codec, request)},
                                 {"on_head", offsetof(ifb_http_codec, on_head), true},
                                 {"on_message", offsetof(ifb_http_codec, on_message)},
                                 {"on_end", offsetof(ifb_http_codec, on_end)},
                                 {"close", offsetof(ifb_http_codec, close)},
                                 {"sign", offsetof(ifb_http_codec, sign), true}});
  if (id == IFB_ENGINE)
    return first_missing(table, {{"submit", offsetof(ifb_engine, submit)},
                                 {"cancel", offsetof(ifb_engine, cancel)},
                                 {"release", offsetof(ifb_engine, release)}});
  if (id == IFB_BATCH_ENGINE)
    return first_missing(table, {{"load", offsetof(ifb_batch_engine, load)},
                                 {"run", offsetof(ifb_batch_engine, run)},
                                 {"cancel", offsetof(ifb_batch_engine, cancel)},
                                 {"start_profile", offsetof(ifb_batch_engine, start_profile), true},
                                 {"stop_profile", offsetof(ifb_batch_engine, stop_profile), true},
                                 {"configure", offsetof(ifb_batch_engine, configure), true}});
  if (id == IFB_DATASET_OPS)
    return first_missing(table, {{"prepare", offsetof(ifb_dataset, prepare)},
                                 {"read", offsetof(ifb_dataset, read)}});
  if (id == IFB_REPORTER_OPS)
    return first_missing(table, {{"begin", offsetof(ifb_reporter, begin)},
                                 {"records", offsetof(ifb_reporter, records), true},
                                 {"snapshot", offsetof(ifb_reporter, snapshot), true},
                                 {"end", offsetof(ifb_reporter, end)}});
  if (id == IFB_TABLE_REPORTER_OPS)
    return first_missing(table, {{"begin", offsetof(ifb_table_reporter, begin)},
                                 {"records", offsetof(ifb_table_reporter, records), true},
                                 {"run", offsetof(ifb_table_reporter, run)},
                                 {"end", offsetof(ifb_table_reporter, end)}});
  if (id == IFB_TOKENIZER_OPS)
    return first_missing(table, {{"vocabulary", offsetof(ifb_tokenizer, vocabulary)},
                                 {"count", offsetof(ifb_tokenizer, count), true},
                                 {"encode", offsetof(ifb_tokenizer, encode)},
                                 {"decode", offsetof(ifb_tokenizer, decode)},
                                 {"encode_pair", offsetof(ifb_tokenizer, encode_pair), true},
                                 {"render", offsetof(ifb_tokenizer, render), true}});
  if (id == IFB_SCORER_OPS) return first_missing(table, {{"score", offsetof(ifb_scorer, score)}});
  return table == nullptr ? std::optional(lack{}) : std::nullopt;
}

template <typename operations>
operations complete(const ifb_plugin& plugin, const void* table) {
  operations out{};
  auto& whole = bare(out);
  std::memcpy(&whole, table, std::min<std::size_t>(size_of(table), sizeof whole));
  whole.struct_size = sizeof whole;
  out.plugin = &plugin;
  add_defaults(out);
  return out;
}

template codec complete(const ifb_plugin&, const void*);
template engine complete(const ifb_plugin&, const void*);
template batch_engine complete(const ifb_plugin&, const void*);
template dataset complete(const ifb_plugin&, const void*);
template reporter complete(const ifb_plugin&, const void*);
template table_reporter complete(const ifb_plugin&, const void*);
template tokenizer complete(const ifb_plugin&, const void*);
template scorer complete(const ifb_plugin&, const void*);

}  // namespace inferbench::plugin
