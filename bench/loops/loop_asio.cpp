// A client with Boost.Asio in its usual style: one thread, a buffer for each connection, one
// asynchronous read after another.
#include <array>
#include <cstdlib>
#include <memory>
#include <vector>

#include <boost/asio/buffer.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/write.hpp>

#include "driver.hpp"

namespace {

using inferbench::bench::driver;

class stream {
 public:
  stream(boost::asio::io_context& loop, int socket, driver& work)
      : socket_(loop, boost::asio::ip::tcp::v4(), socket), work_(work), answers_(work.all) {
    socket_.non_blocking(true);
  }

  void begin() {
    send();
    read();
  }

 private:
  void send() {
    if (!work_.take()) return;
    boost::system::error_code error;
    boost::asio::write(socket_, boost::asio::buffer(work_.text()), error);
    check(error);
  }

  void read() {
    socket_.async_read_some(boost::asio::buffer(buffer_),
                            [this](const boost::system::error_code& error, std::size_t size) {
                              check(error);
                              take({buffer_.data(), size});
                            });
  }

  void take(std::string_view bytes) {
    const bool ended = answers_.take(bytes);
    if (answers_.failed()) check(boost::asio::error::invalid_argument);
    if (ended) send();
    read();
  }

  static void check(const boost::system::error_code& error) {
    if (!error) return;
    std::fprintf(stderr, "connection: %s\n", error.message().c_str());
    std::exit(1);
  }

  boost::asio::ip::tcp::socket socket_;
  driver& work_;
  inferbench::bench::answer answers_;
  std::array<char, 64 * 1024> buffer_{};
};

}  // namespace

int main(int count, char** words) {
  auto work = driver::make(count, words);
  if (!work) return 2;
  boost::asio::io_context loop(1);
  std::vector<std::unique_ptr<stream>> streams;
  for (const int socket : work->connect())
    streams.push_back(std::make_unique<stream>(loop, socket, *work));
  if (streams.empty()) return inferbench::bench::fail("connect");
  for (const auto& each : streams)
    each->begin();
  while (!work->over())
    loop.run_one();
  return work->finish(BENCH_PROGRAM);
}
