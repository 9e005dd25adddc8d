// `auricle plot`: pictures of the effects of units and presets.
// SPDX-License-Identifier: Apache-2.0

public import ArgumentParser
import AudioTypes
import AuricleHost
public import ChainPlots
import ChainPresets
import CommandOutput
import Foundation
import HostSystem
import PluginCommands
import RunReports

/// The command that draws the effects of chains.
struct PlotCommand: CheckedCommand {
  static let configuration = CommandConfiguration(
    commandName: "plot",
    abstract: "Draw what a unit or a preset does.",
    discussion: """
      A test signal passes through the chain, and the result is drawn in the terminal, or with \
      --output into a file. The kinds are:

        response     gain over frequency, by a sweep at --level
        phase        phase over frequency, without latency
        curve        output level over input level, by a tone at --frequency
        impulse      response to one sample
        step         response to a step
        spectrogram  an even sweep, with its harmonics and aliases

      The target loudness of a preset is not applied; of one with random values the first variant \
      is drawn. PNG files need rsvg-convert (package librsvg2-bin).

      EXAMPLES:
        auricle plot aufx:lpas:appl --set "cutoff frequency=2 kHz"
        auricle plot aufx:lpas:appl --each "resonance=-6 dB,0 dB,12 dB"
        auricle plot podcast-voice --kind curve -o curve.svg
        auricle plot --compare aufx:lpas:appl aufx:hpas:appl -o both.png --theme dark
      """)

  @Option(
    name: .customLong("set"),
    help: ArgumentHelp(
      "A parameter of the units: by name, symbol or id; value with or without unit. Repeat for more.",
      valueName: "name=value"), completion: .settings)
  var settings: [String] = []

  @Option(
    help: ArgumentHelp(
      "Draw the unit with each of these values of a parameter, 2 to 8.",
      valueName: "name=value,value,…"))
  var each: String?

  @Option(
    help: ArgumentHelp(
      "The kind of drawing.", valueName: PlotKind.allCases.map(\.rawValue).joined(separator: "|")))
  var kind = PlotKind.response

  @Option(
    parsing: .upToNextOption,
    help: ArgumentHelp("Draw these units or presets into one picture.", valueName: "unit|preset"),
    completion: .units)
  var compare: [String] = []

  @Option(
    name: [.customShort("o"), .long],
    help: ArgumentHelp("Write an .svg or .png file.", valueName: "file"), completion: .anyFile)
  var output: String?

  @Option(
    help: ArgumentHelp(
      "Colours of a file: light, dark, or auto, as the page around an SVG is.",
      valueName: PlotTheme.allCases.map(\.rawValue).joined(separator: "|")))
  var theme = PlotTheme.auto

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Pixels across a PNG. Default: 1600.", valueName: "pixels"),
    transform: NumberRange.whole(100...10_000, of: "pixels"))
  var width = 1600

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("The signal's peak in dBFS. Default: -20.", valueName: "dB"),
    transform: NumberRange.decimal(-120...20, "dB"))
  var level = -20.0

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("The tone of a curve, in Hz. Default: 1000.", valueName: "Hz"),
    transform: NumberRange.decimal(20...384_000, "Hz"))
  var frequency = 1000.0

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("The sample rate: 48000, 44.1k. Default: 48 kHz.", valueName: "rate"))
  var sampleRate: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Channels, all with the same signal. Default: 2.", valueName: "number"),
    transform: NumberRange.whole(1...64))
  var channels = 2

  @Option(
    help: ArgumentHelp("Print text, or the figures as one JSON object.", valueName: "text|json"))
  var format = OutputFormat.text

  @Flag(help: "Replace an existing file.")
  var overwrite = false

  @OptionGroup var formatOfNames: UnitFormatArguments

  @Flag(help: .hidden) var supervised = false

  @Argument(
    help: ArgumentHelp(
      "A unit (type:subtype:manufacturer, LV2 URI, or name), or a preset (name or file).",
      valueName: "unit|preset"), completion: .units)
  var subject: String?

  func check() throws {
    let names = compare + [subject].compactMap(\.self)
    try formatOfNames.check(names: names)
    guard !names.isEmpty else { throw ValidationError("Name a unit or a preset to draw.") }
    if names.contains("") || output?.isEmpty == true {
      throw ValidationError("A name is empty.")
    }
    if !compare.isEmpty, subject != nil || !(2...8).contains(compare.count) {
      throw ValidationError("--compare takes the names of all chains, 2 to 8.")
    }
    if each != nil, !compare.isEmpty {
      throw ValidationError("Give either --compare or --each, not both.")
    }
    if kind == .spectrogram, !compare.isEmpty || each != nil {
      throw ValidationError("A spectrogram shows one chain: draw each by itself.")
    }
    if let output, PictureFile(path: output) == nil {
      throw ValidationError(
        "--output takes a name that ends in .svg or .png, not '\(TerminalText.plain(output))'.")
    }
  }

  private func request() throws -> PlotRequest {
    let settings = try settings.map { try ParameterSetting(assignment: $0) }
    let names = (compare.isEmpty ? [subject].compactMap(\.self) : compare).map(formatOfNames.named)
    let variants = try variants()
    let sources = names.flatMap { name in
      variants.map { PlotSource(name, settings: settings, variant: $0) }
    }
    var request = PlotRequest(kind, of: sources)
    request.sampleRate = try SignalArguments.rate(sampleRate) ?? request.sampleRate
    request.channelCount = channels
    (request.level, request.frequency) = (level, frequency)
    guard frequency < request.sampleRate / 2 else {
      throw AuricleError(
        .usage, "--frequency takes 20 Hz to half the sample rate, not \(frequency)")
    }
    return request
  }

  /// The settings of each curve of `--each`; one of none without it.
  private func variants() throws -> [[ParameterSetting]] {
    guard let each else { return [[]] }
    let first = try ParameterSetting(assignment: each)
    let values = first.value.value.split(separator: ",").map {
      $0.trimmingCharacters(in: .whitespaces)
    }
    guard (2...8).contains(values.count), !values.contains("") else {
      throw AuricleError(
        .usage, "--each takes 2 to 8 values, such as \"resonance=-3 dB,0 dB,6 dB\", not '\(each)'")
    }
    return values.map { [ParameterSetting(name: first.name, value: Located($0))] }
  }

  func run() throws {
    Interruption.install()
    let request = try request()
    if supervised { return try PlotProcess.serve(request, in: AuricleInstallation()) }
    let words = ProgramArguments.words
    let measured = try PlotProcess.measure(
      arguments: [words[0], "--supervised"] + words.dropFirst(),
      shouldStop: { Interruption.isRequested })
    let figure: PlotFigure
    switch measured {
    case .success(let made): figure = made
    case .failure(let refusal): throw ExitCode(refusal.exitCode)
    }
    if let output {
      try figure.write(to: output, theme: theme, width: width, overwrite: overwrite)
      if format == .json { try JSONResult.write(figure) }
      return
    }
    if format == .json { return try JSONResult.write(figure) }
    StandardStreams.writeDrawing(shown(figure))
  }

  /// The picture in the terminal's form: an image where it can show one, else characters.
  private func shown(_ figure: PlotFigure) -> String {
    let isTerminal = isatty(StandardStreams.results) == 1
    if isTerminal,
      let pictures = TerminalPictures(environment: ProcessInfo.processInfo.environment),
      let png = try? figure.png(theme == .auto ? .dark : theme, width: 1000)
    {
      return pictures.text(png: png)
    }
    var terminal = TerminalAbilities()
    terminal.hasColors = isTerminal && TerminalCanvas.hasColors
    terminal.hasUnicode = TerminalCanvas.hasUnicode
    if isTerminal { terminal.columns = StandardStreams.terminalWidth }
    return figure.text(terminal)
  }
}

extension PlotKind: ExpressibleByArgument {}
extension PlotTheme: ExpressibleByArgument {}
