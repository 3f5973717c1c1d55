// A JSON object whose members keep the order in which they were first set. If a member is set
// again, its value is replaced and its place does not change, like in a Python dict.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include <inferbench/json_writer.hpp>

namespace reporters {

class document {
 public:
  using sink = std::function<void(std::string_view)>;

  void set(std::string_view name, std::string_view text);
  void set(std::string_view name, const char* text) { set(name, std::string_view(text)); }
  void set(std::string_view name, double value);
  void set(std::string_view name, std::int64_t value);
  void set_null(std::string_view name) { place(name).json = "null"; }
  /// `json` must be one valid JSON value.
  void set_json(std::string_view name, std::string json) { place(name).json = std::move(json); }

  /// Sets an array that is never in memory as text: `element(i, out)` appends the JSON of element
  /// i. Objects to which `element` refers must live until write().
  void set_array(std::string_view name, std::size_t count,
                 std::function<void(std::size_t, std::string&)> element);

  /// Returns the JSON of a member that set() has set; empty if there is no such member.
  [[nodiscard]] std::string_view json(std::string_view name) const;
  /// Calls visit(name, json) for each member that set() has set, in order.
  template <typename visitor>
  void for_each(visitor&& visit) const {
    for (const member& m : members_)
      if (!m.element) visit(std::string_view(m.name), std::string_view(m.json));
  }

  /// Writes the object in one line, without a line ending.
  void write(const sink& out) const;

 private:
  struct member {
    std::string name;
    std::string json;
    std::size_t count = 0;
    std::function<void(std::size_t, std::string&)> element;  // if set, the member is an array
  };
  member& place(std::string_view name);

  std::vector<member> members_;
};

}  // namespace reporters
