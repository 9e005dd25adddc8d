// Engines, players and taps on a device that is a file.
// SPDX-License-Identifier: Apache-2.0

import AVFoundation
import Synchronization
import Testing

/// Receives the end of players.
private final class Ends: AVAudioPlayerDelegate {
  let stream = AsyncStream.makeStream(of: String.self)
  func audioPlayerDidFinishPlaying(_ player: AVAudioPlayer, successfully flag: Bool) {
    stream.continuation.yield("player")
  }
}

/// The threads on which engines render, and on which they are freed.
private final class Threads: Sendable {
  let rendering = Mutex<Set<UInt>>([])
  let freeing = Mutex<Set<UInt>>([])
  static func add(_ place: borrowing Mutex<Set<UInt>>) {
    let thread = UInt(pthread_self())
    place.withLock { _ = $0.insert(thread) }
  }
}
/// An engine that records the thread on which it is freed.
private final class RecordedEngine: AVAudioEngine, @unchecked Sendable {
  let threads: Threads
  init(_ threads: Threads) {
    self.threads = threads
    super.init()
  }
  deinit { Threads.add(threads.freeing) }
}

extension SharedDevice {
  @Suite(.enabled(if: hasFileDevice)) struct DeviceTests {
    let folder: Folder

    init() throws { folder = try Folder() }

    @Test func anEnginePlaysThroughTheDevice() async throws {
      let engine = AVAudioEngine()
      let player = AVAudioPlayerNode()
      let format = standard(engine.outputNode.outputFormat(forBus: 0).sampleRate, 2)
      engine.attach(player)
      engine.connect(player, to: engine.mainMixerNode, format: format)
      try engine.start()
      #expect(engine.isRunning)
      await withCheckedContinuation { done in
        player.scheduleBuffer(buffer(noise(4_800), format)) { done.resume() }
        player.play()
      }
      #expect(player.lastRenderTime != nil)
      engine.stop()
      #expect(!engine.isRunning && !player.isPlaying)
    }

    @Test func anEngineIsNeverFreedInItsCycle() throws {
      let threads = Threads()
      for _ in 0..<20 {
        let hasRendered = DispatchSemaphore(value: 0)
        let engine = RecordedEngine(threads)
        let source = AVAudioSourceNode { _, _, _, _ in
          Threads.add(threads.rendering)
          hasRendered.signal()
          return noErr
        }
        engine.attach(source)
        engine.connect(source, to: engine.mainMixerNode, format: standard(48_000, 2))
        engine.connect(engine.inputNode, to: engine.mainMixerNode, format: nil)
        try engine.start()
        hasRendered.wait()
      }
      let (rendering, freeing) = (
        threads.rendering.withLock { $0 }, threads.freeing.withLock { $0 }
      )
      #expect(rendering.isDisjoint(with: freeing) && !freeing.isEmpty && !rendering.isEmpty)
    }

    @Test func sequencersAndEnginesAreFreedWhileTheyPlay() throws {
      for turn in 0..<6 {
        let hasRendered = DispatchSemaphore(value: 0)
        var engine: AVAudioEngine? = AVAudioEngine()
        let source = AVAudioSourceNode { _, _, _, _ in
          hasRendered.signal()
          return noErr
        }
        engine?.attach(source)
        if let engine {
          engine.connect(source, to: engine.mainMixerNode, format: standard(48_000, 2))
        }
        var sequencer = engine.map { AVAudioSequencer(audioEngine: $0) }
        let track = sequencer?.createAndAppendTrack()
        track?.addEvent(AVMusicUserEvent(data: Data([1])), at: 0)
        track?.lengthInBeats = 100
        try engine?.start()
        try sequencer?.start()
        hasRendered.wait()
        if turn % 2 == 0 {
          sequencer = nil
          hasRendered.wait()
        } else {
          // Both go at once, on two threads.
          nonisolated(unsafe) let dropped = sequencer
          sequencer = nil
          DispatchQueue.global().async { withExtendedLifetime(dropped) {} }
          engine = nil
        }
        #expect(track?.lengthInBeats == 100)
      }
    }

    @Test func anEngineStopsWhenItsDeviceEnds() async throws {
      let engine = AVAudioEngine()
      let player = AVAudioPlayerNode()
      engine.attach(player)
      engine.connect(engine.inputNode, to: engine.mainMixerNode, format: nil)
      engine.connect(player, to: engine.mainMixerNode, format: standard(48_000, 2))
      let changes = AsyncStream.makeStream(of: Void.self)
      let observer = NotificationCenter.default.addObserver(
        forName: .AVAudioEngineConfigurationChange, object: engine, queue: nil
      ) { _ in changes.continuation.yield() }
      defer { NotificationCenter.default.removeObserver(observer) }
      var iterator = changes.stream.makeAsyncIterator()
      for _ in 0..<3 {
        try engine.start()
        player.play()
        await iterator.next()
        #expect(!engine.isRunning && !player.isPlaying)
        // The program cannot know yet.
        player.play()
        #expect(!player.isPlaying)
      }
    }

    @Test func aTapReceivesInput() async throws {
      let engine = AVAudioEngine()
      let stream = AsyncStream.makeStream(of: Int.self)
      try #require(engine.inputNode.outputFormat(forBus: 0).channelCount > 0)
      engine.inputNode.installTap(onBus: 0, bufferSize: 1_024, format: nil) { buffer, _ in
        stream.continuation.yield(Int(buffer.frameLength))
      }
      try engine.start()
      var iterator = stream.stream.makeAsyncIterator()
      #expect(await iterator.next() == 1_024)
      engine.stop()
    }

    @Test func aPlayerReportsItsEnd() async throws {
      try writeFile(folder.file("song.wav"), noise(2_000))
      let player = try AVAudioPlayer(contentsOf: folder.file("song.wav"))
      let ends = Ends()
      player.delegate = ends
      #expect(abs(player.duration - 2_000 / 44_100) < 1e-9 && player.numberOfChannels == 1)
      player.numberOfLoops = 1
      try #require(player.play())
      var iterator = ends.stream.stream.makeAsyncIterator()
      #expect(await iterator.next() == "player")
      #expect(!player.isPlaying && player.currentTime == 0)
      player.currentTime = 0.01
      #expect(abs(player.currentTime - 0.01) < 0.001)
      player.stop()
      #expect(abs(player.currentTime - 0.01) < 0.001)
      #expect(throws: NSError.self) { try AVAudioPlayer(data: Data("no sound".utf8)) }
    }
  }
}
