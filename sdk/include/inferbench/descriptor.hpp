// Shared by all kinds of plugins: the object to which an ifb_instance* points, and the ifb_plugin
// that describes its class. The constructor of a class has one of these forms, depending on whether
// the class has a struct options, and whether it must know its own library:
//
//   mine(ifb::host)
//   mine(ifb::host, const options&)
//   mine(ifb::host, const ifb_config&)
//   mine(ifb::host, const options&, const ifb_config&)
//
// ifb_config is valid only during the construction. Its member `file` is the path of the library,
// for data files beside it.
#pragma once

#include <concepts>
#include <cstring>
#include <memory>
#include <span>

#include <inferbench/abi.h>
#include <inferbench/guard.hpp>
#include <inferbench/host.hpp>
#include <inferbench/options.hpp>

namespace ifb::detail {

template <typename plugin>
struct options_of_class {
  using type = no_options;
};
template <typename plugin>
  requires requires { typename plugin::options; }
struct options_of_class<plugin> {
  using type = typename plugin::options;
};
template <typename plugin>
using options_t = typename options_of_class<plugin>::type;

template <typename plugin>
concept takes_options = std::constructible_from<plugin, host, const options_t<plugin>&>;
template <typename plugin>
concept takes_options_and_config =
    std::constructible_from<plugin, host, const options_t<plugin>&, const ifb_config&>;
template <typename plugin>
concept takes_host = std::constructible_from<plugin, host>;
template <typename plugin>
concept takes_config = std::constructible_from<plugin, host, const ifb_config&>;

template <typename plugin>
consteval bool check_description() {
  static_assert(
      requires {
        { plugin::id } -> std::convertible_to<const char*>;
      }, "the class needs: static constexpr const char* id = \"my-plugin\";");
  static_assert(
      requires {
        { plugin::version } -> std::convertible_to<const char*>;
      }, "the class needs: static constexpr const char* version = \"1.0.0\";");
  static_assert(
      requires {
        { plugin::summary } -> std::convertible_to<const char*>;
      }, "the class needs: static constexpr const char* summary = \"One sentence.\";");
  static_assert(
      requires {
        { plugin::license } -> std::convertible_to<const char*>;
      }, "the class needs: static constexpr const char* license = \"Apache-2.0\";");
  if constexpr (requires { typename plugin::options; }) {
    static_assert(
        requires { plugin::options::schema(); },
        "struct options needs: static constexpr auto schema() { return std::tuple{...}; }");
    static_assert(takes_options<plugin> || takes_options_and_config<plugin>,
                  "the class needs a constructor (ifb::host, const options&)");
  } else {
    static_assert(takes_host<plugin> || takes_config<plugin>,
                  "a class without struct options needs a constructor (ifb::host)");
  }
  return true;
}

/// The optional `static constexpr std::uint32_t flags` of a class.
template <typename plugin>
consteval std::uint32_t flags_of() {
  if constexpr (requires { plugin::flags; })
    return plugin::flags;
  else
    return 0;
}

/// The object to which an ifb_instance* points.
template <typename plugin>
class box {
 public:
  box(const ifb_host* table, const ifb_config* config)
      : host_(table), plugin_(make(host_, config)) {}

  [[nodiscard]] plugin& get() noexcept { return plugin_; }
  [[nodiscard]] const plugin& get() const noexcept { return plugin_; }
  [[nodiscard]] const ifb::host& host() const noexcept { return host_; }

  static box& of(ifb_instance* handle) noexcept { return *reinterpret_cast<box*>(handle); }
  static const box& of(const ifb_instance* handle) noexcept {
    return *reinterpret_cast<const box*>(handle);
  }
  [[nodiscard]] ifb_instance* handle() noexcept { return reinterpret_cast<ifb_instance*>(this); }

 private:
  static plugin make(ifb::host host, const ifb_config* config) {
    using options = options_t<plugin>;
    if constexpr (takes_options_and_config<plugin>)
      return plugin(host, read_options<options>(*config), *config);
    else if constexpr (takes_options<plugin>)
      return plugin(host, read_options<options>(*config));
    else if constexpr (takes_config<plugin>)
      return plugin(host, *config);
    else
      return plugin(host);
  }

  ifb::host host_;
  plugin plugin_;
};

/// Returns the options of a class, for guard().
template <typename plugin>
constexpr std::span<const ifb_option> options_of_plugin() noexcept {
  return option_table<options_t<plugin>>();
}

template <typename plugin, typename call>
[[nodiscard]] ifb_status guarded(ifb_error* error, call&& body) noexcept {
  return guard(error, options_of_plugin<plugin>(), std::forward<call>(body));
}

/// The part of an ifb_plugin that does not depend on its kind.
template <typename plugin>
struct lifecycle {
  static ifb_status IFB_CALL create(const ifb_host* table, const ifb_config* config,
                                    ifb_instance** out, ifb_error* error) noexcept {
    return guarded<plugin>(error, [&] {
      auto made = std::make_unique<box<plugin>>(table, config);
      *out = made.release()->handle();
    });
  }
  static void IFB_CALL destroy(ifb_instance* self) noexcept { delete &box<plugin>::of(self); }
};

template <typename plugin>
constexpr ifb_plugin describe(ifb_kind kind, const char* const* interfaces,
                              const void*(IFB_CALL* query)(const ifb_plugin*, const char*)) {
  constexpr auto options = options_of_plugin<plugin>();
  ifb_plugin out{};
  out.struct_size = sizeof out;
  out.kind = kind;
  out.id = plugin::id;
  out.version = plugin::version;
  out.summary = plugin::summary;
  out.license = plugin::license;
  out.options = options.data();
  out.option_count = static_cast<std::uint32_t>(options.size());
  out.option_stride = sizeof(ifb_option);
  out.create = &lifecycle<plugin>::create;
  out.destroy = &lifecycle<plugin>::destroy;
  out.interfaces = interfaces;
  out.query = query;
  return out;
}

/// Copies a struct of this header's version into the caller's struct, which may be shorter or
/// longer. The number of copied bytes is the smaller of the two sizes, and the caller's struct_size
/// does not change (rule R3 in abi.h). Throws failure if the caller's struct_size is 0.
template <typename growing>
void hand_over(const growing& from, growing* to) {
  const std::uint32_t room = to->struct_size;
  if (room == 0) throw failure{IFB_E_INTERNAL, "the host left struct_size of a result empty"};
  std::memcpy(static_cast<void*>(to), &from, room < sizeof from ? room : sizeof from);
  to->struct_size = room;
}

/// Returns a copy of the caller's struct with this header's length. Members that the caller does
/// not have are zero.
template <typename growing>
growing taken_over(const growing& from) noexcept {
  growing out{};
  std::memcpy(static_cast<void*>(&out), &from,
              from.struct_size < sizeof out ? from.struct_size : sizeof out);
  out.struct_size = sizeof out;
  return out;
}

}  // namespace ifb::detail
