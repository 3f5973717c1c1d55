// Two engines that return the prompt word by word at a given pace. The first has its own thread and
// timers for all requests; the second blocks one thread of the host for each request. A real engine
// has, for example, a model in this process or a protocol other than HTTP instead of the pace.

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string_view>
#include <thread>
#include <tuple>

#include <inferbench/engine.hpp>
#include <inferbench/plugin.hpp>

namespace {

using steady = std::chrono::steady_clock;
using std::chrono::nanoseconds;

struct pace {
  nanoseconds ttft{};
  nanoseconds itl{};
  std::int64_t tokens = 0;
  double failure_share = 0;

  static constexpr auto schema() {
    return std::tuple{
        ifb::option{"ttft", &pace::ttft, "Time to the first token.", "\"50ms\""}.range(0, 1e15),
        ifb::option{"itl", &pace::itl, "Time between two tokens.", "\"10ms\""}.range(0, 1e15),
        ifb::option{"tokens", &pace::tokens, "Tokens of an answer whose length is not asked for.",
                    "16"}
            .range(1, 1e9),
        ifb::option{"failure-share", &pace::failure_share,
                    "Share of the requests that fail after their first token.", "0.0"}
            .range(0, 1)};
  }
};

/// Reports the answer to one request, event by event.
class recital {
 public:
  recital(const ifb_sample& sample, const pace& how, bool fails, ifb::engine_output out)
      : words_(ifb::prompt_text(sample)),
        prompt_tokens_(sample.input_tokens),
        tokens_(sample.output_tokens > 0 ? sample.output_tokens : how.tokens),
        fails_(fails),
        itl_(how.itl),
        out_(out) {}

  /// Reports the next token. Returns the time until the token after it. nullopt: the request has
  /// ended, and the host may have destroyed the call already.
  std::optional<nanoseconds> step() {
    out_.token(word(), 1);
    if (fails_) {
      out_.error(IFB_E_REMOTE, "this request was to fail");
      return std::nullopt;
    }
    if (++said_ < tokens_) return itl_;
    out_.usage({.prompt = prompt_tokens_, .output = said_});
    out_.done("length");
    return std::nullopt;
  }

  void stop() { out_.error(IFB_E_CANCELLED, "cancelled"); }

 private:
  /// Returns the next word with the space before it. After the last word the prompt begins again.
  std::string_view word() {
    if (at_ >= words_.size()) at_ = 0;
    const auto end = words_.find(' ', at_ + 1);
    const auto found = words_.substr(at_, end - at_);
    at_ += found.size();
    return found;
  }

  std::string_view words_;  // points into the sample, which outlives the call
  std::size_t at_ = 0;
  std::int64_t prompt_tokens_;
  std::int64_t tokens_;
  std::int64_t said_ = 0;
  bool fails_;
  nanoseconds itl_;
  ifb::engine_output out_;
};

/// The common part of both engines. [any thread]
class reciter {
 public:
  explicit reciter(const pace& how) : how_(how) {}

  recital recite(const ifb_sample& sample, ifb::engine_output out) const {
    const auto n = static_cast<double>(recited_.fetch_add(1));
    const auto failed = [&](double of) {
      return static_cast<std::uint64_t>(of * how_.failure_share);
    };
    return {sample, how_, failed(n + 1) > failed(n), out};
  }
  nanoseconds ttft() const { return how_.ttft; }

 private:
  pace how_;
  mutable std::atomic<std::uint64_t> recited_ = 0;
};

/// One thread that advances each request when its next token is due.
class stage {
 public:
  class actor {
   public:
    explicit actor(recital what) : what_(what) {}

   private:
    friend class stage;
    recital what_;
    bool stopped_ = false;  // under the stage's mutex
  };

  stage() : thread_([this] { work(); }) {}
  stage(const stage&) = delete;
  stage& operator=(const stage&) = delete;
  ~stage() {
    {
      const std::lock_guard lock(mutex_);
      over_ = true;
    }
    changed_.notify_one();
    thread_.join();
  }

  void enter(actor& who, steady::time_point when) {
    {
      const std::lock_guard lock(mutex_);
      due_.emplace(when, &who);
    }
    changed_.notify_one();
  }

  /// Makes the actor due immediately, so that its request ends.
  void dismiss(actor& who) noexcept {
    {
      const std::lock_guard lock(mutex_);
      who.stopped_ = true;
      for (auto one = due_.begin(); one != due_.end(); ++one) {
        if (one->second != &who) continue;
        auto moved = due_.extract(one);
        moved.key() = steady::time_point{};
        due_.insert(std::move(moved));
        break;
      }
    }
    changed_.notify_one();
  }

 private:
  void work() {
    std::unique_lock lock(mutex_);
    while (!over_) {
      if (due_.empty()) {
        changed_.wait(lock);
        continue;
      }
      const auto first = due_.begin();
      if (first->first > steady::now()) {
        changed_.wait_until(lock, steady::time_point(first->first));
        continue;
      }
      auto mine = due_.extract(first);
      actor& who = *mine.mapped();
      const bool stopped = who.stopped_;
      lock.unlock();
      // Do not report under the lock: the host may call dismiss() during the report.
      std::optional<nanoseconds> pause;
      if (stopped)
        who.what_.stop();
      else
        pause = who.what_.step();
      lock.lock();
      if (!pause) continue;
      mine.key() = who.stopped_ ? steady::time_point{} : mine.key() + *pause;
      due_.insert(std::move(mine));
    }
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::multimap<steady::time_point, actor*> due_;
  bool over_ = false;
  std::thread thread_;  // last member: it uses all other members
};

class echo {
 public:
  static constexpr const char* id = "echo-engine";
  static constexpr const char* version = "1.0.0";
  static constexpr const char* summary = "Says the prompt back at a given pace, without a server.";
  static constexpr const char* license = "Apache-2.0";
  using options = pace;

  class call {
   public:
    call(stage& where, nanoseconds ttft, recital what) : stage_(where), ttft_(ttft), me_(what) {}

    void run() { stage_.enter(me_, steady::now() + ttft_); }
    void cancel() noexcept { stage_.dismiss(me_); }

   private:
    stage& stage_;
    nanoseconds ttft_;
    stage::actor me_;
  };

  echo(ifb::host, const options& given) : reciter_(given) {}

  call open(const ifb_sample& sample, ifb::arena, ifb::engine_output out) const {
    return {*stage_, reciter_.ttft(), reciter_.recite(sample, out)};
  }

 private:
  reciter reciter_;
  std::unique_ptr<stage> stage_ = std::make_unique<stage>();
};

class blocking_echo {
 public:
  static constexpr const char* id = "echo-engine-blocking";
  static constexpr const char* version = "1.0.0";
  static constexpr const char* summary =
      "Says the prompt back at a given pace on a thread of the host.";
  static constexpr const char* license = "Apache-2.0";
  static constexpr bool blocking = true;
  using options = pace;

  class call {
   public:
    call(nanoseconds ttft, recital what) : ttft_(ttft), what_(what) {}

    void run() {
      auto due = steady::now() + ttft_;
      while (!stopped_before(due)) {
        const auto pause = what_.step();
        if (!pause) return;
        due += *pause;
      }
      what_.stop();
    }
    void cancel() noexcept {
      {
        const std::lock_guard lock(mutex_);
        stopped_ = true;
      }
      changed_.notify_one();
    }

   private:
    bool stopped_before(steady::time_point due) {
      std::unique_lock lock(mutex_);
      // If the time has already passed, a wait is avoided, because it costs a system call.
      if (steady::now() < due) changed_.wait_until(lock, due, [this] { return stopped_; });
      return stopped_;
    }

    nanoseconds ttft_;
    recital what_;
    std::mutex mutex_;
    std::condition_variable changed_;
    bool stopped_ = false;
  };

  blocking_echo(ifb::host, const options& given) : reciter_(given) {}

  call open(const ifb_sample& sample, ifb::arena, ifb::engine_output out) const {
    return {reciter_.ttft(), reciter_.recite(sample, out)};
  }

 private:
  reciter reciter_;
};

}  // namespace

INFERBENCH_PLUGINS(ifb::engine<echo>, ifb::engine<blocking_echo>)
