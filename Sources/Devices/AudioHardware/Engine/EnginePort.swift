// The ports and the clock of a device as checked code calls them.
// SPDX-License-Identifier: Apache-2.0

import CDeviceCalls

/// A borrowed port: the engine keeps it. Its methods are the doors out of checked code to the device itself.
@safe struct EnginePort {
  private unowned(unsafe) let port: any PCMPort

  init(_ port: any PCMPort) { unsafe self.port = port }

  @_noLocks func wait(frameCount: Int, timeout: UInt64) -> PCMWait {
    AuricleBeginDeviceCall()
    let result = unsafe _unsafePerformance {
      unsafe port.wait(frameCount: frameCount, timeout: timeout)
    }
    AuricleEndDeviceCall()
    return result
  }

  @_noLocks func available() -> Int {
    AuricleBeginDeviceCall()
    let count = unsafe _unsafePerformance { unsafe port.available() }
    AuricleEndDeviceCall()
    return count
  }

  @_noLocks func transfer(_ block: Unmanaged<PCMBlock>, from first: Int, frameCount: Int) -> Int {
    AuricleBeginDeviceCall()
    let count = unsafe _unsafePerformance {
      unsafe block._withUnsafeGuaranteedRef {
        unsafe port.transfer($0, from: first, frameCount: frameCount)
      }
    }
    AuricleEndDeviceCall()
    return count
  }
}

/// A borrowed clock.
@safe struct EngineClock {
  private unowned(unsafe) let clock: any DeviceClock
  /// Whether its seconds are those of the world.
  let isReal: Bool

  init(_ clock: any DeviceClock) {
    unsafe self.clock = clock
    isReal = clock.isReal
  }

  @_noLocks func now() -> UInt64 { unsafe _unsafePerformance { unsafe clock.now() } }

  @_noLocks func sleep(until time: UInt64) {
    AuricleBeginDeviceCall()
    unsafe _unsafePerformance { unsafe clock.sleep(until: time) }
    AuricleEndDeviceCall()
  }
}
