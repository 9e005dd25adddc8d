// Signposts for a profiler, which do nothing here.
// SPDX-License-Identifier: Apache-2.0

/// The number of a signpost.
public struct OSSignpostID: Hashable, Sendable {
  /// The number.
  public let rawValue: UInt64
  /// The number of signposts that need none.
  public static let exclusive = OSSignpostID(rawValue: 0xEEEE_B0B5_B2B2_EEEE)
  /// No number.
  public static let null = OSSignpostID(rawValue: 0)
  /// A signpost by its number.
  public init(rawValue: UInt64) { self.rawValue = rawValue }
  /// A signpost by its number.
  public init(_ value: UInt64) { rawValue = value }
  /// A new number of a log.
  public init(log: OSLog) { rawValue = UInt64.random(in: 1..<UInt64.max) }
}

/// The kind of a signpost.
public struct OSSignpostType: Hashable, Sendable {
  let number: UInt8
  /// A point in time.
  public static let event = OSSignpostType(number: 0)
  /// The start of an interval.
  public static let begin = OSSignpostType(number: 1)
  /// The end of an interval.
  public static let end = OSSignpostType(number: 2)
}

/// An interval that began.
public final class OSSignpostIntervalState: Sendable {}

/// A maker of signposts.
public struct OSSignposter: Sendable {
  /// A maker for a subsystem's category.
  public init(subsystem: String, category: String) {}
  /// A maker for a subsystem's category that the system knows.
  public init(subsystem: String, category: OSLog.Category) {}
  /// A maker for a log.
  public init(logHandle: OSLog) {}
  /// A maker for a log with methods.
  public init(logger: Logger) {}
  /// A maker for the program's own log.
  public init() {}
  /// A maker of nothing.
  public static let disabled = OSSignposter()
  /// Whether signposts are recorded: never.
  public var isEnabled: Bool { false }

  /// A number for a signpost.
  public func makeSignpostID() -> OSSignpostID { OSSignpostID(UInt64.random(in: 1..<UInt64.max)) }
  /// A number for a signpost of an object.
  public func makeSignpostID(from object: AnyObject) -> OSSignpostID {
    OSSignpostID(UInt64(UInt(bitPattern: ObjectIdentifier(object).hashValue)))
  }
  /// Begins an interval.
  public func beginInterval(
    _ name: StaticString, id: OSSignpostID = .exclusive,
    _ message: @autoclosure () -> OSLogMessage = ""
  ) -> OSSignpostIntervalState {
    OSSignpostIntervalState()
  }
  /// Ends an interval.
  public func endInterval(
    _ name: StaticString, _ state: OSSignpostIntervalState,
    _ message: @autoclosure () -> OSLogMessage = ""
  ) {}
  /// Marks a point in time.
  public func emitEvent(
    _ name: StaticString, id: OSSignpostID = .exclusive,
    _ message: @autoclosure () -> OSLogMessage = ""
  ) {}
  /// Runs a body as an interval.
  public func withIntervalSignpost<Result>(
    _ name: StaticString, id: OSSignpostID = .exclusive,
    _ message: @autoclosure () -> OSLogMessage = "",
    around task: () throws -> Result
  ) rethrows -> Result {
    try task()
  }
}

/// Marks a signpost.
public func os_signpost(
  _ type: OSSignpostType, dso: UnsafeRawPointer? = nil, log: OSLog, name: StaticString,
  signpostID: OSSignpostID = .exclusive
) {}
/// Marks a signpost with a message.
public func os_signpost(
  _ type: OSSignpostType, dso: UnsafeRawPointer? = nil, log: OSLog, name: StaticString,
  signpostID: OSSignpostID = .exclusive, _ format: StaticString, _ arguments: any CVarArg...
) {}
