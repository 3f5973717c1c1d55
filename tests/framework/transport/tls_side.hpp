// The server's side of TLS, without sockets: takes bytes of the client, returns bytes for it.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <string_view>

#include <gtest/gtest.h>
#include <openssl/ssl.h>

#include "framework/transport/certificates.hpp"

namespace inferbench::transport::test {

/// Shared by all connections to one server, which accept each other's sessions.
class tls_server {
 public:
  /// `client_authority`: if given, clients must show a certificate signed by it.
  explicit tls_server(const identity& who, const identity* client_authority = nullptr)
      : context_(::SSL_CTX_new(::TLS_server_method()), ::SSL_CTX_free) {
    EXPECT_EQ(::SSL_CTX_use_certificate(get(), who.certificate.get()), 1);
    EXPECT_EQ(::SSL_CTX_use_PrivateKey(get(), who.key.get()), 1);
    constexpr std::string_view name = "inferbench";
    ::SSL_CTX_set_session_id_context(get(), reinterpret_cast<const unsigned char*>(name.data()),
                                     static_cast<unsigned>(name.size()));
    if (client_authority == nullptr) return;
    ::SSL_CTX_set_verify(get(), SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, nullptr);
    ::X509_STORE_add_cert(::SSL_CTX_get_cert_store(get()), client_authority->certificate.get());
  }

  [[nodiscard]] SSL_CTX* get() const { return context_.get(); }

 private:
  std::shared_ptr<SSL_CTX> context_;
};

/// One connection to a tls_server.
class tls_side {
 public:
  explicit tls_side(const tls_server& server) : ssl_(::SSL_new(server.get()), ::SSL_free) {
    in_ = ::BIO_new(::BIO_s_mem());
    out_ = ::BIO_new(::BIO_s_mem());
    BIO_set_mem_eof_return(in_, -1);
    ::SSL_set_bio(ssl_.get(), in_, out_);
    ::SSL_set_accept_state(ssl_.get());
  }

  /// Takes bytes of the client; returns the bytes to send to it.
  std::string take(std::string_view bytes) {
    if (!bytes.empty()) ::BIO_write(in_, bytes.data(), static_cast<int>(bytes.size()));
    if (!done_) done_ = ::SSL_do_handshake(ssl_.get()) == 1;
    std::array<char, 16384> plain{};
    int got = 0;
    while (done_ && (got = ::SSL_read(ssl_.get(), plain.data(), plain.size())) > 0) {
      heard.append(plain.data(), static_cast<std::size_t>(got));
      ++records;
    }
    closed_ = (::SSL_get_shutdown(ssl_.get()) & SSL_RECEIVED_SHUTDOWN) != 0;
    return output();
  }

  /// Returns the bytes that carry `plain` to the client.
  std::string say(std::string_view plain) {
    EXPECT_EQ(::SSL_write(ssl_.get(), plain.data(), static_cast<int>(plain.size())),
              static_cast<int>(plain.size()));
    return output();
  }
  std::string goodbye() {
    ::SSL_shutdown(ssl_.get());
    return output();
  }
  /// Changes the keys; the client has to answer.
  std::string change_keys() {
    EXPECT_EQ(::SSL_key_update(ssl_.get(), SSL_KEY_UPDATE_REQUESTED), 1);
    EXPECT_EQ(::SSL_do_handshake(ssl_.get()), 1);
    return output();
  }

  [[nodiscard]] bool done() const { return done_; }
  [[nodiscard]] bool closed() const { return closed_; }
  [[nodiscard]] bool resumed() const { return ::SSL_session_reused(ssl_.get()) == 1; }
  [[nodiscard]] SSL* get() const { return ssl_.get(); }
  [[nodiscard]] std::string server_name() const {
    const char* const name = ::SSL_get_servername(ssl_.get(), TLSEXT_NAMETYPE_host_name);
    return name == nullptr ? "" : name;
  }

  std::string heard;  // plaintext received from the client
  int records = 0;    // number of records in which it came

 private:
  std::string output() {
    char* data = nullptr;
    const long size = BIO_get_mem_data(out_, &data);
    std::string bytes(data, static_cast<std::size_t>(size));
    EXPECT_EQ(BIO_reset(out_), 1);
    return bytes;
  }

  std::shared_ptr<SSL> ssl_;
  BIO* in_;  // of ssl_
  BIO* out_;
  bool done_ = false;
  bool closed_ = false;
};

}  // namespace inferbench::transport::test
