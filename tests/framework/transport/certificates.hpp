// Certificates for tests, made at run time: a certificate in the repository would expire.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

namespace inferbench::transport::test {

/// A certificate and its key.
struct identity {
  std::shared_ptr<X509> certificate;
  std::shared_ptr<EVP_PKEY> key;
};

struct certificate_wish {
  const char* names = "DNS:localhost,IP:127.0.0.1,IP:::1";
  long from_s = -3600;  // begin and end of validity, relative to now
  long to_s = 3600;
  bool authority = false;
};

/// Makes a certificate that is signed by `issuer`, or self-signed if `issuer` is null.
inline identity make_identity(const certificate_wish& wish = {}, const identity* issuer = nullptr) {
  identity out{{::X509_new(), ::X509_free}, {EVP_EC_gen("P-256"), ::EVP_PKEY_free}};
  X509* const cert = out.certificate.get();
  ::X509_set_version(cert, 2);
  std::uint64_t serial = 0;
  EXPECT_EQ(::RAND_bytes(reinterpret_cast<unsigned char*>(&serial), sizeof serial), 1);
  ::ASN1_INTEGER_set_uint64(::X509_get_serialNumber(cert), serial >> 1U);
  ::X509_gmtime_adj(::X509_getm_notBefore(cert), wish.from_s);
  ::X509_gmtime_adj(::X509_getm_notAfter(cert), wish.to_s);
  const std::string name = (wish.authority ? "authority " : "server ") + std::to_string(serial);
  ::X509_NAME_add_entry_by_txt(::X509_get_subject_name(cert), "CN", MBSTRING_ASC,
                               reinterpret_cast<const unsigned char*>(name.c_str()), -1, -1, 0);
  X509* const signer = issuer == nullptr ? cert : issuer->certificate.get();
  ::X509_set_issuer_name(cert, ::X509_get_subject_name(signer));
  ::X509_set_pubkey(cert, out.key.get());
  const auto extend = [&](int id, const std::string& value) {
    X509V3_CTX context;
    X509V3_set_ctx_nodb(&context);
    ::X509V3_set_ctx(&context, signer, cert, nullptr, nullptr, 0);
    X509_EXTENSION* const extension = ::X509V3_EXT_conf_nid(nullptr, &context, id, value.c_str());
    EXPECT_NE(extension, nullptr) << value;
    ::X509_add_ext(cert, extension, -1);
    ::X509_EXTENSION_free(extension);
  };
  extend(NID_basic_constraints, wish.authority ? "critical,CA:TRUE" : "CA:FALSE");
  if (!wish.authority) extend(NID_subject_alt_name, wish.names);
  const identity& by = issuer == nullptr ? out : *issuer;
  EXPECT_GT(::X509_sign(cert, by.key.get(), ::EVP_sha256()), 0);
  return out;
}

inline std::string text_of(BIO* bio) {
  char* data = nullptr;
  const long size = BIO_get_mem_data(bio, &data);
  std::string out(data, static_cast<std::size_t>(size));
  ::BIO_free(bio);
  return out;
}

inline std::string certificate_pem(const identity& who) {
  BIO* const bio = ::BIO_new(::BIO_s_mem());
  EXPECT_EQ(::PEM_write_bio_X509(bio, who.certificate.get()), 1);
  return text_of(bio);
}

/// The private key as PEM; encrypted if `password` is not empty.
inline std::string key_pem(const identity& who, const std::string& password = {}) {
  BIO* const bio = ::BIO_new(::BIO_s_mem());
  EXPECT_EQ(::PEM_write_bio_PKCS8PrivateKey(bio, who.key.get(),
                                            password.empty() ? nullptr : ::EVP_aes_128_cbc(),
                                            password.empty() ? nullptr : password.c_str(),
                                            static_cast<int>(password.size()), nullptr, nullptr),
            1);
  return text_of(bio);
}

}  // namespace inferbench::transport::test
