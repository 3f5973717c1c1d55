// The body of a request as a tree: values that are known when the template is read are JSON
// already, the others are filled in per request. Immutable once made; any thread.
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
  /// `from`: outlives the body. `tree`: the table that becomes the body. `extra`: the names of the
  /// tables, from the outermost inwards, over which the members of `shared` that no placeholder
  /// took are laid.
  /// Throws ifb::failure with file and line.
  body(const document& from, const value& tree, parameters& shared,
       const std::vector<std::string>& extra);

  [[nodiscard]] bool uses(slot what) const { return uses(root_, what); }

  /// Writes the body. `lasts`: this object outlives the request, so that long texts need no copy.
  /// Throws ifb::failure as request_values does.
  void put(bodies::gather_list& out, const request_values& of, bool lasts) const {
    put(root_, out, of, lasts);
  }

 private:
  enum class kind : std::uint8_t { json, slot, text, object, list };

  struct node {
    kind what = kind::json;
    std::string json;                 // of json
    template_backend::slot filled{};  // of slot
    std::vector<pattern> pieces;      // of text: one
    std::vector<std::string> keys;    // of object: as JSON, with their colon
    std::vector<node> items;          // of object and list
  };

  /// False: the value drops out, because a placeholder in it has no value.
  static bool make(const document& from, const value& read, parameters& shared, node& out);
  static void set(node& object, const std::string& name, std::string json);
  static void fold(node& made);
  static bool uses(const node& in, template_backend::slot what);
  static bool stays(const node& one, const request_values& of);
  static void put(const node& one, bodies::gather_list& out, const request_values& of, bool lasts);

  node root_;
};

}  // namespace template_backend
