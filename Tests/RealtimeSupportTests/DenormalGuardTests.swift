// Denormal numbers become zero under the guard, and only there.
// SPDX-License-Identifier: Apache-2.0

import CRealtime
import RealtimeSupport
import Testing

/// Half the smallest normal number, computed now: the atomic memory keeps the compiler from doing it
/// before, or elsewhere.
private func halfOfTheSmallest() -> Float {
  let store = ParameterStore(count: 2, initialValue: .leastNormalMagnitude)
  defer { store.deallocate() }
  store.setValue(store.value(at: 0) * 0.5, at: 1)
  return store.value(at: 1)
}

@Suite struct DenormalGuardTests {
  @Test func denormalsAreZeroUnderTheGuardOnly() {
    guard AuricleFloatControlFlushBits() != 0 else { return }
    #expect(halfOfTheSmallest() > 0)
    let before = AuricleGetFloatControl()
    let denormals = DenormalGuard()
    let isActive = DenormalGuard.isActive
    let result = halfOfTheSmallest()
    denormals.restore()
    #expect(isActive)
    #expect(result == 0)
    #expect(AuricleGetFloatControl() == before)
    #expect(halfOfTheSmallest() > 0)
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
