// A request body: the part that all requests of a run share is serialised once, the
// part of one request is written into its arena, and both leave as a gather list.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <inferbench/abi.h>
#include <inferbench/host.hpp>

#include "json.hpp"

namespace bodies {

/// The bytes of a body in their order, as pieces of memory. Belongs to one request; the pieces
/// lie in its arena, or are the texts that refer() was given.
class gather_list {
 public:
  explicit gather_list(ifb::arena memory) : memory_(memory) {}

  /// Adds a piece without a copy: `bytes` must outlive the request. Short bytes are
  /// copied all the same, because one more piece costs the socket more than the copy.
  void refer(std::string_view bytes);
  void copy(std::string_view bytes);
  /// A copy of `text` that lives as long as the request, and is no part of the body.
  [[nodiscard]] std::string_view keep(std::string_view text) const { return memory_.copy(text); }
  /// Room for `size` bytes at the end of the body, to be filled in now.
  [[nodiscard]] char* append(std::size_t size);
  void number(std::int64_t value);
  /// `text` as a JSON string. A long text that needs no escape is not copied.
  void quote(std::string_view text);
  /// The standard alphabet, padded, without quotes.
  void base64(std::string_view bytes);

  [[nodiscard]] std::span<const ifb_bytes> parts() const noexcept { return parts_; }

 private:
  ifb::arena memory_;
  std::vector<ifb_bytes> parts_;
  char* free_ = nullptr;  // rest of the arena block that the last part may grow into
  std::size_t room_ = 0;
  bool growing_ = false;  // the last part ends at free_
};

/// The values that differ from request to request.
enum class slot : std::uint8_t {
  none,
  model,
  prompt,
  beside_prompt,  // the prompt's second member: documents, modality
  limit           // how long the answer may be; a body without a limit lacks the member
};

/// The members of a body in their order. Made once in create; copied only for a
/// sample with overrides of its own.
class body_layout {
 public:
  /// Sets a member: one of that name is replaced where it stands.
  void set(std::string_view key, std::string json);
  void set(std::string_view key, slot filled_per_request);
  void overlay(std::span<const member> members);

  /// The JSON text of a member that is no slot; empty when there is none.
  [[nodiscard]] std::string_view find(std::string_view key) const noexcept;

  /// Completes the layout: put() and streams() may follow, set() may not.
  void close();

  /// Whether the body asks for a stream.
  [[nodiscard]] bool streams() const noexcept { return streams_; }

  /// How a body is written.
  struct way {
    bool lasts = false;    // the layout outlives the request, so that long texts need no copy
    bool limited = false;  // with the member of slot::limit, if there is one
  };
  /// Writes the body; `fill(slot, gather&)` writes the value of each slot, in order.
  template <typename filler>
  void put(gather_list& out, way how, const filler& fill) const {
    for (const auto& p : how.limited ? limited_ : unlimited_) {
      if (how.lasts)
        out.refer(p.text);
      else
        out.copy(p.text);
      if (p.after != slot::none) fill(p.after, out);
    }
  }

  struct entry {
    std::string key;
    std::string json;  // empty for a slot
    slot kind;
  };
  /// The members, for bodies that are no JSON.
  [[nodiscard]] std::span<const entry> entries() const noexcept { return entries_; }

 private:
  struct piece {
    std::string text;
    slot after;  // what follows the text
  };
  void set(entry made);
  [[nodiscard]] std::vector<piece> pieces(bool limited) const;

  std::vector<entry> entries_;
  std::vector<piece> limited_;
  std::vector<piece> unlimited_;
  bool streams_ = false;
};

}  // namespace bodies
