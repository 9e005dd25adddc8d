// The properties of the interface: where each lives, how large it is, who may set it, who must have it.
// SPDX-License-Identifier: Apache-2.0

import CAudioToolbox

/// How large the value of a property is.
enum ValueSize: Sendable {
  /// This many bytes.
  case bytes(UInt32)
  /// Any number of records of this many bytes.
  case records(of: UInt32)
  /// A record that has at least this many bytes.
  case atLeast(UInt32)
}

/// Who may do what with a property.
enum Access: String, Sendable {
  case read = "r"
  case write = "w"
  case both = "rw"
  /// Readable; the unit says whether it can be set as well.
  case readAndMaybeWrite = "r(w)"
}

/// One property of the interface.
struct PropertyRow: Sendable {
  var id: UInt32
  var name: String
  /// Scopes in which it may live.
  var scopes: [UInt32]
  var size: ValueSize
  var access: Access
  /// Types of units that must have it; empty for none.
  var requiredBy: Set<OSType> = []
  /// Whether the element is the id of a parameter.
  var elementIsParameter = false
  /// Whether reading needs a question in the buffer.
  var isQuestion = false

  init(
    _ id: UInt32, _ name: String, _ scopes: [UInt32], _ size: ValueSize, _ access: Access,
    requiredBy: Set<OSType> = [], elementIsParameter: Bool = false, isQuestion: Bool = false
  ) {
    self.id = id
    self.name = name
    self.scopes = scopes
    self.size = size
    self.access = access
    self.requiredBy = requiredBy
    self.elementIsParameter = elementIsParameter
    self.isQuestion = isQuestion
  }

  private static let global: [UInt32] = [0]
  private static let buses: [UInt32] = [1, 2]
  private static let any: [UInt32] = [0, 1, 2, 3, 4, 5]
  private static let all: Set<OSType> = [kAudioUnitType_Effect, kAudioUnitType_Mixer]
  private static let effects: Set<OSType> = [kAudioUnitType_Effect]

  /// Every property of the first range that has a meaning for a unit.
  static let units: [PropertyRow] = [
    .init(0, "ClassInfo", [0, 4], .bytes(8), .both, requiredBy: all),
    .init(1, "MakeConnection", [0, 1], .bytes(16), .write, requiredBy: all),
    .init(2, "SampleRate", [0, 1, 2], .bytes(8), .both, requiredBy: all),
    .init(3, "ParameterList", any, .records(of: 4), .read, requiredBy: all),
    .init(
      4, "ParameterInfo", any, .bytes(104), .read, requiredBy: all, elementIsParameter: true),
    .init(5, "FastDispatch", global, .bytes(8), .read),
    .init(6, "CPULoad", global, .bytes(8), .read),
    .init(8, "StreamFormat", [0, 1, 2], .bytes(40), .both, requiredBy: all),
    .init(9, "SRCAlgorithm", global, .bytes(4), .both),
    .init(10, "ReverbRoomType", global, .bytes(4), .both),
    .init(11, "ElementCount", any, .bytes(4), .readAndMaybeWrite, requiredBy: all),
    .init(12, "Latency", global, .bytes(8), .read, requiredBy: effects),
    .init(13, "SupportedNumChannels", global, .records(of: 4), .read),
    .init(14, "MaximumFramesPerSlice", global, .bytes(4), .both, requiredBy: all),
    .init(15, "SetExternalBuffer", global, .bytes(16), .write),
    .init(16, "ParameterValueStrings", any, .bytes(8), .read, elementIsParameter: true),
    .init(17, "MIDIControlMapping", global, .atLeast(1), .read),
    .init(18, "GetUIComponentList", any, .records(of: 20), .read),
    .init(19, "AudioChannelLayout", buses, .atLeast(12), .readAndMaybeWrite),
    .init(20, "TailTime", global, .bytes(8), .read, requiredBy: effects),
    .init(21, "BypassEffect", global, .bytes(4), .both, requiredBy: effects),
    .init(22, "LastRenderError", global, .bytes(4), .read, requiredBy: all),
    .init(23, "SetRenderCallback", [0, 1], .bytes(16), .write, requiredBy: all),
    .init(24, "FactoryPresets", global, .bytes(8), .read),
    .init(25, "ContextName", global, .bytes(8), .both),
    .init(26, "RenderQuality", global, .bytes(4), .both),
    .init(27, "HostCallbacks", global, .bytes(40), .write),
    .init(28, "CurrentPreset", global, .bytes(16), .both),
    .init(29, "InPlaceProcessing", global, .bytes(4), .readAndMaybeWrite),
    .init(30, "ElementName", any, .bytes(8), .readAndMaybeWrite),
    .init(31, "CocoaUI", global, .atLeast(16), .read),
    .init(32, "SupportedChannelLayoutTags", buses, .records(of: 4), .read),
    .init(33, "ParameterStringFromValue", any, .bytes(24), .read, isQuestion: true),
    .init(34, "ParameterIDName", any, .bytes(16), .read, isQuestion: true),
    .init(35, "ParameterClumpName", any, .bytes(16), .read, isQuestion: true),
    .init(36, "PresentPreset", [0, 4], .bytes(16), .both, requiredBy: all),
    .init(37, "OfflineRender", global, .bytes(4), .both),
    .init(38, "ParameterValueFromString", any, .bytes(24), .read, isQuestion: true),
    .init(39, "IconLocation", global, .bytes(8), .read),
    .init(40, "PresentationLatency", buses, .bytes(8), .write),
    .init(41, "AllParameterMIDIMappings", any, .records(of: 32), .both),
    .init(42, "AddParameterMIDIMapping", any, .records(of: 32), .write),
    .init(43, "RemoveParameterMIDIMapping", any, .records(of: 32), .write),
    .init(44, "HotMapParameterMIDIMapping", any, .bytes(32), .both),
    .init(45, "DependentParameters", any, .records(of: 8), .read, elementIsParameter: true),
    .init(46, "AUHostIdentifier", global, .bytes(16), .write),
    .init(47, "MIDIOutputCallbackInfo", global, .bytes(8), .read),
    .init(48, "MIDIOutputCallback", global, .bytes(16), .write),
    .init(49, "InputSamplesInOutput", global, .bytes(16), .both),
    .init(50, "ClassInfoFromDocument", global, .bytes(8), .both),
    .init(51, "ShouldAllocateBuffer", buses, .bytes(4), .both),
    .init(52, "FrequencyResponse", buses, .records(of: 16), .read),
    .init(53, "ParameterHistoryInfo", global, .bytes(8), .read, elementIsParameter: true),
    .init(54, "NickName", global, .bytes(8), .both),
    .init(56, "RequestViewController", global, .bytes(8), .write),
    .init(57, "ParametersForOverview", global, .records(of: 24), .read),
    .init(58, "SupportsMPE", global, .bytes(4), .read),
    .init(60, "RenderContextObserver", global, .bytes(8), .read),
    .init(61, "LastRenderSampleTime", global, .bytes(8), .read),
    .init(62, "LoadedOutOfProcess", global, .bytes(4), .read),
    .init(63, "MIDIOutputEventListCallback", global, .bytes(8), .write),
    .init(64, "AudioUnitMIDIProtocol", global, .bytes(4), .read),
    .init(65, "HostMIDIProtocol", global, .bytes(4), .write),
    .init(66, "MIDIOutputBufferSizeHint", global, .bytes(4), .both),
    .init(100, "RemoteControlEventListener", global, .bytes(8), .both),
    .init(101, "IsInterAppConnected", global, .bytes(4), .read),
    .init(102, "PeerURL", global, .bytes(8), .read),
  ]

  /// Properties of special units: absent, and then with the right code, from all others.
  static let special: [PropertyRow] =
    musicDevices.map { .init($0.0, $0.1, global + [3, 4], .atLeast(1), .both) }
    + outputs.map { .init($0.0, $0.1, any, .atLeast(1), .both) }
    + others.map { .init($0.0, $0.1, any, .atLeast(1), .both) }

  private static let musicDevices: [(UInt32, String)] = [
    (1000, "InstrumentCount"), (1001, "InstrumentName"), (1002, "GroupOutputBus"),
    (1003, "SoundBankFSSpec"), (1004, "InstrumentNumber"), (1005, "UsesInternalReverb"),
    (1006, "MIDIXMLNames"), (1007, "BankName"), (1008, "SoundBankData"), (1010, "PartGroup"),
    (1011, "StreamFromDisk"), (1012, "SoundBankFSRef"), (1013, "DualSchedulingMode"),
    (1014, "SupportsStartStopNote"), (1100, "SoundBankURL"),
  ]
  private static let outputs: [(UInt32, String)] = [
    (2000, "CurrentDevice"), (2001, "IsRunning"), (2002, "ChannelMap"), (2003, "EnableIO"),
    (2004, "StartTime"), (2005, "SetInputCallback"), (2006, "HasIO"),
    (2007, "StartTimestampsAtZero"), (2010, "MIDICallbacks"),
    (2011, "HostReceivesRemoteControlEvents"), (2012, "RemoteControlToHost"),
    (2013, "HostTransportState"), (2014, "NodeComponentDescription"), (2015, "OSWorkgroup"),
    (2100, "BypassVoiceProcessing"), (2101, "VoiceProcessingEnableAGC"),
    (2103, "VoiceProcessingQuality"), (2104, "MuteOutput"),
    (2106, "MutedSpeechActivityEventListener"), (2108, "OtherAudioDuckingConfiguration"),
  ]
  private static let others: [(UInt32, String)] = [
    (2200, "NumberOfBands"), (2201, "MaxNumberOfBands"), (2203, "BiquadCoefficients"),
    (3000, "SpatializationAlgorithm"), (3001, "SpeakerConfiguration"), (3002, "DopplerShift"),
    (3003, "SpatialMixerRenderingFlags"), (3004, "3DMixerDistanceAtten"),
    (3005, "SpatialMixerSourceMode"), (3006, "MatrixLevels"), (3007, "MeteringMode"),
    (3008, "PannerMode"), (3009, "MatrixDimensions"), (3010, "SpatialMixerDistanceParams"),
    (3011, "MeterClipping"), (3012, "ReverbPreset"), (3013, "SpatialMixerAttenuationCurve"),
    (3014, "SampleRateConverterComplexity"), (3016, "InputAnchorTimeStamp"), (3020, "InputSize"),
    (3021, "OutputSize"), (3022, "StartOffset"), (3023, "PreflightRequirements"),
    (3024, "PreflightName"), (3100, "SpatialMixerOutputType"),
    (3103, "SpatialMixerPointSourceInHeadMode"), (3111, "SpatialMixerEnableHeadTracking"),
    (3113, "SpatialMixerPersonalizedHRTFMode"),
    (3116, "SpatialMixerAnyInputIsUsingPersonalizedHRTF"), (3300, "ScheduleAudioSlice"),
    (3301, "ScheduleStartTimeStamp"), (3302, "CurrentPlayTime"), (3310, "ScheduledFileIDs"),
    (3311, "ScheduledFileRegion"), (3312, "ScheduledFilePrime"),
    (3313, "ScheduledFileBufferSizeFrames"), (3314, "ScheduledFileNumberBuffers"),
    (3320, "DeferredRendererPullSize"), (3321, "DeferredRendererExtraLatency"),
    (3322, "DeferredRendererWaitFrames"), (3330, "Voice"), (3331, "SpeechChannel"),
    (3511, "NetReceive Hostname"), (3512, "NetReceive Password"), (3513, "NetSend PortNum"),
    (3514, "NetSend TransmissionFormat"), (3515, "NetSend TransmissionFormatIndex"),
    (3516, "NetSend ServiceName"), (3517, "NetSend Disconnect"), (3518, "NetSend Password"),
    (3600, "DistanceAttenuationData"), (4000, "FromPlugin"), (4001, "OldAutomation"),
    (4100, "LoadPresetFromBank"), (4101, "LoadAudioFiles"), (4102, "LoadInstrument"),
    (4119, "EnablePreload"),
  ]
}
