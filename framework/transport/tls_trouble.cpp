#include <openssl/err.h>
#include <openssl/ssl.h>

#include "transport/tls_stream.hpp"

namespace inferbench::transport {

namespace {

constexpr int alert_certificate_required = 116;

}  // namespace

tls_trouble tls_stream::trouble(const std::string& server) const {
  if (!ssl_) return {"no TLS connection to " + server + ": out of memory"};
  const int reason = ERR_GET_REASON(error_);
  if (ERR_GET_LIB(error_) == ERR_LIB_SSL && reason == SSL_R_CERTIFICATE_VERIFY_FAILED)
    return certificate_trouble(server);

  const bool shaking = !established_;
  const std::string begin =
      shaking ? "no TLS connection to " + server + ": " : std::string("the TLS connection broke: ");
  const std::string_view first(first_.data(), first_count_);
  if (shaking && first.starts_with("HTTP"))
    return {begin + "it answers in plain http", "write http:// instead of https://"};
  // Every TLS record begins with its type (20 to 24), followed by the major version 3.
  if (shaking && first.size() >= 2 && (first[0] < 20 || first[0] > 24 || first[1] != 3))
    return {begin + "it does not speak TLS", "check the port, or write http:// instead"};

  if (ERR_GET_LIB(error_) == ERR_LIB_SSL && reason >= SSL_AD_REASON_OFFSET) {
    const int alert = reason - SSL_AD_REASON_OFFSET;
    tls_trouble out{begin + "the server says: " + ::SSL_alert_desc_string_long(alert)};
    if (alert == alert_certificate_required)
      out = {begin + "the server wants a client certificate", "give one with --client-cert"};
    if (alert == SSL_AD_NO_APPLICATION_PROTOCOL)
      out = {begin + "it does not accept HTTP/1.1, probably only HTTP/2",
             "enable HTTP/1.1 on the server, or put a proxy in front of it and name the proxy with "
             "--base-url"};
    return out;
  }
  const char* const text = ::ERR_reason_error_string(error_);
  return {begin + (text == nullptr ? "the stream is damaged" : text)};
}

tls_trouble tls_stream::certificate_trouble(const std::string& server) const {
  const long result = ::SSL_get_verify_result(ssl_.get());
  tls_trouble out{"the certificate of " + server +
                  " is not trusted: " + ::X509_verify_cert_error_string(result)};
  switch (result) {
    case X509_V_ERR_HOSTNAME_MISMATCH:
    case X509_V_ERR_IP_ADDRESS_MISMATCH:
      if (!certified_.empty()) out.text += ", it is for " + certified_;
      out.remedy = "use a name that the certificate is for, or accept any with --insecure";
      break;
    case X509_V_ERR_CERT_HAS_EXPIRED:
    case X509_V_ERR_CERT_NOT_YET_VALID:
      out.remedy = "renew it or set the clock, or accept any with --insecure";
      break;
    default: out.remedy = "name its authority with --ca-cert, or accept any with --insecure"; break;
  }
  return out;
}

}  // namespace inferbench::transport
