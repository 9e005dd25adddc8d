// The speech unit: says a text from its first slice on.
// SPDX-License-Identifier: Apache-2.0

public import AuricleSDK
import RealtimeSupport

/// What a unit that speaks keeps beside its parameters.
struct SpeechModel: UnitModel {
  var text = ""
  /// A language, a name or a file of espeak-ng's.
  var voice = "en"

  init() {}

  func save(to state: UnitState) {
    state.set("text", string: text)
    state.set("voice", string: voice)
  }

  init(restoring state: UnitState, version: Int32) {
    text = state.string("text") ?? ""
    voice = state.string("voice") ?? "en"
  }
}

/// Speaks by espeak-ng. A text is said as a whole before it is heard, so that its samples depend on nothing but the
/// text, the voice and the parameters; `process` plays them. A new text takes the place of the one before, from its start.
@safe struct SpeechUnit: GeneratorUnit, ~Copyable {
  typealias State = SpeechModel

  static let component = Component(
    "Auricle: Speech", subtype: "ttsp", manufacturer: "appl",
    summary: "Speaks a text in one of the voices of espeak-ng.", tags: ["Generators", "Speech"])

  struct Parameters: ParameterSet {
    /// Words a minute, for the next text.
    @Parameter(0, "rate", 80...450, default: 180) var rate: Float
    /// For the next text.
    @Parameter(1, "pitch", 0...100, default: 50) var pitch: Float
    @Parameter(2, "volume", -120...20, default: 0, unit: .decibels, smoothing: 0.02)
    var volume: Ramp
  }

  static var properties: [CustomProperty<Self>] {
    CustomProperty<Self>.files([
      FileSetting(
        "text", name: "text", isPath: false, get: { $0.state.text },
        set: { (access, text) throws(UnitRefusal) in
          // What is missing is told here, not when it is to be heard.
          if !text.isEmpty { _ = try Speaker.voices() }
          var state = access.state
          state.text = text
          try access.setState(state)
        }),
      FileSetting(
        "voice", name: "voice", isPath: false, get: { $0.state.voice },
        set: { (access, voice) throws(UnitRefusal) in
          _ = try Speaker.voices().find(voice)
          var state = access.state
          state.voice = voice
          try access.setState(state)
        }),
    ]) + [
      .tables(kAuricleProperty_SpeechVoices) { (_) throws(UnitRefusal) in
        try Speaker.voices().voices.map(\.table)
      },
      .number(kAuricleProperty_SpeechDuration) { access in
        (try? Speaker.say(request(access.state, access.parameters)).seconds) ?? 0
      },
    ]
  }

  private static func request(_ state: State, _ parameters: Parameters) -> Speaker.Request {
    Speaker.Request(
      text: state.text, voice: state.voice, rate: Int32(parameters.rate.rounded()),
      pitch: Int32(parameters.pitch.rounded()))
  }

  private let parameters: Parameters
  private let samples: UnsafeMutableBufferPointer<Float>
  /// The next sample that is heard.
  private var place = 0

  init(_ setup: UnitSetup<Self>) throws(UnitRefusal) {
    let utterance = try Speaker.say(Self.request(setup.state, setup.parameters))
    let sound = WholeSound.convert(
      utterance.samples, from: utterance.sampleRate, to: setup.sampleRate)
    parameters = setup.parameters
    unsafe samples = .allocate(capacity: max(sound.count, 1))
    unsafe _ = samples.initialize(from: sound.isEmpty ? [0] : sound)
  }

  deinit { unsafe samples.deallocate() }

  @_noLocks mutating func reset() { place = 0 }

  @_noLocks mutating func process(_ slice: RenderSlice) {
    let count = slice.frameCount
    guard slice.channelCount > 0 else { return }
    let first = unsafe slice.channel(0)
    let run = unsafe min(count, samples.count - place)
    for frame in 0..<run { unsafe first[frame] = samples[place + frame] }
    for frame in run..<count { unsafe first[frame] = 0 }
    place += run
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
}

/// Makes one speech unit; the factory function of the component. Context: control.
@c(AuricleSpeechFactory)
public func speechFactory(_ request: ComponentRequest) -> ComponentInterface? {
  unsafe makeUnit(SpeechUnit.self, request) { unsafe render(SpeechUnit.self, $0, $1) }
}
