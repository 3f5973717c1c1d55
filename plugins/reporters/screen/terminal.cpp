#include "terminal.hpp"

#include <array>
#include <csignal>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string_view>
#include <type_traits>
#include <utility>

#include <langinfo.h>
#include <locale.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <inferbench/plugin.hpp>

#define NCURSES_NOMACROS 1
#include <curses.h>

namespace reporters {

namespace {

/// ncurses installs handlers when it starts. They belong to the host (rule R9 of abi.h).
class kept_handlers {
 public:
  kept_handlers() {
    for (std::size_t i = 0; i < numbers.size(); ++i)
      ::sigaction(numbers[i], nullptr, &before_[i]);
  }
  kept_handlers(const kept_handlers&) = delete;
  kept_handlers& operator=(const kept_handlers&) = delete;
  ~kept_handlers() {
    for (std::size_t i = 0; i < numbers.size(); ++i)
      ::sigaction(numbers[i], &before_[i], nullptr);
  }

 private:
  static constexpr std::array numbers{SIGINT, SIGTERM, SIGTSTP, SIGWINCH};
  std::array<struct sigaction, numbers.size()> before_{};
};

/// The character set of the environment, for this thread only: the locale of the process is the
/// host's.
class own_locale {
 public:
  explicit own_locale(locale_t of) : before_(::uselocale(of)) {}
  own_locale(const own_locale&) = delete;
  own_locale& operator=(const own_locale&) = delete;
  ~own_locale() { ::uselocale(before_); }

 private:
  locale_t before_;
};

struct close_file {
  void operator()(std::FILE* file) const noexcept { std::fclose(file); }
};
using file = std::unique_ptr<std::FILE, close_file>;

struct free_locale {
  void operator()(locale_t of) const noexcept { ::freelocale(of); }
};
using locale_owner = std::unique_ptr<std::remove_pointer_t<locale_t>, free_locale>;

locale_owner characters_of_environment() {
  locale_t found = ::newlocale(LC_CTYPE_MASK, "", nullptr);
  if (found == nullptr) found = ::newlocale(LC_CTYPE_MASK, "C", nullptr);
  return locale_owner(found);
}

/// The numbers of the colour pairs.
enum colour_pair : short { good_pair = 1, warn_pair, bad_pair };

attr_t attributes_of(emphasis look, bool colours) {
  switch (look) {
    case emphasis::strong: return A_BOLD;
    case emphasis::faint: return A_DIM;
    case emphasis::good: return colours ? static_cast<attr_t>(COLOR_PAIR(good_pair)) : A_NORMAL;
    case emphasis::warn: return colours ? static_cast<attr_t>(COLOR_PAIR(warn_pair)) : A_BOLD;
    case emphasis::bad:
      return (colours ? static_cast<attr_t>(COLOR_PAIR(bad_pair)) : A_REVERSE) | A_BOLD;
    case emphasis::none: break;
  }
  return A_NORMAL;
}

bool start_colours() {
  // NO_COLOR: no-color.org
  const char* plain = std::getenv("NO_COLOR");
  if ((plain != nullptr && *plain != '\0') || !::has_colors()) return false;
  ::start_color();
  ::use_default_colors();
  ::init_pair(good_pair, COLOR_GREEN, -1);
  ::init_pair(warn_pair, COLOR_YELLOW, -1);
  ::init_pair(bad_pair, COLOR_RED, -1);
  return true;
}

}  // namespace

struct terminal::state {
  locale_owner locale = characters_of_environment();
  file input{std::fopen("/dev/null", "re")};  // ncurses wants an input, and must not read ours
  SCREEN* screen = nullptr;
  bool colours = false;
};

bool terminal::exists() noexcept { return ::isatty(STDERR_FILENO) == 1; }

void terminal::open() {
  if (state_ != nullptr) return;
  auto made = std::make_unique<state>();
  if (!made->input || !made->locale)
    throw ifb::failure{IFB_E_IO, "cannot prepare the screen: out of descriptors or memory"};
  const own_locale characters(made->locale.get());
  {
    const kept_handlers handlers;
    made->screen = ::newterm(nullptr, stderr, made->input.get());
  }
  if (made->screen == nullptr)
    throw ifb::failure{IFB_E_IO, "ncurses does not know the terminal $TERM"};
  ::set_term(made->screen);
  ::curs_set(0);
  ::leaveok(stdscr, TRUE);
  made->colours = start_colours();
  state_ = made.release();
}

screen_size terminal::size() {
  winsize found{};
  if (::ioctl(STDERR_FILENO, TIOCGWINSZ, &found) == 0 && found.ws_col > 0 && found.ws_row > 0 &&
      ::is_term_resized(found.ws_row, found.ws_col)) {
    const own_locale characters(state_->locale.get());
    ::resizeterm(found.ws_row, found.ws_col);
    ::clearok(stdscr, TRUE);
  }
  const std::string_view set = ::nl_langinfo_l(CODESET, state_->locale.get());
  return {static_cast<std::size_t>(::getmaxx(stdscr)), static_cast<std::size_t>(::getmaxy(stdscr)),
          set == "UTF-8"};
}

void terminal::draw(std::span<const screen_line> lines) {
  const own_locale characters(state_->locale.get());
  ::werase(stdscr);
  int row = 0;
  for (const screen_line& line : lines) {
    ::wmove(stdscr, row++, 0);
    for (const screen_span& each : line) {
      ::wattr_set(stdscr, A_NORMAL, 0, nullptr);
      ::wattron(stdscr, static_cast<int>(attributes_of(each.look, state_->colours)));
      // An error here means the last cell of the screen was filled, behind which no cursor fits.
      static_cast<void>(::waddnstr(stdscr, each.text.data(), static_cast<int>(each.text.size())));
    }
  }
  ::wattr_set(stdscr, A_NORMAL, 0, nullptr);
  ::wrefresh(stdscr);
}

void terminal::close() noexcept {
  if (state_ == nullptr) return;
  const std::unique_ptr<state> ending(std::exchange(state_, nullptr));
  const own_locale characters(ending->locale.get());
  ::endwin();
  ::delscreen(ending->screen);
}

}  // namespace reporters
