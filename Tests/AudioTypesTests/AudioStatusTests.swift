// Status codes against the constants of the headers, and the error made of them.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import CAudioToolbox
import Testing

@Suite struct AudioStatusTests {
  static let constants: [(OSStatus, String)] = [
    (kAudio_NoError, "kAudio_NoError"),
    (kAudio_UnimplementedError, "kAudio_UnimplementedError"),
    (kAudio_FileNotFoundError, "kAudio_FileNotFoundError"),
    (kAudio_FilePermissionError, "kAudio_FilePermissionError"),
    (kAudio_TooManyFilesOpenError, "kAudio_TooManyFilesOpenError"),
    (kAudio_BadFilePathError, "kAudio_BadFilePathError"),
    (kAudio_ParamError, "kAudio_ParamError"),
    (kAudio_MemFullError, "kAudio_MemFullError"),
    (kAudioUnitErr_InvalidProperty, "kAudioUnitErr_InvalidProperty"),
    (kAudioUnitErr_InvalidParameter, "kAudioUnitErr_InvalidParameter"),
    (kAudioUnitErr_InvalidElement, "kAudioUnitErr_InvalidElement"),
    (kAudioUnitErr_NoConnection, "kAudioUnitErr_NoConnection"),
    (kAudioUnitErr_FailedInitialization, "kAudioUnitErr_FailedInitialization"),
    (kAudioUnitErr_TooManyFramesToProcess, "kAudioUnitErr_TooManyFramesToProcess"),
    (kAudioUnitErr_InvalidFile, "kAudioUnitErr_InvalidFile"),
    (kAudioUnitErr_UnknownFileType, "kAudioUnitErr_UnknownFileType"),
    (kAudioUnitErr_FileNotSpecified, "kAudioUnitErr_FileNotSpecified"),
    (kAudioUnitErr_FormatNotSupported, "kAudioUnitErr_FormatNotSupported"),
    (kAudioUnitErr_Uninitialized, "kAudioUnitErr_Uninitialized"),
    (kAudioUnitErr_InvalidScope, "kAudioUnitErr_InvalidScope"),
    (kAudioUnitErr_PropertyNotWritable, "kAudioUnitErr_PropertyNotWritable"),
    (kAudioUnitErr_CannotDoInCurrentContext, "kAudioUnitErr_CannotDoInCurrentContext"),
    (kAudioUnitErr_InvalidPropertyValue, "kAudioUnitErr_InvalidPropertyValue"),
    (kAudioUnitErr_PropertyNotInUse, "kAudioUnitErr_PropertyNotInUse"),
    (kAudioUnitErr_Initialized, "kAudioUnitErr_Initialized"),
    (kAudioUnitErr_InvalidOfflineRender, "kAudioUnitErr_InvalidOfflineRender"),
    (kAudioUnitErr_Unauthorized, "kAudioUnitErr_Unauthorized"),
    (kAudioUnitErr_MIDIOutputBufferFull, "kAudioUnitErr_MIDIOutputBufferFull"),
    (kAudioComponentErr_InstanceTimedOut, "kAudioComponentErr_InstanceTimedOut"),
    (kAudioComponentErr_InstanceInvalidated, "kAudioComponentErr_InstanceInvalidated"),
    (kAudioUnitErr_RenderTimeout, "kAudioUnitErr_RenderTimeout"),
    (kAudioUnitErr_ExtensionNotFound, "kAudioUnitErr_ExtensionNotFound"),
    (kAudioUnitErr_InvalidParameterValue, "kAudioUnitErr_InvalidParameterValue"),
    (kAudioUnitErr_InvalidFilePath, "kAudioUnitErr_InvalidFilePath"),
    (kAudioUnitErr_MissingKey, "kAudioUnitErr_MissingKey"),
    (
      kAudioUnitErr_ComponentManagerNotSupported, "kAudioUnitErr_ComponentManagerNotSupported"
    ),
    (kAudioComponentErr_DuplicateDescription, "kAudioComponentErr_DuplicateDescription"),
    (kAudioComponentErr_UnsupportedType, "kAudioComponentErr_UnsupportedType"),
    (kAudioComponentErr_TooManyInstances, "kAudioComponentErr_TooManyInstances"),
    (kAudioComponentErr_NotPermitted, "kAudioComponentErr_NotPermitted"),
    (kAudioComponentErr_InitializationTimedOut, "kAudioComponentErr_InitializationTimedOut"),
    (kAudioComponentErr_InvalidFormat, "kAudioComponentErr_InvalidFormat"),
    (kAudioUnitErr_IllegalInstrument, "kAudioUnitErr_IllegalInstrument"),
    (kAudioUnitErr_InstrumentTypeNotFound, "kAudioUnitErr_InstrumentTypeNotFound"),
    (
      kAUVoiceIOErr_UnexpectedNumberOfInputChannels,
      "kAUVoiceIOErr_UnexpectedNumberOfInputChannels"
    ),
    (kAUGraphErr_NodeNotFound, "kAUGraphErr_NodeNotFound"),
    (kAUGraphErr_InvalidConnection, "kAUGraphErr_InvalidConnection"),
    (kAUGraphErr_OutputNodeErr, "kAUGraphErr_OutputNodeErr"),
    (kAUGraphErr_InvalidAudioUnit, "kAUGraphErr_InvalidAudioUnit"),
    (eofErr, "eofErr"),
  ]

  @Test func everyConstantOfTheHeadersHasItsName() {
    for (value, name) in Self.constants {
      #expect(AudioStatus(rawValue: value).name == name)
    }
    #expect(Set(AudioStatus.allKnown.map(\.rawValue)) == Set(Self.constants.map(\.0)))
  }

  @Test func everyKnownStatusSaysWhatItMeans() {
    for status in AudioStatus.allKnown {
      #expect(status.explanation?.isEmpty == false)
      #expect(status.description.contains("(\(status.rawValue)): "))
    }
    #expect(
      AudioStatus.invalidProperty.description
        == "kAudioUnitErr_InvalidProperty (-10879): the unit has no such property")
  }

  @Test func theStaticMembersAreTheConstants() {
    let members: [(AudioStatus, OSStatus)] = [
      (.noError, noErr), (.unimplemented, kAudio_UnimplementedError),
      (.badParameter, kAudio_ParamError), (.memoryFull, kAudio_MemFullError),
      (.invalidProperty, kAudioUnitErr_InvalidProperty),
      (.invalidParameter, kAudioUnitErr_InvalidParameter),
      (.invalidElement, kAudioUnitErr_InvalidElement),
      (.noConnection, kAudioUnitErr_NoConnection),
      (.failedInitialization, kAudioUnitErr_FailedInitialization),
      (.tooManyFramesToProcess, kAudioUnitErr_TooManyFramesToProcess),
      (.formatNotSupported, kAudioUnitErr_FormatNotSupported),
      (.uninitialized, kAudioUnitErr_Uninitialized), (.invalidScope, kAudioUnitErr_InvalidScope),
      (.propertyNotWritable, kAudioUnitErr_PropertyNotWritable),
      (.cannotDoInCurrentContext, kAudioUnitErr_CannotDoInCurrentContext),
      (.invalidPropertyValue, kAudioUnitErr_InvalidPropertyValue),
      (.propertyNotInUse, kAudioUnitErr_PropertyNotInUse),
      (.initialized, kAudioUnitErr_Initialized),
      (.invalidParameterValue, kAudioUnitErr_InvalidParameterValue),
    ]
    for (member, constant) in members { #expect(member.rawValue == constant) }
  }

  @Test func unknownStatusesArePrintedAsNumbersAndCodes() {
    #expect(AudioStatus(rawValue: -99_999).description == "error -99999")
    #expect(AudioStatus(rawValue: 0x7768_743F).description == "error 'wht?' (2003334207)")
    #expect(AudioStatus(rawValue: -99_999).name == nil)
  }

  @Test func errorsCarryCategoryStatusAndSentence() {
    let error = AuricleError(.badData, status: -50, "The file is broken.")
    #expect(error.description == "The file is broken.")
    #expect(error.category.exitCode == 65 && error.status == -50)
    #expect(
      AuricleError.Category.allCases.map(\.exitCode) == [1, 64, 65, 66, 69, 70, 74, 75, 77, 130])
  }

  @Test func checkThrowsForAnythingButZero() throws {
    try AuricleError.check(0, "nothing happens")
    let error = #expect(throws: AuricleError.self) {
      try AuricleError.check(-10868, "cannot set the format")
    }
    #expect(error?.status == -10868)
    #expect(error?.message.hasPrefix("cannot set the format: kAudioUnitErr_FormatNotS") == true)
  }
}
