// A client with plain, level-triggered epoll: one read each time a socket is ready.
#include <array>
#include <memory>
#include <vector>

#include <sys/epoll.h>

#include "driver.hpp"

namespace {

using inferbench::bench::driver;
using inferbench::bench::fail;

struct stream {
  stream(int connected, inferbench::bench::totals& all) : socket(connected), answers(all) {}

  int socket;
  inferbench::bench::answer answers;
};

bool send(driver& work, const stream& to) {
  const auto size = static_cast<ssize_t>(work.text().size());
  return ::send(to.socket, work.text().data(), work.text().size(), MSG_NOSIGNAL) == size;
}

}  // namespace

int main(int count, char** words) {
  auto work = driver::make(count, words);
  if (!work) return 2;
  const int epoll = ::epoll_create1(EPOLL_CLOEXEC);
  const std::vector<int> sockets = work->connect();
  if (epoll < 0 || sockets.empty()) return fail("connect");
  std::vector<std::unique_ptr<stream>> streams;
  for (const int socket : sockets) {
    streams.push_back(std::make_unique<stream>(socket, work->all));
    epoll_event event{};
    event.events = EPOLLIN;
    event.data.ptr = streams.back().get();
    if (::epoll_ctl(epoll, EPOLL_CTL_ADD, socket, &event) != 0) return fail("epoll");
    if (work->take() && !send(*work, *streams.back())) return fail("send");
  }

  std::vector<char> buffer(std::size_t{256} << 10U);
  std::array<epoll_event, 64> ready{};
  while (!work->over()) {
    const int got = ::epoll_wait(epoll, ready.data(), static_cast<int>(ready.size()), -1);
    for (int i = 0; i < got; ++i) {
      stream& each = *static_cast<stream*>(ready[static_cast<std::size_t>(i)].data.ptr);
      const auto size = ::recv(each.socket, buffer.data(), buffer.size(), MSG_DONTWAIT);
      if (size < 0 && errno == EAGAIN) continue;
      if (size <= 0) return fail("an answer was cut short");
      const bool ended = each.answers.take({buffer.data(), static_cast<std::size_t>(size)});
      if (each.answers.failed()) return fail("malformed answer");
      if (ended && work->take() && !send(*work, each)) return fail("send");
    }
  }
  return work->finish(BENCH_PROGRAM);
}
