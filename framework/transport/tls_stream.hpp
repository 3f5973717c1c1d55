// The TLS of one connection, without I/O: converts ciphertext to plaintext and vice versa. Belongs
// to the thread of its connection.
//
//   stream.feed(what was received);
//   while (stream.read(room, got) == tls_step::ok) ...;   // until more
//   send(stream.unsent()); stream.sent(n);
//
// Memory: about 17 KiB on the heap, almost all of it used by OpenSSL; 21 KiB if the server's
// certificate had to be checked. While a record is incomplete in one direction, 17 KiB more.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "transport/tls_context.hpp"

struct ssl_st;
struct ssl_session_st;
struct x509_store_ctx_st;

namespace inferbench::transport {

/// The latest TLS session of a server. The next connection offers this session to the server; if
/// the server accepts, no certificates have to be exchanged. Used by the connections of one pool,
/// on one thread.
class tls_sessions {
 public:
  tls_sessions() = default;
  tls_sessions(const tls_sessions&) = delete;
  tls_sessions& operator=(const tls_sessions&) = delete;
  ~tls_sessions();

  /// Stores a session. Takes ownership of one reference.
  void keep(ssl_session_st* session) noexcept;
  /// The latest session; null if there is no session.
  [[nodiscard]] ssl_session_st* latest() const noexcept { return latest_; }

 private:
  ssl_session_st* latest_ = nullptr;
};

enum class tls_step : std::uint8_t {
  ok,
  more,    // the fed bytes are used up
  closed,  // the other side has ended the stream
  failed   // trouble() returns the reason; the stream cannot be used any more
};

/// A clause with the reason, and advice for the user.
struct tls_trouble {
  std::string text;
  std::string remedy{};
};

class tls_stream {
 public:
  /// The most bytes of plaintext in one record.
  static constexpr std::size_t max_record = 16384;

  /// `host`: name or address of the server; the certificate must be valid for it. `context` and
  /// `sessions` must outlive the stream; `sessions` may be null.
  tls_stream(const tls_context& context, const std::string& host, tls_sessions* sessions);
  tls_stream(const tls_stream&) = delete;
  tls_stream& operator=(const tls_stream&) = delete;
  ~tls_stream();

  /// Adds received bytes. `bytes` must stay valid until handshake() or read() returns `more`. Call
  /// this only after all bytes of earlier calls are used up.
  void feed(std::string_view bytes) noexcept;

  /// Continues the handshake. Call this until it returns ok. After that the server is
  /// authenticated, and read() and write() may be called. Adds bytes to unsent(), even if it fails.
  [[nodiscard]] tls_step handshake();
  /// Decrypts at most one record into `room`. Sets `got` to the number of bytes, which is at least
  /// 1 if the result is ok.
  [[nodiscard]] tls_step read(std::span<char> room, std::size_t& got);
  /// Encrypts all of `bytes`, as one record if there are at most max_record bytes. Returns false on
  /// failure.
  [[nodiscard]] bool write(std::string_view bytes);
  /// Adds the message that ends the stream to unsent(), if the stream has not failed.
  void finish() noexcept;

  /// Ciphertext to be sent. Valid until the next call of any other member.
  [[nodiscard]] std::string_view unsent() const noexcept {
    return std::string_view(out_).substr(out_sent_);
  }
  /// Removes `count` bytes from the front of unsent(), after the caller has sent them.
  void sent(std::size_t count) noexcept;

  [[nodiscard]] bool failed() const noexcept { return failed_; }
  /// The reason of the failure, for a connection to `server` ("localhost:8443").
  [[nodiscard]] tls_trouble trouble(const std::string& server) const;

  // Used by tls_context.
  [[nodiscard]] static bio_method_st* make_method() noexcept;
  static void hear_of_sessions(ssl_ctx_st* context) noexcept;

 private:
  struct callbacks;
  friend struct callbacks;
  struct deleter {
    void operator()(ssl_st* ssl) const noexcept;
  };

  [[nodiscard]] tls_step step_of(int result);
  [[nodiscard]] tls_trouble certificate_trouble(const std::string& server) const;

  tls_sessions* sessions_;
  std::string_view in_;
  std::string out_;
  std::size_t out_sent_ = 0;
  unsigned long error_ = 0;      // OpenSSL's error code of the failure
  std::array<char, 5> first_{};  // first bytes from the other side
  std::uint8_t first_count_ = 0;
  bool established_ = false;
  bool failed_ = false;
  std::string certified_;  // the names in the certificate, if it is for another host
  std::unique_ptr<ssl_st, deleter> ssl_;
};

}  // namespace inferbench::transport
