// Units for which there is no memory: an error of Open, and the process lives on.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import AudioUnits
import AuricleSDK
import CAudioToolbox
import Glibc
import RealtimeSupport
import TestUnits
import Testing

@Suite("Lack of memory") struct LackOfMemoryTests {
  @Test("a unit that takes MIDI is refused with kAudio_MemFullError, not by the end of the process")
  func units() async {
    await #expect(processExitsWith: .success) {
      // Once with memory, so that all is loaded that is loaded when first used.
      _ = try TestUnits.midi(type: kAudioUnitType_MusicEffect)
      useUpMemory()
      guard EventRing(minimumCapacity: 1 << 18) == nil else { exit(2) }
      do throws(AuricleError) {
        _ = try TestUnits.midi(type: kAudioUnitType_MusicEffect)
        exit(3)
      } catch {
        exit(error.status == kAudio_MemFullError ? 0 : 4)
      }
    }
  }
}

/// Forbids this process to grow, and takes what it still has in pieces of 32 KB and more.
private func useUpMemory() {
  var limit = rlimit(rlim_cur: 1, rlim_max: rlim_t.max)
  unsafe getrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit)
  limit.rlim_cur = 1
  unsafe setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit)
  // Not malloc: a compiler may take away what is never used.
  var piece: UnsafeMutableRawPointer?
  while unsafe posix_memalign(&piece, 16, 1 << 15) == 0 {}
}
