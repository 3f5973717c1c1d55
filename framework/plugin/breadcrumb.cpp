#include "plugin/breadcrumb.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <iterator>
#include <mutex>
#include <string>
#include <string_view>

#include <signal.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include "base/error.hpp"
#include "base/kept_terminal.hpp"
#include "base/text.hpp"
#include "plugin/library.hpp"
#include "plugin/library_code.hpp"

namespace inferbench::plugin {

namespace {

constexpr std::array fatal = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
// Signals by which a user or another program ends this one. A run receives the first three in
// another way (run/interrupt.hpp).
constexpr std::array stopping = {SIGINT,  SIGTERM, SIGHUP,  SIGQUIT,
                                 SIGUSR1, SIGUSR2, SIGALRM, SIGXCPU};

constexpr std::size_t longest_advice = 4096;
std::array<char, longest_advice> advice{};
std::atomic<bool> advised = false;  // while it is true, `advice` is not written

// Collects a message and prints it. Does only what is allowed in a signal handler: it does not
// allocate or lock, and prints with write(2).
class last_words {
 public:
  void add(const char* text) noexcept {
    if (text != nullptr) add(std::string_view(text));
  }
  void add(std::string_view text) noexcept {
    const std::string_view part = text.substr(0, text_.size() - 1 - size_);
    std::ranges::copy(part, text_.begin() + size_);
    size_ += part.size();
  }
  void say() noexcept {
    text_[size_++] = '\n';
    std::size_t done = 0;
    while (done < size_) {
      const ssize_t wrote = ::write(STDERR_FILENO, text_.data() + done, size_ - done);
      if (wrote < 0 && errno == EINTR) continue;
      if (wrote <= 0) return;
      done += static_cast<std::size_t>(wrote);
    }
  }

 private:
  std::array<char, 512 + longest_advice> text_{};
  std::size_t size_ = 0;
};

struct roll {
  std::mutex mutex;
  std::vector<const detail::whereabouts*> all;  // one for each known thread
};

// The object is never destroyed, because threads may outlive main.
roll& known_threads() {
  static roll& all = *new roll;
  return all;
}

// Belongs to one thread, for the lifetime of the thread: the stack of the signal handlers, and the
// thread's entry in known_threads().
class known_thread {
 public:
  known_thread() {
    roll& others = known_threads();
    {
      const std::lock_guard lock(others.mutex);
      others.all.push_back(&detail::inside);
    }
    stack_t there{};
    if (::sigaltstack(nullptr, &there) != 0 || (there.ss_flags & SS_DISABLE) == 0) return;
    memory_ = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory_ == MAP_FAILED) return;
    stack_t ours{};
    ours.ss_sp = memory_;
    ours.ss_size = size;
    used_ = ::sigaltstack(&ours, nullptr) == 0;
  }
  known_thread(const known_thread&) = delete;
  known_thread& operator=(const known_thread&) = delete;
  ~known_thread() {
    {
      roll& others = known_threads();
      const std::lock_guard lock(others.mutex);
      std::erase(others.all, &detail::inside);
    }
    if (memory_ == MAP_FAILED) return;
    stack_t none{};
    none.ss_flags = SS_DISABLE;
    if (used_) ::sigaltstack(&none, nullptr);
    ::munmap(memory_, size);
  }

 private:
  static constexpr std::size_t size = 64U * 1024U;  // the memory is not written before a crash
  void* memory_ = MAP_FAILED;
  bool used_ = false;
};

std::atomic<bool> reporting = false;
// The place of the thread that called report_crashes(); it lives as long as the process.
std::atomic<const detail::whereabouts*> main_thread = nullptr;

// The address of the instruction that was interrupted; 0 if it is not known.
std::uintptr_t interrupted_at([[maybe_unused]] const void* context) noexcept {
#if defined(__x86_64__)
  return static_cast<std::uintptr_t>(
      static_cast<const ucontext_t*>(context)->uc_mcontext.gregs[REG_RIP]);
#elif defined(__aarch64__)
  return static_cast<const ucontext_t*>(context)->uc_mcontext.pc;
#else
  return 0;
#endif
}

// The name of a kind; "plugin" if the kind is not known, as while a library is loaded.
std::string_view kind_text(ifb_kind kind) noexcept {
  return std::ranges::find(all_kinds, kind) == std::end(all_kinds) ? "plugin" : name_of(kind);
}

void add_plugin(last_words& words, const ifb_plugin& plugin, const char* call) noexcept {
  words.add(kind_text(plugin.kind));
  words.add(" ");
  words.add(plugin.id);
  if (plugin.version != nullptr && *plugin.version != '\0') {
    words.add(" ");
    words.add(plugin.version);
  }
  words.add(", ");
  words.add(call);
}

std::string place_text(const ifb_plugin& plugin, const char* call) {
  return std::string(kind_text(plugin.kind)) + " " + plugin.id +
         (plugin.version == nullptr || *plugin.version == '\0' ? "" : " ") +
         (plugin.version == nullptr ? "" : plugin.version) + ", " + call;
}

void add_advice(last_words& words) noexcept {
  if (!advised.load(std::memory_order_acquire)) return;
  words.add("; ");
  words.add(advice.data());
}

void on_fatal(int signal, siginfo_t*, void* context) {
  base::restore_terminal();
  last_words words;
  words.add("inferbench: ");
  words.add(::sigdescr_np(signal));
  if (const ifb_plugin* const plugin = detail::inside.plugin; plugin != nullptr) {
    words.add(": crash inside ");
    add_plugin(words, *plugin, detail::inside.call);
  } else if (const char* const file = library_at(interrupted_at(context)); file != nullptr) {
    words.add(": crash in ");
    words.add(file);
    words.add(", outside of its calls");
  } else {
    words.add(": crash outside of any plugin");
  }
  add_advice(words);
  words.say();
  // SA_RESETHAND has restored the default action. So this second signal ends the process, and the
  // exit status and the core file show the signal.
  ::raise(signal);
}

// Reports the plugin whose call was in progress, and ends the process by the signal. A thread of a
// plugin may receive the signal; the call that the user waits for is made by the thread of main.
void on_stop(int signal) {
  base::restore_terminal();
  const detail::whereabouts* const main = main_thread.load(std::memory_order_relaxed);
  const ifb_plugin* const plugin = main->plugin.load(std::memory_order_relaxed);
  if (const char* const call = main->call.load(std::memory_order_relaxed);
      plugin != nullptr && call != nullptr) {
    last_words words;
    words.add("inferbench: stopped inside ");
    add_plugin(words, *plugin, call);
    words.say();
  }
  ::raise(signal);  // SA_RESETHAND has restored the default action
}

// Runs on the thread that called exit().
void on_exit() {
  static std::atomic<bool> told = false;
  const ifb_plugin* const plugin = detail::inside.plugin;
  if (plugin == nullptr || told.exchange(true)) return;
  base::restore_terminal();
  last_words words;
  words.add("inferbench: exit() was called inside ");
  add_plugin(words, *plugin, detail::inside.call);
  add_advice(words);
  words.say();
}

}  // namespace

constinit thread_local detail::whereabouts detail::inside;

void detail::make_known() noexcept {
  if (!reporting.load(std::memory_order_relaxed)) return;
  thread_local const known_thread one;
  inside.known = true;
}

void breadcrumb::refuse_exception(bool may_throw) {
  const std::string text = base::text_of_current_exception();
  const ifb_plugin& plugin = *detail::inside.plugin.load(std::memory_order_relaxed);
  const char* const call = detail::inside.call.load(std::memory_order_relaxed);
  // Only the main thread has code that catches errors (cli/main.cpp).
  if (may_throw && ::gettid() == ::getpid())
    throw base::error(
        place_text(plugin, call) + ": an exception left the call, against rule R7: " + text,
        "report it to the plugin's author");
  base::restore_terminal();
  last_words words;
  words.add("inferbench: Aborted: crash inside ");
  add_plugin(words, plugin, call);
  words.add(": an exception left the call, against rule R7: ");
  words.add(text.c_str());
  add_advice(words);
  words.say();
  std::signal(SIGABRT, SIG_DFL);
  std::abort();
}

parting_advice::parting_advice(std::string_view text) noexcept {
  *std::copy_n(text.data(), std::min(text.size(), longest_advice - 1), advice.data()) = '\0';
  advised.store(true, std::memory_order_release);
  // on_exit is registered a second time. So it runs before the destructors of objects that were
  // made after report_crashes(). These destructors may crash while other threads still run.
  static const int registered = std::atexit(on_exit);
  static_cast<void>(registered);
}

parting_advice::~parting_advice() { advised = false; }

void report_crashes() noexcept {
  reporting = true;
  detail::make_known();
  struct sigaction action{};
  action.sa_sigaction = on_fatal;
  action.sa_flags = static_cast<int>(SA_RESETHAND) | SA_ONSTACK | SA_SIGINFO;
  ::sigemptyset(&action.sa_mask);
  for (const int signal : fatal)
    ::sigaction(signal, &action, nullptr);
  std::atexit(on_exit);
  main_thread = &detail::inside;
  struct sigaction stop{};
  stop.sa_handler = on_stop;
  stop.sa_flags = static_cast<int>(SA_RESETHAND);
  ::sigemptyset(&stop.sa_mask);
  for (const int signal : stopping) {
    struct sigaction now{};
    // An ignored signal stays ignored, as under nohup.
    if (::sigaction(signal, nullptr, &now) == 0 && now.sa_handler == SIG_DFL)
      ::sigaction(signal, &stop, nullptr);
  }
}

std::vector<std::string> threads_in_plugins() {
  std::vector<std::string> out;
  roll& threads = known_threads();
  const std::lock_guard lock(threads.mutex);
  for (const detail::whereabouts* each : threads.all) {
    // If the thread makes another call between the two loads, they belong to different calls. This
    // does no harm.
    const ifb_plugin* const plugin = each->plugin.load(std::memory_order_relaxed);
    const char* const call = each->call.load(std::memory_order_relaxed);
    if (plugin == nullptr || call == nullptr) continue;
    out.push_back(place_text(*plugin, call));
  }
  return out;
}

}  // namespace inferbench::plugin
