// A callback to an object, without allocation or ownership: it stores a function pointer and a
// pointer to the object. The object must outlive the last use of the callback.
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

  /// Calls `target`, which is a lambda or another function object and must outlive the callback.
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
