#include "transport/tls_stream.hpp"

#include <algorithm>
#include <cstring>
#include <vector>

#include <fmt/format.h>
#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

#include "transport/address.hpp"

namespace inferbench::transport {

namespace {

// Returns the first DNS names of a certificate, at most three: "a.example, b.example".
std::string names_of(X509* certificate) {
  auto* const names = static_cast<GENERAL_NAMES*>(
      ::X509_get_ext_d2i(certificate, NID_subject_alt_name, nullptr, nullptr));
  const int count = names == nullptr ? 0 : sk_GENERAL_NAME_num(names);
  std::vector<std::string_view> shown;
  for (int i = 0; i < count && shown.size() < 3; ++i) {
    const GENERAL_NAME* const name = sk_GENERAL_NAME_value(names, i);
    if (name->type != GEN_DNS) continue;
    const std::string_view text(
        reinterpret_cast<const char*>(::ASN1_STRING_get0_data(name->d.dNSName)),
        static_cast<std::size_t>(::ASN1_STRING_length(name->d.dNSName)));
    // The text comes from the server and will be printed on a terminal, so only names of
    // visible ASCII characters are used.
    if (!std::all_of(text.begin(), text.end(), [](char c) { return c > 0x20 && c < 0x7F; }))
      continue;
    shown.push_back(text);
  }
  std::string out = fmt::format("{}", fmt::join(shown, ", "));
  ::GENERAL_NAMES_free(names);
  return out;
}

}  // namespace

tls_sessions::~tls_sessions() { ::SSL_SESSION_free(latest_); }

void tls_sessions::keep(ssl_session_st* session) noexcept {
  ::SSL_SESSION_free(latest_);
  latest_ = session;
}

// The functions that OpenSSL calls. No exception may leave them, because OpenSSL is written in C.
// read() and write() connect OpenSSL to the bytes of feed() and unsent().
struct tls_stream::callbacks {
  static tls_stream& of(BIO* bio) { return *static_cast<tls_stream*>(::BIO_get_data(bio)); }

  static int read(BIO* bio, char* out, int room) {
    std::string_view& in = of(bio).in_;
    BIO_clear_retry_flags(bio);
    if (in.empty()) {
      BIO_set_retry_read(bio);
      return -1;
    }
    const std::size_t size = std::min(in.size(), static_cast<std::size_t>(room));
    std::memcpy(out, in.data(), size);
    in.remove_prefix(size);
    return static_cast<int>(size);
  }

  static int write(BIO* bio, const char* data, int size) noexcept {
    BIO_clear_retry_flags(bio);
    of(bio).out_.append(data, static_cast<std::size_t>(size));
    return size;
  }

  static long control(BIO*, int command, long, void*) { return command == BIO_CTRL_FLUSH ? 1 : 0; }

  static int create(BIO* bio) {
    ::BIO_set_init(bio, 1);
    return 1;
  }

  // Returns 1 if the reference to the session was taken over, otherwise 0.
  static int keep_session(SSL* ssl, SSL_SESSION* session) {
    tls_sessions* const sessions = static_cast<tls_stream*>(SSL_get_app_data(ssl))->sessions_;
    if (sessions == nullptr) return 0;
    sessions->keep(session);
    return 1;
  }

  // Returns the result of OpenSSL's check, `good`, unchanged. If the certificate is for another
  // host, stores the names in the certificate for trouble().
  static int verify(int good, X509_STORE_CTX* store) noexcept {
    const int error = good == 0 ? ::X509_STORE_CTX_get_error(store) : X509_V_OK;
    if (error == X509_V_ERR_HOSTNAME_MISMATCH || error == X509_V_ERR_IP_ADDRESS_MISMATCH) {
      auto* const ssl = static_cast<SSL*>(
          ::X509_STORE_CTX_get_ex_data(store, ::SSL_get_ex_data_X509_STORE_CTX_idx()));
      X509* const certificate = ::X509_STORE_CTX_get_current_cert(store);
      if (certificate != nullptr)
        static_cast<tls_stream*>(SSL_get_app_data(ssl))->certified_ = names_of(certificate);
    }
    return good;
  }
};

bio_method_st* tls_stream::make_method() noexcept {
  BIO_METHOD* const method =
      ::BIO_meth_new(::BIO_get_new_index() | BIO_TYPE_SOURCE_SINK, "inferbench");
  if (method == nullptr) return nullptr;
  ::BIO_meth_set_read(method, &callbacks::read);
  ::BIO_meth_set_write(method, &callbacks::write);
  ::BIO_meth_set_ctrl(method, &callbacks::control);
  ::BIO_meth_set_create(method, &callbacks::create);
  return method;
}

void tls_stream::hear_of_sessions(ssl_ctx_st* context) noexcept {
  ::SSL_CTX_sess_set_new_cb(context, &callbacks::keep_session);
}

void tls_stream::deleter::operator()(ssl_st* ssl) const noexcept { ::SSL_free(ssl); }

tls_stream::tls_stream(const tls_context& context, const std::string& host, tls_sessions* sessions)
    : sessions_(sessions), ssl_(::SSL_new(context.get())) {
  SSL* const ssl = ssl_.get();
  BIO* const bio = ssl == nullptr ? nullptr : ::BIO_new(context.method());
  if (bio == nullptr) {  // out of memory
    ssl_.reset();
    failed_ = true;
    return;
  }
  ::BIO_set_data(bio, this);
  ::SSL_set_bio(ssl, bio, bio);
  SSL_set_app_data(ssl, this);
  ::SSL_set_connect_state(ssl);
  if (const auto number = ip_number::parse(host)) {
    ::X509_VERIFY_PARAM_set1_ip_asc(::SSL_get0_param(ssl), number->text().c_str());
  } else {
    // The dot at the end of a fully qualified name is only for DNS.
    const std::string name = host.ends_with('.') ? host.substr(0, host.size() - 1) : host;
    SSL_set_tlsext_host_name(ssl, name.c_str());
    ::SSL_set_hostflags(ssl, X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS);
    ::SSL_set1_host(ssl, name.c_str());
  }
  ::SSL_set_verify(ssl, context.verifies() ? SSL_VERIFY_PEER : SSL_VERIFY_NONE, &callbacks::verify);
  if (sessions != nullptr && sessions->latest() != nullptr)
    ::SSL_set_session(ssl, sessions->latest());
}

tls_stream::~tls_stream() = default;

void tls_stream::feed(std::string_view bytes) noexcept {
  in_ = bytes;
  for (const char c : bytes.substr(0, first_.size() - first_count_))
    first_[first_count_++] = c;
}

tls_step tls_stream::step_of(int result) {
  switch (::SSL_get_error(ssl_.get(), result)) {
    case SSL_ERROR_NONE: return tls_step::ok;
    case SSL_ERROR_WANT_READ: return tls_step::more;
    case SSL_ERROR_ZERO_RETURN: return tls_step::closed;
    default: break;
  }
  failed_ = true;
  error_ = ::ERR_peek_error();
  ::ERR_clear_error();
  return tls_step::failed;
}

tls_step tls_stream::handshake() {
  if (failed_) return tls_step::failed;
  ::ERR_clear_error();
  const tls_step step = step_of(::SSL_do_handshake(ssl_.get()));
  established_ = step == tls_step::ok;
  return step;
}

tls_step tls_stream::read(std::span<char> room, std::size_t& got) {
  got = 0;
  if (failed_) return tls_step::failed;
  ::ERR_clear_error();
  return step_of(::SSL_read_ex(ssl_.get(), room.data(), room.size(), &got));
}

bool tls_stream::write(std::string_view bytes) {
  if (failed_) return false;
  if (bytes.empty()) return true;
  ::ERR_clear_error();
  std::size_t taken = 0;
  return step_of(::SSL_write_ex(ssl_.get(), bytes.data(), bytes.size(), &taken)) == tls_step::ok;
}

// SSL_shutdown() adds close_notify to unsent(). It also tells OpenSSL that the stream ended
// properly: without this call, OpenSSL would not resume the session on another connection.
void tls_stream::finish() noexcept {
  if (failed_ || !established_) return;
  ::ERR_clear_error();
  ::SSL_shutdown(ssl_.get());
  ::ERR_clear_error();
}

void tls_stream::sent(std::size_t count) noexcept {
  out_sent_ += count;
  if (out_sent_ < out_.size()) return;
  std::string().swap(out_);  // frees the memory, which clear() would keep
  out_sent_ = 0;
}

}  // namespace inferbench::transport
