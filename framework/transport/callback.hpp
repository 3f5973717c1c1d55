// A call into an object without allocation and without ownership: a function pointer and the
// object. The object must outlive the callback's last use.
#pragma once

#include <utility>

namespace inferbench::transport {

template <typename signature>
class callback;

template <typename result, typename... args>
class callback<result(args...)> {
 public:
  using function = result (*)(void* object, args...);

  constexpr callback() noexcept = default;
  constexpr callback(function call, void* object) noexcept : call_(call), object_(object) {}

  /// Calls a member function of `object`: callback<void(int)>::to<&connection::timed_out>(*this).
  template <auto member, typename type>
  [[nodiscard]] static constexpr callback to(type& object) noexcept {
    return {[](void* self, args... values) -> result {
              return (static_cast<type*>(self)->*member)(std::forward<args>(values)...);
            },
            &object};
  }

  /// Calls `target`, a lambda or other function object that outlives the callback.
  template <typename type>
  [[nodiscard]] static constexpr callback of(type& target) noexcept {
    return {[](void* self, args... values) -> result {
              return (*static_cast<type*>(self))(std::forward<args>(values)...);
            },
            &target};
  }

  [[nodiscard]] constexpr explicit operator bool() const noexcept { return call_ != nullptr; }
  result operator()(args... values) const { return call_(object_, std::forward<args>(values)...); }

 private:
  function call_ = nullptr;
  void* object_ = nullptr;
};

}  // namespace inferbench::transport
