#include "saved_conversations.hpp"

#include <ios>
#include <utility>

#include <inferbench/guard.hpp>
#include <inferbench/json_writer.hpp>

namespace conversations {

saved_conversations::saved_conversations(std::string path)
    : path_(std::move(path)), to_(path_, std::ios::binary | std::ios::trunc) {
  to_ << "[";
  require();
}

void saved_conversations::require() const {
  if (!to_) throw ifb::failure(IFB_E_IO, "cannot write " + path_, "save");
}

void saved_conversations::add(const conversation& one) {
  if (!one.trouble.empty()) return;
  ifb::json_writer out;
  out.begin_object();
  out.member("id", one.id);
  out.key("messages");
  out.begin_array();
  for (const message& said : one.messages) {
    out.begin_object();
    out.member("role", said.role);
    out.member("content", said.text);
    out.end_object();
  }
  out.end_array();
  out.end_object();
  to_ << (std::exchange(first_, false) ? "\n" : ",\n") << out.text();
  require();
}

void saved_conversations::close() {
  to_ << "\n]\n";
  to_.close();
  require();
}

}  // namespace conversations
