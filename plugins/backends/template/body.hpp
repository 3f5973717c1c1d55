// The body of a request as a tree. Values that are known when the template is read are already
// JSON; the others are filled in for each request. Immutable after construction; any thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "backends/bodies/body.hpp"
#include "document.hpp"
#include "placeholder.hpp"

namespace template_backend {

class body {
 public:
  /// `from` must outlive the body. `tree` is the table that becomes the body. `extra` contains the
  /// names of nested tables, from the outermost inwards. The members of `shared` that no
  /// placeholder used are laid over the innermost of these tables.
  /// Throws ifb::failure with file and line.
  body(const document& from, const value& tree, parameters& shared,
       const std::vector<std::string>& extra);

  [[nodiscard]] bool uses(slot what) const { return uses(root_, what); }

  /// Writes the body. `lasts`: this object outlives the request, so that long texts need no copy.
  /// Throws ifb::failure like request_values.
  void put(bodies::gather_list& out, const request_values& of, bool lasts) const {
    put(root_, out, of, lasts);
  }

 private:
  enum class kind : std::uint8_t { json, slot, text, object, list };

  struct node {
    kind what = kind::json;
    std::string json;                 // used by kind::json
    template_backend::slot filled{};  // used by kind::slot
    std::vector<pattern> pieces;      // used by kind::text: exactly one pattern
    std::vector<std::string> keys;    // used by kind::object: the keys as JSON, with their colon
    std::vector<node> items;          // used by kind::object and kind::list
  };

  /// Returns false if the value drops out because a placeholder in it does not have a value.
  static bool make(const document& from, const value& read, parameters& shared, node& out);
  static void set(node& object, const std::string& name, std::string json);
  static void fold(node& made);
  static bool uses(const node& in, template_backend::slot what);
  static bool stays(const node& one, const request_values& of);
  static void put(const node& one, bodies::gather_list& out, const request_values& of, bool lasts);

  node root_;
};

}  // namespace template_backend
