// alsa-lib as a whole: its silence, and one caller at a time where its plug-ins need that.
// SPDX-License-Identifier: Apache-2.0

import CALSA
import Glibc
import Synchronization

/// Opening and listing, which some plug-ins cannot do on two threads at once.
package enum ALSALibrary {
  private static let mutex = Mutex<Bool>(false)

  /// Opens a PCM, and has nobody print anything: 0, or a negated `errno`.
  static func open(
    _ name: String, _ stream: snd_pcm_stream_t, into opened: inout OpaquePointer?
  ) -> Int32 {
    locked {
      let definition = PCMDefinition(name)
      if definition.needsJACK { auricle_jack_silence() }
      if let names = definition.pipeWireNames, !PipeWireServer.runs(names) { return -EHOSTDOWN }
      return unsafe snd_pcm_open(&opened, name, stream, SND_PCM_NONBLOCK)
    }
  }

  /// Runs a body alone; the library's own messages go nowhere.
  package static func locked<Value>(_ body: () -> Value) -> Value {
    mutex.withLock { isSilent in
      if !isSilent {
        isSilent = true
        auricle_alsa_silence()
      }
      return body()
    }
  }
}
