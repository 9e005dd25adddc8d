// Parameters of a chain that change over time: the events of a slice.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import AudioUnits
import CAudioToolbox

extension UnitChain.Automated {
  /// The events that fall into the frames from one of the curves on.
  private func events(from start: Int, _ frameCount: Int) -> [AudioUnitParameterEvent] {
    var events: [AudioUnitParameterEvent] = []
    for curve in curves { curve.addEvents(from: start, frameCount: frameCount, to: &events) }
    return events
  }

  /// So many frames at most that no unit gets more events than it has room for.
  func schedulableCount(from start: Int, _ frameCount: Int) -> Int {
    var count = frameCount
    while count > 64, events(from: start, count).count > 500 { count /= 2 }
    return count
  }

  /// Schedules the parameter changes of a slice in the units.
  func schedule(from start: Int, _ frameCount: Int) throws(AuricleError) {
    let events = events(from: start, frameCount)
    guard !events.isEmpty else { return }
    for unit in units {
      if unit.acceptsScheduledChanges {
        try unit.scheduleParameters(events)
      } else {
        for curve in curves {
          try unit.setParameter(
            curve.parameter, curve.value(at: start), scope: curve.scope, element: curve.element)
        }
      }
    }
  }

  /// Sets the parameters to where their curves begin.
  func begin() throws(AuricleError) {
    for curve in curves {
      guard let first = curve.points.first else { continue }
      for unit in units {
        try unit.setParameter(
          curve.parameter, first.value, scope: curve.scope, element: curve.element)
      }
    }
  }
}

extension UnitChain {
  /// So many frames at most that no unit gets more events than it has room for.
  func schedulableCount(_ frameCount: Int) -> Int {
    automated.reduce(frameCount) { $1.schedulableCount(from: frame - $1.delay, $0) }
  }

  /// Schedules the parameter changes of a slice in the units.
  func schedule(_ frameCount: Int) throws(AuricleError) {
    for entry in automated { try entry.schedule(from: frame - entry.delay, frameCount) }
  }
}

extension AudioUnit {
  /// Whether parameters can change at a frame within a slice.
  var acceptsScheduledChanges: Bool { implements(Int16(kAudioUnitScheduleParametersSelect)) }
}
