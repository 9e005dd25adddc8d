// Parameters of a chain that change over time: the events of a slice.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import AudioUnits
import CAudioToolbox

extension UnitChain {
  /// The events of a node that fall into the next frames.
  private func events(of entry: Automated, _ frameCount: Int) -> [AudioUnitParameterEvent] {
    var events: [AudioUnitParameterEvent] = []
    for curve in entry.curves {
      curve.addEvents(from: frame - entry.delay, frameCount: frameCount, to: &events)
    }
    return events
  }

  /// So many frames at most that no unit gets more events than it has room for.
  func schedulableCount(_ frameCount: Int) -> Int {
    var count = frameCount
    while count > 64, automated.contains(where: { events(of: $0, count).count > 500 }) {
      count /= 2
    }
    return count
  }

  /// Gives the units the changes of their parameters that fall into a slice.
  func schedule(_ frameCount: Int) throws(AuricleError) {
    for entry in automated {
      let start = frame - entry.delay
      let events = events(of: entry, frameCount)
      guard !events.isEmpty else { continue }
      for unit in entry.units {
        if unit.acceptsScheduledChanges {
          try unit.scheduleParameters(events)
        } else {
          for curve in entry.curves {
            try unit.setParameter(
              curve.parameter, curve.value(at: start), scope: curve.scope, element: curve.element)
          }
        }
      }
    }
  }
}

extension AudioUnit {
  /// Whether parameters can change at a frame within a slice.
  var acceptsScheduledChanges: Bool { implements(Int16(kAudioUnitScheduleParametersSelect)) }
}
