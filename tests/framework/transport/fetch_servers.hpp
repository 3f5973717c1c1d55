// Servers for the tests of fetch(). Each server has a thread of its own, which ends after the last
// connection.
#pragma once

#include <memory>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "base/clock.hpp"
#include "framework/transport/loopback.hpp"
#include "framework/transport/tls_side.hpp"
#include "support/temporary_folder.hpp"
#include "transport/fetch.hpp"

namespace inferbench::transport::test {

inline const base::monotonic_clock clock_;

/// A complete answer with the body "hello".
inline const std::string hello = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello";

/// Serves one connection after another on a thread: gives the n-th answer to the n-th request.
class serial_server {
 public:
  explicit serial_server(std::vector<std::string> answers)
      : thread_([this, answers] {
          for (const std::string& answer : answers) {
            base::fd peer = socket_.accept();
            std::string head;
            while (!head.ends_with("\r\n\r\n")) {
              const std::string more = read_some(peer, 1);
              if (more.empty()) break;
              head += more;
            }
            heads_.push_back(head);
            write_all(peer, answer);
          }
        }) {}
  ~serial_server() { join(); }
  [[nodiscard]] std::string url() const { return socket_.url(); }
  [[nodiscard]] const std::vector<std::string>& heads() {
    join();
    return heads_;
  }

 private:
  void join() {
    if (thread_.joinable()) thread_.join();
  }
  loopback socket_;
  std::vector<std::string> heads_;
  std::thread thread_;
};

/// A TLS server for one connection. If `front` is not empty, the server first plays a proxy: it
/// reads a request and answers with `front`. `behind` follows the answer, unencrypted.
class secure_server {
 public:
  explicit secure_server(const identity& who, std::string answer, std::string front = {},
                         std::string behind = {})
      : thread_([this, shared = tls_server(who), answer, front, behind] {
          const base::fd peer = socket_.accept();
          if (!front.empty()) {
            asked_ = read_some(peer, 1);
            while (!asked_.ends_with("\r\n\r\n"))
              asked_ += read_some(peer, 1);
            write_all(peer, front);
          }
          tls_side side(shared);
          while (!side.heard.ends_with("\r\n\r\n")) {
            const std::string more = read_some(peer, 1);
            if (more.empty()) return;  // the client does not trust the certificate
            write_all(peer, side.take(more));
          }
          heard_ = side.heard;
          write_all(peer, side.say(answer) + behind);
        }) {}
  ~secure_server() { join(); }
  [[nodiscard]] std::string port() const { return socket_.url().substr(17); }
  [[nodiscard]] std::string heard() {
    join();
    return heard_;
  }
  [[nodiscard]] std::string asked() {
    join();
    return asked_;
  }

 private:
  void join() {
    if (thread_.joinable()) thread_.join();
  }
  loopback socket_;
  std::string heard_;
  std::string asked_;
  std::thread thread_;
};

/// The certificate of a TLS server, and routes that trust its authority.
class secure_fetch : public ::testing::Test {
 protected:
  support::temporary_folder folder;
  identity authority = make_identity({.authority = true});
  identity good = make_identity({}, &authority);
  route_options routes{{},
                       std::make_shared<const tls_context>(tls_options{
                           .ca_cert = folder.write("ca.pem", certificate_pem(authority))})};
};

}  // namespace inferbench::transport::test
