// The device thread's response to every kind of fault, in virtual time.
// SPDX-License-Identifier: Apache-2.0

import AudioHardware
import CAudioToolbox
import Synchronization
import Testing

@Suite struct DeviceFaultTests {
  /// A sequence of numbers that is the same for the same seed.
  private struct Numbers: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
      state &+= 0x9E37_79B9_7F4A_7C15
      var mixed = state
      mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
      mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
      return mixed ^ (mixed >> 31)
    }
  }

  private func faults(_ numbers: inout Numbers) -> [PortFault] {
    (0..<Int.random(in: 1...4, using: &numbers)).map { _ -> PortFault in
      let frame = Int64.random(in: 0...90_000, using: &numbers)
      let kinds: [PortFault.Kind] = [
        .overrun, .stall(.random(in: 1_000_000...400_000_000, using: &numbers)), .hang, .suspend,
        .short(.random(in: 1...64, using: &numbers)),
        .emptyWakes(.random(in: 1...200, using: &numbers)),
      ]
      return PortFault(kinds[Int.random(in: 0..<kinds.count, using: &numbers)], at: frame)
    }.sorted { $0.frame < $1.frame }
  }

  @Test(
    "A thousand random sequences of faults: every frame is played once, in order, or lost, and each ends"
  )
  func randomFaults() throws {
    for seed in UInt64(0)..<1000 {
      var numbers = Numbers(state: seed)
      let clock = VirtualClock()
      var lateness = MeasuredLateness(seed: seed)
      clock.lateness = { lateness.next() }
      var traits = VirtualPort.Traits()
      traits.faults = faults(&numbers)
      traits.burst = [1, 1, 16, 48].randomElement(using: &numbers) ?? 1
      let end = MemoryEnd()
      let port = VirtualPort(
        name: "virtual", direction: .playback, clock: clock, traits: traits, end: end)
      let engine = DeviceEngine(playback: port, capture: nil, clock: clock)
      var request = PCMRequest()
      request.periodFrames = [64, 128, 256, 480].randomElement(using: &numbers) ?? 256
      request.periodCount = Int.random(in: 2...4, using: &numbers)
      request.channelCount = 1
      request.format = .float32Little
      try engine.configure(output: request)
      let client = CountingClient()
      engine.clients.add(client.client)
      engine.finish(afterFrame: 96_000)
      let result = engine.run()
      let story = "seed \(seed): \(traits.faults), period \(request.periodFrames)"
      #expect(result == .finished, "\(story)")
      let delivered = end.values(Float.self).map { Int($0 / CountingClient.unit) }.filter {
        $0 != 0
      }
      #expect(zip(delivered, delivered.dropFirst()).allSatisfy { $0 < $1 }, "\(story)")
      // A fault costs the frames in the device, and no more.
      let held = request.periodFrames * (request.periodCount + 1)
      let breaks =
        engine.statistics.overruns + engine.statistics.restarts + engine.statistics.suspends
      #expect(delivered.count >= 96_000 - held * (breaks + 1), "\(story), \(breaks) breaks")
      // Each start anew breaks the time line, and nothing else does.
      #expect(engine.breaks == breaks, "\(story)")
      // Every fault that is a gap is counted, and nothing else.
      let gaps = traits.faults.filter { $0.kind == .overrun }.count
      #expect(engine.statistics.overruns >= gaps, "\(story)")
    }
  }

  @Test(
    "A pulled card ends the run as lost, at any moment, and the played frames are known to the period"
  )
  func pulled() throws {
    for frame in stride(from: Int64(0), through: 20_000, by: 487) {
      let clock = VirtualClock()
      var traits = VirtualPort.Traits()
      traits.faults = [PortFault(.disconnect, at: frame)]
      let port = VirtualPort(
        name: "virtual", direction: .playback, clock: clock, traits: traits, end: MemoryEnd())
      let engine = DeviceEngine(playback: port, capture: nil, clock: clock)
      try engine.configure(output: PCMRequest())
      let client = CountingClient()
      engine.clients.add(client.client)
      #expect(engine.run() == .lost, "pulled at frame \(frame)")
      let unsure = frame - engine.framesPresented
      #expect((0...Int64(engine.periodFrames)).contains(unsure), "pulled at frame \(frame)")
    }
  }

  @Test(
    "A device that is not awake yet is tried again, and goes on without a gap; after five times it starts anew",
    arguments: [0, 1, 4, 5, 9])
  func asleep(count: Int) throws {
    let (clock, end) = (VirtualClock(), MemoryEnd())
    var traits = VirtualPort.Traits()
    traits.faults = [PortFault(.sleep(count), at: 24_000)]
    let port = VirtualPort(
      name: "virtual", direction: .playback, clock: clock, traits: traits, end: end)
    let engine = DeviceEngine(playback: port, capture: nil, clock: clock)
    var request = PCMRequest()
    (request.channelCount, request.format) = (1, .float32Little)
    try engine.configure(output: request)
    let client = CountingClient()
    engine.clients.add(client.client)
    engine.finish(afterFrame: 96_000)
    #expect(engine.run() == .finished)
    let isResumed = count < 5
    #expect(engine.statistics.suspends == 1 && engine.breaks == (isResumed ? 0 : 1))
    #expect(engine.statistics.overruns == 0 && engine.statistics.restarts == 0)
    let delivered = end.values(Float.self).map { Int($0 / CountingClient.unit) }.filter { $0 != 0 }
    #expect(zip(delivered, delivered.dropFirst()).allSatisfy { $0 < $1 })
    if isResumed { #expect(delivered.count == delivered.last && delivered.count >= 95_999) }
    // Two seconds of sound, and a fifth of a second for each try in vain.
    #expect(clock.now() >= 2_000_000_000 + 200_000_000 * UInt64(min(count, 5)))
  }

  @Test("A queue reports its played frames, also around a pause")
  func delivered() throws {
    let (clock, end) = (VirtualClock(), MemoryEnd())
    let port = VirtualPort(name: "virtual", direction: .playback, clock: clock, end: end)
    let engine = DeviceEngine(playback: port, capture: nil, clock: clock)
    var request = PCMRequest()
    (request.channelCount, request.format) = (1, .float32Little)
    try engine.configure(output: request)
    let queue = SoundQueue(channelCount: 1, frameCapacity: 1 << 16, isPatient: false)
    #expect(unsafe queue.put([Float](repeating: 0.5, count: 40_000), frameCount: 40_000))
    engine.clients.add(queue.player)
    #expect(engine.begin() == nil)
    for cycle in 0..<120 {
      queue.setPaused((20..<24).contains(cycle) || (60..<90).contains(cycle))
      #expect(engine.cycle() == nil)
      let delivered = end.values(Float.self).filter { $0 != 0 }.count
      #expect(
        queue.framesPresented(ofDevice: engine.framesPresented) == Int64(delivered),
        "cycle \(cycle)")
    }
    engine.end()
  }

  @Test("A queue reports to the frame the played part of sound that was late now and then")
  func playedBetweenGaps() throws {
    let (clock, end) = (VirtualClock(), MemoryEnd())
    let port = VirtualPort(name: "virtual", direction: .playback, clock: clock, end: end)
    let engine = DeviceEngine(playback: port, capture: nil, clock: clock)
    var request = PCMRequest()
    (request.channelCount, request.format, request.periodCount) = (1, .float32Little, 8)
    try engine.configure(output: request)
    let queue = SoundQueue(channelCount: 1, frameCapacity: 1 << 16, isPatient: false)
    engine.clients.add(queue.player)
    #expect(engine.begin() == nil)
    var numbers = Numbers(state: 7)
    for cycle in 0..<300 {
      // Now more than a period, now less, now nothing.
      let count = Int.random(in: -100...400, using: &numbers)
      if count > 0 {
        #expect(unsafe queue.put([Float](repeating: 0.5, count: count), frameCount: count))
      }
      #expect(engine.cycle() == nil)
      let delivered = end.values(Float.self).filter { $0 != 0 }.count
      #expect(
        queue.framesPresented(ofDevice: engine.framesPresented) == Int64(delivered),
        "cycle \(cycle)")
    }
    engine.end()
  }

  @Test("A device that stops for good is abandoned, and a thread never spins on it")
  func isStalled() throws {
    let clock = VirtualClock()
    var traits = VirtualPort.Traits()
    traits.faults = (0..<8).map { PortFault(.hang, at: $0) }
    let port = VirtualPort(
      name: "virtual", direction: .playback, clock: clock, traits: traits, end: MemoryEnd())
    let engine = DeviceEngine(playback: port, capture: nil, clock: clock)
    try engine.configure(output: PCMRequest())
    let start = clock.now()
    #expect(engine.run() == .lost)
    let seconds = Double(clock.now() - start) * 1e-9
    #expect(seconds < 30)
    #expect(engine.statistics.emptyWakes < 2000)
  }

  @Test("A render that is too slow is distinguished from a thread that woke late")
  func attribution() throws {
    func statistics(render: UInt64, wake: UInt64) throws -> EngineStatistics {
      let clock = VirtualClock()
      var count = 0
      clock.lateness = {
        count += 1
        return count % 50 == 0 ? wake : 0
      }
      let port = VirtualPort(
        name: "virtual", direction: .playback, clock: clock, end: MemoryEnd())
      let engine = DeviceEngine(playback: port, capture: nil, clock: clock)
      try engine.configure(output: PCMRequest())
      let client = CountingClient()
      var calls = 0
      client.beforeCall = {
        calls += 1
        if calls % 50 == 0 { clock.pass(render) }
      }
      engine.clients.add(client.client)
      engine.finish(afterFrame: 96_000)
      #expect(engine.run() == .finished)
      return engine.statistics
    }
    // Three periods of 256 frames are 16 ms.
    let slow = try statistics(render: 30_000_000, wake: 0)
    #expect(slow.longRenders > 0 && slow.lateWakes == 0 && slow.otherOverruns == 0)
    let late = try statistics(render: 0, wake: 30_000_000)
    #expect(late.lateWakes > 0 && late.longRenders == 0 && late.otherOverruns == 0)
  }
}
