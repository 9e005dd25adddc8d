// The table of status codes: number, name in the headers, meaning.
// SPDX-License-Identifier: Apache-2.0

internal import CAudioToolbox

extension AudioStatus {
  /// Every status that has a name, unordered.
  public static var allKnown: [AudioStatus] {
    known.keys.sorted().map { AudioStatus(rawValue: $0) }
  }

  /// -10863 has two names with the same meaning (unit and graph); this is the unit's.
  static let known: [Int32: (name: String, text: String)] = [
    kAudio_NoError: ("kAudio_NoError", "no error"),
    kAudio_UnimplementedError: ("kAudio_UnimplementedError", "this is not implemented"),
    -39: ("eofErr", "the end of the file was reached"),
    kAudio_TooManyFilesOpenError: ("kAudio_TooManyFilesOpenError", "too many files are open"),
    kAudio_FileNotFoundError: ("kAudio_FileNotFoundError", "the file was not found"),
    kAudio_ParamError: ("kAudio_ParamError", "an argument is not valid"),
    kAudio_FilePermissionError: (
      "kAudio_FilePermissionError", "the file may not be opened with these permissions"
    ),
    kAudio_MemFullError: ("kAudio_MemFullError", "there is not enough memory"),
    kAudio_BadFilePathError: ("kAudio_BadFilePathError", "the file path is not valid"),

    kAudioUnitErr_InvalidProperty: (
      "kAudioUnitErr_InvalidProperty", "the unit has no such property"
    ),
    kAudioUnitErr_InvalidParameter: (
      "kAudioUnitErr_InvalidParameter", "the unit has no such parameter"
    ),
    kAudioUnitErr_InvalidElement: (
      "kAudioUnitErr_InvalidElement", "the unit has no such element (bus)"
    ),
    kAudioUnitErr_NoConnection: (
      "kAudioUnitErr_NoConnection", "an input of the unit has no source"
    ),
    kAudioUnitErr_FailedInitialization: (
      "kAudioUnitErr_FailedInitialization", "the unit could not be initialized"
    ),
    kAudioUnitErr_TooManyFramesToProcess: (
      "kAudioUnitErr_TooManyFramesToProcess",
      "more frames were asked for than the maximum frames per slice"
    ),
    kAudioUnitErr_IllegalInstrument: (
      "kAudioUnitErr_IllegalInstrument", "the instrument is not valid"
    ),
    kAudioUnitErr_InstrumentTypeNotFound: (
      "kAudioUnitErr_InstrumentTypeNotFound", "there is no instrument of this type"
    ),
    kAudioUnitErr_InvalidFile: ("kAudioUnitErr_InvalidFile", "the file is not valid"),
    kAudioUnitErr_UnknownFileType: (
      "kAudioUnitErr_UnknownFileType", "the type of the file is not known"
    ),
    kAudioUnitErr_FileNotSpecified: ("kAudioUnitErr_FileNotSpecified", "no file was specified"),
    kAudioUnitErr_FormatNotSupported: (
      "kAudioUnitErr_FormatNotSupported", "the stream format is not supported"
    ),
    kAudioUnitErr_Uninitialized: ("kAudioUnitErr_Uninitialized", "the unit is not initialized"),
    kAudioUnitErr_InvalidScope: ("kAudioUnitErr_InvalidScope", "the unit has no such scope"),
    kAudioUnitErr_PropertyNotWritable: (
      "kAudioUnitErr_PropertyNotWritable", "the property cannot be written"
    ),
    kAudioUnitErr_CannotDoInCurrentContext: (
      "kAudioUnitErr_CannotDoInCurrentContext", "this cannot be done in the present state"
    ),
    kAudioUnitErr_InvalidPropertyValue: (
      "kAudioUnitErr_InvalidPropertyValue", "the property does not take this value"
    ),
    kAudioUnitErr_PropertyNotInUse: ("kAudioUnitErr_PropertyNotInUse", "the property has no value"),
    kAudioUnitErr_Initialized: (
      "kAudioUnitErr_Initialized", "this cannot be done while the unit is initialized"
    ),
    kAudioUnitErr_InvalidOfflineRender: (
      "kAudioUnitErr_InvalidOfflineRender", "the unit cannot render offline this way"
    ),
    kAudioUnitErr_Unauthorized: ("kAudioUnitErr_Unauthorized", "the unit is not authorized"),

    kAUGraphErr_NodeNotFound: ("kAUGraphErr_NodeNotFound", "the graph has no such node"),
    kAUGraphErr_InvalidConnection: (
      "kAUGraphErr_InvalidConnection", "the connection is not valid in this graph"
    ),
    kAUGraphErr_OutputNodeErr: (
      "kAUGraphErr_OutputNodeErr", "the graph needs exactly one output node"
    ),
    kAUGraphErr_InvalidAudioUnit: (
      "kAUGraphErr_InvalidAudioUnit", "the node's audio unit is not valid"
    ),

    kAudioUnitErr_ComponentManagerNotSupported: (
      "kAudioUnitErr_ComponentManagerNotSupported", "the old component manager is not supported"
    ),
    kAudioUnitErr_MissingKey: ("kAudioUnitErr_MissingKey", "a key is missing"),
    kAudioUnitErr_InvalidFilePath: ("kAudioUnitErr_InvalidFilePath", "the file path is not valid"),
    kAudioUnitErr_InvalidParameterValue: (
      "kAudioUnitErr_InvalidParameterValue", "the parameter does not take this value"
    ),
    kAudioUnitErr_ExtensionNotFound: (
      "kAudioUnitErr_ExtensionNotFound", "the extension was not found"
    ),
    kAudioUnitErr_RenderTimeout: ("kAudioUnitErr_RenderTimeout", "rendering took too long"),
    kAudioComponentErr_InvalidFormat: (
      "kAudioComponentErr_InvalidFormat", "the component is not in a valid format"
    ),
    kAudioComponentErr_InitializationTimedOut: (
      "kAudioComponentErr_InitializationTimedOut", "initializing took too long"
    ),
    kAudioComponentErr_NotPermitted: (
      "kAudioComponentErr_NotPermitted", "the component may not be used here"
    ),
    kAudioComponentErr_InstanceInvalidated: (
      "kAudioComponentErr_InstanceInvalidated", "the instance is gone"
    ),
    kAudioComponentErr_TooManyInstances: (
      "kAudioComponentErr_TooManyInstances", "the component allows no more instances"
    ),
    kAudioComponentErr_UnsupportedType: (
      "kAudioComponentErr_UnsupportedType", "components of this type are not supported"
    ),
    kAudioComponentErr_DuplicateDescription: (
      "kAudioComponentErr_DuplicateDescription", "a component of this description exists"
    ),
    kAudioUnitErr_MIDIOutputBufferFull: (
      "kAudioUnitErr_MIDIOutputBufferFull", "the MIDI output buffer is full"
    ),
    kAudioComponentErr_InstanceTimedOut: (
      "kAudioComponentErr_InstanceTimedOut", "the instance did not answer in time"
    ),
    kAUVoiceIOErr_UnexpectedNumberOfInputChannels: (
      "kAUVoiceIOErr_UnexpectedNumberOfInputChannels",
      "the device has an unexpected number of input channels"
    ),
  ]
}
