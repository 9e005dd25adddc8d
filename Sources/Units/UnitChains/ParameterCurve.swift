// A parameter's course over time, and the events of it that fall into a slice.
// SPDX-License-Identifier: Apache-2.0

public import CAudioToolbox
import Glibc

/// A parameter's values over time, defined by breakpoints.
public struct ParameterCurve: Sendable {
  /// The shape of the curve from the breakpoint before.
  public enum Shape: Sendable {
    /// In a straight line.
    case linear
    /// By equal factors in equal times.
    case exponential
    /// At once, at the breakpoint's time.
    case step
  }

  /// A value and when it is reached.
  public struct Point: Sendable {
    /// Frames from the start of the sound.
    public var frame: Int
    /// The value.
    public var value: Float
    /// The shape of the curve up to it.
    public var shape: Shape

    /// Makes a breakpoint.
    public init(frame: Int, value: Float, shape: Shape) {
      self.frame = frame
      self.value = value
      self.shape = shape
    }
  }

  /// The parameter's number.
  public var parameter: AudioUnitParameterID
  /// The scope it belongs to.
  public var scope: AudioUnitScope
  /// The element it belongs to.
  public var element: AudioUnitElement
  /// The breakpoints, each later than the one before; at least one.
  public var points: [Point]

  /// Makes a curve.
  public init(
    parameter: AudioUnitParameterID, scope: AudioUnitScope = 0, element: AudioUnitElement = 0,
    points: [Point]
  ) {
    self.parameter = parameter
    self.scope = scope
    self.element = element
    self.points = points
  }

  /// The value at a frame.
  public func value(at frame: Int) -> Float {
    guard let first = points.first, let last = points.last else { return 0 }
    if frame <= first.frame { return first.value }
    if frame >= last.frame { return last.value }
    let next = index(after: frame)
    let (from, to) = (points[next - 1], points[next])
    return Self.value(from, to, at: frame)
  }

  /// The first breakpoint later than a frame; `points.count` when there is none.
  private func index(after frame: Int) -> Int {
    var low = 0
    var high = points.count
    while low < high {
      let middle = (low + high) / 2
      if points[middle].frame <= frame { low = middle + 1 } else { high = middle }
    }
    return low
  }

  private static func value(_ from: Point, _ to: Point, at frame: Int) -> Float {
    let part = Double(frame - from.frame) / Double(to.frame - from.frame)
    switch to.shape {
    case .step: return part >= 1 ? to.value : from.value
    case .linear: return Float(Double(from.value) + Double(to.value - from.value) * part)
    case .exponential:
      return Float(Double(from.value) * pow(Double(to.value) / Double(from.value), part))
    }
  }

  /// Adds the events of a slice.
  ///
  /// A ramp that began earlier is passed whole, with a negative start offset: the result does not
  /// depend on the slice size. An exponential curve is passed as straight pieces that differ from it
  /// by less than a millionth of the value.
  ///
  /// - Parameters:
  ///   - start: The frame of the curve at the slice's first frame; negative before the sound begins.
  ///   - frameCount: Frames of the slice.
  func addEvents(from start: Int, frameCount: Int, to events: inout [AudioUnitParameterEvent]) {
    let end = start + frameCount
    var next = index(after: start - 1)
    // The segment that the slice begins in belongs to it, too.
    while next < points.count {
      let point = points[next]
      if next == 0 {
        if point.frame >= end { return }
        events.append(event(at: point.frame - start, point.value))
      } else {
        let from = points[next - 1]
        if from.frame >= end { return }
        switch point.shape {
        case .step:
          if point.frame < end { events.append(event(at: point.frame - start, point.value)) }
        case .linear:
          events.append(
            ramp(from.frame - start, point.frame - from.frame, from.value, point.value))
        case .exponential: addPieces(from, point, start, end, &events)
        }
      }
      next += 1
    }
  }

  /// The pieces of an exponential segment that touch a slice.
  private func addPieces(
    _ from: Point, _ to: Point, _ start: Int, _ end: Int,
    _ events: inout [AudioUnitParameterEvent]
  ) {
    let length = to.frame - from.frame
    let rate = abs(log(Double(to.value) / Double(from.value))) / Double(length)
    // A chord of h frames is off by (rate * h)² / 8 of the value at most.
    let piece = rate > 0 ? max(1, Int(min(0.0028 / rate, 1e9))) : length
    var first = max(0, start - from.frame) / piece * piece
    while first < length, from.frame + first < end {
      let last = min(first + piece, length)
      events.append(
        ramp(
          from.frame + first - start, last - first, Self.value(from, to, at: from.frame + first),
          Self.value(from, to, at: from.frame + last)))
      first = last
    }
  }

  private func event(at offset: Int, _ value: Float) -> AudioUnitParameterEvent {
    var event = empty
    event.eventType = kParameterEvent_Immediate
    unsafe event.eventValues.immediate.bufferOffset = UInt32(clamping: offset)
    unsafe event.eventValues.immediate.value = value
    return event
  }

  private func ramp(
    _ offset: Int, _ length: Int, _ from: Float, _ to: Float
  ) -> AudioUnitParameterEvent {
    var event = empty
    event.eventType = kParameterEvent_Ramped
    unsafe event.eventValues.ramp.startBufferOffset = Int32(clamping: offset)
    unsafe event.eventValues.ramp.durationInFrames = UInt32(clamping: length)
    unsafe event.eventValues.ramp.startValue = from
    unsafe event.eventValues.ramp.endValue = to
    return event
  }

  private var empty: AudioUnitParameterEvent {
    var event = AudioUnitParameterEvent()
    event.scope = scope
    event.element = element
    event.parameter = parameter
    return event
  }
}
