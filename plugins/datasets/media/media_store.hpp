// Encoded media, each made once and kept until the end of the run.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>

#include <inferbench/arena.hpp>

namespace row_media {

/// The content of a media file.
struct encoded_medium {
  std::string file;
  double seconds = 0;  // the length of a sound, otherwise 0
};

/// Like encoded_medium, but the bytes belong to the store or to an arena.
struct medium_view {
  std::string_view file;
  double seconds = 0;
};

/// Any thread may call the functions. No medium is ever removed, so a sample may point into the
/// store. When the budget is spent, further media are not kept.
class media_store {
 public:
  static constexpr std::size_t usual_budget = std::size_t{256} << 20U;

  /// `budget`: the largest sum of the sizes of all media that are kept, in bytes.
  explicit media_store(std::size_t budget = usual_budget) : budget_(budget) {}
  media_store(const media_store&) = delete;
  media_store& operator=(const media_store&) = delete;

  using maker = std::function<encoded_medium()>;

  /// Returns the medium with this key, which is kept or is made now. If a new medium does not fit
  /// into the budget, or `key` is empty, it is copied into `memory` instead. A medium that another
  /// thread is making is waited for. An exception of `make` is passed on, and nothing is kept. The
  /// view lives as long as both the store and the arena.
  [[nodiscard]] medium_view get(const std::string& key, ifb::arena memory, const maker& make);

  /// Makes the medium and keeps it. Returns false if it does not fit into the budget; the call has
  /// then only shown that it can be made. `key` must not be empty.
  [[nodiscard]] bool fill(const std::string& key, const maker& make);

  /// The sum of the sizes of all media that are kept, in bytes.
  [[nodiscard]] std::size_t size() const;

 private:
  struct entry {
    encoded_medium medium;
    bool made = false;  // false: a thread is making it
  };
  /// The result of looking for a medium.
  struct finding {
    const encoded_medium* medium = nullptr;  // null: the caller makes it
    bool claimed = false;                    // the caller must then call keep() or give_up()
  };

  [[nodiscard]] const encoded_medium* made(const std::string& key, const maker& make,
                                           encoded_medium& unkept);
  [[nodiscard]] finding find_or_claim(const std::string& key);
  [[nodiscard]] const encoded_medium* keep(const std::string& key, encoded_medium& medium);
  void give_up(const std::string& key) noexcept;

  std::size_t budget_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;                 // an entry is made or was given up
  std::unordered_map<std::string, entry> entries_;  // its elements do not move
  std::size_t used_ = 0;
};

}  // namespace row_media
