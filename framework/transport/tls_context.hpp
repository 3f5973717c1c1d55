// The TLS settings shared by all connections of a run: trusted authorities and the client's
// certificate. Created once and immutable; any thread.
#pragma once

#include <memory>
#include <string>

struct ssl_ctx_st;
struct bio_method_st;

namespace inferbench::transport {

/// The texts are paths; an empty text means that the option is not given.
struct tls_options {
  std::string ca_cert{};      // PEM file, or folder of PEM files; empty: the system's authorities
  std::string client_cert{};  // PEM file of the client's certificate and its chain
  std::string client_key{};   // PEM file of the certificate's key; empty: in client_cert
  bool insecure = false;      // accept any certificate

  [[nodiscard]] bool operator==(const tls_options&) const = default;
};

class tls_context {
 public:
  /// Requires TLS 1.2 or later, and offers HTTP/1.1 by ALPN. The system's authorities are the
  /// authorities that OpenSSL uses: $SSL_CERT_FILE and $SSL_CERT_DIR, otherwise those of the
  /// distribution. Throws base::error for a file that is missing or does not contain PEM data. Also
  /// throws it for a key that is encrypted or does not match the certificate.
  explicit tls_context(const tls_options& options = {});
  tls_context(const tls_context&) = delete;
  tls_context& operator=(const tls_context&) = delete;
  ~tls_context();

  [[nodiscard]] bool verifies() const noexcept { return verifies_; }

  // Used by tls_stream.
  [[nodiscard]] ssl_ctx_st* get() const noexcept { return context_.get(); }
  [[nodiscard]] const bio_method_st* method() const noexcept { return method_.get(); }

 private:
  struct deleter {
    void operator()(ssl_ctx_st* context) const noexcept;
    void operator()(bio_method_st* method) const noexcept;
  };

  void trust(const std::string& ca_cert);
  void identify(const tls_options& options);

  std::unique_ptr<bio_method_st, deleter> method_;
  std::unique_ptr<ssl_ctx_st, deleter> context_;
  bool verifies_;
};

}  // namespace inferbench::transport
