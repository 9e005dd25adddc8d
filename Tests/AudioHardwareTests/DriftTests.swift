// Two clocks that run apart as one device, in virtual time: the output, its wander, and no dropouts.
// SPDX-License-Identifier: Apache-2.0

import AudioHardware
import CAudioToolbox
import Foundation
import Testing

@Suite struct DriftTests {
  private static let apart = 200.0

  /// A clock, a port that plays at the clock's rate, and a port 200 ppm apart of a direction that follows it.
  private struct Pair {
    let clock = VirtualClock()
    let main: VirtualPort
    let follower: DriftPort
    let engine: DeviceEngine

    init(
      _ direction: PCMDirection, burst: Int, end: any PortEnd, quality: UInt32,
      channelCount: Int = 2
    ) throws {
      var lateness = MeasuredLateness(seed: 11)
      clock.lateness = { lateness.next() }
      let isCapture = direction == .capture
      main = VirtualPort(
        name: "main", direction: isCapture ? .playback : .capture, clock: clock,
        end: MemoryEnd(limit: 0))
      var traits = VirtualPort.Traits()
      traits.partsPerMillion = DriftTests.apart
      traits.burst = burst
      let other = VirtualPort(
        name: "follower", direction: direction, clock: clock, traits: traits, end: end)
      var following = DriftPort.Traits()
      following.quality = quality
      follower = DriftPort(other, following: main, clock: clock, traits: following)
      engine = DeviceEngine(
        playback: isCapture ? main : follower, capture: isCapture ? follower : main, clock: clock)
      var request = PCMRequest()
      (request.periodFrames, request.periodCount) = (256, 2)
      request.channelCount = channelCount
      request.format = isCapture ? nil : .float32Little
      try engine.configure(output: request)
    }

    /// Runs for so many seconds; reports the ratio and the error of each cycle with its second.
    func run(
      _ seconds: Double, _ reported: (_ second: Double, _ ratio: Double, _ error: Double) -> Void
    ) {
      #expect(engine.begin() == nil)
      let start = clock.now()
      while true {
        let second = Double(clock.now() - start) * 1e-9
        guard second < seconds else { break }
        #expect(engine.cycle() == nil)
        reported(second, follower.ratio, follower.error)
      }
      engine.end()
    }
  }

  @Test(
    "A recorded and a played tone 200 ppm apart are as clean as documented, and stay in place",
    arguments: [(PCMDirection.capture, 1), (.capture, 48), (.playback, 1), (.playback, 48)])
  func tones(direction: PCMDirection, burst: Int) throws {
    let tones = ToneEnd(keepingFrom: 148 * 48_000)
    let pair = try Pair(direction, burst: burst, end: tones, quality: 96)
    let client = ToneClient(keepingFrom: 148 * 48_000, plays: direction == .playback)
    pair.engine.clients.add(client.client)
    pair.run(168) { second, ratio, _ in
      let wanted = direction == .capture ? 1 + Self.apart * 1e-6 : 1 / (1 + Self.apart * 1e-6)
      if second > 20 { #expect(abs(ratio - wanted) < 1e-5, "after \(second) s") }
    }
    #expect(pair.engine.statistics.overruns == 0 && pair.follower.jumps == 0)
    let delivered = direction == .capture ? client.kept : tones.kept
    for (channel, limit) in [-100.0, burst == 1 ? -90.0 : -80.0].enumerated() {
      let found = ToneFit.worst(delivered[channel], near: ToneEnd.frequencies[channel])
      #expect(found.decibels < limit, "\(ToneEnd.frequencies[channel]) Hz")
      #expect(found.wander < 1)
    }
  }

  /// The duration of both clocks: an hour by AURICLE_DRIFT_SECONDS=3600, ten minutes otherwise.
  private static let seconds =
    ProcessInfo.processInfo.environment["AURICLE_DRIFT_SECONDS"].flatMap(Double.init) ?? 600

  @Test(
    "Two clocks for long: nothing runs dry or is left out, and the store wanders less than a frame")
  func longRun() throws {
    let pair = try Pair(
      .capture, burst: 1, end: ToneEnd(keepingFrom: .max), quality: 0, channelCount: 1)
    let client = ToneClient(keepingFrom: .max, plays: false)
    pair.engine.clients.add(client.client)
    var (least, most) = (Double.infinity, -Double.infinity)
    pair.run(Self.seconds) { second, _, error in
      guard second > 300 else { return }
      (least, most) = (min(least, error), max(most, error))
    }
    #expect(pair.engine.statistics.overruns == 0 && pair.follower.jumps == 0)
    #expect(most - least < 1)
  }

  @Test(
    "Where the drift is not compensated for, sound is left out a period at a time, and bit for bit between"
  )
  func withoutCompensation() throws {
    let clock = VirtualClock()
    let main = VirtualPort(
      name: "main", direction: .playback, clock: clock, end: MemoryEnd(limit: 0))
    var traits = VirtualPort.Traits()
    traits.partsPerMillion = 20_000
    let ramp = VirtualPort(
      name: "follower", direction: .capture, clock: clock, traits: traits, end: CountingEnd())
    var following = DriftPort.Traits()
    following.compensates = false
    let follower = DriftPort(ramp, following: main, clock: clock, traits: following)
    let engine = DeviceEngine(playback: main, capture: follower, clock: clock)
    try engine.configure(output: PCMRequest())
    let client = CountingClient()
    engine.clients.add(client.client)
    #expect(engine.begin() == nil)
    while client.recorded.count < 96_000 { #expect(engine.cycle() == nil) }
    engine.end()
    #expect((5...8).contains(follower.jumps))
    let numbers = client.recorded.map { Int($0 / CountingClient.unit) }
    let steps = zip(numbers, numbers.dropFirst()).filter { $0.1 == $0.0 + 1 }.count
    #expect(steps > 96_000 - 10 * 512 - 4096)
  }

  @Test(
    "A device that runs dry or hangs while it follows is mended and counted; one that is pulled ends the run"
  )
  func faults() throws {
    for kind in [PortFault.Kind.overrun, .suspend, .hang, .disconnect] {
      for direction in [PCMDirection.capture, .playback] {
        let clock = VirtualClock()
        let main = VirtualPort(
          name: "main", direction: direction == .capture ? .playback : .capture, clock: clock,
          end: MemoryEnd(limit: 0))
        var traits = VirtualPort.Traits()
        traits.faults = [PortFault(kind, at: 20_000)]
        let other = VirtualPort(
          name: "other", direction: direction, clock: clock, traits: traits,
          end: ToneEnd(keepingFrom: 0))
        let members = [main, other].map {
          AggregateOpening.Member(
            .init(uid: $0.name), playback: $0.direction == .playback ? $0 : nil,
            capture: $0.direction == .capture ? $0 : nil)
        }
        let engine = try AggregateOpening.engine(
          members, order: ["main", "other"], clock: clock, PCMRequest())
        let client = ToneClient(keepingFrom: 0, plays: true)
        engine.clients.add(client.client)
        var end = engine.begin()
        while end == nil, client.frames < 48_000 * 6 { end = engine.cycle() }
        engine.end()
        if kind == .disconnect {
          #expect(end == .lost, "\(direction)")
        } else {
          #expect(end == nil && engine.statistics.otherOverruns >= 1, "\(kind) \(direction)")
          #expect(engine.statistics.restarts == 0)
        }
      }
    }
  }

  @Test("Devices side by side: each channel goes to its device and comes from it, to the frame")
  func sideBySide() throws {
    let clock = VirtualClock()
    let ends = (0..<2).map { _ in MemoryEnd() }
    let ports = (0..<2).map {
      VirtualPort(name: "out \($0)", direction: .playback, clock: clock, end: ends[$0])
    }
    let inputs = (0..<2).map {
      VirtualPort(
        name: "in \($0)", direction: .capture, clock: clock, end: CountingEnd(scale: Float($0 + 1)))
    }
    let members = (0..<2).map { index -> AggregateOpening.Member in
      var part = AggregateDescription.Part(uid: "\(index)")
      part.compensatesDrift = false
      return AggregateOpening.Member(part, playback: ports[index], capture: inputs[index])
    }
    // The second device is the clock, and its channels come second.
    var request = PCMRequest()
    request.channelCount = 1
    let engine = try AggregateOpening.engine(
      members.reversed(), order: ["0", "1"], clock: clock, request)
    #expect(engine.output?.channelCount == 2 && engine.input?.channelCount == 2)
    let client = ToneClient(keepingFrom: 0, plays: true)
    engine.clients.add(client.client)
    #expect(engine.begin() == nil)
    while client.frames < 48_000 { #expect(engine.cycle() == nil) }
    engine.end()
    for channel in 0..<2 {
      let delivered = ends[channel].values(Float.self)
      let start = try #require(delivered.firstIndex { $0 != 0 })
      // Frame 0 of a sine is 0.
      for frame in 1..<20_000 {
        #expect(delivered[start - 1 + frame] == ToneEnd.sample(channel, Double(frame)))
      }
      let numbers = client.kept[channel].suffix(30_000).map { Int($0 / CountingClient.unit) }
      let step = channel + 1
      #expect(zip(numbers, numbers.dropFirst()).allSatisfy { $0.1 - $0.0 == step })
    }
  }
}
