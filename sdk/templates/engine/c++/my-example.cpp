// An engine: a backend that performs its requests itself, for a model in this process or for a
// protocol other than HTTP. This example returns the prompt word by word. Put your model or your
// connection in place of the words.
//
// The engine blocks: run() returns when the request is over, and the host provides a thread for
// each request. For thousands of requests at the same time write an engine with a thread of its
// own; the example engine of the SDK has both kinds.

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>
#include <tuple>

#include <inferbench/plugin.hpp>

namespace {

class my_example_engine {
 public:
  static constexpr const char* id = "my-example";
  static constexpr const char* version = "0.1.0";
  static constexpr const char* summary = "Says the prompt back, word by word.";
  static constexpr const char* license = "Apache-2.0";
  static constexpr bool blocking = true;

  struct options {
    std::chrono::nanoseconds pause{};

    static constexpr auto schema() {
      return std::tuple{
          ifb::option{"pause", &options::pause, "Time before a word.", "\"1ms\""}.range(0, 1e12),
      };
    }
  };

  /// One request.
  class call {
   public:
    call(const ifb_sample& sample, std::chrono::nanoseconds pause, ifb::engine_output out)
        : prompt_(ifb::prompt_text(sample)),
          prompt_tokens_(sample.input_tokens),
          // A length that was not asked for is -1.
          tokens_(sample.output_tokens < 0 ? 16 : std::max<std::int64_t>(sample.output_tokens, 1)),
          pause_(pause),
          out_(out) {}

    // The host may destroy the call during done() or error(), so each is the last statement.
    void run() {
      for (std::int64_t said = 0; said < tokens_; ++said) {
        if (cancelled_within(pause_)) return out_.error(IFB_E_CANCELLED, "cancelled");
        out_.token(next_word() + " ", 1);  // the second argument is the number of tokens
      }
      out_.usage({.prompt = prompt_tokens_, .output = tokens_});
      out_.done("length");
    }

    // Called on another thread while run() is running.
    void cancel() noexcept {
      {
        const std::lock_guard lock(mutex_);
        cancelled_ = true;
      }
      changed_.notify_all();
    }

   private:
    /// After the last word the prompt begins again. An empty prompt has one empty word.
    std::string next_word() {
      const std::size_t end = std::min(prompt_.find(' ', at_), prompt_.size());
      std::string word(prompt_.substr(at_, end - at_));
      at_ = end < prompt_.size() ? end + 1 : 0;
      return word;
    }
    /// Waits for `pause`, or until the request is cancelled.
    bool cancelled_within(std::chrono::nanoseconds pause) {
      std::unique_lock lock(mutex_);
      return changed_.wait_for(lock, pause, [this] { return cancelled_; });
    }

    std::string_view prompt_;  // points into the sample, which outlives the call
    std::size_t at_ = 0;
    std::int64_t prompt_tokens_;
    std::int64_t tokens_;
    std::chrono::nanoseconds pause_;
    ifb::engine_output out_;
    std::mutex mutex_;
    std::condition_variable changed_;
    bool cancelled_ = false;
  };

  my_example_engine(ifb::host, const options& given) : pause_(given.pause) {}

  call open(const ifb_sample& sample, ifb::arena, ifb::engine_output out) const {
    return {sample, pause_, out};
  }

 private:
  std::chrono::nanoseconds pause_;
};

}  // namespace

INFERBENCH_PLUGINS(ifb::engine<my_example_engine>)
