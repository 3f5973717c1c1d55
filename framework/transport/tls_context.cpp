#include "transport/tls_context.hpp"

#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <string_view>
#include <system_error>

#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <unistd.h>

#include "base/error.hpp"
#include "transport/tls_stream.hpp"

namespace inferbench::transport {

namespace {

constexpr const char* ca_remedy =
    "give --ca-cert a file of certificates in PEM form, or a folder of such files";

void check_readable(const std::string& path, const char* flag) {
  if (::access(path.c_str(), R_OK) != 0)
    throw base::error("cannot read " + path + ": " + std::strerror(errno),
                      std::string("give ") + flag + " a file that can be read");
}

std::string reason() {
  const char* const text = ::ERR_reason_error_string(::ERR_peek_last_error());
  return text == nullptr ? "no reason given" : text;
}

/// OpenSSL calls this for the password of a key. Without this function it would prompt on the
/// terminal.
int no_password(char*, int, int, void* asked) {
  *static_cast<bool*>(asked) = true;
  return -1;
}

}  // namespace

void tls_context::deleter::operator()(ssl_ctx_st* context) const noexcept {
  ::SSL_CTX_free(context);
}

void tls_context::deleter::operator()(bio_method_st* method) const noexcept {
  ::BIO_meth_free(method);
}

tls_context::tls_context(const tls_options& options)
    : method_(tls_stream::make_method()),
      context_(::SSL_CTX_new(::TLS_client_method())),
      verifies_(!options.insecure) {
  if (!context_ || !method_) throw base::error("cannot set up TLS: " + reason());
  SSL_CTX* const context = context_.get();
  ::SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION);
  ::SSL_CTX_set_options(context, SSL_OP_NO_RENEGOTIATION);
  // While they are empty, buffers of 33 KiB for each connection are freed.
  ::SSL_CTX_set_mode(context, SSL_MODE_RELEASE_BUFFERS);
  constexpr std::string_view protocols = "\x08http/1.1";
  ::SSL_CTX_set_alpn_protos(context, reinterpret_cast<const unsigned char*>(protocols.data()),
                            static_cast<unsigned>(protocols.size()));
  // Each pool keeps its own sessions (tls_sessions), without locks.
  ::SSL_CTX_set_session_cache_mode(context,
                                   SSL_SESS_CACHE_CLIENT | SSL_SESS_CACHE_NO_INTERNAL_STORE);
  tls_stream::hear_of_sessions(context);
  ::ERR_clear_error();
  trust(options.ca_cert);
  identify(options);
}

tls_context::~tls_context() = default;

void tls_context::trust(const std::string& ca_cert) {
  SSL_CTX* const context = context_.get();
  if (ca_cert.empty()) {
    ::SSL_CTX_set_default_verify_paths(context);
    ::ERR_clear_error();  // if the system has no authorities, the first connection reports it
    return;
  }
  check_readable(ca_cert, "--ca-cert");
  std::error_code code;
  if (!std::filesystem::is_directory(ca_cert, code)) {
    if (::SSL_CTX_load_verify_file(context, ca_cert.c_str()) != 1)
      throw base::error("no certificate can be read from " + ca_cert + ": " + reason(), ca_remedy);
    return;
  }
  // Each file is loaded here, because OpenSSL itself finds only files with names that c_rehash has
  // made.
  bool any = false;
  for (const auto& entry : std::filesystem::directory_iterator(ca_cert, code))
    if (entry.is_regular_file(code))
      any |= ::SSL_CTX_load_verify_file(context, entry.path().c_str()) == 1;
  ::ERR_clear_error();
  if (!any) throw base::error("no file in " + ca_cert + " holds a certificate", ca_remedy);
}

void tls_context::identify(const tls_options& options) {
  if (options.client_cert.empty()) return;
  SSL_CTX* const context = context_.get();
  const std::string& cert = options.client_cert;
  const std::string& key = options.client_key.empty() ? cert : options.client_key;
  check_readable(cert, "--client-cert");
  check_readable(key, "--client-key");
  bool asked = false;
  ::SSL_CTX_set_default_passwd_cb(context, &no_password);
  ::SSL_CTX_set_default_passwd_cb_userdata(context, &asked);
  if (::SSL_CTX_use_certificate_chain_file(context, cert.c_str()) != 1)
    throw base::error("no certificate can be read from " + cert + ": " + reason(),
                      "give --client-cert a PEM file");
  if (::SSL_CTX_use_PrivateKey_file(context, key.c_str(), SSL_FILETYPE_PEM) != 1) {
    if (asked)
      throw base::error(
          "the key in " + key + " is encrypted",
          "decrypt it, with openssl pkey -in " + key + " -out FILE, for --client-key");
    const unsigned long code = ::ERR_peek_last_error();
    if (ERR_GET_LIB(code) == ERR_LIB_X509 && ERR_GET_REASON(code) == X509_R_KEY_VALUES_MISMATCH)
      throw base::error("the key in " + key + " is not that of the certificate in " + cert,
                        "give --client-cert and --client-key files that belong together");
    throw base::error("no private key can be read from " + key + ": " + reason(),
                      "give --client-key a PEM file");
  }
  ::SSL_CTX_set_default_passwd_cb_userdata(context, nullptr);
  if (::SSL_CTX_check_private_key(context) != 1)
    throw base::error("the key in " + key + " is not that of the certificate in " + cert,
                      "give --client-cert and --client-key files that belong together");
}

}  // namespace inferbench::transport
