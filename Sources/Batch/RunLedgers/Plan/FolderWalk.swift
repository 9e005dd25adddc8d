// The audio files below a folder, or its MIDI files, in an order that does not depend on the disk.
// SPDX-License-Identifier: Apache-2.0

import AudioFiles
package import AudioTypes
import Glibc
package import HostSystem

/// Walks a folder and its subfolders, sorted by name, safe against loops of links.
package struct FolderWalk {
  /// An entry that was found.
  package enum Found {
    /// A file: the path to open, its folder relative to the walked one, and its identity when it was found.
    case file(path: String, dir: String, FileIdentity.Found)
    /// Something that could not be read, and why.
    case problem(path: String, AuricleError)
  }

  /// A folder to stay out of (the output, when it lies in the input).
  var excluded: FileIdentity?
  /// Whether subfolders are walked as well.
  package var isRecursive = true
  /// Which files are wanted.
  var wanted = WantedNames.audio
  /// Called before every name; true ends the walk as interrupted.
  package var shouldStop: () -> Bool = { false }
  /// Called for every folder before it is read, with its path relative to the walked one.
  var enters: ((_ path: String, _ dir: String) -> Void)?

  /// A walk through a folder and its subfolders.
  package init() {}

  /// Calls `body` with everything found, in order.
  package func visit(
    _ folder: String, _ found: (Found) throws(AuricleError) -> Void
  ) throws(AuricleError) {
    guard let identity = FileIdentity.of(folder)?.identity else { return }
    try walk(folder, dir: "", ancestors: [identity], found)
  }

  private func walk(
    _ folder: String, dir: String, ancestors: Set<FileIdentity>,
    _ found: (Found) throws(AuricleError) -> Void
  ) throws(AuricleError) {
    enters?(folder, dir)
    let names: FolderNames
    do throws(AuricleError) { names = try FolderNames(folder, shouldStop: shouldStop) } catch {
      if error.category == .interrupted { throw error }
      try found(.problem(path: folder, error))
      return
    }
    while let name = try names.next() {
      if shouldStop() { throw AuricleError(.interrupted, "interrupted") }
      let path = Path.joining(folder, name)
      guard let entry = FileIdentity.of(path) else {
        guard let (reason, error) = blindSpot(path) else { continue }
        guard reason == EACCES, unsafe access(folder, X_OK) != 0 else {
          try found(.problem(path: path, error))
          continue
        }
        // The folder can be listed but not searched.
        try found(.problem(path: folder, systemError(reason, "read the folder", folder)))
        return
      }
      switch entry.kind {
      case .folder:
        // A link back to a folder we are in would go on for ever.
        if !isRecursive || ancestors.contains(entry.identity) || entry.identity == excluded {
          continue
        }
        try walk(
          path, dir: Path.joining(dir, name), ancestors: ancestors.union([entry.identity]), found)
      case .file where wanted.contains(path):
        try found(.file(path: path, dir: dir, entry))
      case .other where wanted.hasExtension(path):
        let text = "\(path) is no regular file (a pipe or a device)"
        try found(.problem(path: path, AuricleError(.inputOutput, text)))
      case .file, .other:
        continue
      }
    }
  }
}

extension FolderWalk {
  /// The problem of a name that cannot be followed, with the system's reason; nil when nothing wanted can be
  /// missed.
  private func blindSpot(_ path: String) -> (reason: Int32, error: AuricleError)? {
    var status = stat()
    let reason = unsafe stat(path, &status) == 0 ? ENOENT : errno
    switch reason {
    case ENOENT, ENOTDIR, ELOOP:
      guard wanted.hasExtension(path) else { return nil }
      return (reason, AuricleError(.noInput, "\(path) is a link to a file that is not there"))
    default:
      // Behind it there could be anything.
      return (reason, systemError(reason, "read", path))
    }
  }
}

/// The files that are wanted of a folder.
enum WantedNames {
  /// Audio files, by their extensions or first bytes.
  case audio
  /// MIDI files, by their extensions, or by their first bytes where they have none.
  case songs

  /// Their name in messages.
  var title: String {
    switch self {
    case .audio: "audio files"
    case .songs: "MIDI files"
    }
  }

  /// Whether a file's extension is one of them.
  func hasExtension(_ path: String) -> Bool {
    switch self {
    case .audio: AudioFileNames.hasAudioExtension(path)
    case .songs: ["mid", "midi", "smf", "rmi", "kar"].contains(Path.fileExtension(of: path))
    }
  }

  /// Whether a file is one of them.
  func contains(_ path: String) -> Bool {
    switch self {
    case .audio: AudioFileNames.isAudio(path)
    case .songs:
      Path.fileExtension(of: path).isEmpty
        ? AudioFileNames.firstBytes(of: path, 4) == Array("MThd".utf8) : hasExtension(path)
    }
  }
}

/// Recognizes audio files in folders by name or first bytes.
enum AudioFileNames {
  /// Extensions of the file types that can be read.
  package static let extensions: Set<String> = [
    "wav", "wave", "rf64", "bwf", "w64", "aif", "aiff", "aifc", "caf", "flac", "ogg", "oga", "opus",
    "mp3", "mp2", "au", "snd", "voc", "ircam", "sf", "paf", "svx", "iff", "8svx", "nist", "sph",
    "avr", "mat", "pvf", "xi", "htk", "sds", "wve", "mpc2k", "mpc", "aiffc", "mpga", "mp1", "fla",
    // Read by a codec.
    "m4a", "m4b", "mp4", "m4v", "mov", "3gp", "aac", "ac3", "ec3", "eac3", "mka", "mkv", "webm",
    "avi", "wma", "wmv", "flv", "mpg", "mpeg", "amr", "ape", "wv", "tta", "dts", "spx", "ogv",
    "vob", "m2ts", "mts", "3g2", "m4r", "qt", "asf", "thd", "dsf",
  ]

  /// Whether a file's extension is one of audio.
  static func hasAudioExtension(_ path: String) -> Bool {
    extensions.contains(Path.fileExtension(of: path))
  }

  /// Whether a file found in a folder is audio: by its extension, or by its first bytes if it has none.
  static func isAudio(_ path: String) -> Bool {
    let text = Path.fileExtension(of: path)
    // Transport streams share their extension with other types of files.
    if text == "ts" { return startsLikeTransportStream(path) }
    return text.isEmpty ? startsLikeAudio(path) : extensions.contains(text)
  }

  private static let beginnings: [[UInt8]] = [
    "RIFF", "RF64", "FORM", "caff", "fLaC", "OggS", "riff", ".snd",
  ].map { Array($0.utf8) }

  private static func startsLikeAudio(_ path: String) -> Bool {
    beginnings.contains(firstBytes(of: path, 4))
  }

  /// Whether two packets of 188 bytes begin with the sync byte.
  private static func startsLikeTransportStream(_ path: String) -> Bool {
    let bytes = firstBytes(of: path, 189)
    return bytes.count == 189 && bytes[0] == 0x47 && bytes[188] == 0x47
  }

  /// The first bytes of a file; empty if it has fewer.
  static func firstBytes(of path: String, _ count: Int) -> [UInt8] {
    let file = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else { return [] }
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: count)
    return unsafe read(file, &bytes, count) == count ? bytes : []
  }
}
