// The request of a run, in words: the chain with its parameters, targets, options, inputs.
// SPDX-License-Identifier: Apache-2.0

import AudioFiles
import HostSystem
import ResultSettings
import RunLedgers
import Workers

/// The request of a run, as its manifest has it.
struct RequestText {
  let manifest: RunManifest

  /// Inputs that are named.
  private static let mostInputs = 12

  /// Names and values: the units in their order, then the properties of results, then the inputs.
  var rows: [(String, String)] { chain + results + inputs }

  // MARK: Chain

  /// A row a unit with its settings, and one a branch.
  var chain: [(String, String)] {
    let entries = JSONValue(text: manifest.preset)?["units"]?.elements ?? []
    // Units that were found replace unreadable parts of the preset.
    guard !entries.isEmpty else {
      return manifest.units.map { ("Unit", "\($0.name) \($0.version) (\($0.identity))") }
    }
    return entries.flatMap { rows(of: $0) }
  }

  private func rows(of entry: JSONValue) -> [(String, String)] {
    guard let branches = entry["parallel"]?.elements else { return [("Unit", unit(entry))] }
    return branches.enumerated().flatMap { number, branch in
      let gain = branch["gain"]?.text ?? "0 dB"
      var text = branch["name"]?.text.map { "\($0), \(gain)" } ?? gain
      if let pan = branch["pan"]?.number, pan != 0 { text += ", pan \(Figures.plain(pan))" }
      let units = branch["units"]?.elements ?? []
      if units.isEmpty { text += ", no units" }
      return [("Branch \(number + 1)", text)] + units.flatMap { rows(of: $0) }
    }
  }

  /// `Auricle: High-Pass Filter 1.0.0 (aufx:hpas:appl) “Rumble”: cutoff frequency 80 Hz, mix 60 %`.
  private func unit(_ entry: JSONValue) -> String {
    let written = entry["unit"]?.text ?? ""
    let found = manifest.units.first { $0.identity == written || $0.name == written }
    var text = found.map { "\($0.name) \($0.version) (\($0.identity))" } ?? written
    if let label = entry["name"]?.text { text += " “\(label)”" }
    var settings: [String] = []
    if entry["bypass"]?.boolean == true { settings.append("bypassed") }
    if let preset = entry["preset"] { settings.append("preset \(Self.value(preset))") }
    settings += (entry["parameters"]?.members ?? []).map { "\($0.key) \(Self.value($0.value))" }
    settings += (entry["automation"]?.members ?? []).map { "\($0.key) automated" }
    if let mix = entry["mix"]?.number, mix != 1 {
      settings.append("mix \(Figures.plain((mix * 1000).rounded() / 10)) %")
    }
    for source in entry["sidechain"]?.elements ?? [] {
      let name = source["from"]?.text ?? source["file"]?.text ?? "a file"
      settings.append("side chain from \(name)")
    }
    return settings.isEmpty ? text : text + ": " + settings.joined(separator: ", ")
  }

  /// A value of a parameter as presets have it; a random one with its distribution.
  private static func value(_ json: JSONValue) -> String {
    if let values = json["choose"]?.elements {
      return "one of " + values.map(value).joined(separator: ", ")
    }
    if let ends = json["random"]?.elements, ends.count >= 2 {
      return "between \(value(ends[0])) and \(value(ends[1]))"
    }
    if let truth = json.boolean { return truth ? "on" : "off" }
    return json.text ?? json.number.map { Figures.plain($0) } ?? json.compactText
  }

  // MARK: Results

  /// The properties of results: their levels, their kind, their ends, and options.
  var results: [(String, String)] {
    let settings = manifest.settings
    var rows: [(String, String)] = []
    for file in settings.deliverables {
      let name = file.name.map { " of \($0)" } ?? ""
      if let level = Self.level(file) { rows.append(("Level" + name, level)) }
      rows.append(("Results" + name, Self.kind(file)))
    }
    rows.append(("Length", Self.length(settings)))
    let options = options
    if !options.isEmpty { rows.append(("Options", options.joined(separator: ", "))) }
    return rows
  }

  /// `-16 LUFS, true peak at most -1 dBTP`; nil where no level is asked for.
  private static func level(_ file: DeliverableSettings) -> String? {
    var parts: [String] = []
    if let loudness = file.loudness { parts.append("\(Figures.plain(loudness)) LUFS") }
    if let peak = file.peak { parts.append("highest sample \(Figures.plain(peak)) dBFS") }
    if let truePeak = file.truePeak {
      parts.append("true peak at most \(Figures.plain(truePeak)) dBTP")
    }
    return parts.isEmpty ? nil : parts.joined(separator: ", ")
  }

  private static func kind(_ file: DeliverableSettings) -> String {
    var parts = [file.container?.name, file.encoding?.name].compactMap(\.self)
    if let rate = file.bitRate { parts.append("\(Figures.plain(Double(rate) / 1000)) kbit/s") }
    if let strategy = file.encoder.strategy { parts.append(strategy.rawValue) }
    if let quality = file.encoder.quality { parts.append("quality \(quality)") }
    if let rate = file.sampleRate { parts.append("\(Figures.plain(rate)) Hz") }
    if let count = file.channelCount {
      parts.append(Figures.count(count, "channel", "channels"))
    }
    if file.dither != .none { parts.append("dither \(file.dither.rawValue)") }
    if file.fadeIn > 0 { parts.append("fade in \(Figures.plain(file.fadeIn)) s") }
    if file.fadeOut > 0 { parts.append("fade out \(Figures.plain(file.fadeOut)) s") }
    return parts.isEmpty ? "of the kind of their inputs" : parts.joined(separator: ", ")
  }

  private static func length(_ settings: JobSettings) -> String {
    var parts: [String] = []
    if let start = settings.start { parts.append("from \(position(start))") }
    if let end = settings.end { parts.append("to \(position(end))") }
    switch settings.tail {
    case .automatic: parts.append("until the sound has died away")
    case .none: parts.append("without a tail")
    case .keepLength: parts.append("that of the input")
    case .seconds(let seconds): parts.append("with a tail of \(Figures.plain(seconds)) s")
    }
    if settings.latency == .keep { parts.append("delays of units kept") }
    if let level = settings.silenceThreshold {
      parts.append("silence below \(Figures.plain(level)) dBFS cut off")
    }
    return parts.joined(separator: ", ")
  }

  private static func position(_ place: TimePosition) -> String {
    "\(Figures.plain(place.seconds)) s" + (place.isFromEnd ? " before the end" : "")
  }

  private var options: [String] {
    let settings = manifest.settings
    var parts: [String] = []
    if let raw = settings.rawInput {
      parts.append("inputs without a header (\(raw.rawDescription))")
    }
    if let track = settings.track { parts.append("sound track \(track)") }
    if !settings.keepsMetadata { parts.append("no metadata") }
    if !settings.keepsVideo { parts.append("no pictures of videos") }
    if settings.isTolerant { parts.append("damaged inputs as far as they can be read") }
    if manifest.variantCount > 1 { parts.append("\(manifest.variantCount) variants of each file") }
    if let seed = manifest.seed { parts.append("seed \(seed)") }
    let usual = OutputTemplate.standard(
      hasRenders: !settings.plannedRenders.isEmpty && settings.deliverables.count > 1,
      hasVariants: manifest.variantCount > 1
    ).text
    if manifest.template != usual { parts.append("names \(manifest.template)") }
    if manifest.output == nil { parts.append("in place") }
    if manifest.existing != .error {
      parts.append("results that exist: \(manifest.existing.rawValue)")
    }
    return parts
  }

  // MARK: Inputs

  private var inputs: [(String, String)] {
    if let watch = manifest.watch { return [("Watched", watch.folder)] }
    var names = manifest.inputs.prefix(Self.mostInputs).joined(separator: ", ")
    let more = manifest.inputs.count - Self.mostInputs
    if more > 0 { names += " and \(more) more" }
    if let list = manifest.list { names += (names.isEmpty ? "" : ", ") + "the list \(list)" }
    let folders = manifest.isRecursive ? "" : ", without folders in folders"
    return [("Inputs", names + folders)]
  }
}
