// A test of codecs that sign their requests: sign changes headers only, and can be called again.
#include <string>

#include "check/instance_under_test.hpp"
#include "check/material.hpp"
#include "check/player.hpp"
#include "check/sample.hpp"
#include "check/test.hpp"

namespace inferbench::check {

void check_sign(subject& s) {
  if (!codec_of(s).signs) subject::skip("the codec does not sign its requests");
  const host on({});
  instance_under_test instance(s, on, s.values());
  need(instance);
  player one(s, instance);
  one.judge();
  bool any = false;
  for (const named_sample& shape : all_shapes()) {
    const std::string of = std::string(" for a prompt of shape ") + shape.name;
    if (!one.open(shape.json) || !one.request()) continue;
    any = true;
    if (!one.sign()) {
      s.fail("sign fails" + of + ": " + refusal(one.status(), one.error()),
             "let sign succeed for each request that request has filled in");
      continue;
    }
    judge_request(s, one.signed_request(), ", signed," + of);
    // The host sends a request again, to this server or another, if the connection was closed.
    if (!one.sign() || !one.sign(1))
      s.fail("sign fails if the request is sent again" + of + ": " +
                 refusal(one.status(), one.error()),
             "make a new signature in each call: the host calls sign before each sending");
    s.add(one.sign_fault());
  }
  if (!any) subject::skip(takes_none(one));
}

}  // namespace inferbench::check
