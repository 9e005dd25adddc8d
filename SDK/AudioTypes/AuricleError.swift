// The one error type of the modules below the command line: category, status, sentence.
// SPDX-License-Identifier: Apache-2.0

public import CAudioToolbox

/// One failure: its category, its Core Audio status, and a sentence for the user.
///
/// The sentence names the failure, its place, and the remedy if that is known.
public struct AuricleError: Error, Sendable, Equatable {
  /// The category of a failure; the raw value is the exit code of the command line.
  public enum Category: Int32, Sendable, CaseIterable {
    /// Some of several files failed; each was reported already.
    case someFilesFailed = 1
    /// The command was called wrongly.
    case usage = 64
    /// A preset, a file or a property list is malformed.
    case badData = 65
    /// An input is missing or cannot be opened.
    case noInput = 66
    /// A component, or something it needs, is missing.
    case unavailable = 69
    /// A unit failed, or the program is at fault.
    case software = 70
    /// Reading or writing failed.
    case inputOutput = 74
    /// The same call may succeed later.
    case temporary = 75
    /// The user has no right to it.
    case noPermission = 77
    /// The user interrupted the work.
    case interrupted = 130

    /// The exit code of a command that ends with this failure.
    public var exitCode: Int32 { rawValue }
  }

  /// Kind of the failure.
  public var category: Category
  /// The status a Core Audio function would return, or 0 where there is none.
  public var status: OSStatus
  /// One sentence for the user, without the category and the number.
  public var message: String
  /// The cause, if code needs it; nil in most failures.
  public var cause: Cause?

  /// Makes a failure.
  ///
  /// - Parameters:
  ///   - category: Kind of the failure.
  ///   - status: The Core Audio status, if there is one.
  ///   - message: One sentence: failure, place, remedy.
  ///   - cause: The cause, if code needs it.
  public init(
    _ category: Category, status: OSStatus = 0, _ message: String, cause: Cause? = nil
  ) {
    self.category = category
    self.status = status
    self.message = message
    self.cause = cause
  }

  /// Returns the same failure with a name in front of its sentence, unless the sentence begins with that name.
  public func naming(_ name: String) -> AuricleError {
    message.hasPrefix(name) ? self : saying("\(name): \(message)")
  }

  /// Returns the same failure with another sentence.
  public func saying(_ message: String) -> AuricleError {
    AuricleError(category, status: status, message, cause: cause)
  }
}

extension AuricleError: CustomStringConvertible {
  /// The sentence.
  public var description: String { message }
}

extension AuricleError {
  /// Throws if `status` is an error: the only place where a status becomes an error.
  ///
  /// - Parameters:
  ///   - status: Result of a Core Audio function.
  ///   - what: The failed operation, without a full stop: "Maker: Unit: cannot initialize".
  ///   - category: Kind of the failure.
  public static func check(
    _ status: OSStatus, _ what: @autoclosure () -> String, category: Category = .software
  ) throws(AuricleError) {
    guard status != 0 else { return }
    throw AuricleError(
      category, status: status, "\(what()): \(AudioStatus(rawValue: status))")
  }
}
