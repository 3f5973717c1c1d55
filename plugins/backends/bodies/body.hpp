// A request body: the members that all requests of a run share are serialised once. The members of
// one request are written into its arena. Both leave as one gather list.
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

/// The bytes of a body in their order, as pieces of memory. Belongs to one request. Each piece lies
/// in the arena of the request, or is a text that was passed to refer().
class gather_list {
 public:
  explicit gather_list(ifb::arena memory) : memory_(memory) {}

  /// Adds a piece without a copy: `bytes` must outlive the request. Short bytes are nevertheless
  /// copied, because one more piece costs the socket more than the copy.
  void refer(std::string_view bytes);
  void copy(std::string_view bytes);
  /// Returns a copy of `text` that lives as long as the request. The copy is not added to the body.
  [[nodiscard]] std::string_view keep(std::string_view text) const { return memory_.copy(text); }
  /// Adds `size` bytes at the end of the body. The caller must fill them before the next call.
  [[nodiscard]] char* append(std::size_t size);
  void number(std::int64_t value);
  /// Adds `text` as a JSON string. A long text that needs no escape is not copied.
  void quote(std::string_view text);
  /// Adds `bytes` as Base64 with the standard alphabet and padding, without quotes.
  void base64(std::string_view bytes);

  [[nodiscard]] std::span<const ifb_bytes> parts() const noexcept { return parts_; }

 private:
  ifb::arena memory_;
  std::vector<ifb_bytes> parts_;
  char* free_ = nullptr;  // the free bytes of the arena block, into which the last part may grow
  std::size_t room_ = 0;
  bool growing_ = false;  // the last part ends at free_
};

/// The values that differ from request to request.
enum class slot : std::uint8_t {
  none,
  model,
  prompt,
  beside_prompt,  // the second member that the prompt needs: documents, modality
  limit           // the maximum length of the answer; a body without a limit lacks the member
};

/// The members of a body in their order. Created once per instance. It is copied only for a sample
/// that has overrides.
class body_layout {
 public:
  /// Sets a member. A member with the same name is replaced, and its place does not change.
  void set(std::string_view key, std::string json);
  void set(std::string_view key, slot filled_per_request);
  void overlay(std::span<const member> members);

  /// Returns the JSON text of a member with a constant value; empty if there is no such member, or
  /// if the member is a slot.
  [[nodiscard]] std::string_view find(std::string_view key) const noexcept;

  /// Completes the layout: put() and streams() may be called afterwards, set() may not.
  void close();

  /// Returns whether the body asks for a stream.
  [[nodiscard]] bool streams() const noexcept { return streams_; }

  /// The manner in which put() writes a body.
  struct way {
    bool lasts = false;    // the layout outlives the request, so long texts need no copy
    bool limited = false;  // the member of slot::limit is written, if the layout has this member
  };
  /// Writes the body; `fill(slot, gather_list&)` writes the value of each slot, in order.
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
  /// The members, for bodies in a format other than JSON.
  [[nodiscard]] std::span<const entry> entries() const noexcept { return entries_; }

 private:
  struct piece {
    std::string text;
    slot after;  // the slot whose value follows the text
  };
  void set(entry made);
  [[nodiscard]] std::vector<piece> pieces(bool limited) const;

  std::vector<entry> entries_;
  std::vector<piece> limited_;
  std::vector<piece> unlimited_;
  bool streams_ = false;
};

}  // namespace bodies
