// The last lines that a worker wrote to its standard output and standard error, for messages about
// its end.
#pragma once

#include <cstddef>
#include <deque>
#include <functional>
#include <string>
#include <string_view>

namespace python_engine {

/// Both streams come through one pipe, so lines keep their order. A progress bar, which writes its
/// line again after a carriage return, is one line with its last text. Used by one thread at a
/// time.
class output_tail {
 public:
  /// Largest size of the kept text in bytes. A longer line loses its beginning.
  static constexpr std::size_t most_bytes = 16 * 1024;

  /// `on_line` gets each line when it ends, without control characters. It must not throw.
  explicit output_tail(std::function<void(std::string_view)> on_line = {})
      : on_line_(std::move(on_line)) {}

  void add(std::string_view text);
  /// The last lines, at most `lines`, joined by line ends: valid UTF-8 without control characters
  /// and without terminals' escape sequences. A line that has not ended is the last line.
  [[nodiscard]] std::string last(std::size_t lines) const;
  /// The last line with the name of an exception ("ModuleNotFoundError: No module named 'vllm'"),
  /// with which a traceback of Python ends; empty if there is none.
  [[nodiscard]] std::string last_exception() const;

 private:
  void keep(const std::string& line);
  [[nodiscard]] std::deque<std::string> all() const;

  std::function<void(std::string_view)> on_line_;
  std::deque<std::string> lines_;
  std::size_t bytes_ = 0;
  std::string unfinished_;
  bool returned_ = false;  // the last character was a carriage return
};

/// `text` as valid UTF-8 on one line, without control characters and escape sequences, cut in front
/// to `most` bytes.
[[nodiscard]] std::string clean_line(std::string_view text, std::size_t most);

}  // namespace python_engine
