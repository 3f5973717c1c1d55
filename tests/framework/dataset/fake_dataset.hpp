// A dataset plugin made of rows written in the test, called through the same tables as a plugin
// from a library.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <inferbench/views.hpp>

#include "base/log.hpp"
#include "dataset/feed.hpp"
#include "plugin/instance.hpp"

namespace fake {

struct row {
  ifb_status status = IFB_OK;
  std::string text;  // prompt, or message
};

class dataset {
 public:
  explicit dataset(std::vector<row> given, std::uint32_t flags = 0)
      : rows(std::move(given)), info_flags(flags) {
    plugin_.operations = {sizeof(ifb_dataset), 0, &prepare, &read};
    plugin_.struct_size = sizeof(ifb_plugin);
    plugin_.kind = IFB_DATASET;
    plugin_.id = "fake";
    plugin_.version = "1.0.0";
    plugin_.summary = "Rows of a test.";
    plugin_.license = "Apache-2.0";
    plugin_.create = [](const ifb_host*, const ifb_config* config, ifb_instance** out,
                        ifb_error*) -> ifb_status {
      std::memcpy(out, &config->values[0].as.i, sizeof *out);
      return IFB_OK;
    };
    plugin_.destroy = [](ifb_instance*) {};
    static constexpr const char* interfaces[] = {IFB_DATASET_OPS, nullptr};
    plugin_.interfaces = interfaces;
    plugin_.query = [](const ifb_plugin* self, const char* id) -> const void* {
      const auto& mine = static_cast<const described*>(self)->operations;
      return std::strcmp(id, IFB_DATASET_OPS) == 0 ? &mine : nullptr;
    };
  }
  dataset(const dataset&) = delete;
  dataset& operator=(const dataset&) = delete;

  /// The plugin as if it came from a library. Its create needs the value self() and no other.
  [[nodiscard]] inferbench::plugin::loaded library() {
    plugin_.operations.flags = static_flags;
    inferbench::plugin::loaded loaded;
    loaded.plugin = &plugin_;
    return loaded;
  }
  [[nodiscard]] std::int64_t self() {
    std::int64_t out = 0;
    dataset* pointer = this;
    std::memcpy(&out, &pointer, sizeof pointer);
    return out;
  }

  [[nodiscard]] std::unique_ptr<inferbench::plugin::instance> create() {
    ifb_value value{};
    value.type = IFB_INT;
    value.is_set = 1;
    value.as.i = self();
    return std::make_unique<inferbench::plugin::instance>(library(), std::span(&value, 1),
                                                          services_);
  }

  std::vector<row> rows;
  std::uint32_t info_flags;
  std::uint32_t static_flags = 0;  // ifb_dataset.flags; set it before create()
  bool counted = true;             // false: the dataset reports -1 rows
  std::int64_t too_many = 0;       // rows that the dataset reports although it does not have them
  bool shapeless = false;          // true: samples have no prompt
  bool endless = false;            // true: rows are repeated, so that every row number has a sample
  std::uint32_t shape = 0;         // replaces the shape of samples; 0: does not
  std::uint32_t part_kind = 0;     // replaces the kind of the prompt's part; 0: does not
  std::uint32_t medium_kind = 0;   // each sample has a medium of this kind, and an image; 0: none
  std::vector<std::int64_t> arrivals;  // the times of the rows; empty: 0, 1000, 2000, ...
  ifb_status prepared = IFB_OK;        // the status that prepare() returns
  std::function<void(std::uint64_t row)> reading;  // called at the beginning of each read
  // Changes the sample of a row; called at the end of each read.
  std::function<void(std::uint64_t row, ifb_sample& made)> change;
  ifb_error refusal{};  // prepare fails with it unless its code is IFB_OK
  ifb_dataset_request asked{};
  std::vector<std::uint64_t> read_rows;  // in the order of reading; do not use it while a feed runs
  std::atomic<std::size_t> reads = 0;

 private:
  /// The descriptor, with the table that query() returns.
  struct described : ifb_plugin {
    ifb_dataset operations{};
  };

  static dataset& of(ifb_instance* self) { return *reinterpret_cast<dataset*>(self); }
  [[nodiscard]] bool has(std::uint32_t flag) const {
    return ((info_flags | static_flags) & flag) != 0;
  }

  static ifb_status IFB_CALL prepare(ifb_instance* self, const ifb_dataset_request* request,
                                     ifb_dataset_info* out, ifb_error* error) {
    dataset& me = of(self);
    me.asked = *request;
    if (me.refusal.code != IFB_OK) {
      *error = me.refusal;
      return me.refusal.code;
    }
    out->flags = me.info_flags;
    out->rows = me.counted ? static_cast<std::int64_t>(me.rows.size()) + me.too_many : -1;
    return me.prepared;
  }

  static ifb_status IFB_CALL read(ifb_instance* self, std::uint64_t index, ifb_arena* arena,
                                  ifb_sample* out, ifb_error* error) {
    dataset& me = of(self);
    if (me.reading) me.reading(index);
    {
      const std::lock_guard lock(me.mutex_);
      me.read_rows.push_back(index);
    }
    ++me.reads;
    if (!me.endless && index >= me.rows.size()) return IFB_END;
    const row& wanted = me.rows[index % me.rows.size()];
    if (wanted.status != IFB_OK) {
      std::strncpy(error->message, wanted.text.c_str(), sizeof error->message - 1);
      return wanted.status;
    }
    if (me.shapeless) return IFB_OK;
    if (me.has(IFB_DATASET_SESSIONS)) {
      talk(wanted.text, *arena, *out);
      if (me.has(IFB_DATASET_ARRIVALS))
        out->arrival_ns = static_cast<std::int64_t>(index) * 50'000'000;
      if (me.change) me.change(index, *out);
      return IFB_OK;
    }
    auto* parts = static_cast<ifb_part*>(arena->alloc(3 * sizeof(ifb_part)));
    const std::string_view text = arena->copy(wanted.text);
    for (int i = 0; i < 3; ++i)
      parts[i] = ifb::text_part(text);
    if (me.part_kind != 0) parts[0].kind = me.part_kind;
    parts[1].kind = me.medium_kind;
    parts[2].kind = IFB_PART_IMAGE;
    out->shape = me.shape == 0 ? std::uint32_t{IFB_PROMPT_TEXT} : me.shape;
    out->prompt = {parts, 1, sizeof *parts};
    if (me.medium_kind != 0) out->media = {parts + 1, 2, sizeof *parts};
    out->input_tokens = static_cast<std::int64_t>(text.size());
    if (me.has(IFB_DATASET_ARRIVALS))
      out->arrival_ns =
          me.arrivals.empty() ? static_cast<std::int64_t>(index) * 1000 : me.arrivals[index];
    if (me.change) me.change(index, *out);
    return IFB_OK;
  }

  /// Makes messages from a text like "user 3 Hello|assistant 5 Hi there": role, tokens and text of
  /// each.
  static void talk(std::string_view text, ifb_arena& arena, ifb_sample& out) {
    const auto count = static_cast<std::uint32_t>(std::ranges::count(text, '|') + 1);
    auto* messages = static_cast<ifb_message*>(arena.alloc(count * sizeof(ifb_message)));
    auto* parts = static_cast<ifb_part*>(arena.alloc(count * sizeof(ifb_part)));
    for (std::uint32_t i = 0; i < count; ++i) {
      const std::string_view one = text.substr(0, text.find('|'));
      text.remove_prefix(std::min(text.size(), one.size() + 1));
      const std::size_t role = one.find(' ');
      const std::size_t tokens = one.find(' ', role + 1);
      parts[i] = ifb::text_part(arena.copy(one.substr(tokens + 1)));
      messages[i] = ifb::message(arena.copy(one.substr(0, role)), ifb::list_of({&parts[i], 1}),
                                 std::stoll(std::string(one.substr(role, tokens - role))));
    }
    out.shape = IFB_PROMPT_CHAT;
    out.messages = {messages, count, sizeof *messages};
  }

  inferbench::plugin::services services_;
  described plugin_{};
  std::mutex mutex_;
};

/// `count` rows with the prompts "r0", "r1", ...
inline std::vector<row> numbered(std::size_t count) {
  std::vector<row> out;
  for (std::size_t i = 0; i < count; ++i)
    out.push_back({IFB_OK, "r" + std::to_string(i)});
  return out;
}

/// A log that stores its lines.
class log_book {
 public:
  inferbench::base::log log{inferbench::base::log_level::trace,
                            [this](inferbench::base::log_level, std::string_view line) {
                              const std::lock_guard lock(mutex_);
                              lines_.emplace_back(line);
                            }};
  [[nodiscard]] std::vector<std::string> lines() const {
    const std::lock_guard lock(mutex_);
    return lines_;
  }

 private:
  mutable std::mutex mutex_;
  std::vector<std::string> lines_;
};

inline std::string prompt(const inferbench::dataset::sample& from) {
  return std::string(inferbench::plugin::view(from.c.prompt.first->data));
}
/// The messages of a sample as one text: "user:Hello|assistant:Hi there".
inline std::string talk_of(const ifb_sample& from) {
  std::string out;
  for (const ifb_message& message : ifb::view(from.messages)) {
    if (!out.empty()) out += '|';
    out += inferbench::plugin::view(message.role);
    for (const ifb_part& part : ifb::view(message.parts))
      out += ':' + std::string(ifb::view(part.data));
  }
  return out;
}
inline std::string id(const inferbench::dataset::sample& from) {
  return std::string(inferbench::plugin::view(from.c.id));
}

}  // namespace fake
