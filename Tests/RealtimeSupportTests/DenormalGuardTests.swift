// Denormal numbers become zero under the guard, and only there.
// SPDX-License-Identifier: Apache-2.0

import CSystemSupport
import RealtimeSupport
import Testing

@inline(never) private func half(_ x: Float) -> Float { x * 0.5 }

@Suite struct DenormalGuardTests {
  @Test func denormalsAreZeroUnderTheGuardOnly() {
    guard AuricleFloatControlFlushBits() != 0 else { return }
    let smallest = Float.leastNormalMagnitude
    #expect(half(smallest) > 0)
    let before = AuricleGetFloatControl()
    let denormals = DenormalGuard()
    let isActive = DenormalGuard.isActive
    let result = half(smallest)
    denormals.restore()
    #expect(isActive)
    #expect(result == 0)
    #expect(AuricleGetFloatControl() == before)
    #expect(half(smallest) > 0)
  }

  @Test func guardsNest() {
    guard AuricleFloatControlFlushBits() != 0 else { return }
    let outer = DenormalGuard()
    let inner = DenormalGuard()
    inner.restore()
    let stillActive = DenormalGuard.isActive
    outer.restore()
    #expect(stillActive)
    #expect(!DenormalGuard.isActive)
  }

  @Test func realtimeSectionsDoNothingWithoutTheSanitizer() {
    RealtimeSection.enter()
    RealtimeSection.enter()
    RealtimeSection.exit()
    RealtimeSection.exit()
    #expect(RealtimeSection.isChecked == AuricleRealtimeSanitizerIsPresent())
  }
}
