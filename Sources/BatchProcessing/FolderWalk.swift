// The audio files below a folder, in an order that does not depend on the disk.
// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Walks a folder and what is below it, sorted by name, safe against loops of links.
struct FolderWalk {
  /// What was found: the path to open, and the same below the folder that was given.
  struct Found {
    var path: String
    var relativePath: String
  }

  private(set) var files: [Found] = []
  /// Folders that could not be read, with why.
  private(set) var problems: [(path: String, message: String)] = []
  private let excluded: FileIdentity?

  /// Walks at once; `excluded` is a folder to stay out of (the output, when it lies in the input).
  init(folder: String, excluding excluded: FileIdentity?) {
    self.excluded = excluded
    guard let identity = FileIdentity.of(folder)?.identity else { return }
    walk(folder, relativePath: "", ancestors: [identity])
  }

  private mutating func walk(_ folder: String, relativePath: String, ancestors: Set<FileIdentity>) {
    let names: [String]
    switch Self.names(in: folder) {
    case .success(let list): names = list
    case .failure(let failure):
      problems.append((folder, Path.reason(failure.code)))
      return
    }
    for name in names where !name.hasPrefix(".") {
      let path = Path.joining(folder, name)
      let relative = Path.joining(relativePath, name)
      guard let entry = FileIdentity.of(path) else { continue }
      switch entry.kind {
      case .folder:
        // A link back to a folder we are in would go on for ever.
        if ancestors.contains(entry.identity) || entry.identity == excluded { continue }
        walk(path, relativePath: relative, ancestors: ancestors.union([entry.identity]))
      case .file where AudioFileNames.isAudio(path):
        files.append(Found(path: path, relativePath: relative))
      case .file, .other:
        continue
      }
    }
  }

  struct SystemFailure: Error {
    var code: Int32
  }

  /// The names in a folder, sorted by their bytes.
  private static func names(in folder: String) -> Result<[String], SystemFailure> {
    guard let directory = unsafe opendir(folder) else {
      return .failure(SystemFailure(code: errno))
    }
    defer { unsafe closedir(directory) }
    var names: [String] = []
    while true {
      errno = 0
      guard let entry = unsafe readdir(directory) else {
        if errno != 0 { return .failure(SystemFailure(code: errno)) }
        break
      }
      let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      names.append(name)
    }
    return .success(names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) })
  }
}

/// Which names and beginnings of files are audio: what a folder is searched for.
enum AudioFileNames {
  /// Extensions of the kinds of file that can be read.
  static let extensions: Set<String> = [
    "wav", "wave", "rf64", "bwf", "w64", "aif", "aiff", "aifc", "caf", "flac", "ogg", "oga", "opus",
    "mp3", "mp2", "au", "snd", "voc", "ircam", "sf", "paf", "svx", "iff", "8svx", "nist", "sph",
    "avr", "mat", "pvf", "xi", "htk", "sds", "wve", "mpc2k",
  ]

  /// Whether a file found in a folder is taken: by its extension, or by its first bytes without one.
  static func isAudio(_ path: String) -> Bool {
    let text = Path.fileExtension(of: path)
    return text.isEmpty ? startsLikeAudio(path) : extensions.contains(text)
  }

  private static let beginnings: [[UInt8]] = [
    "RIFF", "RF64", "FORM", "caff", "fLaC", "OggS", "riff", ".snd",
  ].map { Array($0.utf8) }

  private static func startsLikeAudio(_ path: String) -> Bool {
    let file = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else { return false }
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: 4)
    guard unsafe read(file, &bytes, 4) == 4 else { return false }
    return beginnings.contains(bytes)
  }
}
