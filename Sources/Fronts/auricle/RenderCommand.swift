// `auricle render`: MIDI files through an instrument and effects.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import AudioTypes
import AuricleHost
import ChainPresets
import CommandOutput
import Foundation
import SongRendering

/// Renders songs.
struct RenderCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "render",
    abstract: "Render MIDI files through an instrument and effects.",
    discussion: """
      The chain begins with an instrument (auricle list aumu), native or LV2; effects follow it. A note \
      sounds at its frame: latency is taken out. Behind the last event all notes are ended, and the sound \
      rings out until it is silent. One file is rendered for each song, or with --stems one for each \
      track. A preset with instruments plays channels and tracks on each of them; with --stems each \
      instrument has a file beside the mix.

      Each song has a process of its own. One whose instrument crashes is tried again, then left out; the \
      others are done. A file is there when it is whole, so a batch that was cut off goes on with \
      --on-exists skip.

      Exit codes: 1 some songs failed, 65 no MIDI file, 66 no such file, 69 no such unit, 70 a unit failed.

      EXAMPLES:
        auricle render song.mid --bank /usr/share/sounds/sf2/TimGM6mb.sf2 -o song.wav
        auricle render song.mid --unit 'MDA ePiano' -o song.wav
        auricle render song.mid --preset piano.yaml -o stems/ --stems
        auricle render take*.mid --preset piano.yaml --output out/ --jobs 8
      """)

  @OptionGroup(title: "Chain") var chain: ChainArguments

  @Option(
    help: ArgumentHelp(
      "The sound bank (SoundFont, DLS) of the instrument; without --unit it plays on 'dls '.",
      valueName: "file"), completion: .anyFile)
  var bank: String?

  @Option(
    name: [.customShort("o"), .long],
    help: ArgumentHelp(
      "The file to write, or the folder, for several songs and for stems.",
      valueName: "file|folder"), completion: .anyFile)
  var output: String

  @Option(help: ArgumentHelp("Render this track alone, counted from 1.", valueName: "number"))
  var track: Int?

  @Flag(help: "One file for each track that has notes, or for each instrument of the preset.")
  var stems = false

  @Option(help: ArgumentHelp("Channels of the result, 1 or 2.", valueName: "number"))
  var channels = 2

  @OptionGroup var files: SongFileArguments

  @Flag(help: .hidden) var supervised = false

  @Argument(help: ArgumentHelp("MIDI files.", valueName: "song"), completion: .anyFile)
  var songs: [String]

  func validate() throws {
    try chain.checkWords()
    if chain.preset == nil, chain.units.isEmpty, bank == nil {
      throw ValidationError(
        "Name an instrument: --unit, perhaps with effects behind it, or --preset, or a --bank.")
    }
    if songs.contains("") || output.isEmpty || bank == "" {
      throw ValidationError("The name of a file is empty.")
    }
    try files.check(channels: channels)
    if stems, track != nil {
      throw ValidationError("Give either --stems or --track, not both.")
    }
  }

  /// Every file to be written, in order.
  private func items() throws -> [SongBatch.Item] {
    let isFolder = stems || songs.count > 1 || output.hasSuffix("/") || FileRun.isFolder(output)
    let isBand = try isBand()
    var items: [SongBatch.Item] = []
    for song in songs {
      guard isFolder else {
        items.append(SongBatch.Item(song: song, output: output, track: track))
        continue
      }
      let file = (song as NSString).lastPathComponent
      let base = (output as NSString).appendingPathComponent(
        (file as NSString).deletingPathExtension)
      // What cannot be read is told by its own process.
      let tracks = stems && !isBand ? (try? AuricleInstallation().songTracks(song)) ?? [] : []
      if tracks.isEmpty {
        items.append(SongBatch.Item(song: song, output: "\(base).\(files.container)", track: track))
      }
      items += tracks.map { track in
        SongBatch.Item(
          song: song,
          output:
            "\(base)-\(SongTrack.fileName(number: track.number, name: track.name ?? "")).\(files.container)",
          track: track.number)
      }
    }
    try refuseTwins(items)
    return items
  }

  /// Whether the preset names instruments that share a song.
  private func isBand() throws -> Bool {
    guard let chain = try chain.request() else { return false }
    return try AuricleInstallation().hasInstruments(chain)
  }

  private func refuseTwins(_ items: [SongBatch.Item]) throws {
    var seen: [String: String] = [:]
    for request in items {
      if let other = seen[request.output], other != request.song {
        throw AuricleError(
          .usage,
          "\(other) and \(request.song) would both become \(request.output): render them into two folders"
        )
      }
      seen[request.output] = request.song
    }
  }

  func run() throws {
    Interruption.install()
    if supervised { return try renderOne() }
    let items = try items()
    try SongRuns.run(items, into: output, files: files)
  }

  private func renderOne() throws {
    guard let item = SongBatch.beginChild() else { return }
    let chain = try chain.request() ?? .units([UnitEntry(unit: "aumu:dls :appl")])
    var request = SongRequest(song: item.song, chain: chain, output: item.output)
    request.bank = bank.map { URL(fileURLWithPath: $0).path }
    request.track = item.track
    request.channelCount = channels
    try files.apply(to: &request)
    request.hasStems = try stems && isBand()
    let outcome = try AuricleInstallation().render(
      request, shouldStop: { Interruption.isRequested })
    SongRuns.tell(outcome, of: request)
  }
}
