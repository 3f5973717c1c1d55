#include "client/headers.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <vector>

#include "base/text.hpp"
#include "plugin/instance.hpp"
#include "transport/http1_request_writer.hpp"

namespace inferbench::client {

namespace {

/// A short list that is built for each request without allocation.
class field_list {
 public:
  void set(std::string_view name, std::string_view value) {
    const ifb_field field{plugin::str(name), plugin::str(value)};
    for (std::size_t i = 0; i < count_; ++i) {
      if (!base::equal_no_case(plugin::view(at(i).name), name)) continue;
      at(i) = field;
      return;
    }
    if (count_ < few_.size())
      few_[count_] = field;
    else
      spill(field);
    ++count_;
  }
  [[nodiscard]] std::span<const ifb_field> view() const {
    return many_.empty() ? std::span(few_.data(), count_) : std::span(many_.data(), many_.size());
  }

 private:
  ifb_field& at(std::size_t i) { return many_.empty() ? few_[i] : many_[i]; }
  void spill(const ifb_field& field) {
    if (many_.empty()) many_.assign(few_.begin(), few_.end());
    many_.push_back(field);
  }

  std::array<ifb_field, 16> few_;
  std::vector<ifb_field> many_;
  std::size_t count_ = 0;
};

constexpr std::string_view agent = "inferbench/" INFERBENCH_VERSION;

}  // namespace

bool write_head(std::string& out, const backend& shared, const transport::endpoint& server,
                const ifb_http_request& request, std::string_view id) {
  field_list fields;
  fields.set("User-Agent", agent);
  fields.set("Accept", "*/*");
  // Silence would allow any coding, and nothing here decodes one.
  fields.set("Accept-Encoding", "identity");
  for (std::size_t i = 0; i < request.header_count; ++i)
    fields.set(plugin::view(request.headers[i].name), plugin::view(request.headers[i].value));
  for (const auto& [name, value] : shared.headers)
    fields.set(name, value);
  if (!id.empty()) fields.set("x-request-id", id);

  std::uint64_t bytes = 0;
  for (std::size_t i = 0; i < request.body_count; ++i)
    bytes += request.body[i].size;

  const transport::url& url = server.where;
  const std::string host = url.authority();
  transport::http1_request_head head;
  head.method = plugin::view(request.method);
  head.prefix = url.target;
  head.target = plugin::view(request.target);
  head.host = host;
  head.headers = fields.view();
  head.body_bytes = bytes;
  out.clear();
  return transport::write_request_head(out, head);
}

}  // namespace inferbench::client
