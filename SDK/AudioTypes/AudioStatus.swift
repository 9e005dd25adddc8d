// Status codes with their Core Audio names and a sentence each.
// SPDX-License-Identifier: Apache-2.0

public import CAudioToolbox

/// A status returned by a function of Core Audio; 0 is success.
///
/// Unknown numbers are preserved.
public struct AudioStatus: RawRepresentable, Hashable, Sendable {
  /// The number.
  public var rawValue: OSStatus

  /// Wraps a number.
  public init(rawValue: OSStatus) {
    self.rawValue = rawValue
  }

  /// Success.
  public static let noError = AudioStatus(rawValue: 0)
  /// The unit or library does not implement the request (`kAudio_UnimplementedError`).
  public static let unimplemented = AudioStatus(rawValue: kAudio_UnimplementedError)
  /// An argument is wrong (`kAudio_ParamError`).
  public static let badParameter = AudioStatus(rawValue: kAudio_ParamError)
  /// Not enough memory (`kAudio_MemFullError`).
  public static let memoryFull = AudioStatus(rawValue: kAudio_MemFullError)
  /// No such property (`kAudioUnitErr_InvalidProperty`).
  public static let invalidProperty = AudioStatus(rawValue: kAudioUnitErr_InvalidProperty)
  /// No such parameter (`kAudioUnitErr_InvalidParameter`).
  public static let invalidParameter = AudioStatus(rawValue: kAudioUnitErr_InvalidParameter)
  /// No such element (`kAudioUnitErr_InvalidElement`).
  public static let invalidElement = AudioStatus(rawValue: kAudioUnitErr_InvalidElement)
  /// The input has no source (`kAudioUnitErr_NoConnection`).
  public static let noConnection = AudioStatus(rawValue: kAudioUnitErr_NoConnection)
  /// The unit could not be initialized (`kAudioUnitErr_FailedInitialization`).
  public static let failedInitialization = AudioStatus(rawValue: kAudioUnitErr_FailedInitialization)
  /// More frames than the maximum of a slice (`kAudioUnitErr_TooManyFramesToProcess`).
  public static let tooManyFramesToProcess = AudioStatus(
    rawValue: kAudioUnitErr_TooManyFramesToProcess)
  /// The stream format is not supported (`kAudioUnitErr_FormatNotSupported`).
  public static let formatNotSupported = AudioStatus(rawValue: kAudioUnitErr_FormatNotSupported)
  /// The unit is not initialized (`kAudioUnitErr_Uninitialized`).
  public static let uninitialized = AudioStatus(rawValue: kAudioUnitErr_Uninitialized)
  /// No such scope (`kAudioUnitErr_InvalidScope`).
  public static let invalidScope = AudioStatus(rawValue: kAudioUnitErr_InvalidScope)
  /// The property is read-only (`kAudioUnitErr_PropertyNotWritable`).
  public static let propertyNotWritable = AudioStatus(rawValue: kAudioUnitErr_PropertyNotWritable)
  /// Not possible now (`kAudioUnitErr_CannotDoInCurrentContext`).
  public static let cannotDoInCurrentContext = AudioStatus(
    rawValue: kAudioUnitErr_CannotDoInCurrentContext)
  /// The property does not accept this value (`kAudioUnitErr_InvalidPropertyValue`).
  public static let invalidPropertyValue = AudioStatus(rawValue: kAudioUnitErr_InvalidPropertyValue)
  /// The property has no value (`kAudioUnitErr_PropertyNotInUse`).
  public static let propertyNotInUse = AudioStatus(rawValue: kAudioUnitErr_PropertyNotInUse)
  /// Not possible while initialized (`kAudioUnitErr_Initialized`).
  public static let initialized = AudioStatus(rawValue: kAudioUnitErr_Initialized)
  /// The parameter does not accept this value (`kAudioUnitErr_InvalidParameterValue`).
  public static let invalidParameterValue = AudioStatus(
    rawValue: kAudioUnitErr_InvalidParameterValue)

  /// The name of the constant in the headers, or nil for an unknown code.
  public var name: String? {
    Self.known[rawValue]?.name
  }

  /// A phrase that explains the code, or nil for an unknown code.
  public var explanation: String? {
    Self.known[rawValue]?.text
  }
}

extension AudioStatus: CustomStringConvertible {
  /// Name, number and meaning: `kAudioUnitErr_InvalidProperty (-10879): the unit has no such property`.
  ///
  /// An unknown code is printed as a number, and as a four-character code if it is one.
  public var description: String {
    if let (name, text) = Self.known[rawValue] {
      return "\(name) (\(rawValue)): \(text)"
    }
    let code = FourCharacterCode(rawValue: UInt32(bitPattern: rawValue))
    return code.isPrintable
      ? "error \(code.quoted) (\(rawValue))" : "error \(rawValue)"
  }
}
