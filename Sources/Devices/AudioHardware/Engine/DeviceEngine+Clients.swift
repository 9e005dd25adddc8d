// Calling the clients of a device: their buffers and their three times.
// SPDX-License-Identifier: Apache-2.0

import CAudioToolbox
import DriftCompensation
import RealtimeSupport
import Synchronization

extension DeviceEngine {
  /// Calls all clients for one period, and leaves the sum of what they made in the output's list.
  ///
  /// - Returns: The number of clients.
  func callClients(_ inputFrames: Int?, _ time: UInt64) -> Int {
    let smoothed = loop.update(time)
    let scalar = loop.rateScalar
    // The period that was recorded is over now; the one that is played begins when all before it was heard.
    let present = sampleTime + Double(periodFrames)
    lastCycle.withLock { $0 = (present, smoothed, scalar) }
    let flags: AudioTimeStampFlags =
      kAudioTimeStampSampleTimeValid | kAudioTimeStampHostTimeValid | kAudioTimeStampRateScalarValid
    var now = Self.stamp(present, smoothed, scalar, flags)
    let recorded = nanoseconds(periodFrames)
    var inputTime =
      inputFrames == nil
      ? AudioTimeStamp()
      : Self.stamp(sampleTime, smoothed &- min(recorded, smoothed), scalar, flags)
    var outputTime =
      outputExchange == nil
      ? AudioTimeStamp()
      : Self.stamp(
        sampleTime + Double(outputLead),
        smoothed &+ nanoseconds(max(0, outputLead - periodFrames)), scalar, flags)
    var none = AudioBufferList()
    none.mNumberBuffers = 0
    var empty = none
    return unsafe withUnsafeMutablePointer(to: &none) { nothing in
      unsafe withUnsafeMutablePointer(to: &empty) { nowhere in
        let input = unsafe inputExchange?.list ?? nothing
        let target = unsafe outputExchange?.list ?? nowhere
        var callCount = 0
        clients.call { client in
          if callCount == 1 { keepSum() }
          outputExchange?.setFrameCount(periodFrames)
          outputExchange?.clear()
          _ = unsafe client.procedure(
            deviceID, &now, input, &inputTime, target, &outputTime, client.context)
          if callCount >= 1 { addToSum() }
          callCount += 1
        }
        outputExchange?.setFrameCount(periodFrames)
        if callCount == 0 { outputExchange?.clear() }
        if callCount > 1 { useSum() }
        return callCount
      }
    }
  }

  private func keepSum() {
    guard let outputExchange else { return }
    for index in sum.indices { unsafe sum[index] = outputExchange.samples[index] }
  }

  private func addToSum() {
    guard let outputExchange else { return }
    unsafe sum.withUnsafeMutableBufferPointer { buffer in
      guard let start = buffer.baseAddress else { return }
      unsafe outputExchange.add(to: start, frameCount: periodFrames)
    }
  }

  private func useSum() {
    guard let outputExchange else { return }
    for index in sum.indices { unsafe outputExchange.samples[index] = sum[index] }
  }

  private static func stamp(
    _ sample: Double, _ host: UInt64, _ scalar: Double, _ flags: AudioTimeStampFlags
  ) -> AudioTimeStamp {
    var stamp = AudioTimeStamp()
    stamp.mSampleTime = sample
    stamp.mHostTime = host
    stamp.mRateScalar = scalar
    stamp.mFlags = flags
    return stamp
  }
}
