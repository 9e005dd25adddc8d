// The table of status codes: number, name in the headers, meaning.
// SPDX-License-Identifier: Apache-2.0

internal import CAudioToolbox

extension AudioStatus {
  /// Every status that has a name, in no order.
  public static var allKnown: [AudioStatus] {
    known.keys.sorted().map { AudioStatus(rawValue: $0) }
  }

  /// -10863 has two names of one meaning (unit and graph); the unit's is given.
  static let known: [Int32: (name: String, text: String)] = [
    0: ("kAudio_NoError", "no error"),
    -4: ("kAudio_UnimplementedError", "this is not implemented"),
    -39: ("eofErr", "the end of the file was reached"),
    -42: ("kAudio_TooManyFilesOpenError", "too many files are open"),
    -43: ("kAudio_FileNotFoundError", "the file was not found"),
    -50: ("kAudio_ParamError", "an argument is not valid"),
    -54: ("kAudio_FilePermissionError", "the file may not be opened with these permissions"),
    -108: ("kAudio_MemFullError", "there is not enough memory"),
    561_017_960: ("kAudio_BadFilePathError", "the file path is not valid"),

    -10879: ("kAudioUnitErr_InvalidProperty", "the unit has no such property"),
    -10878: ("kAudioUnitErr_InvalidParameter", "the unit has no such parameter"),
    -10877: ("kAudioUnitErr_InvalidElement", "the unit has no such element (bus)"),
    -10876: ("kAudioUnitErr_NoConnection", "an input of the unit has no source"),
    -10875: ("kAudioUnitErr_FailedInitialization", "the unit could not be initialized"),
    -10874: (
      "kAudioUnitErr_TooManyFramesToProcess",
      "more frames were asked for than the maximum frames per slice"
    ),
    -10873: ("kAudioUnitErr_IllegalInstrument", "the instrument is not valid"),
    -10872: ("kAudioUnitErr_InstrumentTypeNotFound", "there is no instrument of this type"),
    -10871: ("kAudioUnitErr_InvalidFile", "the file is not valid"),
    -10870: ("kAudioUnitErr_UnknownFileType", "the type of the file is not known"),
    -10869: ("kAudioUnitErr_FileNotSpecified", "no file was specified"),
    -10868: ("kAudioUnitErr_FormatNotSupported", "the stream format is not supported"),
    -10867: ("kAudioUnitErr_Uninitialized", "the unit is not initialized"),
    -10866: ("kAudioUnitErr_InvalidScope", "the unit has no such scope"),
    -10865: ("kAudioUnitErr_PropertyNotWritable", "the property cannot be written"),
    -10863: (
      "kAudioUnitErr_CannotDoInCurrentContext", "this cannot be done in the present state"
    ),
    -10851: ("kAudioUnitErr_InvalidPropertyValue", "the property does not take this value"),
    -10850: ("kAudioUnitErr_PropertyNotInUse", "the property has no value"),
    -10849: ("kAudioUnitErr_Initialized", "this cannot be done while the unit is initialized"),
    -10848: ("kAudioUnitErr_InvalidOfflineRender", "the unit cannot render offline this way"),
    -10847: ("kAudioUnitErr_Unauthorized", "the unit is not authorized"),

    -10860: ("kAUGraphErr_NodeNotFound", "the graph has no such node"),
    -10861: ("kAUGraphErr_InvalidConnection", "the connection is not valid in this graph"),
    -10862: ("kAUGraphErr_OutputNodeErr", "the graph needs exactly one output node"),
    -10864: ("kAUGraphErr_InvalidAudioUnit", "the node's audio unit is not valid"),

    -66740: (
      "kAudioUnitErr_ComponentManagerNotSupported", "the old component manager is not supported"
    ),
    -66741: ("kAudioUnitErr_MissingKey", "a key is missing"),
    -66742: ("kAudioUnitErr_InvalidFilePath", "the file path is not valid"),
    -66743: ("kAudioUnitErr_InvalidParameterValue", "the parameter does not take this value"),
    -66744: ("kAudioUnitErr_ExtensionNotFound", "the extension was not found"),
    -66745: ("kAudioUnitErr_RenderTimeout", "rendering took too long"),
    -66746: ("kAudioComponentErr_InvalidFormat", "the component is not in a valid format"),
    -66747: ("kAudioComponentErr_InitializationTimedOut", "initializing took too long"),
    -66748: ("kAudioComponentErr_NotPermitted", "the component may not be used here"),
    -66749: ("kAudioComponentErr_InstanceInvalidated", "the instance is gone"),
    -66750: ("kAudioComponentErr_TooManyInstances", "the component allows no more instances"),
    -66751: ("kAudioComponentErr_UnsupportedType", "components of this type are not supported"),
    -66752: (
      "kAudioComponentErr_DuplicateDescription", "a component of this description exists"
    ),
    -66753: ("kAudioUnitErr_MIDIOutputBufferFull", "the MIDI output buffer is full"),
    -66754: ("kAudioComponentErr_InstanceTimedOut", "the instance did not answer in time"),
    -66784: (
      "kAUVoiceIOErr_UnexpectedNumberOfInputChannels",
      "the device has an unexpected number of input channels"
    ),
  ]
}
