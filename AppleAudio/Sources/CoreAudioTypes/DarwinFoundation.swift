// Declarations that programs for a Mac find in Foundation and Dispatch.
// SPDX-License-Identifier: Apache-2.0

import CAuricle
@_exported import Dispatch
import Foundation

/// Nanoseconds in a second.
public let NSEC_PER_SEC: UInt64 = 1_000_000_000
/// Nanoseconds in a millisecond.
public let NSEC_PER_MSEC: UInt64 = 1_000_000
/// Nanoseconds in a microsecond.
public let NSEC_PER_USEC: UInt64 = 1_000
/// Microseconds in a second.
public let USEC_PER_SEC: UInt64 = 1_000_000
/// Milliseconds in a second.
public let MSEC_PER_SEC: UInt64 = 1_000

/// Calls a body. There are no pools of objects on Linux.
public func autoreleasepool<Failure: Error, Result>(
  invoking body: () throws(Failure) -> Result
) throws(Failure) -> Result {
  try body()
}

extension ProcessInfo {
  /// Whether an app of iPadOS runs as one of a Mac: never.
  public var isMacCatalystApp: Bool { false }
  /// Whether code of iOS runs on a desktop computer, with its devices and rates: always, as `os(macOS)` is false here.
  public var isiOSAppOnMac: Bool { true }
}

extension NSMutableDictionary {
  /// Sets the object of a key.
  public func setObject(_ object: Any, forKey key: any NSCopying) {
    if let key = key as? AnyHashable { setObject(object, forKey: key) }
  }
  /// A dictionary of objects and their keys.
  @_disfavoredOverload
  public convenience init(objects: [Any], forKeys keys: [any NSCopying]) {
    self.init()
    for (object, key) in zip(objects, keys) { setObject(object, forKey: key) }
  }
  /// A dictionary with another one's contents.
  public convenience init(dictionary other: NSDictionary) {
    self.init()
    for (key, value) in other {
      if let key = key as? AnyHashable { setObject(value, forKey: key) }
    }
  }
}

/// Seconds since the beginning of 2001.
public func CFAbsoluteTimeGetCurrent() -> CFAbsoluteTime { Date.timeIntervalSinceReferenceDate }

/// Ends the process for a mistake of its program, with the sentence that a Mac reports.
package func auricleRaise(_ condition: String) -> Never {
  preconditionFailure("required condition is false: \(condition)")
}

/// Ends the process where a condition does not hold, with the sentence that a Mac reports.
package func auricleRequire(_ condition: Bool, _ text: @autoclosure () -> String) {
  guard condition else { auricleRaise(text()) }
}
