#include "transport/tls_context.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "framework/transport/certificates.hpp"
#include "support/temporary_folder.hpp"

namespace inferbench::transport {
namespace {

std::string complaint_about_tls(const tls_options& options) {
  try {
    const tls_context context(options);
  } catch (const base::error& e) {
    return e.what();
  }
  return "none";
}

class tls_context_test : public ::testing::Test {
 protected:
  support::temporary_folder folder;
  test::identity authority = test::make_identity({.authority = true});
  test::identity client = test::make_identity();
};

TEST_F(tls_context_test, trusts_a_file_or_every_file_of_a_folder) {
  const std::string file = folder.write("ca.pem", test::certificate_pem(authority));
  folder.write("README", "not a certificate");
  EXPECT_EQ(complaint_about_tls({.ca_cert = file}), "none");
  EXPECT_EQ(complaint_about_tls({.ca_cert = folder.path()}), "none");
}

TEST_F(tls_context_test, names_an_unusable_authority) {
  EXPECT_EQ(complaint_about_tls({.ca_cert = folder.path("none.pem")}),
            "cannot read " + folder.path("none.pem") +
                ": No such file or directory; give --ca-cert a file that can be read");
  const std::string remedy =
      "; give --ca-cert a file of certificates in PEM form, or a folder of such files";
  EXPECT_EQ(complaint_about_tls({.ca_cert = folder.path()}),
            "no file in " + folder.path() + " holds a certificate" + remedy);
  const std::string file = folder.write("ca.pem", "hello");
  const std::string text = complaint_about_tls({.ca_cert = file});
  EXPECT_TRUE(text.starts_with("no certificate can be read from " + file)) << text;
  EXPECT_TRUE(text.ends_with(remedy)) << text;
}

TEST_F(tls_context_test, reads_a_client_certificate_with_its_key_in_one_file_or_in_two) {
  const std::string cert = folder.write("cert.pem", test::certificate_pem(client));
  const std::string key = folder.write("key.pem", test::key_pem(client));
  const std::string both =
      folder.write("both.pem", test::key_pem(client) + test::certificate_pem(client));
  EXPECT_EQ(complaint_about_tls({.client_cert = cert, .client_key = key}), "none");
  EXPECT_EQ(complaint_about_tls({.client_cert = both}), "none");
}

TEST_F(tls_context_test, reports_the_error_of_a_client_certificate) {
  const std::string cert = folder.write("cert.pem", test::certificate_pem(client));
  EXPECT_EQ(complaint_about_tls({.client_cert = cert, .client_key = folder.path("none")}),
            "cannot read " + folder.path("none") +
                ": No such file or directory; give --client-key a file that can be read");
  const std::string other = folder.write("other.pem", test::key_pem(authority));
  EXPECT_EQ(complaint_about_tls({.client_cert = cert, .client_key = other}),
            "the key in " + other + " is not that of the certificate in " + cert +
                "; give --client-cert and --client-key files that belong together");
  const std::string secret = folder.write("secret.pem", test::key_pem(client, "password"));
  EXPECT_EQ(complaint_about_tls({.client_cert = cert, .client_key = secret}),
            "the key in " + secret + " is encrypted; decrypt it, with openssl pkey -in " + secret +
                " -out FILE, for --client-key");
  const std::string empty = folder.write("empty.pem", "");
  EXPECT_TRUE(complaint_about_tls({.client_cert = empty})
                  .starts_with("no certificate can be read from " + empty + ": "));
  EXPECT_TRUE(complaint_about_tls({.client_cert = cert})
                  .starts_with("no private key can be read from " + cert + ": "));
}

}  // namespace
}  // namespace inferbench::transport
