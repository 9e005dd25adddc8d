// `auricle render`: MIDI files through an instrument and effects.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import AudioTypes
import AuricleHost
import ChainPresets
import CommandOutput
import Foundation
import HostSystem
import ResultSettings
import SongRendering

/// Renders songs.
struct RenderCommand: CheckedCommand {
  static let configuration = CommandConfiguration(
    commandName: "render",
    _superCommandName: AuricleCommand.name,
    abstract: "Render MIDI files through an instrument and effects.",
    discussion: """
      Without --unit and --preset, the General MIDI bank of the system plays. Otherwise the chain \
      begins with an instrument (auricle list aumu), and effects follow it. Notes start at their \
      exact frame: latency is removed. After the last event all notes end, and the sound rings out \
      until it is silent. A track that ends later than its last event adds up to a minute. In a \
      preset with instruments, each plays its own channels and tracks.

      Each song is rendered in a separate process, as files are by auricle process. When the \
      instrument crashes, the song is tried once more, then set aside, and the run goes on. In a \
      folder, a ledger records every song, so that an interrupted run can be continued (--resume); \
      see also auricle status, report and verify. Folders are searched for MIDI files.

      With --stems each track, or each instrument of the preset, is also written to its own file \
      beside the mix.

      Exit codes: 1 some songs failed, 65 no MIDI file, 66 no such file, 69 no such unit, 70 a \
      unit failed.

      EXAMPLES:
        auricle render song.mid -o song.wav
        auricle render song.mid --bank /usr/share/sounds/sf2/TimGM6mb.sf2 -o song.wav
        auricle render song.mid --unit 'MDA ePiano' -o song.wav
        auricle render song.mid --preset band -o stems/ --stems
        auricle render take*.mid --preset piano --output out/ --jobs 8
        auricle render --resume out/
      """)

  @OptionGroup(title: "Chain") var chain: ChainArguments

  @Option(
    help: ArgumentHelp(
      "The sound bank (SoundFont, DLS) of the instrument. Default: the General MIDI bank of the system.",
      valueName: "file"), completion: .anyFile)
  var bank: String?

  @Option(
    name: [.customShort("o"), .long],
    help: ArgumentHelp(
      "The file to write; a folder for several songs or stems.",
      valueName: "file|folder"), completion: .anyFile)
  var output: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Render only this track, counted from 1.", valueName: "number"),
    transform: NumberRange.whole(1...65_535))
  var track: Int?

  @Flag(help: "Write one file for each track with notes, or each instrument of the preset.")
  var stems = false

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Channels of the result, 1 or 2. Default: 2.", valueName: "number"),
    transform: NumberRange.whole(1...2))
  var channels: Int?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The longest song, at most 6:00:00. Default: 10 minutes, or 20 times the span of its events.",
      valueName: "time"),
    transform: DurationArgument.song)
  var longest: DurationArgument?

  @Flag(help: "Render damaged songs as far as they can be read; a note names what is lost.")
  var tolerant = false

  @OptionGroup var files: SongFileArguments
  @OptionGroup(title: "Run") var runOptions: RunArguments
  @OptionGroup(title: "Run") var variantOptions: VariantArguments
  @OptionGroup(title: "Run") var work: WorkArguments

  @OptionGroup var printing: PrintArguments

  @Argument(
    help: ArgumentHelp("MIDI files, and folders to search for them.", valueName: "song"),
    completion: .anyFile)
  var songs: [String] = []

  func check() throws {
    try chain.checkWords()
    try runOptions.check()
    try work.check()
    try files.check()
    if songs.contains("") || output == "" || bank == "" || runOptions.fromFile == "" {
      throw ValidationError("The name of a file is empty.")
    }
    if songs.contains("-") {
      throw ValidationError("Songs are files: store standard input in one ('./-' is one named so).")
    }
    if stems, track != nil { throw ValidationError("Give either --stems or --track, not both.") }
    if runOptions.resume != nil { return try checkResumedSongs() }
    if songs.isEmpty, runOptions.fromFile == nil {
      throw ValidationError("Name MIDI files, or folders of them, or --from-file.")
    }
    guard output != nil else {
      throw ValidationError("Say where results go: -o song.wav, or a folder.")
    }
    if let option = optionForFolder, stems || !isFolder {
      throw ValidationError(
        stems
          ? "\(option) is for songs in a folder: leave it out beside --stems."
          : "\(option) is for songs in a folder: name one, such as -o out/.")
    }
  }

  /// Whether results go into a folder.
  private var isFolder: Bool {
    guard let output else { return true }
    return stems || songs.count > 1 || output.hasSuffix("/") || runOptions.fromFile != nil
      || FileIdentity.isFolder(output) || songs.contains(where: FileIdentity.isFolder)
  }

  func run() throws {
    Interruption.install()
    if let bank, FileIdentity.of(bank) == nil {
      throw FileIdentity.absence(of: bank, .soundBank)
    }
    guard stems || !isFolder, let output else { return try runFolder(printing.printer) }
    let printer = printing.printer
    let host = AuricleInstallation()
    guard stems else {
      var request = SingleFileRequest(
        chain: try instruments(), input: .file(songs[0]), output: .file(output))
      request.results = try results()
      request.work = work.request
      request.seed = variantOptions.seed
      printer.printsTotal = false
      return try printer.end(host.run(request, control: printer.control))
    }
    let parts = try SongStems(
      of: songs, instruments(), in: host, into: output, ending: files.ending)
    var request = ListedFilesRequest(chain: try instruments(), items: parts.items)
    request.results = try results()
    request.results.song?.stems = parts.instruments
    request.work = work.request
    request.seed = variantOptions.seed
    try printer.end(host.run(request, control: printer.control))
  }

  /// Returns the instruments that play.
  func instruments() throws -> ChainRequest {
    try chain.request() ?? Self.generalMIDI
  }

  /// The instrument of a command without a chain: it plays the General MIDI bank of the system.
  static let generalMIDI = ChainRequest.units([UnitEntry(unit: "aumu:dls :appl")])

  /// Returns the requested results.
  func results() throws -> ResultRequest {
    var results = try files.results()
    results.track = track
    results.isTolerant = tolerant
    results.channelCount = channels.map { .set($0) } ?? .asPreset
    var song = SongSettings()
    song.bank = bank.map { URL(fileURLWithPath: $0).path }
    song.longestSeconds = longest?.seconds
    results.song = song
    return results
  }
}
