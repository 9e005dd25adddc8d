// The speech unit: speaks its text from its first slice on.
// SPDX-License-Identifier: Apache-2.0

public import AuricleSDK
import RealtimeSupport
import Synchronization

/// Speaks by espeak-ng or flite. A text is synthesised as a whole before it plays, so that its samples depend on
/// nothing but the text, the voice and the parameters; `process` plays them. A new text replaces the one before, from
/// its start.
@safe struct SpeechUnit: GeneratorUnit, ~Copyable {
  typealias State = SpeechModel

  static let component = Component(
    "Auricle: Speech", subtype: "ttsp", manufacturer: "appl",
    summary: "Speaks a text in one of the voices of espeak-ng or flite.",
    tags: ["Generators", "Speech"])

  struct Parameters: ParameterSet {
    /// Words a minute, for the next text.
    @Parameter(0, "rate", 80...450, default: 180) var rate: Float
    /// For the next text.
    @Parameter(1, "pitch", 0...100, default: 50) var pitch: Float
    @Parameter(2, "volume", -120...20, default: 0, unit: .decibels, smoothing: 0.02)
    var volume: Ramp
  }

  private let parameters: Parameters
  private let samples: UnsafeMutableBufferPointer<Float>
  /// Keeps the memory at which the next one points.
  private let progress: SpeechProgress
  private let shared: UnsafeMutablePointer<SpeechProgress.Shared>
  private let sampleRate: Double
  /// The next sample to play.
  private var place = 0

  init(_ setup: UnitSetup<Self>) throws(UnitRefusal) {
    let utterance = try Speaker.say(Self.request(setup.state, setup.parameters))
    let sound = WholeSound.convert(
      utterance.samples, from: utterance.sampleRate, to: setup.sampleRate)
    parameters = setup.parameters
    progress = setup.state.progress
    unsafe shared = setup.state.progress.shared
    sampleRate = setup.sampleRate
    unsafe samples = .allocate(capacity: sound.count)
    unsafe _ = samples.initialize(from: sound)
    progress.begin(utterance, count: sound.count, sampleRate: sampleRate)
  }

  deinit {
    unsafe shared.pointee.isGone.store(true, ordering: .relaxed)
    unsafe samples.deallocate()
  }

  @_noLocks mutating func reset() {
    place = 0
    unsafe shared.pointee.place.store(0, ordering: .relaxed)
  }

  @_noLocks mutating func process(_ slice: RenderSlice) {
    let count = slice.frameCount
    guard slice.channelCount > 0 else { return }
    let first = unsafe slice.channel(0)
    let run = min(count, max(0, limit() - place))
    for frame in 0..<run { unsafe first[frame] = samples[place + frame] }
    for frame in run..<count { unsafe first[frame] = 0 }
    place += run
    unsafe shared.pointee.place.store(place, ordering: .relaxed)
    let volume = parameters.volume
    if !volume.isConstant || volume.target != 0 {
      let steady = RealtimeMath.gain(decibels: Double(volume.target))
      for frame in 0..<run {
        let gain = volume.isConstant ? steady : RealtimeMath.gain(decibels: Double(volume[frame]))
        unsafe first[frame] *= Float(gain)
      }
    }
    for channel in 1..<max(slice.channelCount, 1) {
      unsafe SampleCopy.copy(from: first, to: slice.channel(channel), count: count)
    }
  }

  /// The frame at which it is silent: its end, or where a host said.
  @_noLocks private func limit() -> Int {
    let pause = unsafe shared.pointee.pause.load(ordering: .relaxed)
    let stop = unsafe shared.pointee.stop.load(ordering: .relaxed)
    let end = unsafe min(
      shared.pointee.end(pause, sampleRate: sampleRate),
      shared.pointee.end(stop, sampleRate: sampleRate))
    return unsafe min(samples.count, end)
  }
}

/// Makes one speech unit; the factory function of the component. Context: control.
@c(AuricleSpeechFactory)
public func speechFactory(_ request: ComponentRequest) -> ComponentInterface? {
  unsafe makeUnit(SpeechUnit.self, request) { unsafe render(SpeechUnit.self, $0, $1) }
}
