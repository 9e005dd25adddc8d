// `auricle say`: texts through a voice and effects, into sound files, or played.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import AudioTypes
import AudioUnits
import AuricleHost
import CommandOutput
import Foundation
import ResultSettings
import RunReports
import SongRendering

/// Says texts.
struct SayCommand: CheckedCommand {
  static let configuration = CommandConfiguration(
    commandName: "say",
    abstract: "Synthesize speech into sound files, or play it.",
    discussion: """
      The voices are those of espeak-ng (apt install libespeak-ng1) or, without it, of flite (apt \
      install libflite1). A chain may follow the voice; its tail is kept. The same text always has \
      the same samples. Phonemes are written in [[ ]], as for espeak-ng. Without -o the text is \
      played.

      With --lines each line of a file becomes a sound file in a folder: NAME, a tab and TEXT, or \
      TEXT alone, whose file is named by its number. Each text is synthesized in a separate \
      process.

      Exit codes: 1 some texts failed, 65 bad lines, 66 no such file, 69 no voice, 70 a unit \
      failed.

      EXAMPLES:
        auricle say "Take the second exit" --voice en-gb -o cue.wav
        auricle say "Take the second exit"
        auricle say --lines cues.txt --rate 160 --preset podcast-voice -o cues/
        auricle say --list-voices --format json
      """)

  @OptionGroup(title: "Chain") var chain: ChainArguments

  @Option(
    help: ArgumentHelp(
      "A language, name or file of --list-voices, with a variant after +: en-gb+f3.",
      valueName: "name"), completion: .voices)
  var voice: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Words a minute, 80 to 450. Default: 180.", valueName: "words"),
    transform: NumberRange.decimal(80...450, "words a minute"))
  var rate: Double?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("The pitch, 0 to 100. Default: 50.", valueName: "number"),
    transform: NumberRange.decimal(0...100))
  var pitch: Double?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("The volume, -120 to 20 dB. Default: 0.", valueName: "dB"),
    transform: NumberRange.decimal(-120...20, "dB"))
  var volume: Double?

  @Option(
    help: ArgumentHelp(
      "Synthesize each line of a file: NAME, a tab and TEXT, or TEXT alone.", valueName: "file"),
    completion: .anyFile)
  var lines: String?

  @Flag(help: "List the voices.")
  var listVoices = false

  @Option(help: ArgumentHelp("Print voices as columns, or as JSON.", valueName: "text|json"))
  var format = OutputFormat.text

  @Option(
    name: [.customShort("o"), .long],
    help: ArgumentHelp(
      "The file to write; a folder for --lines. Without it the text is played.",
      valueName: "file|folder"), completion: .anyFile)
  var output: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Channels of the result, 1 or 2. Default: 1.", valueName: "number"),
    transform: NumberRange.whole(1...2))
  var channels = 1

  @Option(
    name: [.customShort("j", allowingJoined: true), .long], parsing: .unconditional,
    help: ArgumentHelp("Files at once. Default: 1.", valueName: "number"),
    transform: WorkArguments.jobCounts)
  var jobs = 1

  @OptionGroup var files: SongFileArguments
  @OptionGroup(title: "Device") var device: DeviceArguments

  @Argument(help: ArgumentHelp("The text.", valueName: "text"))
  var text: String?

  func check() throws {
    try chain.checkWords()
    guard !listVoices else { return }
    if (text == nil) == (lines == nil) {
      throw ValidationError("Give a text, or --lines with a file of texts.")
    }
    if let text, text.allSatisfy(\.isWhitespace) { throw ValidationError("The text is empty.") }
    guard output?.isEmpty != true, output != nil || lines == nil else {
      throw ValidationError("Name the file to write: -o cue.wav, or a folder for --lines.")
    }
    if lines != nil, let output, PlaceArguments.isNameOfFile(output) {
      throw ValidationError(
        "--lines writes a file for each line: name a folder with -o, such as '\(output)/'.")
    }
    try device.check()
    try files.check()
    if output != nil, let name = device.supplied {
      throw ValidationError("\(name) plays the text, and -o writes it: leave one out.")
    }
  }

  func run() throws {
    Interruption.install()
    if listVoices { return try printVoices() }
    if output == nil { try device.checkName() }
    let items = try items()
    try AuricleInstallation().checkVoice(voice ?? "en")
    guard output != nil else { return try play() }
    let printer = RunPrinter(format: .text, isQuiet: false)
    printer.printsTotal = lines != nil
    try say(items, printer)
  }

  /// Synthesizes the text into a temporary file, and plays that.
  private func play() throws {
    try PlayedFile.with { file in
      try say([item("the text", text ?? "", file)], PlayedFile.printer)
      try device.request(file).run()
    }
  }

  private func say(_ items: [ListedFilesRequest.Item], _ printer: RunPrinter) throws {
    let effects = try chain.request()
    var request = ListedFilesRequest(chain: effects ?? .units([]), items: items)
    request.results = try files.results()
    if effects == nil { request.results.tail = TailPolicy.none }
    var speech = SpeechSettings()
    (speech.voice, speech.rate, speech.pitch, speech.volume) = (voice, rate, pitch, volume)
    var song = SongSettings()
    song.channelCount = channels
    song.speech = speech
    request.results.song = song
    request.work.workerCount = jobs
    try printer.end(AuricleInstallation().run(request, control: printer.control))
  }

  /// Every text with its file, in order.
  private func items() throws -> [ListedFilesRequest.Item] {
    let output = output ?? ""
    guard let lines else {
      let isFolder = output.hasSuffix("/") || FileRun.isFolder(output)
      return [item("the text", text ?? "", isFolder ? place("001", in: output) : output)]
    }
    return try SpokenLines(path: lines).lines.map {
      item("the text '\($0.name)'", $0.text, place($0.name, in: output))
    }
  }

  private func item(_ name: String, _ text: String, _ file: String) -> ListedFilesRequest.Item {
    ListedFilesRequest.Item(name: name, input: .text(text), outputs: [file])
  }

  private func place(_ name: String, in folder: String) -> String {
    (folder as NSString).appendingPathComponent("\(name).\(files.ending)")
  }

  private func printVoices() throws {
    let voices = try AuricleInstallation().speechVoices()
    switch format {
    case .json: try JSONResult.write(voices)
    case .text:
      var table = TextTable([.left, .left, .left, .left])
      for voice in voices {
        table.add([voice.language, TerminalText.plain(voice.name), voice.gender, voice.identifier])
      }
      StandardStreams.writeResult(table.text())
    }
  }
}
