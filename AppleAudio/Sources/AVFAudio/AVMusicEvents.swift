// Events of a track: notes, messages of channels, tempos, and what else a sequence has.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// An event of a track. A track copies it when it is added.
open class AVMusicEvent: NSObject {
  override init() {}
  /// Calls a body with the type and the data of the event, as the functions of C have them.
  func withData<Result>(_ body: (MusicEventType, UnsafeRawPointer) -> Result) -> Result {
    with(Int(kMusicEventType_NULL), UInt64(0), body)
  }
  fileprivate func with<Value, Result>(
    _ type: Int, _ value: Value, _ body: (MusicEventType, UnsafeRawPointer) -> Result
  ) -> Result {
    withUnsafePointer(to: value) { body(MusicEventType(type), $0) }
  }
  /// The same for data behind a header, which ends with their length.
  fileprivate func with<Result>(
    _ type: Int, _ header: [UInt8], _ data: Data,
    _ body: (MusicEventType, UnsafeRawPointer) -> Result
  ) -> Result {
    let length = withUnsafeBytes(of: UInt32(data.count)) { Array($0) }
    // A place for the data of a header without any.
    return (header + length + data + [0, 0, 0, 0]).withUnsafeBufferPointer { bytes in
      guard let start = bytes.baseAddress else { auricleRaise("an event has a header") }
      return body(MusicEventType(type), UnsafeRawPointer(start))
    }
  }
  /// The bytes by which an event is compared with what it was.
  func bytes(_ size: Int) -> Data { withData { Data(bytes: $1, count: size) } }
}

// MARK: Notes

/// A note with its length.
open class AVMIDINoteEvent: AVMusicEvent {
  /// The channel, 0 to 15.
  open var channel: UInt32
  /// The key, 0 to 127.
  open var key: UInt32
  /// The velocity, 0 to 127.
  open var velocity: UInt32
  /// The length, beats.
  open var duration: AVMusicTimeStamp
  /// The velocity of the release.
  private var release: UInt8 = 0
  /// A note.
  public init(channel: UInt32, key keyNum: UInt32, velocity: UInt32, duration: AVMusicTimeStamp) {
    self.channel = channel
    key = keyNum
    self.velocity = velocity
    self.duration = duration
  }
  convenience init(_ note: MIDINoteMessage) {
    self.init(
      channel: UInt32(note.channel), key: UInt32(note.note), velocity: UInt32(note.velocity),
      duration: Double(note.duration))
    release = note.releaseVelocity
  }
  override func withData<Result>(_ body: (MusicEventType, UnsafeRawPointer) -> Result) -> Result {
    with(
      Int(kMusicEventType_MIDINoteMessage),
      MIDINoteMessage(
        channel: UInt8(clamping: channel), note: UInt8(clamping: key),
        velocity: UInt8(clamping: velocity), releaseVelocity: release, duration: Float32(duration)),
      body)
  }
}

/// A note of a pitch between keys.
open class AVExtendedNoteOnEvent: AVMusicEvent {
  /// The instrument that a note has unless it names one.
  public static let defaultInstrument: UInt32 = 0xFFFF_FFFF
  /// The pitch, keys.
  open var midiNote: Float
  /// The velocity, 0 to 127.
  open var velocity: Float
  /// The instrument.
  open var instrumentID: UInt32
  /// The group, which is a channel to most instruments.
  open var groupID: UInt32
  /// The length, beats.
  open var duration: AVMusicTimeStamp
  /// A note of an instrument.
  public init(
    midiNote: Float, velocity: Float, instrumentID: UInt32, groupID: UInt32,
    duration: AVMusicTimeStamp
  ) {
    self.midiNote = midiNote
    self.velocity = velocity
    self.instrumentID = instrumentID
    self.groupID = groupID
    self.duration = duration
  }
  /// A note of the default instrument.
  public convenience init(
    midiNote: Float, velocity: Float, groupID: UInt32, duration: AVMusicTimeStamp
  ) {
    self.init(
      midiNote: midiNote, velocity: velocity, instrumentID: Self.defaultInstrument,
      groupID: groupID, duration: duration)
  }
  override func withData<Result>(_ body: (MusicEventType, UnsafeRawPointer) -> Result) -> Result {
    var note = ExtendedNoteOnEvent()
    note.instrumentID = instrumentID
    note.groupID = groupID
    note.duration = Float32(duration)
    note.extendedParams.argCount = 2
    note.extendedParams.mPitch = midiNote
    note.extendedParams.mVelocity = velocity
    return with(Int(kMusicEventType_ExtendedNote), note, body)
  }
}

// MARK: Messages of channels

/// A message of a channel.
open class AVMIDIChannelEvent: AVMusicEvent {
  /// The channel, 0 to 15.
  open var channel: UInt32
  fileprivate init(channel: UInt32) { self.channel = channel }
  /// The kind of the message, and its two numbers.
  fileprivate var message: (status: UInt8, first: UInt32, second: UInt32) { (0, 0, 0) }
  override func withData<Result>(_ body: (MusicEventType, UnsafeRawPointer) -> Result) -> Result {
    let message = message
    return with(
      Int(kMusicEventType_MIDIChannelMessage),
      MIDIChannelMessage(
        status: message.status | UInt8(truncatingIfNeeded: channel & 15),
        data1: UInt8(clamping: message.first), data2: UInt8(clamping: message.second), reserved: 0),
      body)
  }
  static func make(_ message: MIDIChannelMessage) -> AVMIDIChannelEvent? {
    let channel = UInt32(message.status & 15)
    let (first, second) = (UInt32(message.data1), UInt32(message.data2))
    switch message.status & 0xF0 {
    case 0xA0: return AVMIDIPolyPressureEvent(channel: channel, key: first, pressure: second)
    case 0xB0:
      guard let type = AVMIDIControlChangeEvent.MessageType(rawValue: Int(first)) else {
        return nil
      }
      return AVMIDIControlChangeEvent(channel: channel, messageType: type, value: second)
    case 0xC0: return AVMIDIProgramChangeEvent(channel: channel, programNumber: first)
    case 0xD0: return AVMIDIChannelPressureEvent(channel: channel, pressure: first)
    case 0xE0: return AVMIDIPitchBendEvent(channel: channel, value: first | second << 7)
    default: return nil
    }
  }
}

/// A controller's value.
open class AVMIDIControlChangeEvent: AVMIDIChannelEvent {
  /// The controller.
  public struct MessageType: RawRepresentable, Hashable, Sendable {
    /// The number of MIDI.
    public let rawValue: Int
    /// A controller by its number; nil above 127.
    public init?(rawValue: Int) {
      guard 0...127 ~= rawValue else { return nil }
      self.rawValue = rawValue
    }
    private init(_ number: Int) { rawValue = number }
    /// The bank of sounds.
    public static let bankSelect = MessageType(0)
    /// The modulation wheel.
    public static let modWheel = MessageType(1)
    /// The breath.
    public static let breath = MessageType(2)
    /// The foot pedal.
    public static let foot = MessageType(4)
    /// The time of a glide.
    public static let portamentoTime = MessageType(5)
    /// The value of a parameter that is registered.
    public static let dataEntry = MessageType(6)
    /// The volume.
    public static let volume = MessageType(7)
    /// The balance.
    public static let balance = MessageType(8)
    /// The place between left and right.
    public static let pan = MessageType(10)
    /// The expression.
    public static let expression = MessageType(11)
    /// The sustain pedal.
    public static let sustain = MessageType(64)
    /// Glides on or off.
    public static let portamento = MessageType(65)
    /// The sostenuto pedal.
    public static let sostenuto = MessageType(66)
    /// The soft pedal.
    public static let soft = MessageType(67)
    /// The legato pedal.
    public static let legatoPedal = MessageType(68)
    /// The second hold pedal.
    public static let hold2Pedal = MessageType(69)
    /// The resonance of the filter.
    public static let filterResonance = MessageType(71)
    /// The time of the release.
    public static let releaseTime = MessageType(72)
    /// The time of the attack.
    public static let attackTime = MessageType(73)
    /// The brightness.
    public static let brightness = MessageType(74)
    /// The time of the decay.
    public static let decayTime = MessageType(75)
    /// The rate of the vibrato.
    public static let vibratoRate = MessageType(76)
    /// The depth of the vibrato.
    public static let vibratoDepth = MessageType(77)
    /// The delay of the vibrato.
    public static let vibratoDelay = MessageType(78)
    /// The level of the reverb.
    public static let reverbLevel = MessageType(91)
    /// The level of the chorus.
    public static let chorusLevel = MessageType(93)
    /// The fine number of a parameter that is registered.
    public static let RPN_LSB = MessageType(100)
    /// The coarse number of a parameter that is registered.
    public static let RPN_MSB = MessageType(101)
    /// No sound at once.
    public static let allSoundOff = MessageType(120)
    /// The controllers as at first.
    public static let resetAllControllers = MessageType(121)
    /// The end of all notes.
    public static let allNotesOff = MessageType(123)
    /// Notes of the own channel.
    public static let omniModeOff = MessageType(124)
    /// Notes of all channels.
    public static let omniModeOn = MessageType(125)
    /// One note at a time.
    public static let monoModeOn = MessageType(126)
    /// Several notes at a time.
    public static let monoModeOff = MessageType(127)
  }
  /// The controller.
  public let messageType: MessageType
  /// The value, 0 to 127.
  public let value: UInt32
  /// A controller's value.
  public init(channel: UInt32, messageType: MessageType, value: UInt32) {
    self.messageType = messageType
    self.value = value
    super.init(channel: channel)
  }
  fileprivate override var message: (status: UInt8, first: UInt32, second: UInt32) {
    (0xB0, UInt32(messageType.rawValue), value)
  }
}

/// The pressure on a key.
open class AVMIDIPolyPressureEvent: AVMIDIChannelEvent {
  /// The key, 0 to 127.
  open var key: UInt32
  /// The pressure, 0 to 127.
  open var pressure: UInt32
  /// A pressure.
  public init(channel: UInt32, key: UInt32, pressure: UInt32) {
    self.key = key
    self.pressure = pressure
    super.init(channel: channel)
  }
  fileprivate override var message: (status: UInt8, first: UInt32, second: UInt32) {
    (0xA0, key, pressure)
  }
}

/// A choice of a sound.
open class AVMIDIProgramChangeEvent: AVMIDIChannelEvent {
  /// The sound, 0 to 127.
  open var programNumber: UInt32
  /// A choice.
  public init(channel: UInt32, programNumber: UInt32) {
    self.programNumber = programNumber
    super.init(channel: channel)
  }
  fileprivate override var message: (status: UInt8, first: UInt32, second: UInt32) {
    (0xC0, programNumber, 0)
  }
}

/// The pressure on all keys.
open class AVMIDIChannelPressureEvent: AVMIDIChannelEvent {
  /// The pressure, 0 to 127.
  open var pressure: UInt32
  /// A pressure.
  public init(channel: UInt32, pressure: UInt32) {
    self.pressure = pressure
    super.init(channel: channel)
  }
  fileprivate override var message: (status: UInt8, first: UInt32, second: UInt32) {
    (0xD0, pressure, 0)
  }
}

/// A bend of the pitch.
open class AVMIDIPitchBendEvent: AVMIDIChannelEvent {
  /// The bend, 0 to 16383; 8192 for none.
  open var value: UInt32
  /// A bend.
  public init(channel: UInt32, value: UInt32) {
    self.value = value
    super.init(channel: channel)
  }
  fileprivate override var message: (status: UInt8, first: UInt32, second: UInt32) {
    (0xE0, value & 127, value >> 7 & 127)
  }
}

// MARK: Data

/// A system exclusive message, from its first byte to its last.
open class AVMIDISysexEvent: AVMusicEvent {
  private let data: Data
  /// The number of bytes.
  open var sizeInBytes: UInt32 { UInt32(data.count) }
  /// A message.
  public init(data: Data) { self.data = data }
  override func withData<Result>(_ body: (MusicEventType, UnsafeRawPointer) -> Result) -> Result {
    with(Int(kMusicEventType_MIDIRawData), [], data, body)
  }
}

/// An event of a MIDI file alone.
open class AVMIDIMetaEvent: AVMusicEvent {
  /// The kind of the event.
  public struct EventType: RawRepresentable, Hashable, Sendable {
    /// The number in a MIDI file.
    public let rawValue: Int
    /// A kind by its number; nil above 127.
    public init?(rawValue: Int) {
      guard 0...127 ~= rawValue else { return nil }
      self.rawValue = rawValue
    }
    private init(_ number: Int) { rawValue = number }
    /// The number of the sequence.
    public static let sequenceNumber = EventType(0)
    /// A text.
    public static let text = EventType(1)
    /// The copyright.
    public static let copyright = EventType(2)
    /// The name of the track.
    public static let trackName = EventType(3)
    /// The name of the instrument.
    public static let instrument = EventType(4)
    /// A syllable.
    public static let lyric = EventType(5)
    /// A marker.
    public static let marker = EventType(6)
    /// A cue.
    public static let cuePoint = EventType(7)
    /// The channel of what follows.
    public static let midiChannel = EventType(0x20)
    /// The port of what follows.
    public static let midiPort = EventType(0x21)
    /// The end of the track.
    public static let endOfTrack = EventType(0x2F)
    /// The tempo.
    public static let tempo = EventType(0x51)
    /// The time of the start.
    public static let smpteOffset = EventType(0x54)
    /// The meter.
    public static let timeSignature = EventType(0x58)
    /// The key.
    public static let keySignature = EventType(0x59)
    /// An event of a program's own.
    public static let proprietaryEvent = EventType(0x7F)
  }
  /// The kind of the event.
  public let type: EventType
  private let data: Data
  /// An event.
  public init(type: EventType, data: Data) {
    self.type = type
    self.data = data
  }
  override func withData<Result>(_ body: (MusicEventType, UnsafeRawPointer) -> Result) -> Result {
    with(Int(kMusicEventType_Meta), [UInt8(type.rawValue), 0, 0, 0], data, body)
  }
}

/// An event of the program's own.
open class AVMusicUserEvent: AVMusicEvent {
  private let data: Data
  /// The number of bytes.
  open var sizeInBytes: UInt32 { UInt32(data.count) }
  /// An event.
  public init(data: Data) { self.data = data }
  override func withData<Result>(_ body: (MusicEventType, UnsafeRawPointer) -> Result) -> Result {
    with(Int(kMusicEventType_User), [], data, body)
  }
}

// MARK: Units

/// A point of the curve of a parameter, on a track that uses automated parameters.
open class AVParameterEvent: AVMusicEvent {
  /// The parameter.
  open var parameterID: UInt32
  /// The scope of the parameter.
  open var scope: UInt32
  /// The element of the parameter.
  open var element: UInt32
  /// The value.
  open var value: Float
  /// A point.
  public init(parameterID: UInt32, scope: UInt32, element: UInt32, value: Float) {
    self.parameterID = parameterID
    self.scope = scope
    self.element = element
    self.value = value
  }
  override func withData<Result>(_ body: (MusicEventType, UnsafeRawPointer) -> Result) -> Result {
    with(
      Int(kMusicEventType_Parameter),
      ParameterEvent(parameterID: parameterID, scope: scope, element: element, value: value), body)
  }
}

/// A preset for the unit of a track.
open class AVAUPresetEvent: AVMusicEvent {
  /// The scope.
  open var scope: UInt32
  /// The element.
  open var element: UInt32
  /// The preset.
  public let presetDictionary: [AnyHashable: Any]
  /// A preset.
  public init(scope: UInt32, element: UInt32, dictionary presetDictionary: [AnyHashable: Any]) {
    self.scope = scope
    self.element = element
    self.presetDictionary = presetDictionary
  }
  override func withData<Result>(_ body: (MusicEventType, UnsafeRawPointer) -> Result) -> Result {
    let dictionary = NSDictionary(dictionary: presetDictionary)
    return withExtendedLifetime(dictionary) {
      with(
        Int(kMusicEventType_AUPreset),
        (scope, element, Unmanaged.passUnretained(dictionary).toOpaque()), body)
    }
  }
  override func bytes(_ size: Int) -> Data { withData { Data(bytes: $1, count: 8) } }
}

/// A tempo, on the track of tempos.
open class AVExtendedTempoEvent: AVMusicEvent {
  /// Beats a minute.
  open var tempo: Double
  /// A tempo.
  public init(tempo: Double) { self.tempo = tempo }
  override func withData<Result>(_ body: (MusicEventType, UnsafeRawPointer) -> Result) -> Result {
    with(Int(kMusicEventType_ExtendedTempo), ExtendedTempoEvent(bpm: tempo), body)
  }
}

// MARK: Events of C

extension AVMusicEvent {
  /// The event of a type and its data; nil for one that has no class.
  static func make(_ type: MusicEventType, _ data: UnsafeRawPointer, _ size: Int) -> AVMusicEvent? {
    func bytes(behind header: Int) -> Data {
      let count = Int(data.loadUnaligned(fromByteOffset: header - 4, as: UInt32.self))
      return Data(bytes: data + header, count: Swift.max(0, Swift.min(count, size - header)))
    }
    switch Int(type) {
    case Int(kMusicEventType_MIDINoteMessage):
      return AVMIDINoteEvent(data.loadUnaligned(as: MIDINoteMessage.self))
    case Int(kMusicEventType_MIDIChannelMessage):
      return AVMIDIChannelEvent.make(data.loadUnaligned(as: MIDIChannelMessage.self))
    case Int(kMusicEventType_MIDIRawData): return AVMIDISysexEvent(data: bytes(behind: 4))
    case Int(kMusicEventType_Meta):
      return AVMIDIMetaEvent.EventType(rawValue: Int(data.load(as: UInt8.self))).map {
        AVMIDIMetaEvent(type: $0, data: bytes(behind: 8))
      }
    case Int(kMusicEventType_User): return AVMusicUserEvent(data: bytes(behind: 4))
    case Int(kMusicEventType_ExtendedNote):
      let note = data.loadUnaligned(as: ExtendedNoteOnEvent.self)
      return AVExtendedNoteOnEvent(
        midiNote: note.extendedParams.mPitch, velocity: note.extendedParams.mVelocity,
        instrumentID: note.instrumentID, groupID: note.groupID, duration: Double(note.duration))
    case Int(kMusicEventType_Parameter):
      let point = data.loadUnaligned(as: ParameterEvent.self)
      return AVParameterEvent(
        parameterID: point.parameterID, scope: point.scope, element: point.element,
        value: point.value)
    case Int(kMusicEventType_AUPreset):
      let (scope, element, list) = data.loadUnaligned(
        as: (UInt32, UInt32, UnsafeRawPointer?).self)
      let dictionary = list.map { Unmanaged<NSObject>.fromOpaque($0).takeUnretainedValue() }
      return AVAUPresetEvent(
        scope: scope, element: element,
        dictionary: (dictionary as? NSDictionary) as? [AnyHashable: Any] ?? [:])
    case Int(kMusicEventType_ExtendedTempo):
      return AVExtendedTempoEvent(tempo: data.loadUnaligned(as: ExtendedTempoEvent.self).bpm)
    default: return nil
    }
  }
  /// Adds the event to a track.
  func add(to track: MusicTrack, at beat: AVMusicTimeStamp) -> OSStatus {
    withData { type, data in
      switch Int(type) {
      case Int(kMusicEventType_MIDINoteMessage):
        MusicTrackNewMIDINoteEvent(
          track, beat, data.bindMemory(to: MIDINoteMessage.self, capacity: 1))
      case Int(kMusicEventType_MIDIChannelMessage):
        MusicTrackNewMIDIChannelEvent(
          track, beat, data.bindMemory(to: MIDIChannelMessage.self, capacity: 1))
      case Int(kMusicEventType_MIDIRawData):
        MusicTrackNewMIDIRawDataEvent(
          track, beat, data.bindMemory(to: MIDIRawData.self, capacity: 1))
      case Int(kMusicEventType_Meta):
        MusicTrackNewMetaEvent(track, beat, data.bindMemory(to: MIDIMetaEvent.self, capacity: 1))
      case Int(kMusicEventType_User):
        MusicTrackNewUserEvent(
          track, beat, data.bindMemory(to: MusicEventUserData.self, capacity: 1))
      case Int(kMusicEventType_ExtendedNote):
        MusicTrackNewExtendedNoteEvent(
          track, beat, data.bindMemory(to: ExtendedNoteOnEvent.self, capacity: 1))
      case Int(kMusicEventType_Parameter):
        MusicTrackNewParameterEvent(
          track, beat, data.bindMemory(to: ParameterEvent.self, capacity: 1))
      case Int(kMusicEventType_AUPreset):
        MusicTrackNewAUPresetEvent(
          track, beat, data.bindMemory(to: AUPresetEvent.self, capacity: 1))
      case Int(kMusicEventType_ExtendedTempo):
        MusicTrackNewExtendedTempoEvent(
          track, beat, data.loadUnaligned(as: ExtendedTempoEvent.self).bpm)
      default: kAudio_ParamError
      }
    }
  }
}
