#include "check/instance_under_test.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <string_view>

#include "check/raw_call.hpp"
#include "check/utf8.hpp"
#include "plugin/breadcrumb.hpp"
#include "plugin/complete.hpp"
#include "plugin/instance.hpp"
#include "plugin/status.hpp"

namespace inferbench::check {

namespace {

ifb_value value_of(const options::option_value& from, lent_memory& memory) {
  ifb_value out{};
  out.type = from.type;
  if (!from.is_set) return out;
  out.is_set = 1;
  switch (from.type) {
    case IFB_INT:
    case IFB_BOOL:
    case IFB_DURATION:
    case IFB_SIZE: out.as.i = from.integer; break;
    case IFB_FLOAT: out.as.f = from.number; break;
    case IFB_STRINGS: {
      std::vector<ifb_str> list;
      for (const std::string& item : from.list)
        list.push_back(memory.text(item));
      out.as.list.data = memory.copy(std::span<const ifb_str>(list));
      out.as.list.size = list.size();
      break;
    }
    default: out.as.s = memory.text(from.text); break;
  }
  return out;
}

template <typename operations>
operations operations_of(subject& s) {
  const ifb_plugin& plugin = *s.plugin().plugin;
  const std::string id = plugin::interface_of<operations>;
  const void* const table = s.plugin().query(id.c_str());
  if (table == nullptr) subject::skip("the plugin does not offer " + id);
  if (plugin::lack_of(id.c_str(), table))
    subject::skip("the plugin's table of " + id + " is incomplete: see the test interfaces");
  return plugin::complete<operations>(plugin, table);
}

}  // namespace

instance_under_test::instance_under_test(subject& s, const host& on,
                                         const std::vector<options::option_value>& values,
                                         lending how)
    : status(IFB_OK), error(blank_error()), plugin_(s.plugin().plugin), on_(on), memory_(how) {
  std::vector<ifb_value> list;
  for (const options::option_value& value : values)
    list.push_back(value_of(value, memory_));
  ifb_config config{};
  config.count = static_cast<std::uint32_t>(list.size());
  config.values = memory_.copy(std::span<const ifb_value>(list));
  config.plugin = s.plugin().self();
  config.file = memory_.name(s.given().file.c_str());
  const ifb_config* const lent = memory_.put(config);
  ifb_error* const lent_error = lend_error(memory_);
  status = raw_call(plugin_, "create", plugin_->create, on.table(), lent, &self_, lent_error);
  error = *lent_error;
  memory_.give_back();
  if (status == IFB_OK) return;
  touched = self_ != nullptr;
  self_ = nullptr;
}

instance_under_test::~instance_under_test() {
  if (self_ == nullptr || left_behind_) return;
  const plugin::breadcrumb crumb(plugin_, "destroy");
  crumb.run_last([this] { plugin_->destroy(self_); });
}

void instance_under_test::leave_behind() noexcept {
  on_.leave_behind();
  left_behind_ = true;
}

void need(const instance_under_test& instance) {
  if (!instance) subject::skip("create refuses: see the test create");
}

std::string refusal(ifb_status status, const ifb_error& error) {
  if (status >= 0) return name_of_status(status);
  return name_of_status(status) + ": " + plugin::text_of(error, status);
}

namespace {

// Whether `call` may return `status`. The codes above 0 are allowed in some calls only.
bool is_answer_of(std::string_view call, ifb_status status) {
  switch (status) {
    case IFB_END: return call == "on_message" || call == "read";
    case IFB_MORE: return call == "on_end";
    case IFB_SKIP: return call == "read" || call == "score";
    default: return status <= IFB_OK;
  }
}

}  // namespace

void judge_refusal(subject& s, const std::string& call, ifb_status status, const ifb_error& error) {
  const std::string name = name_of_status(status);
  if (status > IFB_SKIP || (status < IFB_OK && !plugin::is_known_error(status))) {
    s.fail(call + " answers with " + name + ", which abi.h does not have",
           "answer with a code of ifb_status_code");
    return;
  }
  if (!is_answer_of(call, status))
    s.fail(call + " answers with " + name + ", which this call does not have",
           "answer with IFB_OK or a code below 0; the host treats " + name + " as IFB_E_INTERNAL");
  if (status >= 0) return;
  const std::size_t size = ::strnlen(error.message, sizeof error.message);
  const std::string_view message(error.message, size);
  if (size == sizeof error.message)
    s.fail(call + " fails with a message without an end", "put a zero byte behind the message");
  else if (message.empty())
    s.fail(call + " fails with " + name + " and does not say why", "fill ifb_error.message");
  else if (!is_utf8(message))
    s.fail(call + " fails with a message that is not UTF-8",
           "write messages in UTF-8, and mend the texts that they quote (rule R1 in abi.h)");
  if (error.code != status)
    s.fail(call + " fails with " + name + ", but the code in its error is " +
               name_of_status(error.code),
           "set ifb_error.code to the status that the call returns");
  if (error.option < -1 || (error.option >= 0 && static_cast<std::uint32_t>(error.option) >=
                                                     s.plugin().plugin->option_count))
    s.fail(call + " blames option " + std::to_string(error.option) + ", which does not exist",
           "set ifb_error.option to an index, or to -1");
}

ifb_error blank_error() noexcept {
  ifb_error out;
  out.code = IFB_OK;
  out.option = -1;
  std::memset(out.message, 0, sizeof out.message);
  return out;
}

ifb_error* lend_error(lent_memory& memory) {
  const ifb_error blank = blank_error();
  return memory.copy(std::span<const ifb_error>(&blank, 1));
}

plugin::codec codec_of(subject& s) { return operations_of<plugin::codec>(s); }
plugin::dataset dataset_of(subject& s) { return operations_of<plugin::dataset>(s); }
plugin::reporter reporter_of(subject& s) { return operations_of<plugin::reporter>(s); }
plugin::table_reporter table_reporter_of(subject& s) {
  return operations_of<plugin::table_reporter>(s);
}
plugin::tokenizer tokenizer_of(subject& s) { return operations_of<plugin::tokenizer>(s); }
plugin::scorer scorer_of(subject& s) { return operations_of<plugin::scorer>(s); }
plugin::engine engine_of(subject& s) { return operations_of<plugin::engine>(s); }

bool offers(subject& s, const char* interface_id) {
  return !plugin::lack_of(interface_id, s.plugin().query(interface_id));
}

}  // namespace inferbench::check
