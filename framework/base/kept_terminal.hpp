// The terminal on which something draws a screen: its settings from before, which a signal handler
// can bring back, so that the user of a process that crashed can go on typing.
#pragma once

namespace inferbench::base {

/// Remembers the settings of the terminal `descriptor`, echo among them. Replaces the terminal that
/// is remembered already. `descriptor` need not be a terminal: then it has no settings, and
/// restore_terminal() writes only the sequences. Not for signal handlers; one thread at a time.
void keep_terminal(int descriptor);

/// Brings the remembered terminal back: leaves the alternate screen, shows the cursor, ends
/// attributes and the scroll region, lets lines wrap, and restores the settings. The first call
/// after keep_terminal() does so; other calls have no effect. Any thread, and any signal handler:
/// it does not allocate or lock.
void restore_terminal() noexcept;

/// Forgets the remembered terminal, which has been brought back in another way. Any thread.
void forget_terminal() noexcept;

}  // namespace inferbench::base
