// Core Foundation's types as the objects of Foundation that they are, and Darwin's Boolean.
// SPDX-License-Identifier: Apache-2.0

@_exported import CAuricle
@_exported import Foundation

/// Core Foundation's string.
public typealias CFString = NSString
/// Core Foundation's mutable string.
public typealias CFMutableString = NSMutableString
/// Core Foundation's URL.
public typealias CFURL = NSURL
/// Core Foundation's data.
public typealias CFData = NSData
/// Core Foundation's mutable data.
public typealias CFMutableData = NSMutableData
/// Core Foundation's dictionary.
public typealias CFDictionary = NSDictionary
/// Core Foundation's mutable dictionary.
public typealias CFMutableDictionary = NSMutableDictionary
/// Core Foundation's array.
public typealias CFArray = NSArray
/// Core Foundation's mutable array.
public typealias CFMutableArray = NSMutableArray
/// Core Foundation's number.
public typealias CFNumber = NSNumber
/// Core Foundation's Boolean object.
public typealias CFBoolean = NSNumber
/// Core Foundation's error.
public typealias CFError = NSError
/// Core Foundation's date.
public typealias CFDate = NSDate
/// Core Foundation's run loop.
public typealias CFRunLoop = RunLoop
/// Any object of Core Foundation.
public typealias CFTypeRef = AnyObject
/// A property list.
public typealias CFPropertyList = AnyObject
/// A place for an error.
public typealias NSErrorPointer = AutoreleasingUnsafeMutablePointer<NSError?>?
/// A pointer to an object that a function writes.
public typealias AutoreleasingUnsafeMutablePointer<Pointee> = UnsafeMutablePointer<Pointee>

/// The reference of an object for a function of C, valid as long as the object lives.
package func auricleReference(_ object: AnyObject?) -> OpaquePointer? {
  object.map { OpaquePointer(Unmanaged.passUnretained($0).toOpaque()) }
}

/// The reference of a property list for a function of C.
package func auricleReference(_ object: AnyObject?) -> UnsafeRawPointer? {
  object.map { UnsafeRawPointer(Unmanaged.passUnretained($0).toOpaque()) }
}

/// Returns the C run loop of a callback; nil: a thread of the library.
package func auricleReference(_ loop: RunLoop?) -> OpaquePointer? {
  loop === RunLoop.current
    ? CFRunLoopGetCurrent() : loop === RunLoop.main ? CFRunLoopGetMain() : nil
}

/// The place of an object as a function of C writes it.
package func auricleOut<Object>(
  _ place: UnsafeMutablePointer<Unmanaged<Object>?>?
) -> UnsafeMutablePointer<OpaquePointer?>? {
  UnsafeMutableRawPointer(place)?.assumingMemoryBound(to: OpaquePointer?.self)
}

/// The place of a property list as a function of C writes it.
package func auricleRawOut<Object>(
  _ place: UnsafeMutablePointer<Unmanaged<Object>?>?
) -> UnsafeMutablePointer<UnsafeRawPointer?>? {
  UnsafeMutableRawPointer(place)?.assumingMemoryBound(to: UnsafeRawPointer?.self)
}

/// The object that a function of C returned.
package func auricleUnmanaged<Object>(_ reference: OpaquePointer?) -> Unmanaged<Object>? {
  reference.map { Unmanaged.fromOpaque(UnsafeRawPointer($0)) }
}

/// The reference to an object that a field of a struct of C is set to.
package func auricleField<Object>(_ object: Unmanaged<Object>?) -> OpaquePointer? {
  object.map { OpaquePointer($0.toOpaque()) }
}

extension DarwinBoolean: @retroactive ExpressibleByBooleanLiteral, @retroactive Equatable,
  @retroactive CustomStringConvertible
{
  /// A Boolean of C.
  public init(_ value: Bool) { self.init(_value: value ? 1 : 0) }
  /// A Boolean of C from a literal.
  public init(booleanLiteral value: Bool) { self.init(value) }
  /// The value in Swift.
  public var boolValue: Bool { _value != 0 }
  /// "true" or "false".
  public var description: String { boolValue.description }
  /// Whether two values are the same.
  public static func == (left: DarwinBoolean, right: DarwinBoolean) -> Bool {
    left.boolValue == right.boolValue
  }
}
