// Tests of create: with the given values, and with every other kind of value.
#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "check/instance_under_test.hpp"
#include "check/test.hpp"
#include "options/option.hpp"

namespace inferbench::check {

namespace {

// Whether create refuses because an option is missing that only the user can give, which is not a
// mistake of the plugin.
bool wants_options(const subject& s, const instance_under_test& instance) {
  return (instance.status == IFB_E_CONFIG || instance.error.option >= 0) &&
         s.given().settings.empty();
}

void judge(subject& s, const std::string& with, const instance_under_test& instance) {
  if (instance.status == IFB_OK && !instance)
    s.fail("create" + with + " succeeds and hands out no instance",
           "set *out before create answers with IFB_OK");
  if (instance.touched)
    s.fail("create" + with + " fails, but hands out an instance",
           "set *out only when nothing can fail any more");
  judge_refusal(s, "create" + with, instance.status, instance.error);
}

/// Creates an instance with this value of the option that is under test. `which` describes the
/// value, such as "-1 as".
using attempt = std::function<void(const std::string& which, const options::option_value& value)>;

bool has_range(const ifb_option& o) { return o.minimum != 0 || o.maximum != 0; }

// The host passes only values inside the range, but values outside the range must not crash the
// plugin.
void try_integers(const ifb_option& o, options::option_value value, const attempt& with) {
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
  constexpr std::int64_t least = std::numeric_limits<std::int64_t>::min();
  const auto near = [](double bound) {
    return bound >= 9.2e18 ? most : bound <= -9.2e18 ? least : static_cast<std::int64_t>(bound);
  };
  for (const std::int64_t n :
       {least, std::int64_t{-1}, std::int64_t{0}, most, has_range(o) ? near(o.minimum) : 1,
        has_range(o) ? near(o.maximum) : 2}) {
    value.integer = n;
    with(std::to_string(n) + " as", value);
  }
}

void try_numbers(const ifb_option& o, options::option_value value, const attempt& with) {
  for (const double n : {0.0, -1.0, std::numeric_limits<double>::infinity(),
                         std::numeric_limits<double>::quiet_NaN(), has_range(o) ? o.minimum : 1,
                         has_range(o) ? o.maximum : 2}) {
    value.number = n;
    with(std::to_string(n) + " as", value);
  }
}

void try_switch(options::option_value value, const attempt& with) {
  for (const std::int64_t on_or_off : {0, 1}) {
    value.integer = on_or_off;
    with(on_or_off == 0 ? "false as" : "true as", value);
  }
}

void try_choices(const ifb_option& o, options::option_value value, const attempt& with) {
  for (std::uint32_t c = 0; c < o.choice_count; ++c) {
    value.text = o.choices[c];
    with(value.text + " as", value);
  }
}

void try_lists(options::option_value value, const attempt& with) {
  with("no items in", value);
  value.list = {"", "a=b", std::string(10'000, 'x')};
  with("odd items in", value);
}

void try_json(options::option_value value, const attempt& with) {
  for (const char* json : {"null", "0", "\"x\"", "[]", "{}", "{\"a\": {\"b\": [1, null]}}"}) {
    value.text = json;
    with(std::string(json) + " as", value);
  }
}

void try_texts(options::option_value value, const attempt& with) {
  for (const std::string& text :
       {std::string(), std::string("/dev/null/check"), std::string(10'000, 'x')}) {
    value.text = text;
    with(text.empty() ? "an empty" : text.size() < 100 ? text + " as" : "a long", value);
  }
}

void try_values(const ifb_option& o, const attempt& with) {
  options::option_value value;
  value.type = o.type;
  with("no", value);
  value.is_set = true;
  switch (o.type) {
    case IFB_INT:
    case IFB_DURATION:
    case IFB_SIZE: return try_integers(o, std::move(value), with);
    case IFB_FLOAT: return try_numbers(o, std::move(value), with);
    case IFB_BOOL: return try_switch(std::move(value), with);
    case IFB_CHOICE: return try_choices(o, std::move(value), with);
    case IFB_STRINGS: return try_lists(std::move(value), with);
    case IFB_JSON: return try_json(std::move(value), with);
    default: return try_texts(std::move(value), with);
  }
}

}  // namespace

void check_create(subject& s) {
  const host on({});
  const instance_under_test instance(s, on, s.values());
  judge(s, "", instance);
  if (instance || s.full()) return;
  if (wants_options(s, instance))
    subject::skip("create refuses the defaults: " + refusal(instance.status, instance.error) +
                  "; give the options that the plugin needs with --set OPTION=VALUE");
  s.fail("create fails: " + refusal(instance.status, instance.error),
         "let create succeed with the values that --set gives, or with the defaults");
}

void check_values(subject& s) {
  const host on({});
  const std::vector<options::option_value> given = s.values();
  const auto options = s.plugin().options();
  for (std::size_t i = 0; i < options.size() && !s.full() && !s.late(0.8); ++i) {
    try_values(*options[i], [&](const std::string& which, const options::option_value& value) {
      std::vector<options::option_value> changed = given;
      changed[i] = value;
      const instance_under_test instance(s, on, changed);
      judge(s, " with " + which + " " + options[i]->name, instance);
    });
    // After a refusal the plugin must work as before.
    need(instance_under_test(s, on, given));
  }
}

}  // namespace inferbench::check
