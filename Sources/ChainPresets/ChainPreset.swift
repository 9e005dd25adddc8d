// The model of a chain preset: what to load, how to set it, what to do with the output.
// SPDX-License-Identifier: Apache-2.0

/// A chain of units with their settings, as a preset file or a command line tells it.
///
/// Nothing here depends on what is installed; `resolve(_:in:)` joins a preset to real units.
public struct ChainPreset: Sendable {
  /// The version of the format this program reads, told by the key `auricle`.
  public static let formatVersion = 1

  /// What people call it: "Podcast voice".
  public var name: String
  /// What it is for, in a sentence or two.
  public var description = ""
  /// Who made it.
  public var author = ""
  /// Under which terms it may be used.
  public var license = ""
  /// Words to find it by.
  public var tags: [String] = []
  /// Units and branches in the order of the signal.
  public var entries: [ChainEntry] = []
  /// What happens at the end of the chain.
  public var output = OutputSettings()
  /// The files a rendering is stored as, each with all its settings; empty for one as in `output`.
  public var render: [Deliverable] = []
  /// The file it was read from, for diagnostics; not compared.
  public var source: PresetSource?

  /// Makes a preset of units in a row in code.
  ///
  /// Context: any.
  public init(name: String, units: [UnitEntry] = [], output: OutputSettings = OutputSettings()) {
    self.name = name
    self.entries = units.map(ChainEntry.unit)
    self.output = output
  }

  /// All units in the order they are written, those of branches among them.
  ///
  /// Context: any.
  public var units: [UnitEntry] { entries.flatMap(\.units) }

  /// Whether some value of the preset is drawn anew for each variant.
  ///
  /// Context: any.
  public var hasRandomValues: Bool {
    units.contains { $0.parameters.contains { $0.random != nil } }
  }
}

extension ChainPreset: Equatable {
  /// Compares what two presets say, not where they say it.
  ///
  /// Context: any.
  public static func == (left: ChainPreset, right: ChainPreset) -> Bool {
    left.name == right.name && left.description == right.description
      && left.author == right.author && left.license == right.license && left.tags == right.tags
      && left.entries == right.entries && left.output == right.output && left.render == right.render
  }
}

/// One unit of a chain: which component, and how it is set.
public struct UnitEntry: Sendable, Equatable {
  /// The component: `aufx:hpas:appl`, an LV2 URI, or a unique name.
  public var unit: Located<String>
  /// What to call this stage, and where that is written.
  public var name: Located<String>?
  /// A factory preset's name or number, an LV2 preset's URI, or the path of an `.aupreset` file;
  /// chosen before `parameters` are set.
  public var preset: Located<String>?
  /// The parameters to set, in the order written.
  public var parameters: [ParameterSetting]
  /// Whether the signal passes by the unit.
  public var isBypassed: Bool
  /// How much of the unit is heard: 0 is only its input, 1 only its output.
  public var mix: Double
  /// The parameters that change over time.
  public var automation: [AutomationEntry] = []
  /// What feeds further input buses.
  public var sideChains: [SideChainEntry] = []
  /// The output bus that is heard, by number or name; `nil` for the first.
  public var output: Located<String>?

  /// What to call this stage in reports, or `nil` for the component's own name.
  ///
  /// Context: any.
  public var label: String? {
    get { name?.value }
    set { name = newValue.map { Located($0) } }
  }

  /// Makes an entry in code or from a command line.
  ///
  /// Context: any.
  public init(
    unit: Located<String>, label: String? = nil, preset: Located<String>? = nil,
    parameters: [ParameterSetting] = [], isBypassed: Bool = false, mix: Double = 1
  ) {
    self.unit = unit
    self.name = label.map { Located($0) }
    self.preset = preset
    self.parameters = parameters
    self.isBypassed = isBypassed
    self.mix = mix
  }

  /// Makes an entry of a component's name.
  ///
  /// Context: any.
  public init(unit: String) { self.init(unit: Located(unit)) }
}

/// A parameter and its value as they are written.
public struct ParameterSetting: Sendable, Equatable {
  /// The parameter: a name (any case), an LV2 symbol, or an id.
  public var name: Located<String>
  /// The value: a number, a number with a unit, `true`, `false`, or the name of a value.
  public var value: Located<String>
  /// What the value is drawn from for each variant; `value` then only says so in words.
  public var random: RandomSetting?

  /// Makes a setting.
  ///
  /// Context: any.
  public init(name: Located<String>, value: Located<String>, random: RandomSetting? = nil) {
    self.name = name
    self.value = value
    self.random = random
  }

  /// Reads `NAME=VALUE` as given on a command line.
  ///
  /// - Throws: One diagnostic of the kind `usage` when there is no name or no value.
  ///
  /// Context: any.
  public init(assignment: String) throws(PresetErrors) {
    guard let equals = assignment.firstIndex(of: "=") else {
      throw PresetErrors([
        PresetDiagnostic(
          "\(quoted(assignment)) has no '='; write NAME=VALUE, such as \"threshold=-20 dB\"",
          kind: .usage)
      ])
    }
    let name = trimmingSpaces(String(assignment[..<equals]))
    let value = trimmingSpaces(String(assignment[assignment.index(after: equals)...]))
    guard !name.isEmpty, !value.isEmpty else {
      let missing = name.isEmpty ? "name before" : "value after"
      throw PresetErrors([
        PresetDiagnostic("\(quoted(assignment)) has no \(missing) the '='", kind: .usage)
      ])
    }
    self.init(name: Located(name), value: Located(value))
  }
}

/// What happens at the end of a chain: tail, latency, and the format of the file.
public struct OutputSettings: Sendable, Equatable {
  /// How long the output goes on after the input has ended.
  public enum Tail: Sendable, Equatable {
    /// As long as the units tell, or until it is silent where they do not.
    case automatic
    /// Not at all: what would ring on is cut.
    case none
    /// The output is exactly as long as the input, even where a delay is kept.
    case keepLength
    /// So many seconds.
    case seconds(Double)
  }

  /// What happens to the units' delay.
  public enum Latency: String, Sendable, CaseIterable {
    /// It is cut off, so that the output is aligned with the input.
    case compensate
    /// It stays in the output.
    case keep
  }

  /// A place in a file.
  public struct Place: Sendable, Equatable {
    /// Seconds.
    public var seconds: Double
    /// Whether they are counted from the end backwards.
    public var isFromEnd: Bool

    /// A place.
    public init(seconds: Double, isFromEnd: Bool = false) {
      self.seconds = seconds
      self.isFromEnd = isFromEnd
    }

    var text: String { "\(isFromEnd ? "-" : "")\(plainNumber(seconds)) s" }
  }

  /// What hides the rounding when samples lose bits.
  public enum Dither: String, Sendable, CaseIterable {
    /// Nothing: samples are rounded.
    case none
    /// Noise of triangular distribution, two quantisation steps wide.
    case triangular
    /// Triangular noise that is moved to where the ear hears it least.
    case shaped
  }

  /// How much work is put into a change of sample rate.
  public enum ResampleQuality: String, Sendable, CaseIterable {
    /// Cubic interpolation.
    case quick
    /// 16 bits with a large roll-off.
    case low
    /// 16 bits with a medium roll-off.
    case medium
    /// 20 bits.
    case high
    /// 28 bits.
    case veryHigh = "very-high"
  }

  /// How fades go.
  public enum FadeCurve: String, Sendable, CaseIterable {
    /// The gain grows evenly.
    case linear
    /// A quarter of a sine: equal power.
    case sine
    /// Half a cosine: soft at both ends.
    case cosine
    /// Evenly in decibels.
    case exponential
  }

  /// The tail; automatic when the preset does not tell.
  public var tail = Tail.automatic
  /// The latency; compensated when the preset does not tell.
  public var latency = Latency.compensate
  /// Where in the input to begin; `nil` for its start.
  public var start: Place?
  /// Where in the input to end; `nil` for its end.
  public var end: Place?
  /// What counts as silence at both ends and is cut off, in dB of full scale; `nil` cuts nothing.
  public var silenceThreshold: Double?
  /// The file container by name, or `nil` for the input's.
  public var container: Located<String>?
  /// The encoding by name, or `nil` for the input's.
  public var encoding: Located<String>?
  /// Bits a second of compressing encodings, or `nil` for the encoder's own choice.
  public var bitRate: Int?
  /// Whether texts, marks, pictures and the like go from inputs to results.
  public var keepsMetadata = true
  /// The sample rate in Hz, or `nil` for the input's.
  public var sampleRate: Double?
  /// How much work is put into a change of sample rate, or `nil` to leave that to the program.
  public var resampleQuality: ResampleQuality?
  /// The number of channels, or `nil` for the input's.
  public var channelCount: Int?
  /// The integrated loudness the file is brought to (LUFS), or `nil` to leave it.
  public var loudness: Double?
  /// The highest true peak (dBTP), or `nil` for no limit.
  public var truePeak: Double?
  /// The sample peak the file is brought to (dB of full scale), or `nil` to leave it.
  public var peak: Double?
  /// What hides the rounding when samples lose bits, or `nil` to leave that to the program.
  public var dither: Dither?
  /// The length of the fade at the start in seconds.
  public var fadeIn = 0.0
  /// The length of the fade at the end in seconds.
  public var fadeOut = 0.0
  /// How fades go, or `nil` for evenly.
  public var fadeCurve: FadeCurve?

  /// What counts as silence when nothing else is told, in dB of full scale.
  public static let usualSilence = -60.0
  /// The sample rates that files may be given, in Hz.
  public static let sampleRates = 1000.0...768_000

  /// Makes the settings a preset has that tells none.
  ///
  /// Context: any.
  public init() {}
}
