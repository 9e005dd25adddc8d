// Players: scheduled sounds, their order and first frames, and the calls at their ends.
// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: NeverForceUnwrap, NeverUseImplicitlyUnwrappedOptionals

import AVFoundation
import Synchronization
import Testing

/// The names of completions in the order of their calls.
private final class Calls: Sendable {
  private let names = Mutex<[String]>([])
  private let stream = AsyncStream.makeStream(of: String.self)
  func add(_ name: String) {
    names.withLock { $0.append(name) }
    stream.continuation.yield(name)
  }
  var all: [String] { names.withLock { $0 } }
  /// The next ones.
  func wait(_ count: Int) async -> [String] {
    var found: [String] = []
    for await name in stream.stream {
      found.append(name)
      if found.count == count { break }
    }
    return found
  }
}

/// An effect that says that it is late.
private final class LateEffect: AUAudioUnit {
  private var inputs: AUAudioUnitBusArray!
  private var outputs: AUAudioUnitBusArray!
  static let code = AudioComponentDescription(
    componentType: kAudioUnitType_Effect, componentSubType: 0x6C61_7465,
    componentManufacturer: 0x5465_7374, componentFlags: 0, componentFlagsMask: 0)
  static let isRegistered: Bool = {
    AUAudioUnit.registerSubclass(LateEffect.self, as: code, name: "Tests: Late", version: 1)
    return true
  }()
  override init(
    componentDescription: AudioComponentDescription,
    options: AudioComponentInstantiationOptions = []
  ) throws {
    try super.init(componentDescription: componentDescription, options: options)
    inputs = AUAudioUnitBusArray(
      audioUnit: self, busType: .input, busses: [try AUAudioUnitBus(format: standard())])
    outputs = AUAudioUnitBusArray(
      audioUnit: self, busType: .output, busses: [try AUAudioUnitBus(format: standard())])
  }
  override var inputBusses: AUAudioUnitBusArray { inputs }
  override var outputBusses: AUAudioUnitBusArray { outputs }
  override var latency: TimeInterval { 0.1 }
  override var internalRenderBlock: AUInternalRenderBlock {
    { flags, time, frames, _, list, _, pull in
      pull?(flags, time, frames, 0, list) ?? kAudioUnitErr_NoConnection
    }
  }
}

struct PlayerTests {
  let sound = noise(20_000)
  let offline: Offline
  let player = AVAudioPlayerNode()

  init() throws {
    offline = try Offline()
    offline.engine.attach(player)
    offline.engine.connect(player, to: offline.engine.mainMixerNode, format: standard())
  }
  private func begin() throws {
    try offline.engine.start()
    player.play()
  }
  private func time(_ frame: AVAudioFramePosition) -> AVAudioTime {
    AVAudioTime(sampleTime: frame, atRate: 44_100)
  }

  @Test("Buffers follow each other without a gap, in the order in which they were scheduled")
  func order() throws {
    for start in stride(from: 0, to: 5_000, by: 1_000) {
      player.scheduleBuffer(buffer(part(sound, start, 1_000)))
    }
    try begin()
    #expect(try offline.render(6_000) == join([part(sound, 0, 5_000), silence(1_000)]))
  }

  @Test("A buffer that is scheduled later plays at once where nothing is left")
  func later() throws {
    try begin()
    #expect(try offline.render(700) == silence(700))
    player.scheduleBuffer(buffer(part(sound, 0, 300)))
    #expect(try offline.render(400) == join([part(sound, 0, 300), silence(100)]))
  }

  @Test("A time in the player's past means at once, one in its future silence until then")
  func timesOfBuffers() throws {
    try begin()
    _ = try offline.render(1_000)
    player.scheduleBuffer(buffer(part(sound, 0, 100)), at: time(500))
    player.scheduleBuffer(buffer(part(sound, 100, 100)), at: time(1_350))
    #expect(
      try offline.render(512)
        == join([part(sound, 0, 100), silence(250), part(sound, 100, 100), silence(62)]))
  }

  @Test("A time is the player's own: it begins anew with each stop", arguments: [0, 333])
  func timesBeginAnew(_ frame: Int) throws {
    try begin()
    _ = try offline.render(900)
    player.stop()
    player.scheduleBuffer(buffer(part(sound, 0, 10)), at: time(AVAudioFramePosition(frame)))
    player.play()
    #expect(
      try offline.render(512)
        == join([silence(frame), part(sound, 0, 10), silence(502 - frame)]))
  }

  @Test("A play at a time of the output begins at that frame")
  func playAt() throws {
    player.scheduleBuffer(buffer(sound))
    try offline.engine.start()
    _ = try offline.render(200)
    player.play(at: time(1_000))
    #expect(try offline.render(1_000) == join([silence(800), part(sound, 0, 200)]))
  }

  @Test("An interrupting buffer drops all that plays and waits")
  func interrupts() throws {
    player.scheduleBuffer(buffer(sound))
    player.scheduleBuffer(buffer(sound))
    try begin()
    _ = try offline.render(512)
    player.scheduleBuffer(buffer([1, 1, 1]), at: nil, options: .interrupts)
    #expect(try offline.render(6) == [1, 1, 1, 0, 0, 0])
  }

  @Test("A loop plays until it is interrupted at the end of a pass, and its follower loops then")
  func interruptsAtLoop() throws {
    let (first, second) = (part(sound, 0, 300), part(sound, 300, 200))
    player.scheduleBuffer(buffer(first), at: nil, options: .loops)
    try begin()
    #expect(try offline.render(450) == join([first, part(first, 0, 150)]))
    player.scheduleBuffer(buffer(second), at: nil, options: [.loops, .interruptsAtLoop])
    #expect(
      try offline.render(600) == join([part(first, 150, 150), second, second, part(second, 0, 50)]))
  }

  @Test("A loop of one frame is a constant")
  func shortLoop() throws {
    player.scheduleBuffer(buffer([0.25]), at: nil, options: .loops)
    try begin()
    #expect(try offline.render(2_000) == [Float](repeating: 0.25, count: 2_000))
  }

  @Test("A stop in a loop ends it")
  func stopEndsLoops() throws {
    player.scheduleBuffer(buffer(part(sound, 0, 64)), at: nil, options: .loops)
    try begin()
    _ = try offline.render(512)
    player.stop()
    player.play()
    #expect(try offline.render(512) == silence(512))
  }

  @Test("A pause between buffers keeps what waits, and times go on from the pause")
  func pauseKeepsTheQueue() throws {
    player.scheduleBuffer(buffer(part(sound, 0, 512)))
    player.scheduleBuffer(buffer(part(sound, 512, 512)), at: time(1_000))
    try begin()
    _ = try offline.render(700)
    player.pause()
    #expect(try offline.render(512) == silence(512))
    player.play()
    #expect(try offline.render(512) == join([silence(300), part(sound, 512, 212)]))
  }

  @Test("A pause of the engine stops time; it goes on with the next frame")
  func enginePause() throws {
    player.scheduleBuffer(buffer(sound))
    try begin()
    _ = try offline.render(512)
    offline.engine.pause()
    #expect(!offline.engine.isRunning && offline.engine.manualRenderingSampleTime == 512)
    #expect(throws: NSError.self) { try offline.render(1) }
    try offline.engine.start()
    player.play()
    #expect(try offline.render(512) == part(sound, 512, 512))
  }

  @Test("A buffer of no frames is passed over")
  func emptyBuffers() async throws {
    let calls = Calls()
    let empty = AVAudioPCMBuffer(pcmFormat: standard(), frameCapacity: 10)!
    player.scheduleBuffer(empty) { calls.add("empty") }
    player.scheduleBuffer(buffer([0.5])) { calls.add("sound") }
    try begin()
    #expect(try offline.render(3) == [0.5, 0, 0])
    #expect(await calls.wait(2) == ["empty", "sound"])
  }

  @Test("Integers and interleaved samples play as their floats")
  func otherSamples() throws {
    let format = AVAudioFormat(
      commonFormat: .pcmFormatInt16, sampleRate: 44_100, channels: 1, interleaved: true)!
    let integers = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 3)!
    integers.frameLength = 3
    for (frame, sample) in [Int16(16_384), -8_192, 1].enumerated() {
      integers.int16ChannelData![0][frame] = sample
    }
    player.scheduleBuffer(integers)
    try begin()
    #expect(try offline.render(4) == [0.5, -0.25, 1 / 32_768, 0])
  }

  // MARK: Files

  @Test("Segments of one file play in any order, each from its frame")
  func segments() throws {
    let folder = try Folder()
    try writeFile(folder.file("a.wav"), sound)
    let file = try AVAudioFile(forReading: folder.file("a.wav"))
    for start in [15_000, 0, 7_001] as [AVAudioFramePosition] {
      player.scheduleSegment(file, startingFrame: start, frameCount: 400, at: nil)
    }
    try begin()
    #expect(
      try offline.render(1_300)
        == join([
          part(sound, 15_000, 400), part(sound, 0, 400), part(sound, 7_001, 400), silence(100),
        ])
    )
  }

  @Test("A file longer than what is read ahead plays whole, also in one long render")
  func longFiles() throws {
    let folder = try Folder()
    let long = noise(150_001, 5)
    try writeFile(folder.file("a.wav"), long)
    player.scheduleFile(try AVAudioFile(forReading: folder.file("a.wav")), at: nil)
    try begin()
    #expect(try offline.render(150_500) == join([long, silence(499)]))
  }

  @Test("A client that reads a file does not disturb the player of it")
  func sharedFiles() throws {
    let folder = try Folder()
    try writeFile(folder.file("a.wav"), sound)
    let file = try AVAudioFile(forReading: folder.file("a.wav"))
    file.framePosition = 9_000
    player.scheduleFile(file, at: nil)
    try begin()
    var result = try offline.render(1_000)
    let block = AVAudioPCMBuffer(pcmFormat: standard(), frameCapacity: 100)!
    try file.read(into: block)
    #expect(block.samples() == part(sound, 9_000, 100))
    result += try offline.render(1_000)
    #expect(result == part(sound, 0, 2_000))
  }

  @Test("A file of another rate is converted, and lasts as long")
  func otherRates() throws {
    let folder = try Folder()
    try writeFile(folder.file("a.wav"), sine(22_050, 441, 22_050), 22_050)
    player.scheduleFile(try AVAudioFile(forReading: folder.file("a.wav")), at: nil)
    try begin()
    let result = try offline.render(46_000)
    let wanted = sine(44_100, 441, 44_100)
    for frame in 1_000..<43_000 { #expect(abs(result[frame] - wanted[frame]) < 5e-3) }
    #expect(result[44_200...].allSatisfy { $0 == 0 })
  }

  @Test("A file of two channels in a player of one plays its first")
  func otherChannels() throws {
    let folder = try Folder()
    let format = standard(44_100, 2)
    let file = try AVAudioFile(
      forWriting: folder.file("a.wav"),
      settings: [
        AVFormatIDKey: kAudioFormatLinearPCM, AVSampleRateKey: 44_100, AVNumberOfChannelsKey: 2,
        AVLinearPCMBitDepthKey: 32, AVLinearPCMIsFloatKey: true,
      ])
    let both = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 100)!
    both.frameLength = 100
    for frame in 0..<100 {
      both.floatChannelData![0][frame] = 0.5
      both.floatChannelData![1][frame] = -0.25
    }
    try file.write(from: both)
    file.close()
    player.scheduleFile(try AVAudioFile(forReading: folder.file("a.wav")), at: nil)
    try begin()
    let result = try offline.render(100)
    #expect(Set(result).count == 1 && result[0] != 0)
  }

  // MARK: Completions

  @Test("Completions come in the order of the sound, each once")
  func completionsInOrder() async throws {
    let calls = Calls()
    for index in 0..<5 {
      player.scheduleBuffer(buffer(part(sound, index, 200))) { calls.add("\(index)") }
    }
    try begin()
    _ = try offline.render(1_024)
    #expect(await calls.wait(5) == ["0", "1", "2", "3", "4"])
    player.stop()
    #expect(calls.all.count == 5)
  }

  @Test("A stop completes all that waits")
  func stopCompletes() async throws {
    let calls = Calls()
    player.scheduleBuffer(buffer(sound)) { calls.add("playing") }
    player.scheduleBuffer(buffer(sound), at: nil, options: .loops) { calls.add("waiting") }
    try begin()
    _ = try offline.render(512)
    player.stop()
    #expect(await calls.wait(2) == ["playing", "waiting"])
  }

  @Test("A stop of the engine stops its players, and completes what they had")
  func engineStopCompletes() async throws {
    let calls = Calls()
    player.scheduleBuffer(buffer(sound)) { calls.add("done") }
    try begin()
    offline.engine.stop()
    #expect(await calls.wait(1) == ["done"])
    #expect(!player.isPlaying)
  }

  @Test(
    "A handler of a kind is told its kind",
    arguments: [
      AVAudioPlayerNodeCompletionCallbackType.dataConsumed, .dataRendered, .dataPlayedBack,
    ])
  func kinds(_ type: AVAudioPlayerNodeCompletionCallbackType) async throws {
    let calls = Calls()
    player.scheduleBuffer(buffer(part(sound, 0, 100)), completionCallbackType: type) {
      calls.add("\($0.rawValue)")
    }
    try begin()
    _ = try offline.render(512)
    #expect(await calls.wait(1) == ["\(type.rawValue)"])
  }

  @Test("What was played back has passed the effects behind the player")
  func playedBackIsLater() async throws {
    try #require(LateEffect.isRegistered)
    let late = AVAudioUnitEffect(audioComponentDescription: LateEffect.code)
    offline.engine.attach(late)
    offline.engine.connect(player, to: late, format: standard())
    offline.engine.connect(late, to: offline.engine.mainMixerNode, format: standard())
    let calls = Calls()
    let engine = offline.engine
    func add(_ name: String, _ type: AVAudioPlayerNodeCompletionCallbackType) {
      nonisolated(unsafe) let engine = engine
      player.scheduleBuffer(buffer(part(sound, 0, 100)), completionCallbackType: type) { _ in
        calls.add("\(name) \(engine.manualRenderingSampleTime)")
      }
    }
    add("played", .dataPlayedBack)
    add("rendered", .dataRendered)
    try begin()
    #expect(late.latency == 0.1 && player.outputPresentationLatency >= 0.1)
    var names: [String] = []
    while names.count < 2 {
      _ = try offline.render(512)
      // Handlers run on a queue: it is empty when an own item's handler has come.
      names = calls.all.map { String($0.prefix { $0 != " " }) }
      try #require(offline.engine.manualRenderingSampleTime < 441_000)
    }
    #expect(names == ["rendered", "played"])
  }

  @Test("A task that schedules goes on when its sound is done")
  func asynchronous() async throws {
    try offline.engine.start()
    player.play()
    nonisolated(unsafe) let (player, engine) = (player, offline.engine)
    let sound = sound
    let task = Task {
      await player.scheduleBuffer(
        buffer(part(sound, 0, 300)), completionCallbackType: .dataRendered)
    }
    let block = AVAudioPCMBuffer(pcmFormat: standard(), frameCapacity: 512)!
    let isDone = Calls()
    Task {
      _ = await task.value
      isDone.add("done")
    }
    while isDone.all.isEmpty {
      try engine.renderOffline(64, to: block)
      await Task.yield()
    }
    #expect(await task.value == .dataRendered)
  }

  // MARK: Times

  @Test("The player's time begins with play, stands in a pause, and is gone when it stops")
  func timesOfThePlayer() throws {
    player.scheduleBuffer(buffer(sound))
    try offline.engine.start()
    _ = try offline.render(1_024)
    #expect(player.playerTime(forNodeTime: time(0)) == nil)
    player.play()
    _ = try offline.render(512)
    let node = try #require(player.lastRenderTime)
    #expect(player.playerTime(forNodeTime: node)?.sampleTime == 512)
    player.pause()
    _ = try offline.render(512)
    let paused = try #require(player.lastRenderTime)
    #expect(player.playerTime(forNodeTime: paused) == nil)
    player.play()
    _ = try offline.render(512)
    let present = try #require(player.lastRenderTime)
    let later = try #require(player.playerTime(forNodeTime: present))
    #expect(later.sampleTime == 1_024 && later.sampleRate == 44_100)
    player.stop()
    #expect(player.playerTime(forNodeTime: node) == nil)
  }

  @Test("Times of node and player are each other's inverse")
  func inverseTimes() throws {
    player.scheduleBuffer(buffer(sound))
    try offline.engine.start()
    _ = try offline.render(700)
    player.play()
    _ = try offline.render(512)
    let node = try #require(player.nodeTime(forPlayerTime: time(5_000)))
    #expect(node.sampleTime == 5_700)
    #expect(player.playerTime(forNodeTime: node)?.sampleTime == 5_000)
  }

  @Test("A volume that is set while the player plays counts from the next cycle on")
  func volumeWhilePlaying() throws {
    player.scheduleBuffer(buffer(sound))
    try begin()
    _ = try offline.render(512)
    player.volume = 0.5
    #expect(try offline.render(512) == part(sound, 512, 512).map { 0.5 * $0 })
  }
}
