// The parts of songs that get files of their own: the instruments of a preset, or the tracks that have notes.
// SPDX-License-Identifier: Apache-2.0

import AudioComponents
import AudioTypes
public import AuricleHost
import ChainPresets

/// Songs with the files of their parts.
public struct SongStems {
  /// The songs; for tracks one entry each.
  public let items: [ListedFilesRequest.Item]
  /// The instruments, where each gets a file beside the mix; empty where tracks do.
  public let instruments: [String]

  /// Finds the parts: the instruments of a preset that has some, else the tracks of each song.
  ///
  /// A song that cannot be read is an entry too: it is reported when it is its turn.
  ///
  /// - Parameters:
  ///   - folder: The folder of the results.
  ///   - ending: The ending of their names.
  /// - Throws: `PresetErrors`; `.usage` where two songs would have the same results.
  ///
  /// Context: control.
  public init(
    of songs: [String], _ chain: ChainRequest, in host: AuricleInstallation, into folder: String,
    ending: String
  ) throws {
    instruments = try host.instruments(chain)
    var items: [ListedFilesRequest.Item] = []
    var seen: [String: String] = [:]
    for song in songs {
      let file = song.split(separator: "/").last.map(String.init) ?? song
      let stem = file.lastIndex(of: ".").map { String(file[..<$0]) } ?? file
      let base = (folder.hasSuffix("/") ? folder : folder + "/") + stem
      let parts =
        instruments.isEmpty
        ? Self.tracks(song, base, ending, host) : [Self.mix(song, base, instruments, ending)]
      for item in parts {
        if let other = seen[item.outputs[0]], other != song {
          throw AuricleError(
            .usage,
            "\(other) and \(song) would both become \(item.outputs[0]): render them into two folders"
          )
        }
        seen[item.outputs[0]] = song
      }
      items += parts
    }
    self.items = items
  }

  private static func mix(
    _ song: String, _ base: String, _ instruments: [String], _ ending: String
  ) -> ListedFilesRequest.Item {
    let stems = instruments.enumerated().map { index, name in
      "\(base)-\(SongTrack.fileName(number: index + 1, name: name)).\(ending)"
    }
    return ListedFilesRequest.Item(
      name: song, input: .file(song), outputs: ["\(base).\(ending)"] + stems)
  }

  private static func tracks(
    _ song: String, _ base: String, _ ending: String, _ host: AuricleInstallation
  ) -> [ListedFilesRequest.Item] {
    let tracks = (try? host.songTracks(song)) ?? []
    guard !tracks.isEmpty else { return [mix(song, base, [], ending)] }
    return tracks.map { track in
      let name = SongTrack.fileName(number: track.number, name: track.name ?? "")
      return ListedFilesRequest.Item(
        name: "\(song), track \(track.number)", input: .file(song),
        outputs: ["\(base)-\(name).\(ending)"], track: track.number)
    }
  }
}

extension AuricleInstallation {
  /// The instruments of a preset that share a song, as messages name them; none for a chain.
  ///
  /// - Throws: `PresetErrors`.
  fileprivate func instruments(_ chain: ChainRequest) throws -> [String] {
    let entries = try chain.read(host.presets).instruments
    let registry = host.makeRegistry()
    return entries.map { entry in
      let name = entry.unit.unit.value
      return entry.unit.label ?? (try? registry.resolve(name))?.name ?? name
    }
  }
}
