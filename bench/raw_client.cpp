// The cheapest possible client, the "raw reader". Its cost is the cost of the kernel and of the
// server's bytes, and so the lower limit for inferbench. It has one thread, raw epoll and one
// prepared request. It searches an answer only for its end. With --json it also finds the text and
// the usage in each event, which every real client must do. It checks and stores nothing. With
// --stamps it also records when it sent each request and read each event, for bench/truth.py.
//
//   raw_client --port N [--address IP]... [--streams N] [--tokens N] ...  (arguments.hpp)
//
// Without --rate it is a closed loop. With --rate it is an open loop: it opens --streams
// connections before the start, and more connections if all of them are busy.
#include <array>
#include <memory>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <sys/epoll.h>
#include <sys/prctl.h>

#include "common/arguments.hpp"
#include "common/json_scan.hpp"
#include "common/system.hpp"
#include "common/totals.hpp"

namespace {

using inferbench::bench::arguments;
using inferbench::bench::fail;
using inferbench::bench::now_ns;

constexpr std::string_view end_of_answer = "\r\n0\r\n\r\n";
constexpr std::string_view id_pattern = "raw-00000000";

/// The data of a request that --stamps writes.
struct answer {
  std::uint64_t request = 0;
  std::uint64_t due_ns = 0;
  std::uint64_t sent_ns = 0;
  std::vector<std::uint64_t> events;
};

struct stream {
  int socket = -1;
  std::array<char, end_of_answer.size()> tail{};  // the last bytes that were read
  std::string cut;                                // an incomplete line of an event
  answer current;
};

class client {
 public:
  explicit client(const arguments& given)
      : given_(given),
        stamps_(!given.stamps.empty()),
        scans_(given.json || stamps_),
        text_(request_text(given, stamps_ ? id_pattern : "")),
        buffer_(std::size_t{256} << 10U) {}

  int run() {
    epoll_ = ::epoll_create1(EPOLL_CLOEXEC);
    if (epoll_ < 0) return fail("epoll");
    for (std::uint64_t i = 0; i < given_.streams; ++i)
      if (!open()) return fail("connect");
    start_ = now_ns();
    end_ = given_.requests != 0 ? UINT64_MAX : start_ + given_.seconds * 1'000'000'000U;
    due_ = start_;
    // Connections are taken from the back, so the connection that was opened first is used first.
    for (auto at = streams_.rbegin(); at != streams_.rend(); ++at)
      idle_.push_back(at->get());
    if (!launch() || !turn_until_done()) return 1;
    all_.wall_s = static_cast<double>(now_ns() - start_) / 1e9;
    if (!scans_) all_.events = all_.requests * given_.tokens;
    inferbench::bench::print("raw_client", all_);
    return stamps_ && !write_stamps() ? fail(given_.stamps.c_str()) : 0;
  }

 private:
  [[nodiscard]] bool open() {
    auto next = std::make_unique<stream>();
    next->socket = inferbench::bench::connected(
        given_.addresses[streams_.size() % given_.addresses.size()], given_.port);
    if (next->socket < 0) return false;
    epoll_event event{};
    event.events = EPOLLIN;
    event.data.ptr = next.get();
    if (::epoll_ctl(epoll_, EPOLL_CTL_ADD, next->socket, &event) != 0) return false;
    streams_.push_back(std::move(next));
    return true;
  }

  [[nodiscard]] bool more(std::uint64_t now) const {
    return given_.requests != 0 ? sent_ < given_.requests : now < end_;
  }

  /// Sends all requests that are due. Without a rate, sends one on each idle connection.
  [[nodiscard]] bool launch() {
    for (;;) {
      const std::uint64_t now = now_ns();
      if (!more(now)) return true;
      if (given_.rate == 0) {
        if (idle_.empty()) return true;
        due_ = now;
      } else if (now < due_) {
        return true;
      }
      if (idle_.empty()) {
        if (!open()) return fail("connect") == 0;
        idle_.push_back(streams_.back().get());
      }
      stream& next = *idle_.back();
      idle_.pop_back();
      if (!send(next)) return fail("send") == 0;
      if (given_.rate != 0) due_ += static_cast<std::uint64_t>(gap_(random_) / given_.rate * 1e9);
    }
  }

  [[nodiscard]] bool send(stream& to) {
    to.current.request = sent_++;
    if (stamps_) {
      char number[16];
      std::snprintf(number, sizeof number, "%08llu",
                    static_cast<unsigned long long>(to.current.request));
      text_.replace(text_.find("raw-") + 4, 8, number, 8);
      to.current.events.reserve(given_.tokens);
      to.current.due_ns = due_;
      to.current.sent_ns = now_ns();
    }
    return ::send(to.socket, text_.data(), text_.size(), MSG_NOSIGNAL) ==
           static_cast<ssize_t>(text_.size());
  }

  [[nodiscard]] bool turn_until_done() {
    std::array<epoll_event, 64> ready{};
    while (more(now_ns()) || idle_.size() < streams_.size()) {
      if (given_.requests == 0 && now_ns() >= end_) return true;
      timespec wait{};
      const timespec* until = nullptr;
      if (given_.rate != 0 && more(0)) {
        const std::uint64_t now = now_ns();
        const std::uint64_t left = due_ > now ? due_ - now : 0;
        wait.tv_sec = static_cast<time_t>(left / 1'000'000'000U);
        wait.tv_nsec = static_cast<long>(left % 1'000'000'000U);
        until = &wait;
      }
      const int got =
          ::epoll_pwait2(epoll_, ready.data(), static_cast<int>(ready.size()), until, nullptr);
      if (got < 0) return fail("epoll") == 0;
      const std::uint64_t stamp = stamps_ ? now_ns() : 0;
      for (int i = 0; i < got; ++i)
        if (!read(*static_cast<stream*>(ready[static_cast<std::size_t>(i)].data.ptr), stamp))
          return false;
      if (given_.rate != 0 && !launch()) return false;
    }
    return true;
  }

  [[nodiscard]] bool read(stream& from, std::uint64_t stamp) {
    const auto size = ::recv(from.socket, buffer_.data(), buffer_.size(), MSG_DONTWAIT);
    if (size < 0 && errno == EAGAIN) return true;
    if (size == 0) errno = ECONNRESET;
    if (size <= 0) return fail("an answer was cut short") == 0;
    ++all_.reads;
    all_.bytes += static_cast<std::uint64_t>(size);
    const std::string_view bytes(buffer_.data(), static_cast<std::size_t>(size));
    if (scans_) look_into(from, bytes, stamp);
    if (!ends(from, bytes)) return true;
    from.tail = {};
    ++all_.requests;
    if (stamps_) answers_.push_back(std::exchange(from.current, {}));
    idle_.push_back(&from);
    return given_.rate != 0 || launch();
  }

  /// Returns true if `bytes` complete the answer of this stream.
  [[nodiscard]] static bool ends(stream& of, std::string_view bytes) {
    auto& tail = of.tail;
    if (bytes.size() >= tail.size()) {
      std::memcpy(tail.data(), bytes.data() + bytes.size() - tail.size(), tail.size());
    } else {
      std::memmove(tail.data(), tail.data() + bytes.size(), tail.size() - bytes.size());
      std::memcpy(tail.data() + tail.size() - bytes.size(), bytes.data(), bytes.size());
    }
    return std::string_view(tail.data(), tail.size()) == end_of_answer;
  }

  void look_into(stream& of, std::string_view bytes, std::uint64_t stamp) {
    if (!of.cut.empty()) {
      const auto end = bytes.find('\n');
      of.cut += bytes.substr(0, end);
      if (end == std::string_view::npos) return;
      bytes.remove_prefix(end + 1);
      line(of, of.cut, stamp);
      of.cut.clear();
    }
    for (;;) {
      const void* const end = std::memchr(bytes.data(), '\n', bytes.size());
      if (end == nullptr) break;
      const auto size = static_cast<std::size_t>(static_cast<const char*>(end) - bytes.data());
      line(of, bytes.substr(0, size), stamp);
      bytes.remove_prefix(size + 1);
    }
    if (!bytes.empty()) of.cut = bytes;
  }

  void line(stream& of, std::string_view text, std::uint64_t stamp) {
    if (!text.starts_with("data: ")) return;
    const auto found = inferbench::bench::scan(text);
    all_.prompt_tokens += found.prompt_tokens;
    if (!found.token) return;
    ++all_.events;
    if (stamps_) of.current.events.push_back(stamp);
  }

  /// Called at the end of the run, because writing during the run would delay the next event.
  [[nodiscard]] bool write_stamps() {
    std::FILE* const file = std::fopen(given_.stamps.c_str(), "we");
    if (file == nullptr) return false;
    for (const answer& each : answers_) {
      std::fprintf(file,
                   "{\"request_id\": \"raw-%08llu\", \"due_ns\": %llu, \"sent_ns\": %llu, "
                   "\"event_ns\": [",
                   static_cast<unsigned long long>(each.request),
                   static_cast<unsigned long long>(each.due_ns),
                   static_cast<unsigned long long>(each.sent_ns));
      const char* before = "";
      for (const std::uint64_t at : each.events) {
        std::fprintf(file, "%s%llu", before, static_cast<unsigned long long>(at));
        before = ", ";
      }
      std::fputs("]}\n", file);
    }
    return std::fclose(file) == 0;
  }

  const arguments& given_;
  bool stamps_;
  bool scans_;
  std::string text_;
  std::vector<char> buffer_;
  int epoll_ = -1;
  std::vector<std::unique_ptr<stream>> streams_;
  std::vector<stream*> idle_;
  std::vector<answer> answers_;
  std::mt19937_64 random_;
  std::exponential_distribution<double> gap_;
  inferbench::bench::totals all_;
  std::uint64_t sent_ = 0;
  std::uint64_t start_ = 0;
  std::uint64_t end_ = 0;
  std::uint64_t due_ = 0;
};

}  // namespace

int main(int count, char** words) {
  arguments given;
  if (!inferbench::bench::parse(count, words, given)) {
    std::fprintf(stderr, "usage: raw_client %s", inferbench::bench::usage);
    return 2;
  }
  ::prctl(PR_SET_TIMERSLACK, 1UL, 0UL, 0UL, 0UL);
  inferbench::bench::raise_descriptor_limit();
  return client(given).run();
}
