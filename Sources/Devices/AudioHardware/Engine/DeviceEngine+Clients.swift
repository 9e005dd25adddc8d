// Calling the clients of a device: their buffers and their three times.
// SPDX-License-Identifier: Apache-2.0

import CAudioToolbox
import DriftCompensation
import RealtimeSupport
import Synchronization

extension DeviceEngine {
  /// Calls all clients for one period, and leaves the sum of their outputs in the output's list.
  ///
  /// - Returns: The number of clients.
  @_noLocks func callClients(_ inputFrames: Int?, _ time: UInt64) -> Int {
    let smoothed = loop.update(time)
    let scalar = loop.rateScalar
    // The recorded period is over now; the played one begins at the connectors behind all before
    // it.
    let present = sampleTime + Double(periodFrames)
    lastCycle.publish(present, smoothed, scalar)
    var times = CycleTimes()
    times.now = cycleStamp(present, smoothed, scalar)
    let recorded = nanoseconds(periodFrames)
    if inputFrames != nil {
      times.input = cycleStamp(sampleTime, smoothed &- min(recorded, smoothed), scalar)
    }
    if output != nil {
      let lead = nanoseconds(max(0, outputLead - periodFrames))
      times.output = cycleStamp(sampleTime + Double(outputLead), smoothed &+ lead, scalar)
    }
    let all = unsafe borrowedClients._withUnsafeGuaranteedRef { unsafe $0.beginCycle() }
    for index in 0..<all.count {
      if index == 1 { exchanges.keepSum() }
      exchanges.beginClient(periodFrames)
      let client = unsafe all[index]
      // An earlier client of the cycle may have removed it.
      let isThere = unsafe borrowedClients._withUnsafeGuaranteedRef { clients in
        clients.contains(number: client.number)
      }
      if isThere { call(client, &times) }
      if index > 0 { exchanges.addToSum() }
    }
    unsafe borrowedClients._withUnsafeGuaranteedRef { $0.endCycle() }
    exchanges.finish(clientCount: all.count, periodFrames)
    return all.count
  }

  /// Calls one client. The door out of checked code: a client's procedure.
  @_noLocks private func call(_ client: IOClient, _ times: inout CycleTimes) {
    let (device, input, target) = unsafe (deviceID, exchanges.inputList, exchanges.outputList)
    let (procedure, context) = unsafe (client.procedure, client.context)
    _ = unsafe _unsafePerformance {
      unsafe procedure(
        device, &times.now, input, &times.input, target, &times.output, context)
    }
  }
}

/// A time of a cycle.
@_noLocks private func cycleStamp(
  _ sample: Double, _ host: UInt64, _ scalar: Double
) -> AudioTimeStamp {
  var stamp = AudioTimeStamp()
  stamp.mSampleTime = sample
  stamp.mHostTime = host
  stamp.mRateScalar = scalar
  stamp.mFlags =
    kAudioTimeStampSampleTimeValid | kAudioTimeStampHostTimeValid | kAudioTimeStampRateScalarValid
  return stamp
}

/// The three times of a client's call.
private struct CycleTimes {
  var now = AudioTimeStamp()
  var input = AudioTimeStamp()
  var output = AudioTimeStamp()
}
