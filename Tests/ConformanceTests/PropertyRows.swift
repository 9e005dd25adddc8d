// The properties of the interface: their scopes, sizes, access, and the units that must have them.
// SPDX-License-Identifier: Apache-2.0

import CAudioToolbox

/// The size of a property's value.
enum ValueSize: Sendable {
  /// This many bytes.
  case bytes(UInt32)
  /// Any number of records of this many bytes.
  case records(of: UInt32)
  /// A record that has at least this many bytes.
  case atLeast(UInt32)
}

/// The access to a property.
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
  /// Types of units that have it when they are made with the SDK.
  var recipients: Set<OSType> = []
  /// Whether the element is the id of a parameter.
  var elementIsParameter = false
  /// Whether reading needs a question in the buffer.
  var isQuestion = false

  init(
    _ id: UInt32, _ name: String, _ scopes: [UInt32], _ size: ValueSize, _ access: Access,
    requiredBy: Set<OSType> = [], recipients: Set<OSType> = [], elementIsParameter: Bool = false,
    isQuestion: Bool = false
  ) {
    self.id = id
    self.name = name
    self.scopes = scopes
    self.size = size
    self.access = access
    self.requiredBy = requiredBy
    self.recipients = recipients
    self.elementIsParameter = elementIsParameter
    self.isQuestion = isQuestion
  }

  private static let global: [UInt32] = [0]
  private static let buses: [UInt32] = [1, 2]
  private static let any: [UInt32] = [0, 1, 2, 3, 4, 5]
  private static let effects: Set<OSType> = [kAudioUnitType_Effect]
  private static let fed: Set<OSType> = [
    kAudioUnitType_Effect, kAudioUnitType_Mixer, kAudioUnitType_FormatConverter,
    kAudioUnitType_Output, kAudioUnitType_MusicEffect,
  ]
  private static let played: Set<OSType> = [kAudioUnitType_MusicDevice]
  private static let musicEffects: Set<OSType> = [kAudioUnitType_MusicEffect]
  private static let acceptingNotes = played.union(musicEffects)
  private static let late = effects.union(played)
  private static let all = fed.union(acceptingNotes)

  /// Every property of the first range that has a meaning for a unit.
  static let units: [PropertyRow] = [
    .init(0, "ClassInfo", [0, 4], .bytes(8), .both, requiredBy: all),
    .init(1, "MakeConnection", [0, 1], .bytes(16), .write, requiredBy: fed),
    .init(2, "SampleRate", [0, 1, 2], .bytes(8), .both, requiredBy: all),
    .init(3, "ParameterList", any, .records(of: 4), .read, requiredBy: all),
    .init(
      4, "ParameterInfo", any, .bytes(104), .read, requiredBy: all, elementIsParameter: true),
    .init(5, "FastDispatch", global, .bytes(8), .read),
    .init(6, "CPULoad", global, .bytes(8), .readAndMaybeWrite),
    .init(8, "StreamFormat", [0, 1, 2], .bytes(40), .both, requiredBy: all),
    .init(9, "SRCAlgorithm", global, .bytes(4), .both),
    .init(10, "ReverbRoomType", global, .bytes(4), .both),
    .init(11, "ElementCount", any, .bytes(4), .readAndMaybeWrite, requiredBy: all),
    .init(12, "Latency", global, .bytes(8), .read, requiredBy: late),
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
    .init(23, "SetRenderCallback", [0, 1], .bytes(16), .write, requiredBy: fed),
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
    .init(58, "SupportsMPE", global, .bytes(4), .read, requiredBy: acceptingNotes),
    .init(60, "RenderContextObserver", global, .bytes(8), .read),
    .init(61, "LastRenderSampleTime", global, .bytes(8), .read),
    .init(62, "LoadedOutOfProcess", global, .bytes(4), .read),
    .init(63, "MIDIOutputEventListCallback", global, .bytes(8), .write),
    .init(64, "AudioUnitMIDIProtocol", global, .bytes(4), .read, requiredBy: acceptingNotes),
    .init(65, "HostMIDIProtocol", global, .bytes(4), .write, requiredBy: acceptingNotes),
    .init(66, "MIDIOutputBufferSizeHint", global, .bytes(4), .both),
    .init(
      100, "RemoteControlEventListener", global, .bytes(8), .both, recipients: started),
    .init(101, "IsInterAppConnected", global, .bytes(4), .read, recipients: started),
    .init(102, "PeerURL", global, .bytes(8), .read, recipients: started),
  ]

  /// Properties of special units: absent, and then with the right code, from all others.
  static let special: [PropertyRow] =
    musicDevices + samplers + outputs + mixers
    + others.map { .init($0.0, $0.1, any, .atLeast(1), .both) }

  private static let musicDevices: [PropertyRow] = [
    .init(1000, "InstrumentCount", global, .bytes(4), .read, requiredBy: played),
    .init(1001, "InstrumentName", global, .bytes(8), .read),
    .init(1002, "GroupOutputBus", [3], .bytes(4), .both),
    .init(1003, "SoundBankFSSpec", global, .atLeast(1), .both),
    .init(1004, "InstrumentNumber", global, .bytes(4), .read),
    .init(1005, "UsesInternalReverb", global, .bytes(4), .both),
    .init(1006, "MIDIXMLNames", global, .bytes(8), .read),
    .init(1007, "BankName", global, .bytes(8), .read),
    .init(1008, "SoundBankData", global, .atLeast(1), .write),
    .init(1010, "PartGroup", [4], .bytes(4), .both),
    .init(1011, "StreamFromDisk", global, .bytes(4), .both),
    .init(1012, "SoundBankFSRef", global, .atLeast(1), .write),
    .init(1013, "DualSchedulingMode", global, .bytes(4), .write),
    .init(1014, "SupportsStartStopNote", global, .bytes(4), .read),
    .init(1100, "SoundBankURL", global, .bytes(8), .readAndMaybeWrite),
  ]
  private static let samplers: [PropertyRow] = [
    .init(4101, "LoadAudioFiles", global, .bytes(8), .write),
    .init(4102, "LoadInstrument", global, .bytes(16), .write),
    .init(4119, "EnablePreload", global, .bytes(4), .write),
  ]
  private static let started: Set<OSType> = [kAudioUnitType_Output]
  private static let outputs: [PropertyRow] = [
    .init(2000, "CurrentDevice", global, .bytes(4), .both),
    .init(2001, "IsRunning", global, .bytes(4), .read, requiredBy: started),
    .init(2002, "ChannelMap", buses, .records(of: 4), .both, recipients: started),
    .init(2003, "EnableIO", buses, .bytes(4), .both),
    .init(2004, "StartTime", global, .bytes(72), .write),
    .init(2005, "SetInputCallback", global, .bytes(16), .both),
    .init(2006, "HasIO", buses, .bytes(4), .read),
    .init(2007, "StartTimestampsAtZero", global, .bytes(4), .both),
    .init(2010, "MIDICallbacks", global, .bytes(24), .both, recipients: started),
    .init(2011, "HostReceivesRemoteControlEvents", global, .bytes(4), .read, recipients: started),
    .init(2012, "RemoteControlToHost", global, .bytes(4), .write, recipients: started),
    .init(2013, "HostTransportState", global, .bytes(4), .read, recipients: started),
    .init(2014, "NodeComponentDescription", global, .bytes(20), .read, recipients: started),
    .init(2015, "OSWorkgroup", global, .bytes(8), .read),
    .init(2100, "BypassVoiceProcessing", global, .bytes(4), .both),
    .init(2101, "VoiceProcessingEnableAGC", global, .bytes(4), .both),
    .init(2103, "VoiceProcessingQuality", global, .bytes(4), .both),
    .init(2104, "MuteOutput", global, .bytes(4), .both),
    .init(2106, "MutedSpeechActivityEventListener", global, .bytes(8), .write),
    .init(2108, "OtherAudioDuckingConfiguration", global, .bytes(8), .both),
  ]
  private static let mixing: Set<OSType> = [kAudioUnitType_Mixer]
  private static let mixers: [PropertyRow] = [
    .init(3006, "MatrixLevels", global, .records(of: 4), .both),
    .init(3007, "MeteringMode", any, .bytes(4), .both, requiredBy: mixing),
    .init(3009, "MatrixDimensions", global, .bytes(8), .read),
    .init(3011, "MeterClipping", global, .bytes(8), .read, requiredBy: mixing),
    .init(3014, "SampleRateConverterComplexity", global, .bytes(4), .both, recipients: started),
  ]
  private static let others: [(UInt32, String)] = [
    (2200, "NumberOfBands"), (2201, "MaxNumberOfBands"), (2203, "BiquadCoefficients"),
    (3000, "SpatializationAlgorithm"), (3001, "SpeakerConfiguration"), (3002, "DopplerShift"),
    (3003, "SpatialMixerRenderingFlags"), (3004, "3DMixerDistanceAtten"),
    (3005, "SpatialMixerSourceMode"),
    (3008, "PannerMode"), (3010, "SpatialMixerDistanceParams"),
    (3012, "ReverbPreset"), (3013, "SpatialMixerAttenuationCurve"),
    (3016, "InputAnchorTimeStamp"), (3020, "InputSize"),
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
    (4100, "LoadPresetFromBank"),
  ]
}
