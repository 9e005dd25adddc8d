// Bars and beats as musicians count them: the meters of a sequence.
// SPDX-License-Identifier: Apache-2.0

package import CAudioToolbox

/// Beats to bars and back. A change of meter begins a bar.
package struct MeterMap: Sendable {
  private struct Meter {
    let beat: Double
    let bar: Int
    let count: Int
    /// Beats (quarter notes) of the meter's unit.
    let unit: Double
    var barLength: Double { Double(count) * unit }
  }

  private var meters: [Meter]

  /// The map of meter events by beat, 4/4 before the first.
  package init(_ events: [(beat: Double, bytes: [UInt8])]) {
    meters = [Meter(beat: 0, bar: 1, count: 4, unit: 1)]
    for (beat, bytes) in events {
      guard bytes.count >= 2, bytes[0] > 0, bytes[1] < 16 else { continue }
      let last = meters[meters.count - 1]
      let bars = ((beat - last.beat) / last.barLength - 1e-9).rounded(.up)
      if bars <= 0 { meters.removeLast() }
      meters.append(
        Meter(
          beat: beat, bar: last.bar + Int(max(0, bars)), count: Int(bytes[0]),
          unit: 4 / Double(1 << Int(bytes[1]))))
    }
  }

  /// Returns the bar of a beat, to the nearest of so many parts of the meter's unit.
  package func barBeat(atBeat beat: Double, divisor: UInt16) -> CABarBeatTime {
    let meter = meters.last { $0.beat <= beat } ?? meters[0]
    let parts = Int(((beat - meter.beat) / meter.unit * Double(divisor)).rounded())
    let (beats, part) = floored(parts, Int(divisor))
    let (bars, place) = floored(beats, meter.count)
    return CABarBeatTime(
      bar: Int32(clamping: meter.bar + bars), beat: UInt16(place + 1), subbeat: UInt16(part),
      subbeatDivisor: divisor, reserved: 0)
  }

  /// The beat of a place in a bar; nil for bar or beat 0, parts of nothing.
  package func beat(of place: CABarBeatTime) -> Double? {
    guard place.bar >= 1, place.beat >= 1, place.subbeatDivisor > 0 || place.subbeat == 0 else {
      return nil
    }
    let meter = meters.last { $0.bar <= Int(place.bar) } ?? meters[0]
    let part =
      place.subbeat == 0 ? 0 : Double(place.subbeat) / Double(place.subbeatDivisor)
    return meter.beat + Double(Int(place.bar) - meter.bar) * meter.barLength
      + (Double(place.beat - 1) + part) * meter.unit
  }

  private func floored(_ value: Int, _ divisor: Int) -> (quotient: Int, rest: Int) {
    let (quotient, rest) = value.quotientAndRemainder(dividingBy: divisor)
    return rest < 0 ? (quotient - 1, rest + divisor) : (quotient, rest)
  }
}
