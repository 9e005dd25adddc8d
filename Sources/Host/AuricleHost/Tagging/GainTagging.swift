// Writes how loud files are into their tags, for players that play all of them equally loud.
// SPDX-License-Identifier: Apache-2.0

import AudioConversion
import AudioFiles
public import AudioTypes
import HostSystem
import RunLedgers

/// Measures files, and writes ReplayGain or R 128 tags into them; their sound stays as it is.
public struct GainTagging: Sendable {
  /// Which files are an album.
  public enum Album: String, Sendable, CaseIterable {
    /// Those of a folder.
    case folder
    /// Those with the same texts for album and its artist.
    case tag
    /// None.
    case none
  }

  /// The outcome of a file.
  public enum Outcome: Sendable {
    /// Its tags were written, or would be.
    case tagged(GainTags)
    /// Nothing was written, and why.
    case failed(AuricleError)
  }

  /// Files and folders.
  public var inputs: [String]
  /// Whether folders in folders are gone through.
  public var isRecursive = false
  /// Which files are an album.
  public var album = Album.folder
  /// Whether nothing is written.
  public var isDryRun = false
  /// Whether files that have the right tags, and no others of the kind, are left as they are.
  public var skipsExisting = false

  /// The usual tagging of files and folders.
  public init(inputs: [String]) { self.inputs = inputs }

  /// A file that was measured.
  private struct Measured {
    var path: String
    var container: AudioContainer
    var album: String?
    var blocks: LoudnessBlocks
    var measurement: AudioMeasurement
  }

  /// Does it, album by album.
  ///
  /// Context: control.
  public func run(_ report: (Outcome) throws -> Void) throws {
    let (files, problems) = try files()
    for problem in problems { try report(.failed(problem)) }
    var groups: [(key: String, paths: [String])] = []
    var places: [String: Int] = [:]
    for file in files {
      let key: String
      switch album {
      case .folder: key = file.lastIndex(of: "/").map { String(file[...$0]) } ?? ""
      // The album of these files is known when they are read.
      case .tag, .none: key = album == .tag ? "" : file
      }
      if let place = places[key] {
        groups[place].paths.append(file)
      } else {
        places[key] = groups.count
        groups.append((key, [file]))
      }
    }
    for group in groups {
      var measured: [Measured] = []
      for path in group.paths {
        do throws(AuricleError) { measured.append(try measure(path)) } catch {
          try report(.failed(error))
        }
      }
      try tag(measured, report)
    }
  }

  /// Writes the tags of files that were measured, each album for itself.
  private func tag(_ files: [Measured], _ report: (Outcome) throws -> Void) throws {
    var albums: [String: GainTags.Figures] = [:]
    for (name, members) in Dictionary(grouping: files, by: { $0.album ?? "" }) {
      guard members[0].album != nil,
        let loudness = LoudnessBlocks.integratedLoudness(of: members.map(\.blocks))
      else { continue }
      albums[name] = GainTags.Figures(
        loudness: loudness,
        truePeakDecibels: members.compactMap(\.measurement.truePeak).max())
    }
    for file in files {
      guard let loudness = file.measurement.integratedLoudness else {
        let text = "\(file.path) is too short or too quiet to have a loudness: it gets no tags"
        try report(.failed(AuricleError(.badData, text)))
        continue
      }
      let figures = GainTags.Figures(
        loudness: loudness, truePeakDecibels: file.measurement.truePeak)
      var tags = GainTags(
        path: file.path, track: figures, album: file.album.flatMap { albums[$0] })
      do throws(AuricleError) {
        let texts = tags.texts(of: file.container)
        if skipsExisting {
          tags.isSkipped = try TagUpdate.holdsGains(
            texts, in: file.path, isSame: GainTags.areSame)
        }
        if !isDryRun, !tags.isSkipped {
          tags.notes = try TagUpdate.write(texts, to: file.path, replacesGains: true)
        }
      } catch {
        try report(.failed(error))
        continue
      }
      try report(.tagged(tags))
    }
  }

  private func measure(_ path: String) throws(AuricleError) -> Measured {
    let reader = try AudioFileReader(path: path)
    let metadata = reader.metadata
    let name: String? =
      switch album {
      case .none: nil
      case .folder: ""
      case .tag:
        metadata.texts[.album].map { album in
          let artist = metadata.tags["ALBUMARTIST"]?.first ?? ""
          return "\(artist)\n\(album)"
        }
      }
    let meter = try AudioMeter.read(reader, measuresTruePeak: true)
    return Measured(
      path: path, container: reader.format.container, album: name, blocks: meter.blocks,
      measurement: meter.measurement)
  }

  /// The files of the request, each once, and failures to read some.
  private func files() throws(AuricleError) -> (files: [String], problems: [AuricleError]) {
    var files: [String] = []
    var seen: Set<String> = []
    var problems: [AuricleError] = []
    for input in inputs {
      guard FileIdentity.of(input)?.kind == .folder else {
        if seen.insert(input).inserted { files.append(input) }
        continue
      }
      var walk = FolderWalk()
      walk.isRecursive = isRecursive
      let count = files.count
      try walk.visit(input) { (found) throws(AuricleError) in
        switch found {
        case .file(let path, _, _): if seen.insert(path).inserted { files.append(path) }
        case .problem(_, let error): problems.append(error)
        }
      }
      if files.count == count {
        problems.append(
          AuricleError(
            .noInput,
            "\(input) has no audio files in it"
              + (isRecursive ? "" : "; --recursive looks into its folders")))
      }
    }
    return (files, problems)
  }
}
