// An instrument in a page: voices of one sine, with a release.
// SPDX-License-Identifier: Apache-2.0

public import AudioTypes
public import AudioUnits
import AuricleSDK
import CAudioToolbox
import RealtimeSupport

struct OrganUnit: InstrumentUnit, ~Copyable {
  static let component = Component("Test: Organ", subtype: "orgn", manufacturer: "Test")

  struct Parameters: ParameterSet {
    @Parameter(1, "volume", 0...1, default: 0.25, unit: .linearGain, smoothing: 0.01)
    var volume: Ramp
    @Parameter(2, "release", 0...2, default: 0.01, unit: .seconds) var release: Float
  }

  struct Voice: InstrumentVoice {
    let parameters: Parameters
    let sampleRate: Double
    var phase = 0.0
    var level: Float = 0
    var fall: Float = 0

    init(_ parameters: Parameters, _ sampleRate: Double) {
      self.parameters = parameters
      self.sampleRate = sampleRate
    }

    @_noLocks mutating func start(_ note: Note) {
      phase = 0
      level = note.velocity
      fall = 0
    }

    @_noLocks mutating func release(_ note: Note) {
      fall = level / max(1, parameters.release * Float(sampleRate))
    }

    @_noLocks mutating func render(_ note: Note, _ output: VoiceOutput) -> Bool {
      let step = note.frequency / sampleRate
      let volume = parameters.volume
      let pressed = 1 + note.pressure
      for channel in 0..<output.channelCount {
        var samples = output.samples(channel)
        for frame in 0..<output.frameCount {
          let height = max(0, level - fall * Float(frame))
          let sine = RealtimeMath.sin(2 * Double.pi * (phase + step * Double(frame)))
          samples[frame] += Float(sine) * height * pressed * volume[output.firstFrame + frame]
        }
      }
      phase += step * Double(output.frameCount)
      phase -= Double(Int(phase))
      level -= fall * Float(output.frameCount)
      return level > 0
    }
  }

  private let parameters: Parameters
  private var voices: VoicePool<Voice>

  init(_ setup: UnitSetup<Self>) {
    let (parameters, sampleRate) = (setup.parameters, setup.sampleRate)
    self.parameters = parameters
    voices = VoicePool(count: 4) { Voice(parameters, sampleRate) }
  }

  @_noLocks mutating func reset() { voices.reset() }

  @_noLocks mutating func process(_ slice: RenderSlice) { voices.render(slice) }

  var tailSeconds: Double { Double(parameters.release) }
}

extension TestUnits {
  /// An instrument of four voices: volume 1, release 2.
  public static func organ() throws(AuricleError) -> AudioUnit {
    unsafe try open(
      OrganUnit.self, makeUnit(OrganUnit.self, nil) { unsafe render(OrganUnit.self, $0, $1) })
  }
}
