// Keeps libraries in a worker that speaks from connecting to a sound server.
// SPDX-License-Identifier: Apache-2.0

import CHostSystem
import Glibc
import HostSystem

/// espeak-ng asks PulseAudio for a device even where it only makes samples. In the sandbox that fails, and PulseAudio's
/// library prints every step of it.
enum NoSoundServer {
  /// Sets private settings of PulseAudio's library: no server, no shared memory, no cookie. Context: control, before the
  /// sandbox and the first plug-in.
  static func arrange() {
    let settings = Array("disable-shm=yes\ncookie-file=/dev/null\n".utf8)
    let file = AuricleMakeSharedMemory(settings.count)
    guard file >= 0, FileTransfer.writeAll(settings, to: file) == 0 else { return }
    // Open as long as the process is.
    unsafe _ = setenv("PULSE_CLIENTCONFIG", "/proc/self/fd/\(file)", 1)
    unsafe _ = setenv("PULSE_SERVER", "none:", 1)
  }
}
