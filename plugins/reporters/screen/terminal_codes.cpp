#include "terminal_codes.hpp"

#include <cctype>
#include <cstdlib>
#include <string_view>

#include <inferbench/plugin.hpp>

#define NCURSES_NOMACROS 1
// term.h comes last: it defines macros with names such as "columns".
#include <curses.h>
#include <term.h>
#undef columns
#undef lines

namespace reporters {
namespace {

/// Removes delays such as "$<5>", which only terminals on a serial line need.
std::string without_delays(std::string_view sequence) {
  std::string out;
  while (!sequence.empty()) {
    const std::size_t end = sequence.starts_with("$<") ? sequence.find('>') : sequence.npos;
    const bool delay = end != sequence.npos && end > 2 &&
                       std::isdigit(static_cast<unsigned char>(sequence[2])) != 0;
    if (!delay) out += sequence.front();
    sequence.remove_prefix(delay ? end + 1 : 1);
  }
  return out;
}

// The functions below take no const names in older versions of ncurses.
std::string sequence_of(const char* name) {
  const char* found = ::tigetstr(const_cast<char*>(name));
  // NOLINTNEXTLINE(performance-no-int-to-ptr): ncurses returns -1 for a name that is no sequence
  if (found == nullptr || found == reinterpret_cast<const char*>(-1)) return {};
  return without_delays(found);
}

bool flag_of(const char* name) { return ::tigetflag(const_cast<char*>(name)) == 1; }
int number_of(const char* name) { return ::tigetnum(const_cast<char*>(name)); }

std::string filled(const std::string& sequence, long first, long second) {
  if (sequence.empty()) return {};
  const char* out =
      ::tparm(const_cast<char*>(sequence.c_str()), first, second, 0L, 0L, 0L, 0L, 0L, 0L, 0L);
  return out == nullptr ? std::string{} : out;
}

/// Makes the terminal's description the present one, and gives the earlier one back.
class present_terminal {
 public:
  explicit present_terminal(int descriptor) : before_(::cur_term) {
    int found = 0;
    if (::setupterm(nullptr, descriptor, &found) != OK) {
      ::set_curterm(before_);
      const char* name = std::getenv("TERM");
      throw ifb::failure{IFB_E_IO,
                         "the terminal \"" + std::string(name == nullptr ? "" : name) +
                             "\" (environment variable TERM) is not in the terminfo database; set "
                             "TERM, or leave out --live screen"};
    }
  }
  present_terminal(const present_terminal&) = delete;
  present_terminal& operator=(const present_terminal&) = delete;
  ~present_terminal() {
    TERMINAL* const mine = ::set_curterm(before_);
    if (mine != before_) ::del_curterm(mine);
  }

 private:
  TERMINAL* before_;
};

}  // namespace

terminal_codes codes_of_terminal(int descriptor, bool colours) {
  const present_terminal present(descriptor);
  terminal_codes out;
  out.place = sequence_of("cup");
  out.clear = sequence_of("clear");
  if (out.place.empty() || out.clear.empty())
    throw ifb::failure{IFB_E_IO,
                       "this terminal (environment variable TERM) cannot place its cursor; leave "
                       "out --live screen"};
  out.enter = sequence_of("smcup");
  out.leave = sequence_of("rmcup");
  out.hide_cursor = sequence_of("civis");
  out.show_cursor = sequence_of("cnorm");
  out.wrap_off = sequence_of("rmam");
  out.wrap_on = sequence_of("smam");
  out.clear_to_end = sequence_of("el");
  out.plain = sequence_of("sgr0");
  if (!out.plain.empty()) {  // a look that cannot be ended is not begun
    out.bold = sequence_of("bold");
    out.dim = sequence_of("dim");
    out.reverse = sequence_of("rev");
    if (const std::string colour = sequence_of("setaf"); colours && number_of("colors") >= 8) {
      out.green = filled(colour, COLOR_GREEN, 0);
      out.yellow = filled(colour, COLOR_YELLOW, 0);
      out.red = filled(colour, COLOR_RED, 0);
    }
  }
  if (const int found = number_of("cols"); found > 0) out.columns = static_cast<std::size_t>(found);
  if (const int found = number_of("lines"); found > 0) out.rows = static_cast<std::size_t>(found);
  out.wraps_at_once = flag_of("am") && !flag_of("xenl") && out.wrap_off.empty();
  return out;
}

std::string place_cursor(const terminal_codes& codes, std::size_t row, std::size_t column) {
  return filled(codes.place, static_cast<long>(row), static_cast<long>(column));
}

}  // namespace reporters
