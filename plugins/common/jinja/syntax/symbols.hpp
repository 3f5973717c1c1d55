// The names of one scope while a template is compiled.
#pragma once

#include <map>
#include <optional>
#include <unordered_map>
#include <vector>

#include "nodes.hpp"

namespace jinja {

/// A function under compilation, and its variables by level and name.
struct local_function {
  function* code = nullptr;
  const local_function* outer = nullptr;
  std::map<std::pair<int, const object*>, std::uint32_t> slots;
};

/// A variable of a function: its owner and its slot.
struct variable {
  local_function* owner = nullptr;
  std::uint32_t slot = 0;
  bool operator==(const variable&) const = default;
};

/// Names are objects of the constant pool: equal names are the same object. Every operation takes
/// constant time, or time in proportion to a branch's additions, so that no template takes long.
/// May be used by only one thread at a time.
class symbols {
 public:
  enum class action : std::uint8_t { parameter, context, outer, nowhere };
  struct loading {
    const object* name = nullptr;
    variable of;
    action how = action::nowhere;
    variable outer;
    bool stored = false;
  };
  /// The additions that a branch's statements make to the scope.
  struct branch {
    std::vector<loading> loads;
    std::vector<const object*> stores;
  };

  symbols(const symbols* parent, local_function* owner, int level)
      : parent_(parent), owner_(owner), level_(level) {}

  // Report how the statements of the scope use a name. They must be called in the order of the
  // statements.
  void use(const object* name);
  void store(const object* name);
  variable declare(const object* name);

  /// Runs `visit`, which calls the functions above. Undoes their effects and returns them.
  template <typename Visit>
  [[nodiscard]] branch apart(const Visit& visit) {
    const std::size_t loads = loads_.size();
    const std::size_t stores = stores_.size();
    visit();
    return take_back(loads, stores);
  }
  /// Adds the effects of all branches.
  void merge(const std::vector<branch>& branches);

  [[nodiscard]] std::optional<variable> find(const object* name) const;
  [[nodiscard]] const std::vector<loading>& loads() const { return loads_; }
  [[nodiscard]] local_function* owner() const { return owner_; }
  [[nodiscard]] int level() const { return level_; }

 private:
  [[nodiscard]] loading* known(const object* name);
  loading& define(const object* name, action how, variable outer = {});
  void mark_stored(loading& of);
  branch take_back(std::size_t loads, std::size_t stores);

  const symbols* parent_;
  local_function* owner_;
  int level_;
  std::vector<loading> loads_;
  std::unordered_map<const object*, std::size_t> index_;
  /// The stored names in their order, so that apart() can undo them.
  std::vector<const object*> stores_;
};

}  // namespace jinja
