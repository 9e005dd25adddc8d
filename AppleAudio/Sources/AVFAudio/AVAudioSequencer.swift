// Sequences of music that play through an engine.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Beats from the start of a sequence.
public typealias AVMusicTimeStamp = Double
/// The length of a range to the end of its track.
public let AVMusicTimeStampEndOfTrack = AVMusicTimeStamp.greatestFiniteMagnitude

/// A range of beats.
public struct AVBeatRange: Equatable, Sendable {
  /// The first beat.
  public var start: AVMusicTimeStamp
  /// The number of beats.
  public var length: AVMusicTimeStamp
  /// A range.
  public init(start: AVMusicTimeStamp, length: AVMusicTimeStamp) {
    self.start = start
    self.length = length
  }
}
/// A range of beats.
public func AVMakeBeatRange(_ start: AVMusicTimeStamp, _ length: AVMusicTimeStamp) -> AVBeatRange {
  AVBeatRange(start: start, length: length)
}

/// The way in which a file's tracks become those of a sequence.
public struct AVMusicSequenceLoadOptions: OptionSet, Sendable {
  /// The number of C.
  public let rawValue: UInt
  /// Options by their number.
  public init(rawValue: UInt) { self.rawValue = rawValue }
  /// A track for each channel.
  public static let smf_ChannelsToTracks = AVMusicSequenceLoadOptions(rawValue: 1)
  /// As in the file.
  public static let smf_PreserveTracks: AVMusicSequenceLoadOptions = []
}

/// The number of repetitions of a loop.
public enum AVMusicTrackLoopCount: Int, Sendable {
  /// For ever.
  case forever = -1
}

/// Called with the track, the bytes and the beat of a user event that is played.
public typealias AVAudioSequencerUserCallback = (AVMusicTrack, Data, AVMusicTimeStamp) -> Void

/// A track of a sequence.
open class AVMusicTrack: NSObject {
  let track: MusicTrack
  private let music: SequenceMusic
  private weak var sequencer: AVAudioSequencer?
  private var range: AVBeatRange?
  private var isLooping = false
  private var loops = -1
  init(_ track: MusicTrack, _ sequencer: AVAudioSequencer) {
    self.track = track
    music = sequencer.music
    self.sequencer = sequencer
  }

  private func property<Value: BitwiseCopyable>(_ id: Int, _ empty: Value) -> Value {
    var value = empty
    var size = UInt32(MemoryLayout<Value>.size)
    MusicTrackGetProperty(track, UInt32(id), &value, &size)
    return value
  }
  private func set<Value: BitwiseCopyable>(_ id: Int, _ value: Value) {
    var value = value
    MusicTrackSetProperty(track, UInt32(id), &value, UInt32(MemoryLayout<Value>.size))
  }

  /// The node that plays the track; nil for the engine's first instrument.
  open weak var destinationAudioUnit: AVAudioUnit? { didSet { sequencer?.directTracks() } }
  /// The MIDI endpoint that the track is sent to.
  open var destinationMIDIEndpoint: MIDIEndpointRef = 0 {
    didSet {
      sequencer?.interrupted {
        if destinationMIDIEndpoint == 0 {
          AuricleMusicTrackSetDestUnit(track, nil)
        } else {
          MusicTrackSetDestMIDIEndpoint(track, destinationMIDIEndpoint)
        }
      }
    }
  }
  /// The beats that are repeated.
  open var loopRange: AVBeatRange {
    get { range ?? AVBeatRange(start: 0, length: lengthInBeats) }
    set {
      range = newValue
      applyLoop()
    }
  }
  /// Whether beats are repeated.
  open var isLoopingEnabled: Bool {
    get { isLooping }
    set {
      isLooping = newValue
      applyLoop()
    }
  }
  /// The number of repetitions; -1 for ever.
  open var numberOfLoops: Int {
    get { loops }
    set {
      loops = newValue
      applyLoop()
    }
  }
  private func applyLoop() {
    let range = loopRange
    let end = Swift.min(range.start + range.length, lengthInBeats)
    if isLooping, self.range != nil { set(Int(kSequenceTrackProperty_TrackLength), end) }
    set(
      Int(kSequenceTrackProperty_LoopInfo),
      MusicTrackLoopInfo(
        loopDuration: isLooping ? Swift.max(end - range.start, 0) : 0,
        numberOfLoops: Int32(clamping: Swift.max(loops, 0))))
  }
  /// Beats by which all events are late.
  open var offsetTime: AVMusicTimeStamp {
    get { property(Int(kSequenceTrackProperty_OffsetTime), 0) }
    set { set(Int(kSequenceTrackProperty_OffsetTime), newValue) }
  }
  /// Whether the track is silent.
  open var isMuted: Bool {
    get { property(Int(kSequenceTrackProperty_MuteStatus), UInt8(0)) != 0 }
    set { set(Int(kSequenceTrackProperty_MuteStatus), UInt8(newValue ? 1 : 0)) }
  }
  /// Whether tracks that are not so are silent.
  open var isSoloed: Bool {
    get { property(Int(kSequenceTrackProperty_SoloStatus), UInt8(0)) != 0 }
    set { set(Int(kSequenceTrackProperty_SoloStatus), UInt8(newValue ? 1 : 0)) }
  }
  /// The length, beats.
  open var lengthInBeats: AVMusicTimeStamp {
    get { property(Int(kSequenceTrackProperty_TrackLength), 0) }
    set { set(Int(kSequenceTrackProperty_TrackLength), newValue) }
  }
  /// The length, seconds.
  open var lengthInSeconds: TimeInterval {
    get { music.seconds(forBeats: lengthInBeats) }
    set { lengthInBeats = music.beats(forSeconds: newValue) }
  }
  /// Whether the track has points of curves of parameters, and nothing else sounds.
  open var usesAutomatedParameters: Bool {
    get { property(Int(kSequenceTrackProperty_AutomatedParameters), UInt32(0)) != 0 }
    set { set(Int(kSequenceTrackProperty_AutomatedParameters), UInt32(newValue ? 1 : 0)) }
  }
  /// Ticks of a beat, of the tempo track.
  open var timeResolution: Int {
    Int(property(Int(kSequenceTrackProperty_TimeResolution), Int16(0)))
  }
}

/// Called with an event of a track, its beat, and whether to remove it. Changes of each of them count.
public typealias AVMusicEventEnumerationBlock = (
  AVMusicEvent, UnsafeMutablePointer<AVMusicTimeStamp>, UnsafeMutablePointer<ObjCBool>
) -> Void

extension AVMusicTrack {
  private var isTempoTrack: Bool { music.tempoTrack == track }
  private func end(_ range: AVBeatRange) -> MusicTimeStamp {
    Swift.min(range.start + range.length, kMusicTimeStamp_EndOfTrack)
  }

  /// Adds an event: tempos and events of files to the track of tempos, points of curves to a track that uses them.
  public func addEvent(_ event: AVMusicEvent, at beat: AVMusicTimeStamp) {
    auricleRequire(
      !isTempoTrack || event is AVExtendedTempoEvent || event is AVMIDIMetaEvent,
      "the tempo track has tempo events and meta events alone")
    auricleRequire(
      event is AVParameterEvent == usesAutomatedParameters || isTempoTrack,
      "tracks that use automated parameters, and no others, have parameter events")
    auricleRequire(event.add(to: track, at: beat) == noErr, "the event and its beat are valid")
  }
  /// Moves the events of a range.
  public func moveEvents(in range: AVBeatRange, by beatAmount: AVMusicTimeStamp) {
    MusicTrackMoveEvents(track, range.start, end(range), beatAmount)
  }
  /// Removes the events of a range.
  public func clearEvents(in range: AVBeatRange) {
    MusicTrackClear(track, range.start, end(range))
  }
  /// Removes a range with its events: later ones move.
  public func cutEvents(in range: AVBeatRange) { MusicTrackCut(track, range.start, end(range)) }
  /// Inserts the events of a range of a track: later ones move.
  public func copyEvents(
    in range: AVBeatRange, from sourceTrack: AVMusicTrack,
    insertAt insertStartBeat: AVMusicTimeStamp
  ) {
    MusicTrackCopyInsert(sourceTrack.track, range.start, end(range), track, insertStartBeat)
  }
  /// Adds the events of a range of a track to those that are there.
  public func copyAndMergeEvents(
    in range: AVBeatRange, from sourceTrack: AVMusicTrack, mergeAt mergeStartBeat: AVMusicTimeStamp
  ) {
    MusicTrackMerge(sourceTrack.track, range.start, end(range), track, mergeStartBeat)
  }
  /// Calls a block with each event of a range, in order. Events are changed when it was called with all.
  public func enumerateEvents(in range: AVBeatRange, using block: AVMusicEventEnumerationBlock) {
    var iterator: MusicEventIterator?
    guard NewMusicEventIterator(track, &iterator) == noErr, let iterator else { return }
    defer { DisposeMusicEventIterator(iterator) }
    MusicEventIteratorSeek(iterator, range.start)
    var (changes, hasEvent): ([AVMusicEvent??], DarwinBoolean) = ([], false)
    var moved: [(event: AVMusicEvent, beat: AVMusicTimeStamp)] = []
    while MusicEventIteratorHasCurrentEvent(iterator, &hasEvent) == noErr, hasEvent.boolValue {
      var (beat, type, size): (Double, MusicEventType, UInt32) = (0, 0, 0)
      var data: UnsafeRawPointer?
      MusicEventIteratorGetEventInfo(iterator, &beat, &type, &data, &size)
      guard beat < end(range) else { break }
      changes.append(nil)
      if let data, let event = AVMusicEvent.make(type, data, Int(size)) {
        var (time, removes, before) = (beat, ObjCBool(false), event.bytes(Int(size)))
        block(event, &time, &removes)
        if removes.boolValue || time != beat {
          changes[changes.count - 1] = .some(nil)
          if !removes.boolValue { moved.append((event, time)) }
        } else if event.bytes(Int(size)) != before {
          changes[changes.count - 1] = event
        }
        before = Data()
      }
      MusicEventIteratorNextEvent(iterator)
    }
    guard changes.contains(where: { $0 != nil }) else { return }
    apply(changes, from: range.start, iterator)
    for (event, beat) in moved { _ = event.add(to: track, at: beat) }
  }
  /// Changes the events from a beat on: nil leaves one, an event is in its place, none removes it.
  private func apply(
    _ changes: [AVMusicEvent??], from start: AVMusicTimeStamp, _ iterator: MusicEventIterator
  ) {
    MusicEventIteratorSeek(iterator, start)
    for change in changes {
      switch change {
      case .some(nil): MusicEventIteratorDeleteEvent(iterator)
      case .some(let event?):
        _ = event.withData { MusicEventIteratorSetEventInfo(iterator, $0, $1) }
        MusicEventIteratorNextEvent(iterator)
      case nil: MusicEventIteratorNextEvent(iterator)
      }
    }
  }
}

/// A player of sequences, whose events go to instruments of an engine.
open class AVAudioSequencer: NSObject {
  let music = SequenceMusic()
  private var sequence: MusicSequence { music.sequence }
  private var player: MusicPlayer { music.player }
  private weak var engine: AVAudioEngine?
  /// The part that the engine's cycles step; nil before a start.
  private var timeline: SequenceTimeline?
  /// The tracks that the program knows. A callback looks its track up on another thread.
  private let made = OSAllocatedUnfairLock(uncheckedState: [MusicTrack: AVMusicTrack]())

  /// An empty sequence for an engine.
  public init(audioEngine engine: AVAudioEngine) { self.engine = engine }
  /// An empty sequence.
  public override init() {}
  deinit {
    music.userEvents.set(nil)
    stop()
  }

  /// Loads a MIDI file.
  open func load(from fileURL: URL, options: AVMusicSequenceLoadOptions = []) throws {
    try empty()
    try auricleCheck(
      MusicSequenceFileLoad(
        sequence, fileURL as CFURL, .anyType,
        MusicSequenceLoadFlags(rawValue: UInt32(options.rawValue))))
    made.withLockUnchecked { $0.removeAll() }
  }
  /// Loads a MIDI file in memory.
  open func load(from data: Data, options: AVMusicSequenceLoadOptions = []) throws {
    try empty()
    try auricleCheck(
      MusicSequenceFileLoadData(
        sequence, data as CFData, .anyType,
        MusicSequenceLoadFlags(rawValue: UInt32(options.rawValue))))
    made.withLockUnchecked { $0.removeAll() }
  }
  private func empty() throws {
    stop()
    var count: UInt32 = 0
    MusicSequenceGetTrackCount(sequence, &count)
    for index in (0..<count).reversed() {
      var track: MusicTrack?
      if MusicSequenceGetIndTrack(sequence, index, &track) == noErr, let track {
        MusicSequenceDisposeTrack(sequence, track)
      }
    }
  }
  /// Writes a MIDI file with so many ticks a beat.
  open func write(to fileURL: URL, smpteResolution resolution: Int, replaceExisting replace: Bool)
    throws
  {
    try auricleCheck(
      MusicSequenceFileCreate(
        sequence, fileURL as CFURL, .midiType, replace ? .eraseFile : [],
        Int16(clamping: resolution)))
  }
  /// The MIDI file in memory.
  open func data(withSMPTEResolution resolution: Int, error outError: NSErrorPointer) -> Data {
    var data: Unmanaged<CFData>?
    let status = MusicSequenceFileCreateData(
      sequence, .midiType, [], Int16(clamping: resolution), &data)
    if status != noErr { outError?.pointee = auricleError(status) }
    return data.map { Data(referencing: $0.takeRetainedValue()) } ?? Data()
  }

  private func wrapped(_ track: MusicTrack) -> AVMusicTrack {
    made.withLockUnchecked { made in
      if let known = made[track] { return known }
      let new = AVMusicTrack(track, self)
      made[track] = new
      return new
    }
  }
  /// The tracks, without that of the tempo.
  open var tracks: [AVMusicTrack] {
    var count: UInt32 = 0
    MusicSequenceGetTrackCount(sequence, &count)
    return (0..<count).compactMap { index in
      var track: MusicTrack?
      MusicSequenceGetIndTrack(sequence, index, &track)
      return track.map(wrapped)
    }
  }
  /// The track of the tempo.
  open var tempoTrack: AVMusicTrack {
    guard let track = music.tempoTrack else { auricleRaise("a sequence has a tempo track") }
    return wrapped(track)
  }
  /// Adds a track.
  open func createAndAppendTrack() -> AVMusicTrack {
    var track: MusicTrack?
    MusicSequenceNewTrack(sequence, &track)
    guard let track else { auricleRaise("memory for a track") }
    let made = wrapped(track)
    directTracks()
    return made
  }
  /// Removes a track; false where it is not of this sequence.
  @discardableResult open func removeTrack(_ track: AVMusicTrack) -> Bool {
    made.withLockUnchecked { $0[track.track] = nil }
    return MusicSequenceDisposeTrack(sequence, track.track) == noErr
  }
  /// Reverses the order of the events of all tracks.
  open func reverseEvents() { interrupted { MusicSequenceReverse(sequence) } }
  /// Has a callback called for each user event that is played, on a queue; none for nil.
  open func setUserCallback(_ userCallback: AVAudioSequencerUserCallback?) {
    guard let userCallback else { return music.userEvents.set(nil) }
    music.userEvents.set { [weak self] track, data, beat in
      if let track = self?.wrapped(track) { userCallback(track, data, beat) }
    }
  }
  /// The file's own information.
  open var userInfo: [String: Any] {
    MusicSequenceGetInfoDictionary(sequence)?.takeRetainedValue() as? [String: Any] ?? [:]
  }

  /// Seconds of beats.
  open func seconds(forBeats beats: AVMusicTimeStamp) -> TimeInterval {
    music.seconds(forBeats: beats)
  }
  /// Beats of seconds.
  open func beats(forSeconds seconds: TimeInterval) -> AVMusicTimeStamp {
    music.beats(forSeconds: seconds)
  }
  /// The host time of beats while it plays.
  open func hostTime(forBeats inBeats: AVMusicTimeStamp, error outError: NSErrorPointer) -> UInt64 {
    var time: UInt64 = 0
    let status = MusicPlayerGetHostTimeForBeats(player, inBeats, &time)
    if status != noErr { outError?.pointee = auricleError(status) }
    return time
  }
  /// The beats of a host time while it plays.
  open func beats(forHostTime inHostTime: UInt64, error outError: NSErrorPointer)
    -> AVMusicTimeStamp
  {
    var beats = 0.0
    let status = MusicPlayerGetBeatsForHostTime(player, inHostTime, &beats)
    if status != noErr { outError?.pointee = auricleError(status) }
    return beats
  }
  /// The place, beats.
  open var currentPositionInBeats: TimeInterval {
    get {
      var beats = 0.0
      MusicPlayerGetTime(player, &beats)
      return beats
    }
    set { MusicPlayerSetTime(player, newValue) }
  }
  /// The place, seconds.
  open var currentPositionInSeconds: TimeInterval {
    get { seconds(forBeats: currentPositionInBeats) }
    set { currentPositionInBeats = beats(forSeconds: newValue) }
  }
  /// The factor of the speed.
  open var rate: Float {
    get {
      var rate = 1.0
      MusicPlayerGetPlayRateScalar(player, &rate)
      return Float(rate)
    }
    set { MusicPlayerSetPlayRateScalar(player, Double(newValue)) }
  }
  /// Whether it plays.
  open var isPlaying: Bool {
    var playing: DarwinBoolean = false
    MusicPlayerIsPlaying(player, &playing)
    return playing.boolValue
  }
  /// Makes ready, so that start is quick.
  open func prepareToPlay() {
    if let engine { engine.prepare() } else { MusicPlayerPreroll(player) }
  }
  /// Starts; the engine has to run, and its frames are the clock.
  open func start() throws {
    guard let engine else { return try auricleCheck(MusicPlayerStart(player)) }
    auricleRequire(engine.isRunning, "_engine->IsRunning()")
    guard !isPlaying else { return }
    directTracks()
    let manual = engine.manual
    try auricleCheck(
      AuricleMusicPlayerStartStepping(
        player, manual?.format.sampleRate ?? engine.outputNode.inputFormats[0].sampleRate,
        manual == nil))
    let made = SequenceTimeline(music, playedNodes)
    engine.renderLock { engine.cycle.timelines.append(made) }
    timeline = made
  }
  /// Stops where it is.
  open func stop() {
    MusicPlayerStop(player)
    guard let timeline else { return }
    engine?.renderLock { engine?.cycle.timelines.removeAll { $0 === timeline } }
    self.timeline = nil
  }

  /// The node that plays a track.
  private func node(of track: AVMusicTrack) -> AVAudioUnit? {
    guard track.destinationMIDIEndpoint == 0 else { return nil }
    return track.destinationAudioUnit ?? engine?.firstInstrument
  }
  private var playedNodes: [AVAudioUnit] { tracks.compactMap(node) }
  /// Has each track play into its node, also while it plays.
  func directTracks() {
    guard engine != nil else { return }
    for track in tracks where track.destinationMIDIEndpoint == 0 {
      AuricleMusicTrackSetDestUnit(track.track, node(of: track)?.audioUnit)
    }
    guard let engine, let old = timeline else { return }
    let new = SequenceTimeline(music, playedNodes)
    let isReplaced = engine.renderLock {
      guard let index = engine.cycle.timelines.firstIndex(where: { $0 === old }) else {
        return false
      }
      engine.cycle.timelines[index] = new
      return true
    }
    timeline = isReplaced ? new : nil
  }
  /// Runs a body that the player allows while it does not play alone, and goes on.
  func interrupted(_ body: () -> Void) {
    let wasPlaying = isPlaying
    if wasPlaying { stop() }
    body()
    if wasPlaying { try? start() } else { directTracks() }
  }
}

/// A private destination of MIDI whose messages go to a unit.
final class SequencerFeed: @unchecked Sendable {
  weak var unit: AVAudioUnit?
  private(set) var endpoint: MIDIEndpointRef = 0
  private var client: MIDIClientRef = 0

  init?(_ unit: AVAudioUnit) {
    self.unit = unit
    guard MIDIClientCreate("Sequencer" as CFString, nil, nil, &client) == noErr else { return nil }
    let status = MIDIDestinationCreateWithBlock(client, "Sequencer" as CFString, &endpoint) {
      [weak unit] list, _ in
      guard let unit else { return }
      for packet in list.unsafeSequence() {
        let bytes = Array(packet.sequence())
        if bytes.first == 0xF0 {
          MusicDeviceSysEx(unit.audioUnit, bytes, UInt32(bytes.count))
        } else {
          SequencerFeed.send(bytes, unit.audioUnit)
        }
      }
    }
    guard status == noErr else {
      MIDIClientDispose(client)
      return nil
    }
    MIDIObjectSetIntegerProperty(endpoint, kMIDIPropertyPrivate, 1)
  }
  func dispose() {
    MIDIEndpointDispose(endpoint)
    MIDIClientDispose(client)
  }
  /// Sends whole messages behind each other.
  private static func send(_ bytes: [UInt8], _ unit: AudioUnit) {
    var index = 0
    while index < bytes.count {
      let status = bytes[index]
      let length = status >= 0xF0 ? 1 : status & 0xE0 == 0xC0 ? 2 : 3
      guard index + length <= bytes.count else { return }
      MusicDeviceMIDIEvent(
        unit, UInt32(status), length > 1 ? UInt32(bytes[index + 1]) : 0,
        length > 2 ? UInt32(bytes[index + 2]) : 0, 0)
      index += length
    }
  }
}

/// Called when a player of MIDI is done.
public typealias AVMIDIPlayerCompletionHandler = () -> Void

/// A player of a MIDI file with a bank of sounds.
open class AVMIDIPlayer: NSObject, @unchecked Sendable {
  private let engine = AVAudioEngine()
  private let sequencer: AVAudioSequencer
  private let sampler = AVAudioUnitMIDIInstrument(
    audioComponentDescription: auricleUnit(kAudioUnitType_MusicDevice, kAudioUnitSubType_DLSSynth))
  private var watch: (any DispatchSourceTimer)?

  /// A player of a file; without a bank, the system's sounds.
  public convenience init(contentsOf inURL: URL, soundBankURL bankURL: URL?) throws {
    try self.init(data: Data(contentsOf: inURL), soundBankURL: bankURL)
  }
  /// A player of a file in memory; without a bank, the system's sounds.
  public init(data: Data, soundBankURL bankURL: URL?) throws {
    sequencer = AVAudioSequencer(audioEngine: engine)
    super.init()
    if let bankURL {
      let reference = bankURL as CFURL
      try withExtendedLifetime(reference) {
        var unmanaged = Unmanaged.passUnretained(reference)
        try auricleCheck(
          AudioUnitSetProperty(
            sampler.audioUnit, kMusicDeviceProperty_SoundBankURL, kAudioUnitScope_Global, 0,
            &unmanaged, 8))
      }
    }
    engine.attach(sampler)
    try sequencer.load(from: data)
  }
  deinit {
    watch?.cancel()
    sequencer.stop()
    engine.stop()
  }
  /// Makes ready, so that play is quick.
  open func prepareToPlay() {
    connect()
    engine.prepare()
  }
  private func connect() {
    if engine.outputConnectionPoints(for: sampler, outputBus: 0).isEmpty {
      engine.connect(sampler, to: engine.mainMixerNode, format: nil)
    }
  }
  /// Plays, and calls a handler at the end.
  open func play(_ completionHandler: AVMIDIPlayerCompletionHandler? = nil) {
    connect()
    nonisolated(unsafe) let handler = completionHandler
    guard (try? engine.start()) != nil, (try? sequencer.start()) != nil else {
      DispatchQueue.main.async { handler?() }
      return
    }
    let timer = DispatchSource.makeTimerSource(queue: .main)
    timer.schedule(deadline: .now() + 0.02, repeating: 0.02)
    timer.setEventHandler { [weak self] in
      guard let self,
        self.sequencer.currentPositionInSeconds >= self.duration || !self.sequencer.isPlaying
      else { return }
      self.watch?.cancel()
      self.watch = nil
      self.sequencer.stop()
      handler?()
    }
    watch = timer
    timer.resume()
  }
  /// Stops, and returns to the start.
  open func stop() {
    watch?.cancel()
    watch = nil
    sequencer.stop()
    sequencer.currentPositionInBeats = 0
  }
  /// The length, seconds.
  open var duration: TimeInterval { sequencer.tracks.map(\.lengthInSeconds).max() ?? 0 }
  /// Whether it plays.
  open var isPlaying: Bool { watch != nil }
  /// The factor of the speed.
  open var rate: Float {
    get { sequencer.rate }
    set { sequencer.rate = newValue }
  }
  /// The place, seconds.
  open var currentPosition: TimeInterval {
    get { sequencer.currentPositionInSeconds }
    set { sequencer.currentPositionInSeconds = newValue }
  }
}
