// The worker of the row engine-pipe.
#pragma once

namespace inferbench::bench {

/// Speaks docs/engine-protocol.md over descriptor 3 until `bye`; returns the exit status. Requests
/// that run at once, and so the events of a frame, are the option `at_once` of the frame load. The
/// frame done has the measure `cpu`: CPU seconds of this process from the frame run on.
int serve_engine_pipe();

}  // namespace inferbench::bench
