// Units for which there is no memory: an error of Open, and the process lives on.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import AudioUnits
import AuricleSDK
import CAudioToolbox
import Foundation
import Glibc
import RealtimeSupport
import TestUnits
import Testing

@Suite("Lack of memory") struct LackOfMemoryTests {
  @Test("a unit with MIDI is refused with kAudio_MemFullError, and the process goes on")
  func units() async {
    await #expect(processExitsWith: .success) {
      // Once with memory, so that all is loaded that is loaded when first used.
      _ = try TestUnits.midi(type: kAudioUnitType_MusicEffect)
      try useUpMemory()
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

/// Uses up this process's memory in pieces of 32 KB and more, and limits its growth to the needs of the
/// stack and small pieces. That limit is below the size of a ring.
private func useUpMemory() throws {
  let reserve = 160 << 10
  let kept = unsafe mmap(nil, reserve, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
  let pages = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8).prefix { $0 != " " }
  let size = rlim_t(try #require(Int(pages)) * sysconf(Int32(_SC_PAGESIZE)))
  var limit = rlimit(rlim_cur: size, rlim_max: rlim_t.max)
  unsafe setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit)
  // Not malloc: a compiler may remove unused allocations.
  var piece: UnsafeMutableRawPointer?
  while unsafe posix_memalign(&piece, 16, 1 << 15) == 0 {}
  if let kept = unsafe kept { unsafe munmap(kept, reserve) }
}
