// Breakpoints of a parameter over time, as a preset writes them.
// SPDX-License-Identifier: Apache-2.0

import ResultSettings

/// A parameter that changes over time.
public struct AutomationEntry: Sendable, Equatable {
  /// The parameter: a name (any case), a symbol, or an id.
  public var name: Located<String>
  /// The breakpoints in the order of time, at least one.
  public var points: [AutomationPoint]

  /// Makes an entry in code.
  ///
  /// Context: any.
  public init(name: Located<String>, points: [AutomationPoint]) {
    self.name = name
    self.points = points
  }
}

/// A value that a parameter reaches at a time.
///
/// Before the first point the parameter has the first point's value, after the last the last's.
public struct AutomationPoint: Sendable, Equatable {
  /// The curve from the previous point to this one.
  public enum Curve: String, Sendable, CaseIterable {
    /// Linearly.
    case linear
    /// By equal factors in equal times; both values have the same sign.
    case exponential
    /// Jumps at this point's time.
    case step
  }

  /// The time in the input file: the parameter changes with the sound of that time, at any latency of
  /// earlier stages.
  public var time: Located<AutomationTime>
  /// The value: a number, a number with a unit, `true`, `false`, or the name of a value.
  public var value: Located<String>
  /// The curve to it; `nil` for linear, or a step if the parameter is a choice.
  public var curve: Located<Curve>?

  /// Makes a point in code.
  ///
  /// Context: any.
  public init(
    time: Located<AutomationTime>, value: Located<String>, curve: Located<Curve>? = nil
  ) {
    self.time = time
    self.value = value
    self.curve = curve
  }
}

/// A time in a file: in seconds, in frames of the file's own sample rate, or as a fraction of its length.
public enum AutomationTime: Sendable, Hashable {
  /// Seconds from the start.
  case seconds(Double)
  /// Frames from the start.
  case frames(Double)
  /// A fraction of the file's length, from 0 to 1.
  case part(Double)

  /// The time in frames at a sample rate (Hz), in a file of `length` frames.
  ///
  /// Context: any.
  public func frames(sampleRate: Double, of length: Int) -> Double {
    switch self {
    case .seconds(let seconds): seconds * sampleRate
    case .frames(let frames): frames
    case .part(let part): part * Double(length)
    }
  }

  /// The time as a preset writes it: `2.5 s`, `480 frames`, `25 %`.
  public var text: String {
    switch self {
    case .seconds(let seconds): "\(plainNumber(seconds)) s"
    case .frames(let frames): "\(plainNumber(frames)) frames"
    case .part(let part): "\(plainNumber(part * 100)) %"
    }
  }
}
