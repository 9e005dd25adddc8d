// The multiband compressor: four bands with a threshold, a headroom and a gain each.
// SPDX-License-Identifier: Apache-2.0

public import AuricleSDK
import CAudioToolbox
import RealtimeSupport

/// Four compressors, with the dynamics processor's curve, behind crossovers that add up flat.
///
/// The channels of a band are turned down together. Where no band is compressed and no gain is set, the
/// output is the input behind an all-pass: its magnitudes are unchanged.
@safe struct MultibandCompressor: EffectUnit, ~Copyable {
  static let component = Component(
    "Auricle: Multiband Compressor", subtype: "mcmp", manufacturer: "appl",
    summary: "Four bands, each with a soft compressor and a gain; their sum is flat.",
    tags: ["Effects", "Dynamics"])

  struct Band: ParameterSet {
    @Parameter var threshold: Float
    @Parameter var headroom: Float
    @Parameter var gain: Float
    @Meter var compression: Float
    @Meter var input: Float
    @Meter var output: Float

    init() { self.init(0) }

    init(_ band: Int) {
      let (id, clump) = (UInt32(band), Clump(UInt32(band + 1), "band \(band + 1)"))
      _threshold = Parameter(
        kMultibandCompressorParam_Threshold1 + id, "threshold \(band + 1)", -100...0,
        default: [-22, -32, -33, -36][band], unit: .decibels, clump: clump)
      _headroom = Parameter(
        kMultibandCompressorParam_Headroom1 + id, "headroom \(band + 1)", 0.1...40,
        default: [5, 12, 5, 7.5][band], unit: .decibels, clump: clump)
      _gain = Parameter(
        kMultibandCompressorParam_EQ1 + id, "EQ \(band + 1)", -20...20, default: 0,
        unit: .decibels, clump: clump)
      _compression = Meter(
        kMultibandCompressorParam_CompressionAmount1 + 1000 * id,
        "compression amount \(band + 1)", 0...20, unit: .decibels, clump: clump)
      _input = Meter(
        kMultibandCompressorParam_InputAmplitude1 + 1000 * id, "input amplitude \(band + 1)",
        -120...20, unit: .decibels, clump: clump)
      _output = Meter(
        kMultibandCompressorParam_OutputAmplitude1 + 1000 * id, "output amplitude \(band + 1)",
        -120...20, unit: .decibels, clump: clump)
    }
  }

  struct Edge: ParameterSet {
    @Parameter var frequency: Float
    init() { self.init(0) }
    init(_ edge: Int) {
      _frequency = Parameter(
        kMultibandCompressorParam_Crossover1 + UInt32(edge), "crossover \(edge + 1)", 20...22050,
        default: [120, 700, 3000][edge], unit: .hertz, curve: .logarithmic,
        options: [.upToNyquist, .glides])
    }
  }

  struct Parameters: ParameterSet {
    @Parameter(kMultibandCompressorParam_Pregain, "pre-gain", -40...40, default: 0, unit: .decibels)
    var preGain: Float
    @Parameter(
      kMultibandCompressorParam_Postgain, "post-gain", -40...40, default: 0, unit: .decibels)
    var postGain: Float
    let edges = ParameterSeries<3, Edge> { Edge($0) }
    @Parameter(
      kMultibandCompressorParam_AttackTime, "attack time", 0.001...0.2, default: 0.08,
      unit: .seconds, curve: .logarithmic)
    var attackTime: Float
    @Parameter(
      kMultibandCompressorParam_ReleaseTime, "release time", 0.01...3, default: 0.12,
      unit: .seconds, curve: .logarithmic)
    var releaseTime: Float
    let bands = ParameterSeries<4, Band> { Band($0) }
  }

  static let presets: [Preset<Parameters>] = [
    preset("Fast and Smooth", attack: 0.01, release: 0.08, thresholds: [-24, -26, -28, -30], 8),
    preset("Hard", attack: 0.004, release: 0.15, thresholds: [-30, -32, -34, -36], 3),
    preset("Light", attack: 0.05, release: 0.25, thresholds: [-16, -18, -20, -22], 14),
    preset("Speech", attack: 0.02, release: 0.2, thresholds: [-34, -26, -28, -34], 9),
  ]

  private static func preset(
    _ name: String, attack: Float, release: Float, thresholds: [Float], _ headroom: Float
  ) -> Preset<Parameters> {
    Preset(name) { parameters in
      parameters.attackTime = attack
      parameters.releaseTime = release
      for band in 0..<4 {
        parameters.bands[band].threshold = thresholds[band]
        parameters.bands[band].headroom = headroom
      }
    }
  }

  static let skipsSilence = true

  private let parameters: Parameters
  private let sampleRate: Double
  private var clock = ControlClock()
  private var preGain: OutputGain
  private var splitter: BandSplitter
  private let compressors: UnsafeMutablePointer<BandCompressor>

  init(_ setup: UnitSetup<Self>) {
    parameters = setup.parameters
    sampleRate = setup.sampleRate
    preGain = OutputGain(sampleRate: sampleRate)
    splitter = BandSplitter(sampleRate: sampleRate, channelCount: setup.channelCount)
    unsafe compressors = .allocate(capacity: 4)
    for band in 0..<4 {
      unsafe (compressors + band).initialize(to: BandCompressor(sampleRate: sampleRate))
    }
  }

  deinit {
    unsafe compressors.deinitialize(count: 4)
    unsafe compressors.deallocate()
  }

  @_noLocks mutating func reset() {
    clock.reset()
    preGain.reset()
    splitter.reset()
    for band in 0..<4 { unsafe compressors[band].reset() }
  }

  /// The crossovers ring for as long as their lowest frequency has them.
  var tailSeconds: Double { 0.05 + 5 / Double(max(parameters.edges[0].frequency, 20)) }

  var restSeconds: Double {
    @_noLocks get {
      for band in 0..<4 where unsafe !compressors[band].isAtRest { return .infinity }
      return 0.3
    }
  }

  @_noLocks mutating func process(_ slice: RenderSlice) {
    let isScheduled = slice.hasScheduledValues
    preGain.process(
      slice, decibels: parameters.preGain,
      isScheduled: isScheduled && parameters.$preGain.isScheduled(in: slice))
    for band in 0..<4 {
      unsafe compressors[band].set(
        parameters.bands[band], postGain: parameters.postGain, attack: parameters.attackTime,
        release: parameters.releaseTime)
      if isScheduled { unsafe compressors[band].jump(parameters.bands[band], parameters, slice) }
    }
    var frame = 0
    while frame < slice.frameCount {
      if clock.isAtGridPoint {
        splitter.advance(
          parameters.edges[0].frequency, parameters.edges[1].frequency,
          parameters.edges[2].frequency)
        for band in 0..<4 { unsafe compressors[band].advance() }
      }
      let run = clock.run(of: slice.frameCount - frame, isMoving: true)
      splitter.split(slice, frame, run, phase: clock.phase)
      for band in 0..<4 {
        unsafe compressors[band].process(
          splitter.rows(band), channelCount: splitter.channelCount, run, phase: clock.phase)
      }
      splitter.join(slice, frame, run)
      clock.advance(run)
      if clock.isAtGridPoint { for band in 0..<4 { unsafe compressors[band].endInterval() } }
      frame += run
    }
    for band in 0..<4 { unsafe compressors[band].showMeters(parameters.bands[band]) }
  }
}

/// Makes one multiband compressor; the factory function of the component. Context: control.
@c(AuricleMultibandCompressorFactory)
public func multibandCompressorFactory(_ request: ComponentRequest) -> ComponentInterface? {
  unsafe makeUnit(MultibandCompressor.self, request) {
    unsafe render(MultibandCompressor.self, $0, $1)
  }
}
