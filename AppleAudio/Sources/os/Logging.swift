// Log messages on standard error, or in the journal where the process runs under it.
// SPDX-License-Identifier: Apache-2.0

import Foundation
@_exported import os

/// The importance of a message.
public struct OSLogType: RawRepresentable, Equatable, Sendable {
  /// The number of Core Foundation's log.
  public let rawValue: UInt8
  /// A type by its number.
  public init(rawValue: UInt8) { self.rawValue = rawValue }
  /// A type by its number.
  public init(_ rawValue: UInt8) { self.rawValue = rawValue }
  /// A message for everybody.
  public static let `default` = OSLogType(0)
  /// A message for readers of the moment.
  public static let info = OSLogType(1)
  /// A message for the program's authors; printed where AURICLE_LOG=debug.
  public static let debug = OSLogType(2)
  /// Something went wrong.
  public static let error = OSLogType(0x10)
  /// Something that should be impossible.
  public static let fault = OSLogType(0x11)
}

/// A part of a program that logs.
public final class OSLog: Sendable {
  /// Categories that the system knows.
  public struct Category: Sendable {
    let name: String
    /// Points in time that a profiler draws.
    public static let pointsOfInterest = Category(name: "PointsOfInterest")
    /// Signposts that are seldom recorded.
    public static let dynamicTracing = Category(name: "DynamicTracing")
    /// Signposts with call stacks.
    public static let dynamicStackTracing = Category(name: "DynamicStackTracing")
  }

  let prefix: String
  let isEnabled: Bool

  /// A log of a subsystem's category.
  public init(subsystem: String, category: String) {
    prefix = "[\(subsystem):\(category)] "
    isEnabled = true
  }
  /// A log of a subsystem's category that the system knows.
  public convenience init(subsystem: String, category: Category) {
    self.init(subsystem: subsystem, category: category.name)
  }
  private init(enabled: Bool) {
    prefix = ""
    isEnabled = enabled
  }

  /// The program's own log.
  public static let `default` = OSLog(enabled: true)
  /// A log that drops all.
  public static let disabled = OSLog(enabled: false)

  static let printsDebug = ProcessInfo.processInfo.environment["AURICLE_LOG"] == "debug"
  /// Whether standard error is the journal, which reads priorities in angle brackets.
  static let isJournal = ProcessInfo.processInfo.environment["JOURNAL_STREAM"] != nil

  /// Whether messages of a type are printed.
  public func isEnabled(type: OSLogType) -> Bool {
    isEnabled && (type != .debug || OSLog.printsDebug)
  }

  func write(_ type: OSLogType, _ text: String) {
    let priority: String
    switch type {
    case .debug: priority = "<7>"
    case .info: priority = "<6>"
    case .error: priority = "<3>"
    case .fault: priority = "<2>"
    default: priority = "<5>"
    }
    let line = (OSLog.isJournal ? priority : "") + prefix + text + "\n"
    FileHandle.standardError.write(Data(line.utf8))
  }
}

/// Logs a message whose format is that of printf; notes in braces (`%{public}@`) are dropped.
public func os_log(
  _ message: StaticString, dso: UnsafeRawPointer? = nil, log: OSLog = .default,
  type: OSLogType = .default,
  _ arguments: any CVarArg...
) {
  printFormatted(message, log, type, arguments)
}

/// Logs a message, its type first.
public func os_log(
  _ type: OSLogType, dso: UnsafeRawPointer? = nil, log: OSLog = .default, _ message: StaticString,
  _ arguments: any CVarArg...
) {
  printFormatted(message, log, type, arguments)
}

/// Logs an interpolated message, its type first.
public func os_log(
  _ type: OSLogType, log: OSLog = .default, _ message: @autoclosure () -> OSLogMessage
) {
  guard log.isEnabled(type: type) else { return }
  log.write(type, message().text)
}

private func printFormatted(
  _ message: StaticString, _ log: OSLog, _ type: OSLogType, _ arguments: [any CVarArg]
) {
  guard log.isEnabled(type: type) else { return }
  var format = ""
  var rest = Substring(message.description)
  while let place = rest.range(of: "%{") {
    format += rest[..<place.lowerBound] + "%"
    rest = rest[place.upperBound...]
    if let end = rest.firstIndex(of: "}") { rest = rest[rest.index(after: end)...] }
  }
  format += rest
  log.write(
    type, String(format: format.replacingOccurrences(of: "%s", with: "%@"), arguments: arguments))
}

/// Text for a log, from a literal with values in it.
public struct OSLogMessage: ExpressibleByStringInterpolation, Sendable {
  let text: String
  /// A text without values.
  public init(stringLiteral value: String) { text = value }
  /// A text with values.
  public init(stringInterpolation: OSLogInterpolation) { text = stringInterpolation.text }
  /// The builder of a text.
  public typealias StringInterpolation = OSLogInterpolation
}

/// Whether a value may be read by others. All are printed: the log is the program's own standard error.
public struct OSLogPrivacy: Sendable {
  /// The form in which a private value is shown.
  public enum Mask: Sendable {
    /// As a number that is the same for the same value.
    case hash
    /// Not at all.
    case none
  }
  /// Read by everybody.
  public static var `public`: OSLogPrivacy { OSLogPrivacy() }
  /// Not to be read by others.
  public static var `private`: OSLogPrivacy { OSLogPrivacy() }
  /// Never to be read by others.
  public static var sensitive: OSLogPrivacy { OSLogPrivacy() }
  /// As the type of the value says.
  public static var auto: OSLogPrivacy { OSLogPrivacy() }
  /// Not to be read by others, with a mask.
  public static func `private`(mask: Mask) -> OSLogPrivacy { OSLogPrivacy() }
  /// As the type of the value says, with a mask.
  public static func auto(mask: Mask) -> OSLogPrivacy { OSLogPrivacy() }
}

/// The width of a value, and its side.
public struct OSLogStringAlignment: Sendable {
  let columns: Int
  /// As wide as the value.
  public static var none: OSLogStringAlignment { OSLogStringAlignment(columns: 0) }
  /// At the right end of columns.
  public static func right(columns: Int) -> OSLogStringAlignment {
    OSLogStringAlignment(columns: columns)
  }
  /// At the left end of columns.
  public static func left(columns: Int) -> OSLogStringAlignment {
    OSLogStringAlignment(columns: -columns)
  }

  func apply(_ text: String) -> String {
    let missing = abs(columns) - text.count
    guard missing > 0 else { return text }
    let spaces = String(repeating: " ", count: missing)
    return columns > 0 ? spaces + text : text + spaces
  }
}

/// Digits of a whole number.
public struct OSLogIntegerFormatting: Sendable {
  let radix: Int
  let digits: Int
  /// Decimal digits.
  public static var decimal: OSLogIntegerFormatting { OSLogIntegerFormatting(radix: 10, digits: 0) }
  /// Decimal digits, at least so many.
  public static func decimal(explicitPositiveSign: Bool = false, minDigits: Int)
    -> OSLogIntegerFormatting
  {
    OSLogIntegerFormatting(radix: 10, digits: minDigits)
  }
  /// Hexadecimal digits.
  public static var hex: OSLogIntegerFormatting { OSLogIntegerFormatting(radix: 16, digits: 0) }
  /// Hexadecimal digits, at least so many.
  public static func hex(minDigits: Int) -> OSLogIntegerFormatting {
    OSLogIntegerFormatting(radix: 16, digits: minDigits)
  }
  /// Octal digits.
  public static var octal: OSLogIntegerFormatting { OSLogIntegerFormatting(radix: 8, digits: 0) }
}

/// Digits of a number with a fraction.
public struct OSLogFloatFormatting: Sendable {
  let format: String
  /// Six digits behind the point.
  public static var fixed: OSLogFloatFormatting { OSLogFloatFormatting(format: "%.6f") }
  /// So many digits behind the point.
  public static func fixed(precision: Int) -> OSLogFloatFormatting {
    OSLogFloatFormatting(format: "%.\(precision)f")
  }
  /// With an exponent.
  public static var exponential: OSLogFloatFormatting { OSLogFloatFormatting(format: "%e") }
  /// The shorter of both.
  public static var hybrid: OSLogFloatFormatting { OSLogFloatFormatting(format: "%g") }
  /// With an exponent, and so many digits.
  public static func exponential(precision: Int) -> OSLogFloatFormatting {
    OSLogFloatFormatting(format: "%.\(precision)e")
  }
  /// The shorter of both, with so many digits.
  public static func hybrid(precision: Int) -> OSLogFloatFormatting {
    OSLogFloatFormatting(format: "%.\(precision)g")
  }
}

/// The parts of a text for a log.
public struct OSLogInterpolation: StringInterpolationProtocol {
  var text = ""
  /// Room for a text.
  public init(literalCapacity: Int, interpolationCount: Int) {}
  /// Adds a literal.
  public mutating func appendLiteral(_ literal: String) { text += literal }
  /// Adds any value.
  public mutating func appendInterpolation<Value>(
    _ value: @autoclosure () -> Value, align: OSLogStringAlignment = .none,
    privacy: OSLogPrivacy = .auto
  ) {
    text += align.apply("\(value())")
  }
  /// Adds a whole number.
  public mutating func appendInterpolation<Value: BinaryInteger>(
    _ value: @autoclosure () -> Value, format: OSLogIntegerFormatting,
    align: OSLogStringAlignment = .none,
    privacy: OSLogPrivacy = .auto
  ) {
    let number = value()
    let digits = String(number.magnitude, radix: format.radix)
    let zeros = String(repeating: "0", count: Swift.max(0, format.digits - digits.count))
    text += align.apply((number < 0 ? "-" : "") + zeros + digits)
  }
  /// Adds a number with a fraction.
  public mutating func appendInterpolation(
    _ value: @autoclosure () -> Double, format: OSLogFloatFormatting,
    align: OSLogStringAlignment = .none,
    privacy: OSLogPrivacy = .auto
  ) {
    text += align.apply(String(format: format.format, value()))
  }
  /// Adds a number with a fraction.
  public mutating func appendInterpolation(
    _ value: @autoclosure () -> Float, format: OSLogFloatFormatting,
    align: OSLogStringAlignment = .none,
    privacy: OSLogPrivacy = .auto
  ) {
    text += align.apply(String(format: format.format, Double(value())))
  }
}

/// A log with methods for each type of message.
public struct Logger: Sendable {
  let log: OSLog
  /// A log of a subsystem's category.
  public init(subsystem: String, category: String) {
    log = OSLog(subsystem: subsystem, category: category)
  }
  /// The methods of a log.
  public init(_ log: OSLog) { self.log = log }
  /// The program's own log.
  public init() { log = .default }

  /// Logs a message of a type.
  public func log(level: OSLogType, _ message: @autoclosure () -> OSLogMessage) {
    os_log(level, log: log, message())
  }
  /// Logs a message.
  public func log(_ message: @autoclosure () -> OSLogMessage) {
    os_log(.default, log: log, message())
  }
  /// Logs a message for the program's authors.
  public func trace(_ message: @autoclosure () -> OSLogMessage) {
    os_log(.debug, log: log, message())
  }
  /// Logs a message for the program's authors.
  public func debug(_ message: @autoclosure () -> OSLogMessage) {
    os_log(.debug, log: log, message())
  }
  /// Logs a message for readers of the log.
  public func info(_ message: @autoclosure () -> OSLogMessage) {
    os_log(.info, log: log, message())
  }
  /// Logs a message.
  public func notice(_ message: @autoclosure () -> OSLogMessage) {
    os_log(.default, log: log, message())
  }
  /// Logs that something may go wrong.
  public func warning(_ message: @autoclosure () -> OSLogMessage) {
    os_log(.error, log: log, message())
  }
  /// Logs that something went wrong.
  public func error(_ message: @autoclosure () -> OSLogMessage) {
    os_log(.error, log: log, message())
  }
  /// Logs something that should be impossible.
  public func critical(_ message: @autoclosure () -> OSLogMessage) {
    os_log(.fault, log: log, message())
  }
  /// Logs something that should be impossible.
  public func fault(_ message: @autoclosure () -> OSLogMessage) {
    os_log(.fault, log: log, message())
  }
}
