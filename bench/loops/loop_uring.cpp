// A client with the fastest features of io_uring: one multishot receive for each connection, into
// buffers that the kernel takes from a ring. One system call submits and waits.
#include <array>
#include <cstdlib>
#include <memory>
#include <vector>

#include <liburing.h>

#include "driver.hpp"

namespace {

using inferbench::bench::driver;
using inferbench::bench::fail;

constexpr unsigned buffer_count = 64;
constexpr std::size_t buffer_size = std::size_t{64} << 10U;
constexpr int buffer_group = 0;

struct stream {
  stream(int connected, inferbench::bench::totals& all) : socket(connected), answers(all) {}

  int socket;
  inferbench::bench::answer answers;
};

class client {
 public:
  explicit client(driver& work) : work_(work), memory_(buffer_count * buffer_size) {}
  client(const client&) = delete;
  client& operator=(const client&) = delete;

  [[nodiscard]] bool begin() {
    io_uring_params how{};
    how.flags = IORING_SETUP_SINGLE_ISSUER | IORING_SETUP_DEFER_TASKRUN | IORING_SETUP_CQSIZE;
    how.cq_entries = 16384;
    if (io_uring_queue_init_params(4096, &ring_, &how) != 0) return false;
    void* place = nullptr;
    if (::posix_memalign(&place, 4096, buffer_count * sizeof(io_uring_buf)) != 0) return false;
    buffers_ = static_cast<io_uring_buf_ring*>(place);
    io_uring_buf_reg what{};
    what.ring_addr = reinterpret_cast<std::uint64_t>(place);
    what.ring_entries = buffer_count;
    what.bgid = buffer_group;
    if (io_uring_register_buf_ring(&ring_, &what, 0) != 0) return false;
    io_uring_buf_ring_init(buffers_);
    for (unsigned i = 0; i < buffer_count; ++i)
      give_back(i);
    return true;
  }

  void add(int socket) {
    streams_.push_back(std::make_unique<stream>(socket, work_.all));
    receive(*streams_.back());
    send(*streams_.back());
  }

  [[nodiscard]] bool turn() {
    if (io_uring_submit_and_wait(&ring_, 1) < 0) return false;
    std::array<io_uring_cqe*, 256> done{};
    const unsigned count = io_uring_peek_batch_cqe(&ring_, done.data(), done.size());
    for (unsigned i = 0; i < count; ++i)
      if (!take(*done[i])) return false;
    io_uring_cq_advance(&ring_, count);
    return true;
  }

 private:
  [[nodiscard]] io_uring_sqe& entry() {
    io_uring_sqe* one = io_uring_get_sqe(&ring_);
    if (one == nullptr) {
      io_uring_submit(&ring_);
      one = io_uring_get_sqe(&ring_);
    }
    return *one;
  }

  void receive(stream& from) {
    io_uring_sqe& what = entry();
    io_uring_prep_recv_multishot(&what, from.socket, nullptr, 0, 0);
    what.flags |= IOSQE_BUFFER_SELECT;
    what.buf_group = buffer_group;
    io_uring_sqe_set_data(&what, &from);
  }

  void send(stream& to) {
    if (!work_.take()) return;
    io_uring_sqe& what = entry();
    io_uring_prep_send(&what, to.socket, work_.text().data(), work_.text().size(), MSG_WAITALL);
    what.flags |= IOSQE_CQE_SKIP_SUCCESS;
    io_uring_sqe_set_data(&what, nullptr);
  }

  void give_back(unsigned buffer) {
    io_uring_buf_ring_add(buffers_, memory_.data() + buffer * buffer_size, buffer_size,
                          static_cast<unsigned short>(buffer), io_uring_buf_ring_mask(buffer_count),
                          0);
    io_uring_buf_ring_advance(buffers_, 1);
  }

  [[nodiscard]] bool take(const io_uring_cqe& done) {
    auto* const from = static_cast<stream*>(io_uring_cqe_get_data(&done));
    if (from == nullptr) return false;  // only a failed send has a completion
    if (done.res == -ENOBUFS) {
      receive(*from);
      return true;
    }
    if (done.res <= 0) return false;
    const unsigned buffer = done.flags >> IORING_CQE_BUFFER_SHIFT;
    const bool ended = from->answers.take(
        {memory_.data() + buffer * buffer_size, static_cast<std::size_t>(done.res)});
    give_back(buffer);
    if (from->answers.failed()) return false;
    if ((done.flags & IORING_CQE_F_MORE) == 0) receive(*from);
    if (ended) send(*from);
    return true;
  }

  driver& work_;
  std::vector<char> memory_;
  io_uring ring_{};
  io_uring_buf_ring* buffers_ = nullptr;
  std::vector<std::unique_ptr<stream>> streams_;
};

}  // namespace

int main(int count, char** words) {
  auto work = driver::make(count, words);
  if (!work) return 2;
  client all(*work);
  if (!all.begin()) return fail("io_uring");
  const std::vector<int> sockets = work->connect();
  if (sockets.empty()) return fail("connect");
  for (const int socket : sockets)
    all.add(socket);
  while (!work->over())
    if (!all.turn()) return fail("an answer was cut short");
  return work->finish(BENCH_PROGRAM);
}
