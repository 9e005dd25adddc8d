// The hum filter: a notch for the mains frequency and for each of its harmonics, which follows them.
// SPDX-License-Identifier: Apache-2.0

public import AuricleSDK
import RealtimeSupport

/// Notches in a row, whose common frequency follows the hum by the turn of its first harmonics.
@safe struct HumFilter: EffectUnit, ~Copyable {
  static let component = Component(
    "Auricle: Hum Filter", subtype: "humf", manufacturer: "Auri",
    summary: "Notches for mains hum and its harmonics, which follow its frequency.",
    tags: ["Effects", "Filter", "Restoration"])

  struct Parameters: ParameterSet {
    @Parameter(0, "frequency", 20...200, default: 50, unit: .hertz) var frequency: Float
    @Parameter(1, "harmonics", 1...32, default: 10) var harmonics: Float
    @Parameter(2, "width", 0.2...20, default: 2, unit: .hertz, curve: .logarithmic)
    var width: Float
    @Parameter(3, "follow", default: true) var follows: Bool
    @Parameter(4, "range", 0...2, default: 0.5, unit: .hertz) var range: Float
    @Meter(1000, "found frequency", 0...300, unit: .hertz) var found: Float
  }

  static let skipsSilence = true

  /// The most notches.
  private static var most: Int { @_noLocks get { 32 } }

  private let parameters: Parameters
  private let sampleRate: Double
  private let channelCount: Int
  private var clock = ControlClock()
  private var tracker: HumTracker
  /// Two states for each notch of each channel.
  private let states: UnsafeMutablePointer<SIMD2<Double>>
  /// The cosine of each notch, and the square of the radius of its poles.
  private let places: UnsafeMutablePointer<SIMD2<Double>>
  private var notchCount = 0

  init(_ setup: UnitSetup<Self>) {
    parameters = setup.parameters
    sampleRate = setup.sampleRate
    channelCount = setup.channelCount
    tracker = HumTracker(sampleRate: sampleRate)
    let count = Self.most * max(1, channelCount)
    unsafe states = .allocate(capacity: count)
    unsafe states.initialize(repeating: SIMD2(0, 0), count: count)
    unsafe places = .allocate(capacity: Self.most)
    unsafe places.initialize(repeating: SIMD2(0, 0), count: Self.most)
  }

  deinit {
    unsafe states.deallocate()
    unsafe places.deallocate()
  }

  @_noLocks mutating func reset() {
    clock.reset()
    tracker.reset()
    for index in 0..<(Self.most * channelCount) { unsafe states[index] = SIMD2(0, 0) }
    notchCount = 0
  }

  /// A notch rings for as long as it is narrow. Context: control or render.
  var tailSeconds: Double { @_noLocks get { 5 / Double(max(parameters.width, 0.2)) } }

  @_noLocks mutating func process(_ slice: RenderSlice) {
    var frame = 0
    while frame < slice.frameCount {
      if clock.isAtGridPoint { update() }
      let run = clock.run(of: slice.frameCount - frame, isMoving: true)
      for index in frame..<(frame + run) {
        if parameters.follows {
          var sum = 0.0
          for channel in 0..<channelCount { unsafe sum += Double(slice.channel(channel)[index]) }
          tracker.add(sum)
        }
        for channel in 0..<channelCount { filter(slice, channel, index) }
      }
      clock.advance(run)
      frame += run
    }
    parameters.found = Float(tracker.frequency)
  }

  /// Moves the notches to where the hum is.
  @_noLocks private mutating func update() {
    tracker.aim(
      at: Double(parameters.frequency), within: parameters.follows ? Double(parameters.range) : 0)
    let frequency = tracker.frequency
    let wanted = min(max(Int(parameters.harmonics + 0.5), 1), Self.most)
    let angle = 2 * Double.pi * frequency / sampleRate
    // Cosines of multiples, each from the two before.
    let cosine = RealtimeMath.cos(angle)
    var (before, now) = (1.0, cosine)
    var count = 0
    while count < wanted, Double(count + 1) * frequency < 0.45 * sampleRate {
      let number = Double(count + 1)
      // A harmonic is as many times as far off as its number.
      let width = Double(parameters.width) * (1 + 0.25 * (number - 1))
      let half = RealtimeMath.tan(Double.pi * min(width / sampleRate, 0.1))
      unsafe places[count] = SIMD2(now, (1 - half) / (1 + half))
      (before, now) = (now, 2 * cosine * now - before)
      count += 1
    }
    for notch in count..<max(count, notchCount) {
      for channel in 0..<channelCount { unsafe states[channel * Self.most + notch] = SIMD2(0, 0) }
    }
    notchCount = count
  }

  /// Half the sum of the input and of an all-pass that turns it round at the notch.
  @_noLocks private func filter(_ slice: borrowing RenderSlice, _ channel: Int, _ index: Int) {
    let audio = unsafe slice.channel(channel) + index
    let state = unsafe states + channel * Self.most
    var value = unsafe Double(audio.pointee)
    for notch in 0..<notchCount {
      let place = unsafe places[notch]
      let past = unsafe state[notch]
      let middle = -place[0] * (1 + place[1])
      let passed = place[1] * value + past[0]
      unsafe state[notch] = SIMD2(middle * (value - passed) + past[1], value - place[1] * passed)
      value = 0.5 * (value + passed)
    }
    unsafe audio.pointee = Float(value)
  }
}

/// Makes one hum filter; the factory function of the component. Context: control.
@c(AuricleHumFilterFactory)
public func humFilterFactory(_ request: ComponentRequest) -> ComponentInterface? {
  unsafe makeUnit(HumFilter.self, request) { unsafe render(HumFilter.self, $0, $1) }
}
