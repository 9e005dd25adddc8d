// The time of a device: latency of a duplex device, smoothed clocks, formats of samples.
// SPDX-License-Identifier: Apache-2.0

import AudioHardware
import CAudioToolbox
import DriftCompensation
import Testing

@Suite struct DeviceTimingTests {
  @Test(
    "Played sound comes back over a wire after the reported latency, to the frame",
    arguments: [(32, 2), (64, 3), (256, 2), (441, 4)])
  func roundTrip(period: Int, periods: Int) throws {
    let clock = VirtualClock()
    let wire = Wire()
    let playback = VirtualPort(
      name: "out", direction: .playback, clock: clock, end: wire.input)
    let capture = VirtualPort(name: "in", direction: .capture, clock: clock, end: wire.output)
    let engine = DeviceEngine(playback: playback, capture: capture, clock: clock)
    var request = PCMRequest()
    (request.periodFrames, request.periodCount) = (period, periods)
    request.format = .float32Little
    try engine.configure(output: request)
    let client = CountingClient()
    client.impulse = 5000
    engine.clients.add(client.client)
    #expect(engine.begin() == nil)
    while client.played < 20_000 { #expect(engine.cycle() == nil) }
    let place = try #require(client.recorded.firstIndex { $0 != 0 })
    #expect(place - 5000 == engine.roundTripFrames)
    #expect(engine.roundTripFrames == period * periods)
    engine.end()
  }

  @Test(
    "The rate of a device is known to five millionths after a minute, whatever the thread's wakes",
    arguments: [-300.0, -40, 0, 200])
  func rate(partsPerMillion: Double) {
    var lateness = MeasuredLateness(seed: 7)
    var loop = TimeLoop(periodFrames: 256, sampleRate: 48_000)
    let period = 256e9 / 48_000 / (1 + partsPerMillion * 1e-6)
    for index in 0..<Int(60e9 / period) {
      _ = loop.update(UInt64(1e9 + Double(index) * period) + lateness.next())
      guard Double(index) * period > 20e9 else { continue }
      let found = (loop.measuredRate / 48_000 - 1) * 1e6
      #expect(abs(found - partsPerMillion) < 20, "after \(Double(index) * period * 1e-9) s")
    }
    let found = (loop.measuredRate / 48_000 - 1) * 1e6
    #expect(abs(found - partsPerMillion) < 5)
  }

  @Test(
    "Every format keeps samples to its own step, and clips beyond full scale",
    arguments: PCMFormat.preferred)
  func formats(format: PCMFormat) {
    let count = 4096
    let made = PCMConfiguration(
      format: format, isPlanar: false, channelCount: 2, sampleRate: 48_000, periodFrames: count,
      bufferFrames: count)
    let exchange = SampleExchange(made, frameCapacity: count)
    exchange.setFrameCount(count)
    var wanted: [Float] = []
    for index in 0..<(2 * count) {
      let value = Float(index - count) / Float(count) * 1.1
      wanted.append(value)
      unsafe exchange.samples[index] = value
    }
    exchange.encode(frameCount: count)
    for index in 0..<(2 * count) { unsafe exchange.samples[index] = 9 }
    exchange.decode(frameCount: count)
    // A step, and a step of dither on both sides.
    let step =
      format.isFloat ? 1e-7 : 2.5 / Float(UInt64(1) << UInt64(min(24, format.bitCount) - 1))
    for index in 0..<(2 * count) {
      let clipped = format.isFloat ? wanted[index] : min(1, max(-1, wanted[index]))
      let found = unsafe exchange.samples[index]
      #expect(abs(found - clipped) <= step, "\(format.rawValue): \(wanted[index]) became \(found)")
    }
  }

  @Test("Names of devices are read, and other texts are refused")
  func names() throws {
    func device(_ name: String) throws -> any DeviceBackend {
      try DeviceKinds.device(named: name)
    }
    #expect(try device("hw:1,0") as? ALSADevice == ALSADevice("hw:1,0"))
    var file = FileDevice()
    (file.output, file.input, file.clock) = ("out.wav", "in.wav", .free)
    (file.sampleRate, file.channelCount, file.periodFrames) = (44_100, 1, 64)
    file.format = .signed16Little
    #expect(
      try device("file:out.wav,in=in.wav,clock=free,format=s16,rate=44100,channels=1,period=64")
        as? FileDevice == file)
    for wrong in ["", "file:", "file:a,clock=fast", "file:a,rate=0", "file:a,period=1", "file:a,b"]
    {
      #expect(throws: (any Error).self) { try device(wrong) }
    }
    #expect(try ALSADevice("hw:1,0").card == "1")
    #expect(try ALSADevice("plughw:CARD=PCH,DEV=0").card == "PCH")
    #expect(try ALSADevice("default").card == nil)
    #expect(try ALSADevice("hw:1,0").sharesClock(with: ALSADevice("hw:1,1")))
    #expect(try !ALSADevice("hw:1,0").sharesClock(with: ALSADevice("hw:2,0")))
    #expect(try !ALSADevice("default").sharesClock(with: ALSADevice("pulse")))
  }
}
