// Engines rendered by hand: the arithmetic of players and mixers to the bit, edits, errors.
// SPDX-License-Identifier: Apache-2.0

import AVFoundation
import Testing

/// A player that signals when it is freed.
private final class ReportingPlayer: AVAudioPlayerNode, @unchecked Sendable {
  private let freed: DispatchSemaphore
  init(_ freed: DispatchSemaphore) {
    self.freed = freed
    super.init()
  }
  deinit { freed.signal() }
}

struct EngineTests {
  let sound = noise(44_100)

  private func player(_ offline: Offline, _ format: AVAudioFormat = standard()) -> AVAudioPlayerNode
  {
    let player = AVAudioPlayerNode()
    offline.engine.attach(player)
    offline.engine.connect(player, to: offline.engine.mainMixerNode, format: format)
    return player
  }

  @Test func aFilePlaysToTheBit() throws {
    let folder = try Folder()
    try writeFile(folder.file("a.wav"), sound)
    let offline = try Offline()
    let player = player(offline)
    let file = try AVAudioFile(forReading: folder.file("a.wav"))
    player.scheduleFile(file, at: nil)
    try offline.engine.start()
    player.play()
    let result = try offline.render(50_000)
    #expect(result == join([sound, silence(5_900)]))
    #expect(file.framePosition == 0)
  }

  @Test func aVolumeIsOneProduct() throws {
    let offline = try Offline()
    let player = player(offline)
    player.volume = 0.1
    player.scheduleBuffer(buffer(sound), completionHandler: nil)
    try offline.engine.start()
    player.play()
    #expect(try offline.render(2_000) == times(0.1, sound, 2_000))
    let other = try Offline()
    let second = self.player(other)
    other.engine.mainMixerNode.outputVolume = 0.1
    second.scheduleBuffer(buffer(sound), completionHandler: nil)
    try other.engine.start()
    second.play()
    #expect(try other.render(2_000) == times(0.1, sound, 2_000))
  }

  @Test func aLoopHasNoGap() throws {
    let offline = try Offline()
    let player = player(offline)
    let short = Array(sound.prefix(1_000))
    player.scheduleBuffer(buffer(short), at: nil, options: .loops, completionHandler: nil)
    try offline.engine.start()
    player.play()
    #expect(try offline.render(3_500) == join([short, short, short, part(short, 0, 500)]))
    player.scheduleBuffer(
      buffer([1, 1]), at: nil, options: .interruptsAtLoop, completionHandler: nil)
    #expect(try offline.render(503) == join([part(short, 500, 500), [1, 1, 0]]))
  }

  @Test func pauseKeepsThePlace() throws {
    let offline = try Offline()
    let player = player(offline)
    player.scheduleBuffer(buffer(sound), completionHandler: nil)
    try offline.engine.start()
    player.play()
    #expect(player.isPlaying)
    var result = try offline.render(1_000)
    player.pause()
    #expect(!player.isPlaying)
    result += try offline.render(700)
    player.play()
    result += try offline.render(1_000)
    #expect(result == join([part(sound, 0, 1_000), silence(700), part(sound, 1_000, 1_000)]))
    player.stop()
    #expect(try offline.render(100) == silence(100))
  }

  @Test func segmentsBeginAtTheirFrame() throws {
    let folder = try Folder()
    try writeFile(folder.file("a.wav"), sound)
    let offline = try Offline()
    let player = player(offline)
    let file = try AVAudioFile(forReading: folder.file("a.wav"))
    player.scheduleSegment(
      file, startingFrame: 4_410, frameCount: 2_000,
      at: AVAudioTime(sampleTime: 1_001, atRate: 44_100))
    player.scheduleSegment(file, startingFrame: 44_000, frameCount: 5_000, at: nil)
    try offline.engine.start()
    player.play()
    let wanted = join([
      silence(1_001), part(sound, 4_410, 2_000), part(sound, 44_000, 100), silence(99),
    ])
    #expect(try offline.render(3_200) == wanted)
  }

  @Test func timesOfTheHostAreNowWhereThereIsNoClock() throws {
    let offline = try Offline()
    let player = player(offline)
    try offline.engine.start()
    let later = AVAudioTime(
      hostTime: mach_absolute_time() + AVAudioTime.hostTime(forSeconds: 3_600))
    player.scheduleBuffer(buffer(noise(700)), at: later)
    player.play(at: later)
    #expect(try offline.render(1_000) == join([noise(700), silence(300)]))
  }

  @Test func playersAddUp() throws {
    let offline = try Offline()
    let players = (0..<4).map { _ in player(offline) }
    try offline.engine.start()
    for player in players {
      player.scheduleBuffer(buffer(sound), completionHandler: nil)
      player.play()
    }
    #expect(try offline.render(1_500) == times(4, sound, 1_500))
  }

  @Test func detachingWhileItPlaysLeavesSilence() throws {
    let offline = try Offline()
    weak var weakPlayer: AVAudioPlayerNode?
    try {
      let player = player(offline)
      weakPlayer = player
      player.scheduleBuffer(buffer(sound), completionHandler: nil)
      try offline.engine.start()
      player.play()
      #expect(try offline.render(1_000) == part(sound, 0, 1_000))
      offline.engine.detach(player)
      #expect(player.engine == nil)
    }()
    #expect(try offline.render(500) == silence(500))
    #expect(offline.engine.isRunning && weakPlayer == nil)
  }

  @Test func anotherNodeJoinsAtItsFirstFrame() throws {
    let offline = try Offline()
    let first = player(offline)
    try offline.engine.start()
    first.scheduleBuffer(buffer(sound), completionHandler: nil)
    first.play()
    _ = try offline.render(1_000)
    let other = noise(5_000, 9)
    offline.engine.disconnectNodeOutput(first)
    let second = player(offline)
    second.scheduleBuffer(buffer(other), completionHandler: nil)
    second.play()
    #expect(try offline.render(1_000) == part(other, 0, 1_000))
  }

  @Test func oneSourceFeedsTwoPaths() throws {
    let offline = try Offline()
    let engine = offline.engine
    let player = AVAudioPlayerNode()
    let mixer = AVAudioMixerNode()
    let effect = AVAudioUnitDelay()
    effect.bypass = true
    for node in [player, mixer, effect] { engine.attach(node) }
    engine.connect(
      player,
      to: [
        AVAudioConnectionPoint(node: mixer, bus: 0), AVAudioConnectionPoint(node: effect, bus: 0),
      ], fromBus: 0,
      format: standard())
    engine.connect(effect, to: mixer, fromBus: 0, toBus: 1, format: standard())
    engine.connect(mixer, to: engine.mainMixerNode, format: standard())
    #expect(engine.outputConnectionPoints(for: player, outputBus: 0).count == 2)
    #expect(engine.inputConnectionPoint(for: mixer, inputBus: 1)?.node === effect)
    try engine.start()
    player.scheduleBuffer(buffer(sound), completionHandler: nil)
    player.play()
    #expect(try offline.render(2_000) == times(2, sound, 2_000))
  }

  @Test func sourceNodesRender() throws {
    let offline = try Offline(standard(48_000, 2))
    var phase = 0
    let source = AVAudioSourceNode(format: standard(48_000, 2)) { isSilence, time, frames, list in
      #expect(time.pointee.mFlags.contains(.sampleTimeValid))
      for buffer in UnsafeMutableAudioBufferListPointer(list) {
        let samples = UnsafeMutableBufferPointer<Float>(buffer)
        for frame in 0..<Int(frames) { samples[frame] = Float(phase + frame) }
      }
      phase += Int(frames)
      return noErr
    }
    offline.engine.attach(source)
    offline.engine.connect(source, to: offline.engine.mainMixerNode, format: nil)
    try offline.engine.start()
    let wanted: [Float] = (0..<1_030).map { Float($0) }
    #expect(try offline.render(1_030, channel: 1) == wanted)
  }

  @Test func aSourceOfInterleavedIntegersIsConverted() throws {
    let format = AVAudioFormat(
      commonFormat: .pcmFormatInt16, sampleRate: 44_100, channels: 2, interleaved: true)!
    let offline = try Offline(standard(44_100, 2))
    let source = AVAudioSourceNode(format: format) { _, _, frames, list in
      let samples = UnsafeMutableBufferPointer<Int16>(list.pointee.mBuffers)
      for frame in 0..<Int(frames) {
        (samples[2 * frame], samples[2 * frame + 1]) = (16_384, -8_192)
      }
      return noErr
    }
    offline.engine.attach(source)
    offline.engine.connect(source, to: offline.engine.mainMixerNode, format: nil)
    try offline.engine.start()
    #expect(try offline.render(100) == [Float](repeating: 0.5, count: 100))
    #expect(try offline.render(100, channel: 1) == [Float](repeating: -0.25, count: 100))
  }

  @Test func mixersConvertRates() throws {
    let offline = try Offline(standard(48_000))
    let player = player(offline, standard(16_000))
    player.scheduleBuffer(
      buffer(sine(16_000, 440, 16_000), standard(16_000)), completionHandler: nil)
    try offline.engine.start()
    player.play()
    let result = try offline.render(24_000)
    let wanted = sine(24_000, 440, 48_000)
    // The middle: the same sine, wherever it begins.
    var power: Float = 0
    for sample in part(result, 4_000, 16_000) { power += sample * sample / 16_000 }
    #expect(abs(power - 0.125) < 0.002 && wanted.count == result.count)
  }

  @Test func aMixerKeepsTheSignOfZeros() throws {
    let offline = try Offline(standard(44_100, 2))
    let players = [AVAudioPlayerNode(), AVAudioPlayerNode()]
    for player in players {
      offline.engine.attach(player)
      offline.engine.connect(player, to: offline.engine.mainMixerNode, format: offline.format)
    }
    try offline.engine.start()
    let signs: [Float] = [-0.0, 0, -0.0, 0.5]
    players[0].scheduleBuffer(buffer(signs, offline.format))
    players[0].play()
    players[1].scheduleBuffer(buffer([-0.0, -0.0, 0, 0.25], offline.format))
    offline.engine.disconnectNodeOutput(players[1])
    #expect(try offline.render(4).map(\.bitPattern) == signs.map(\.bitPattern))
    offline.engine.connect(players[1], to: offline.engine.mainMixerNode, format: offline.format)
    players[0].scheduleBuffer(buffer(signs, offline.format))
    players[1].play()
    let sums: [Float] = [-0.0, 0, 0, 0.75]
    #expect(try offline.render(4).map(\.bitPattern) == sums.map(\.bitPattern))
  }

  @Test func monoGoesToBothSides() throws {
    let offline = try Offline(standard(44_100, 2))
    let player = player(offline)
    player.scheduleBuffer(buffer(sound), completionHandler: nil)
    try offline.engine.start()
    player.play()
    #expect(try offline.render(512, channel: 1) == part(sound, 0, 512))
    player.pan = -1
    #expect(try offline.render(512, channel: 1).allSatisfy { abs($0) < 1e-6 })
    #expect(player.destination(forMixer: offline.engine.mainMixerNode, bus: 0)?.pan == -1)
  }

  @Test func tapsHaveConsecutiveTimes() async throws {
    let offline = try Offline()
    let player = player(offline)
    let stream = AsyncStream.makeStream(of: (Int64, [Float]).self)
    offline.engine.mainMixerNode.installTap(onBus: 0, bufferSize: 1_000, format: nil) {
      buffer, time in
      stream.continuation.yield((time.sampleTime, buffer.samples()))
    }
    player.scheduleBuffer(buffer(sound), completionHandler: nil)
    try offline.engine.start()
    player.play()
    _ = try offline.render(3_100)
    var iterator = stream.stream.makeAsyncIterator()
    for index in 0..<3 {
      let (time, samples) = try #require(await iterator.next())
      #expect(time == Int64(index * 1_000) && samples == part(sound, index * 1_000, 1_000))
    }
    offline.engine.mainMixerNode.removeTap(onBus: 0)
    offline.engine.mainMixerNode.removeTap(onBus: 0)
  }

  @Test func tapsHaveAllSoundThatWasRenderedOffline() throws {
    let offline = try Offline()
    let player = player(offline)
    nonisolated(unsafe) var received: [Float] = []
    player.installTap(onBus: 0, bufferSize: 100, format: nil) { buffer, _ in
      received += buffer.samples()
    }
    player.scheduleBuffer(buffer(sound), completionHandler: nil)
    try offline.engine.start()
    player.play()
    for count in 1...20 {
      _ = try offline.render(150)
      #expect(received == part(sound, 0, 150 * count / 100 * 100))
    }
    player.removeTap(onBus: 0)
    _ = try offline.render(400)
    #expect(received.count == 3_000)
  }

  @Test func completionsAreCalled() async throws {
    let offline = try Offline()
    let player = player(offline)
    try offline.engine.start()
    player.play()
    let done = AsyncStream.makeStream(of: Int.self)
    player.scheduleBuffer(buffer(Array(sound.prefix(100)))) { done.continuation.yield(1) }
    player.scheduleBuffer(buffer(Array(sound.prefix(100))), completionCallbackType: .dataPlayedBack)
    { type in
      done.continuation.yield(type == .dataPlayedBack ? 2 : 0)
    }
    player.scheduleBuffer(buffer(sound)) { done.continuation.yield(3) }
    _ = try offline.render(300)
    player.stop()
    var iterator = done.stream.makeAsyncIterator()
    #expect(await iterator.next() == 1)
    #expect(await iterator.next() == 2)
    #expect(await iterator.next() == 3)
  }

  @Test func timesOfThePlayer() throws {
    let offline = try Offline()
    let player = player(offline)
    #expect(player.lastRenderTime == nil)
    try offline.engine.start()
    _ = try offline.render(1_000)
    player.play()
    _ = try offline.render(512)
    _ = try offline.render(512)
    let node = try #require(player.lastRenderTime)
    #expect(node.sampleTime == 2_024 && offline.engine.manualRenderingSampleTime == 2_024)
    #expect(player.playerTime(forNodeTime: node)?.sampleTime == 1_024)
    #expect(
      player.nodeTime(forPlayerTime: AVAudioTime(sampleTime: 0, atRate: 44_100))?.sampleTime
        == 1_000)
    player.pause()
    #expect(player.playerTime(forNodeTime: node) == nil)
  }

  @Test func theTimeIsThatOfAllFramesSoFar() throws {
    let offline = try Offline()
    let (engine, player) = (offline.engine, AVAudioPlayerNode())
    engine.attach(player)
    engine.connect(player, to: engine.mainMixerNode, format: standard())
    #expect(player.lastRenderTime == nil)
    try engine.start()
    #expect(player.lastRenderTime?.sampleTime == 0)
    player.scheduleBuffer(buffer(noise(4_000)))
    player.play()
    _ = try offline.render(1_000)
    let time = try #require(player.lastRenderTime)
    #expect(time.sampleTime == 1_000 && player.playerTime(forNodeTime: time)?.sampleTime == 1_000)
    _ = try offline.render(68)
    #expect(engine.mainMixerNode.lastRenderTime?.sampleTime == 1_068)
    #expect(engine.outputNode.lastRenderTime?.sampleTime == engine.manualRenderingSampleTime)
    engine.disconnectNodeOutput(player)
    #expect(player.lastRenderTime == nil)
  }

  @Test func inputHasTheRateOfManualRendering() throws {
    let offline = try Offline(standard(32_000, 2), maximum: 64)
    let engine = offline.engine
    engine.connect(engine.inputNode, to: engine.mainMixerNode, format: nil)
    let given = buffer(noise(64), standard(32_000, 2))
    #expect(
      engine.inputNode.setManualRenderingInputPCMFormat(standard(32_000, 2)) { _ in
        given.audioBufferList
      })
    try engine.start()
    #expect(try offline.render(64) == given.samples())
  }

  @Test func bussesFollowTheUnit() async throws {
    let unit = try await AVAudioUnit.instantiate(
      with: AudioComponentDescription(
        componentType: kAudioUnitType_Mixer, componentSubType: kAudioUnitSubType_MatrixMixer,
        componentManufacturer: kAudioUnitManufacturer_Apple, componentFlags: 0,
        componentFlagsMask: 0))
    for count in [5, 2, 9] as [UInt32] {
      var count = count
      #expect(
        AudioUnitSetProperty(
          unit.audioUnit, kAudioUnitProperty_ElementCount, kAudioUnitScope_Input, 0, &count, 4)
          == noErr)
      #expect(unit.numberOfInputs == Int(count))
    }
    let engine = AVAudioEngine()
    let source = AVAudioMixerNode()
    engine.attach(unit)
    engine.attach(source)
    engine.connect(source, to: unit, fromBus: 0, toBus: 8, format: standard())
    #expect(engine.inputConnectionPoint(for: unit, inputBus: 8)?.node === source)
  }

  @Test func manualRenderingRefuses() throws {
    let engine = AVAudioEngine()
    let block = buffer([0, 0])
    #expect(throws: NSError.self) { try engine.renderOffline(2, to: block) }
    try engine.enableManualRenderingMode(.offline, format: standard(), maximumFrameCount: 16)
    #expect(engine.isInManualRenderingMode && engine.manualRenderingMaximumFrameCount == 16)
    do {
      try engine.renderOffline(2, to: block)
      Issue.record("an engine that does not run rendered")
    } catch let error as NSError {
      #expect(error.code == -80802)
    }
    _ = engine.mainMixerNode
    try engine.start()
    do {
      try engine.enableManualRenderingMode(.offline, format: standard(), maximumFrameCount: 16)
      Issue.record("an engine that runs changed its mode")
    } catch let error as NSError {
      #expect(error.code == -80801)
    }
    let large = AVAudioPCMBuffer(pcmFormat: standard(), frameCapacity: 100)!
    #expect(throws: NSError.self) { try engine.renderOffline(17, to: large) }
    engine.stop()
    engine.disableManualRenderingMode()
    #expect(!engine.isInManualRenderingMode)
  }

  @Test func manualInputIsRead() throws {
    let offline = try Offline()
    let input = offline.engine.inputNode
    let supplied = buffer(Array(sound.prefix(512)))
    nonisolated(unsafe) var calls = 0
    #expect(
      input.setManualRenderingInputPCMFormat(standard()) { frames in
        calls += 1
        return calls == 1 ? supplied.audioBufferList : nil
      })
    offline.engine.connect(input, to: offline.engine.mainMixerNode, format: nil)
    try offline.engine.start()
    #expect(try offline.render(512) == part(sound, 0, 512))
    #expect(
      try offline.engine.renderOffline(512, to: buffer([Float](repeating: 1, count: 512)))
        == .insufficientDataFromInputNode)
  }

  @Test(arguments: [AVAudioCommonFormat.pcmFormatInt16, .pcmFormatInt32, .pcmFormatFloat32])
  func manualInputOfOtherSamplesIsConverted(_ kind: AVAudioCommonFormat) throws {
    let format = AVAudioFormat(
      commonFormat: kind, sampleRate: 44_100, channels: 2, interleaved: true)!
    let supplied = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 300)!
    try AVAudioConverter(from: standard(44_100, 2), to: format)!.convert(
      to: supplied, from: buffer(Array(sound.prefix(300)), standard(44_100, 2)))
    let offline = try Offline(standard(44_100, 2))
    let input = offline.engine.inputNode
    #expect(
      input.setManualRenderingInputPCMFormat(format) { _ in UnsafePointer(supplied.audioBufferList)
      })
    offline.engine.connect(input, to: offline.engine.mainMixerNode, format: nil)
    try offline.engine.start()
    let block = AVAudioPCMBuffer(pcmFormat: standard(44_100, 2), frameCapacity: 512)!
    #expect(try offline.engine.renderOffline(300, to: block) == .success)
    #expect(block.samples(0) == part(sound, 0, 300) && block.samples(1) == part(sound, 0, 300))
    #expect(try offline.engine.renderOffline(400, to: block) == .insufficientDataFromInputNode)
    #expect(block.samples(1) == part(sound, 0, 300) + silence(100))
  }

  @Test func integerAndInterleavedOutput() throws {
    let format = AVAudioFormat(
      commonFormat: .pcmFormatInt16, sampleRate: 44_100, channels: 2, interleaved: true)!
    let engine = AVAudioEngine()
    try engine.enableManualRenderingMode(.offline, format: format, maximumFrameCount: 256)
    let player = AVAudioPlayerNode()
    engine.attach(player)
    engine.connect(player, to: engine.mainMixerNode, format: standard())
    try engine.start()
    player.scheduleBuffer(buffer(sound), completionHandler: nil)
    player.play()
    let block = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 256)!
    #expect(try engine.renderOffline(256, to: block) == .success)
    for frame in 0..<256 {
      #expect(block.int16ChannelData![0][frame * 2] == Int16(sound[frame] * 32_768))
      #expect(block.int16ChannelData![1][frame * 2] == Int16(sound[frame] * 32_768))
    }
    let render = engine.manualRenderingBlock
    var error = noErr
    #expect(render(10, block.mutableAudioBufferList, &error) == .success && error == noErr)
    #expect(
      render(300, block.mutableAudioBufferList, &error) == .error
        && error == kAudioUnitErr_TooManyFramesToProcess)
  }

  @Test func sinksReceiveInput() throws {
    let offline = try Offline()
    let supplied = buffer(Array(sound.prefix(128)))
    nonisolated(unsafe) var received: [Float] = []
    let sink = AVAudioSinkNode { time, frames, list in
      let samples = UnsafeMutableBufferPointer<Float>(list.pointee.mBuffers)
      received += samples.prefix(Int(frames))
      return noErr
    }
    _ = offline.engine.inputNode.setManualRenderingInputPCMFormat(standard()) { _ in
      supplied.audioBufferList
    }
    offline.engine.attach(sink)
    offline.engine.connect(offline.engine.inputNode, to: sink, format: nil)
    _ = offline.engine.mainMixerNode
    try offline.engine.start()
    _ = try offline.render(128)
    #expect(received == part(sound, 0, 128))
  }

  @Test func enginesLeaveNothing() throws {
    weak var engine: AVAudioEngine?
    // The queue of completions may hold a player for a moment longer.
    let freed = DispatchSemaphore(value: 0)
    for round in 0..<50 {
      try {
        let offline = try Offline()
        engine = offline.engine
        let player = ReportingPlayer(freed)
        offline.engine.attach(player)
        let effect = AVAudioUnitDelay()
        offline.engine.attach(effect)
        offline.engine.connect(player, to: effect, format: standard())
        offline.engine.connect(effect, to: offline.engine.mainMixerNode, format: standard())
        try offline.engine.start()
        player.scheduleBuffer(buffer(sound), completionHandler: nil)
        player.play()
        _ = try offline.render(600)
        if round % 2 == 0 { offline.engine.detach(effect) }
        _ = try offline.render(600)
      }()
      #expect(engine == nil)
      freed.wait()
    }
  }

  @Test func editsWhileAnotherThreadRenders() async throws {
    let offline = try Offline()
    let engine = offline.engine
    _ = engine.mainMixerNode
    try engine.start()
    let isDone = OSAllocatedUnfairLock(initialState: false)
    nonisolated(unsafe) let rendered = offline
    let thread = Task.detached {
      while !isDone.withLock({ $0 }) { _ = try rendered.render(128) }
    }
    var state: UInt64 = 7
    var nodes: [AVAudioPlayerNode] = []
    for _ in 0..<300 {
      state = state &* 6_364_136_223_846_793_005 &+ 1
      if nodes.count < 6, state >> 33 & 1 == 0 {
        let node = player(offline)
        node.scheduleBuffer(buffer(Array(sound.prefix(300))), completionHandler: nil)
        node.play()
        nodes.append(node)
      } else if let node = nodes.popLast() {
        if state >> 34 & 1 == 0 { engine.disconnectNodeOutput(node) }
        engine.detach(node)
      }
    }
    isDone.withLock { $0 = true }
    _ = await thread.result
    #expect(engine.isRunning)
  }

  @Test func stateIsReadWhileOthersEditAndRender() async throws {
    let offline = try Offline()
    let (engine, mixer) = (offline.engine, offline.engine.mainMixerNode)
    let player = player(offline)
    try engine.start()
    let isDone = OSAllocatedUnfairLock(initialState: false)
    nonisolated(unsafe) let rendered = offline
    let renderer = Task.detached {
      while !isDone.withLock({ $0 }) { _ = try rendered.render(128) }
    }
    let reader = Task.detached {
      var counts = Set<Int>()
      while !isDone.withLock({ $0 }) {
        counts.insert(mixer.numberOfInputs)
        for bus in 0..<mixer.numberOfInputs { _ = mixer.inputFormat(forBus: bus).sampleRate }
        _ = player.outputFormat(forBus: 0).channelCount
        _ = (mixer.nextAvailableInputBus, player.lastRenderTime, player.isPlaying)
        player.volume = 0.5
      }
      return counts
    }
    for round in 0..<100 {
      let other = AVAudioMixerNode()
      engine.attach(other)
      engine.connect(other, to: mixer, format: standard(round % 2 == 0 ? 22_050 : 44_100))
      engine.connect(player, to: mixer, fromBus: 0, toBus: 0, format: standard(44_100, 2))
      engine.connect(player, to: mixer, fromBus: 0, toBus: 0, format: standard())
      engine.detach(other)
    }
    isDone.withLock { $0 = true }
    _ = await renderer.result
    #expect(await reader.value.isSubset(of: [0, 1, 2]))
  }

  @Test func aBlockReadsTheStateOfNodesInItsCycle() throws {
    let offline = try Offline()
    let mixer = offline.engine.mainMixerNode
    nonisolated(unsafe) var found: [Double] = []
    let source = AVAudioSourceNode { [unowned mixer] _, _, _, _ in
      found = [
        mixer.inputFormat(forBus: 0).sampleRate, Double(mixer.numberOfInputs),
        mixer.lastRenderTime == nil ? 0 : 1, mixer.engine?.isRunning ?? false ? 1 : 0,
      ]
      return noErr
    }
    offline.engine.attach(source)
    offline.engine.connect(source, to: mixer, format: standard())
    try offline.engine.start()
    _ = try offline.render(64)
    #expect(found == [44_100, 1, 1, 1])
  }
}

/// Mixers in space.
struct EnvironmentTests {
  /// The sound of a source in an environment, both sides.
  private func rendered(
    _ sound: AVAudioPCMBuffer, _ frames: Int,
    _ change: (AVAudioEnvironmentNode, AVAudioPlayerNode) -> Void
  ) throws -> (left: [Float], right: [Float]) {
    let engine = AVAudioEngine()
    let (environment, player) = (AVAudioEnvironmentNode(), AVAudioPlayerNode())
    try engine.enableManualRenderingMode(
      .offline, format: standard(44_100, 2), maximumFrameCount: 512)
    engine.attach(environment)
    engine.attach(player)
    engine.connect(player, to: environment, format: sound.format)
    engine.connect(environment, to: engine.outputNode, format: standard(44_100, 2))
    change(environment, player)
    try engine.start()
    player.scheduleBuffer(sound)
    player.play()
    let block = try #require(
      AVAudioPCMBuffer(pcmFormat: standard(44_100, 2), frameCapacity: 512))
    var (left, right): ([Float], [Float]) = ([], [])
    while left.count < frames {
      #expect(try engine.renderOffline(512, to: block) == .success)
      left += block.samples(0)
      right += block.samples(1)
    }
    return (left, right)
  }
  private func power(_ samples: [Float]) -> Float { samples.reduce(0) { $0 + $1 * $1 } }

  @Test func reverberationIsSwitchedAndHasALevel() throws {
    let click = buffer([1] + silence(99))
    func tail(_ level: Float, enable: Bool) throws -> Float {
      power(
        Array(
          try rendered(click, 22_050) { environment, player in
            environment.reverbParameters.enable = enable
            environment.reverbParameters.level = level
            environment.reverbParameters.loadFactoryReverbPreset(.cathedral)
            player.reverbBlend = 0.5
          }.left.dropFirst(4_410)))
    }
    let (none, low, high) = (
      try tail(0, enable: false), try tail(-20, enable: true), try tail(0, enable: true)
    )
    #expect(none == 0 && low > 0)
    #expect(high / low > 90 && high / low < 110, "20 dB of level are a factor of 100 in power")
  }

  @Test func theFilterOfReverberationHasParameters() {
    let environment = AVAudioEnvironmentNode()
    let filter = environment.reverbParameters.filterParameters
    filter.frequency = 1_000
    filter.bandwidth = 2
    filter.gain = -6
    filter.filterType = .lowPass
    #expect(filter.frequency == 1_000 && filter.bandwidth == 2 && filter.gain == -6)
    #expect(filter.filterType == .lowPass)
    filter.bypass = true
    #expect(filter.bypass)
    filter.bypass = false
    #expect(!filter.bypass)
    withExtendedLifetime(environment) {}
  }

  @Test func sourcesOfTwoChannelsPassOrAreOnePoint() throws {
    let sound = buffer(noise(4_096), standard(44_100, 2))
    func sides(_ mode: AVAudio3DMixingSourceMode) throws -> Float {
      let (left, right) = try rendered(sound, 4_096) { _, player in
        player.sourceMode = mode
        player.position = AVAudio3DPoint(x: 5, y: 0, z: 0)
      }
      return power(right) / power(left)
    }
    #expect(try sides(.spatializeIfMono) == 1)
    #expect(try sides(.pointSource) > 4)
  }

  @Test func aVolumeThatIsSetLaterCounts() throws {
    let sound = buffer(noise(2_048))
    func level(_ volume: Float) throws -> Float {
      power(try rendered(sound, 2_048) { _, player in player.volume = volume }.left)
    }
    #expect(try level(1) / level(0.5) > 3.9)
  }
}
