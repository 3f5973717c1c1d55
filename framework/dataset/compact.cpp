#include "dataset/compact.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>

#include <inferbench/views.hpp>

#include "plugin/struct_copy.hpp"

namespace inferbench::dataset {

namespace {

// Bytes of an arena whose unused part is small beside its contents.
constexpr std::size_t large_arena = std::size_t{64} << 10U;

/// Copies what the arena of a sample owns.
class compact_copy {
 public:
  compact_copy(const base::arena& from, base::arena& to) : from_(from), to_(to) {}

  [[nodiscard]] bool complete() const { return complete_; }

  void move(ifb_str& text) { text.data = moved(text.data, text.size); }
  void move(ifb_bytes& data) { data.data = moved(data.data, data.size); }

  void move(ifb_part_list& list) {
    move_all(list, [this](ifb_part& part) {
      if (part.mime != nullptr) part.mime = moved(part.mime, std::strlen(part.mime) + 1);
      move(part.data);
      move(part.uri);
      move(part.name);
    });
  }
  void move(ifb_message_list& list) {
    move_all(list, [this](ifb_message& message) {
      move(message.role);
      move(message.parts);
      move(message.json);
    });
  }
  void move_metadata(ifb_sample& sample) {
    if (sample.metadata_count == 0) return;
    auto* const fields =
        static_cast<ifb_field*>(to_.alloc(sample.metadata_count * sizeof(ifb_field)));
    if (fields == nullptr) {
      complete_ = false;
      return;
    }
    for (std::size_t i = 0; i < sample.metadata_count; ++i) {
      fields[i] = sample.metadata[i];
      move(fields[i].name);
      move(fields[i].value);
    }
    sample.metadata = fields;
  }

 private:
  template <typename element>
  const element* moved(const element* data, std::size_t size) {
    if (size == 0 || !from_.owns(data)) return data;
    void* const out = to_.alloc(size);
    if (out == nullptr) {
      complete_ = false;
      return data;
    }
    std::memcpy(out, data, size);
    return static_cast<const element*>(out);
  }

  template <typename list, typename mover>
  void move_all(list& elements, mover&& move_one) {
    using element = std::remove_const_t<std::remove_pointer_t<decltype(elements.first)>>;
    if (elements.count == 0) return;
    auto* const out = static_cast<element*>(to_.alloc(elements.count * sizeof(element)));
    if (out == nullptr) {
      complete_ = false;
      return;
    }
    for (std::uint32_t i = 0; i < elements.count; ++i) {
      out[i] = plugin::struct_copy(ifb::view(elements)[i]);
      move_one(out[i]);
    }
    elements = {out, elements.count, sizeof(element)};
  }

  const base::arena& from_;
  base::arena& to_;
  bool complete_ = true;
};

}  // namespace

sample_ptr compacted(sample_ptr from, base::arena& memory) {
  if (from->arena.used() > large_arena) return from;
  sample_ptr out(new sample);
  out->sequence = from->sequence;
  out->row = from->row;
  out->c = from->c;
  compact_copy copy(from->arena, memory);
  ifb_sample& c = out->c;
  copy.move(c.prompt);
  copy.move(c.messages);
  copy.move(c.media);
  for (ifb_str* const text : {&c.id, &c.model, &c.session, &c.overrides})
    copy.move(*text);
  copy.move_metadata(c);
  return copy.complete() ? std::move(out) : std::move(from);
}

}  // namespace inferbench::dataset
