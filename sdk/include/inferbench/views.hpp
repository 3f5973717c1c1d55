// Ranges over the arrays of the contract. The writer of an array states the distance between two
// elements (rule R5 in abi.h), so an array from a newer or older header is read correctly. Members
// that were added after version 1.0 still need IFB_HAS().
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <span>
#include <string_view>

#include <inferbench/abi.h>
#include <inferbench/guard.hpp>
#include <inferbench/text.hpp>

namespace ifb {

/// A view of an array of structs, which may be longer in other versions of abi.h. It is a
/// random-access range; copies refer to the same array.
template <typename element>
class strided {
 public:
  class iterator {
   public:
    using value_type = element;
    using reference = const element&;
    using pointer = const element*;
    using difference_type = std::ptrdiff_t;
    using iterator_category = std::random_access_iterator_tag;

    constexpr iterator() = default;
    iterator(const std::byte* at, std::ptrdiff_t stride) noexcept : at_(at), stride_(stride) {}

    reference operator*() const noexcept { return *reinterpret_cast<pointer>(at_); }
    pointer operator->() const noexcept { return reinterpret_cast<pointer>(at_); }
    reference operator[](difference_type n) const noexcept { return *(*this + n); }

    iterator& operator+=(difference_type n) noexcept { return at_ += n * stride_, *this; }
    iterator& operator-=(difference_type n) noexcept { return at_ -= n * stride_, *this; }
    iterator& operator++() noexcept { return *this += 1; }
    iterator& operator--() noexcept { return *this -= 1; }
    iterator operator++(int) noexcept {
      const iterator before = *this;
      ++*this;
      return before;
    }
    iterator operator--(int) noexcept {
      const iterator before = *this;
      --*this;
      return before;
    }

    friend iterator operator+(iterator i, difference_type n) noexcept { return i += n; }
    friend iterator operator+(difference_type n, iterator i) noexcept { return i += n; }
    friend iterator operator-(iterator i, difference_type n) noexcept { return i -= n; }
    friend difference_type operator-(iterator a, iterator b) noexcept {
      return a.at_ == b.at_ ? 0 : (a.at_ - b.at_) / a.stride_;
    }
    friend bool operator==(iterator a, iterator b) noexcept { return a.at_ == b.at_; }
    friend auto operator<=>(iterator a, iterator b) noexcept { return a.at_ <=> b.at_; }

   private:
    const std::byte* at_ = nullptr;
    std::ptrdiff_t stride_ = sizeof(element);
  };

  constexpr strided() = default;
  strided(const element* first, std::size_t count, std::size_t stride) noexcept
      : first_(reinterpret_cast<const std::byte*>(first)),
        count_(first == nullptr ? 0 : count),
        stride_(static_cast<std::ptrdiff_t>(stride)) {}

  [[nodiscard]] iterator begin() const noexcept { return {first_, stride_}; }
  [[nodiscard]] iterator end() const noexcept {
    return {count_ == 0 ? first_ : first_ + static_cast<std::ptrdiff_t>(count_) * stride_, stride_};
  }
  [[nodiscard]] std::size_t size() const noexcept { return count_; }
  [[nodiscard]] bool empty() const noexcept { return count_ == 0; }
  /// `index` must be less than size().
  [[nodiscard]] const element& operator[](std::size_t index) const noexcept {
    return begin()[static_cast<std::ptrdiff_t>(index)];
  }
  [[nodiscard]] const element& front() const noexcept { return *begin(); }

 private:
  const std::byte* first_ = nullptr;
  std::size_t count_ = 0;
  std::ptrdiff_t stride_ = sizeof(element);
};

[[nodiscard]] inline strided<ifb_part> view(const ifb_part_list& list) noexcept {
  return {list.first, list.count, list.stride};
}
[[nodiscard]] inline strided<ifb_message> view(const ifb_message_list& list) noexcept {
  return {list.first, list.count, list.stride};
}
[[nodiscard]] inline strided<ifb_option> options_of(const ifb_plugin& plugin) noexcept {
  return {plugin.options, plugin.option_count, plugin.option_stride};
}
[[nodiscard]] inline strided<ifb_metric> metrics_of(const ifb_summary& summary) noexcept {
  return {summary.metrics, summary.metric_count, summary.metric_stride};
}
[[nodiscard]] inline std::span<const ifb_quantile> quantiles_of(const ifb_metric& metric) noexcept {
  return {metric.quantiles, metric.quantile_count};
}
[[nodiscard]] inline std::span<const ifb_field> attributes_of(const ifb_record& record) noexcept {
  return {record.attributes, record.attribute_count};
}
/// Returns an empty span if the host has left out the stamps (ifb_reporter_flag).
[[nodiscard]] inline std::span<const std::uint64_t> stamps_of(const ifb_record& record) noexcept {
  return {record.token_ns, record.token_ns == nullptr ? 0 : record.token_count};
}
[[nodiscard]] inline std::span<const ifb_field> metadata_of(const ifb_sample& sample) noexcept {
  return {sample.metadata, sample.metadata_count};
}
[[nodiscard]] inline std::span<const ifb_field> headers_of(const ifb_http_head& head) noexcept {
  return {head.headers, head.header_count};
}

/// Returns the ids of a TOKENS part.
[[nodiscard]] inline std::span<const std::uint32_t> tokens_of(const ifb_part& part) noexcept {
  return {static_cast<const std::uint32_t*>(part.data.data),
          part.data.size / sizeof(std::uint32_t)};
}

/// Returns the prompt of a sample of shape TEXT. For every other shape, throws failure with
/// IFB_E_UNSUPPORTED, the code with which open refuses a prompt that the backend cannot send.
[[nodiscard]] inline std::string_view prompt_text(const ifb_sample& sample) {
  const auto parts = view(sample.prompt);
  if (sample.shape != IFB_PROMPT_TEXT || parts.empty())
    throw failure{IFB_E_UNSUPPORTED, "this backend takes plain text prompts only"};
  return view(parts.front().data);
}

/// Returns structs for a dataset to fill in: struct_size is set, and every number is "unknown".
[[nodiscard]] constexpr ifb_sample blank_sample() noexcept {
  ifb_sample sample{};
  sample.struct_size = sizeof sample;
  sample.arrival_ns = -1;
  sample.input_tokens = -1;
  sample.output_tokens = -1;
  return sample;
}
[[nodiscard]] constexpr ifb_part text_part(std::string_view text) noexcept {
  ifb_part part{};
  part.struct_size = sizeof part;
  part.kind = IFB_PART_TEXT;
  part.data = bytes(text);
  return part;
}
[[nodiscard]] constexpr ifb_part_list list_of(std::span<const ifb_part> parts) noexcept {
  return {parts.data(), static_cast<std::uint32_t>(parts.size()), sizeof(ifb_part)};
}
/// `tokens` is the length of the message in the client's count, or -1.
[[nodiscard]] constexpr ifb_message message(std::string_view role, ifb_part_list parts,
                                            std::int64_t tokens = -1) noexcept {
  return {sizeof(ifb_message), 0, str(role), parts, {}, tokens};
}
/// Returns a message that consists of a complete JSON object, which is sent unchanged.
[[nodiscard]] constexpr ifb_message json_message(std::string_view role,
                                                 std::string_view object) noexcept {
  return {sizeof(ifb_message), 0, str(role), {}, str(object), -1};
}
[[nodiscard]] constexpr ifb_message_list list_of(std::span<const ifb_message> messages) noexcept {
  return {messages.data(), static_cast<std::uint32_t>(messages.size()), sizeof(ifb_message)};
}

/// Returns true if the run ended before the client sent the request. Such a record has no times; it
/// must be left out of all figures and lists of requests.
[[nodiscard]] inline bool never_sent(const ifb_record& r) noexcept {
  return r.status == IFB_E_CANCELLED && r.start_ns == 0;
}

}  // namespace ifb
