#include "simulator/form_data.hpp"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "framework/simulator/sound_form.hpp"

namespace inferbench::simulator {
namespace {

using testing::IsEmpty;
using testing::SizeIs;

std::string fault_of(const std::string& body) {
  std::string fault;
  EXPECT_FALSE(read_form(body, "edge", fault)) << body;
  return fault;
}

TEST(form_data, the_boundary_is_a_parameter_of_the_type) {
  EXPECT_EQ(boundary_of("multipart/form-data; boundary=edge"), "edge");
  EXPECT_EQ(boundary_of("Multipart/Form-Data;charset=utf-8 ; Boundary=\"a b;c\""), "a b;c");
  for (const char* type : {"", "multipart/form-data", "multipart/mixed; boundary=edge",
                           "application/json; boundary=edge", "multipart/form-data; boundary",
                           "multipart/form-data; boundary=\"edge"})
    EXPECT_EQ(boundary_of(type), "") << type;
  EXPECT_EQ(boundary_of("multipart/form-data; boundary=" + std::string(71, 'x')), "");
}

TEST(form_data, parts_keep_their_bytes) {
  const std::string bytes("RIFF\0\r\n--edg\r\n\r\n-", 18);
  std::string fault;
  const std::string body = form_with(bytes, {{"model", "m"}, {"empty", ""}});
  const auto form = read_form(body, "edge", fault);
  ASSERT_TRUE(form) << fault;
  ASSERT_THAT(*form, SizeIs(3));
  EXPECT_EQ((*form)[0].name, "file");
  EXPECT_EQ((*form)[0].file_name, "a.wav");
  EXPECT_EQ((*form)[0].type, "audio/wav");
  EXPECT_EQ((*form)[0].value, bytes);
  EXPECT_EQ((*form)[1].name, "model");
  EXPECT_FALSE((*form)[1].file_name);
  EXPECT_EQ((*form)[1].type, "");
  EXPECT_EQ((*form)[1].value, "m");
  EXPECT_EQ((*form)[2].value, "");
}

TEST(form_data, names_may_be_quoted_in_the_manner_of_browsers_and_of_mail) {
  std::string fault;
  const auto form = read_form(
      "preamble\r\n--edge \r\ncontent-disposition: form-data; name=plain; "
      "filename=\"a %22b%22 \\\"c\\\".wav\"\r\n\r\nx\r\n--edge--epilogue",
      "edge", fault);
  ASSERT_TRUE(form) << fault;
  ASSERT_THAT(*form, SizeIs(1));
  EXPECT_EQ((*form)[0].name, "plain");
  EXPECT_EQ((*form)[0].file_name, "a \"b\" \"c\".wav");
  EXPECT_EQ((*form)[0].value, "x");
}

TEST(form_data, a_form_without_parts_is_a_form) {
  std::string fault;
  const auto form = read_form("--edge--\r\n", "edge", fault);
  ASSERT_TRUE(form) << fault;
  EXPECT_THAT(*form, IsEmpty());
}

TEST(form_data, a_damaged_form_is_refused_with_the_reason) {
  const std::string head = "--edge\r\nContent-Disposition: form-data; name=\"a\"\r\n";
  EXPECT_EQ(fault_of(""), "The form does not have its boundary.");
  EXPECT_EQ(fault_of("{}"), "The form does not have its boundary.");
  EXPECT_EQ(fault_of("--other\r\n\r\n"), "The form does not have its boundary.");
  EXPECT_EQ(fault_of("--edgeless\r\n"), "A boundary of the form does not end its line.");
  EXPECT_EQ(fault_of("--edge"), "A boundary of the form does not end its line.");
  EXPECT_EQ(fault_of("--edge\r\n"), "A part of the form has no name.");
  EXPECT_EQ(fault_of(head), "A part of the form has no name.") << "the head does not end";
  EXPECT_EQ(fault_of("--edge\r\nContent-Type: text/plain\r\n\r\nx\r\n--edge--"),
            "A part of the form has no name.");
  EXPECT_EQ(fault_of("--edge\r\nContent-Disposition: attachment; name=\"a\"\r\n\r\nx\r\n--edge--"),
            "A part of the form has no name.");
  EXPECT_EQ(fault_of(head + "\r\nx"), "The form does not end with its boundary.");
  EXPECT_EQ(fault_of(head + "\r\nx\r\n--edge"), "A boundary of the form does not end its line.");
  std::string many;
  for (int i = 0; i <= 1000; ++i)
    many += head + "\r\nx\r\n";
  EXPECT_EQ(fault_of(many + "--edge--"), "Too many fields. Maximum number of fields is 1000.");
}

}  // namespace
}  // namespace inferbench::simulator
