// Codecs found at run time: the search for them, and the loading of one.
// SPDX-License-Identifier: Apache-2.0

package import CAuricleCodec
import CHostSystem
import Glibc
import HostSystem
import Synchronization

/// The codec for formats that the file library does not read or write: AAC, AC-3, video sound
/// tracks; and for packets.
///
/// It is a separate shared library (`Codecs/FFmpeg.so`), so that nothing here is linked with the
/// libraries it needs. It is loaded with the first file that needs it, in a worker's sandbox too.
/// Others beside it (`FFmpeg-61.so`) are for other versions of FFmpeg's libraries.
///
/// Context: control.
public enum CodecLibrary {
  /// The advice where there is none; ends a sentence.
  public static let advice =
    "it needs the FFmpeg codec, which is not installed: install the package auricle-plugin-ffmpeg, "
    + "or run `make codecs` in the source"

  /// The folders that are searched, in their order: those of `AURICLE_CODEC_PATH`, `Codecs` beside
  /// the program, and those of installed programs.
  public static var folders: [String] {
    var folders: [String] = []
    if let path = unsafe getenv("AURICLE_CODEC_PATH") {
      folders += unsafe String(cString: path).split(separator: ":").map(String.init)
    }
    for place in [ownFolder, programFolder].compactMap(\.self) {
      folders += [place + "/Codecs", place + "/../lib/auricle/Codecs"]
    }
    return folders + ["/usr/local/lib/auricle/Codecs", "/usr/lib/auricle/Codecs"]
  }

  /// The file of the codec; nil when there is none. It is not opened.
  public static var path: String? { files.first }

  /// The files of the codec, one for each version of FFmpeg's libraries: those of the first folder
  /// that has any.
  private static var files: [String] {
    for folder in folders {
      let names = FolderListing.names(in: folder).filter {
        $0.hasPrefix("FFmpeg") && $0.hasSuffix(".so")
      }
      // The one without a version, which was built here, comes first.
      guard names.isEmpty else { return names.sorted(by: >).map { "\(folder)/\($0)" } }
    }
    return []
  }

  /// The reason why there is no codec: the end of a sentence.
  package struct Missing: Error {
    /// The missing library, and the advice.
    package let reason: String
  }

  private static var ownFolder: String? {
    var file = [CChar](repeating: 0, count: 4096)
    guard unsafe AuricleOwnFile(&file, file.count) else { return nil }
    return folder(of: file.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)))
  }

  private static var programFolder: String? {
    var file = [CChar](repeating: 0, count: 4096)
    let count = unsafe readlink("/proc/self/exe", &file, file.count - 1)
    return count > 0 ? folder(of: file.prefix(count).map(UInt8.init(bitPattern:))) : nil
  }

  private static func folder(of file: [UInt8]) -> String? {
    guard let slash = file.lastIndex(of: UInt8(ascii: "/")) else { return nil }
    return String(decoding: file[..<slash], as: UTF8.self)
  }

  /// The result of loading: an address, because a pointer may not leave a lock.
  private enum Loading {
    case untried
    case loaded(UInt)
    case failed(String)
  }

  private static let loading = Mutex(Loading.untried)

  /// The codec, loaded now if it was not before.
  ///
  /// Context: control.
  package static func load() throws(Missing) -> UnsafePointer<AuricleCodec> {
    let found = loading.withLock { state -> Loading in
      if case .untried = state { state = open() }
      return state
    }
    switch found {
    case .loaded(let address):
      guard let codec = unsafe UnsafePointer<AuricleCodec>(bitPattern: address) else { break }
      return unsafe codec
    case .failed(let reason): throw Missing(reason: reason)
    case .untried: break
    }
    throw Missing(reason: advice)
  }

  private static func open() -> Loading {
    let files = files
    guard !files.isEmpty else { return .failed(advice) }
    var reasons: [String] = []
    for path in files {
      if let library = unsafe dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE) {
        return unsafe enter(library, path)
      }
      reasons.append(unsafe dlerror().map { unsafe String(cString: $0) } ?? path)
    }
    return .failed(
      "the FFmpeg codec cannot be loaded (\(reasons.joined(separator: "; "))): install FFmpeg's "
        + "libraries (Debian 12: libavformat59, Debian 13: libavformat61), or run `make codecs` in "
        + "the source for those of this machine")
  }

  /// Enters a codec that is loaded.
  private static func enter(_ library: UnsafeMutableRawPointer, _ path: String) -> Loading {
    AuricleLibraryMemoryLeaveOut()
    guard let symbol = unsafe dlsym(library, kAuricleCodecEntryName) else {
      return .failed("the codec \(path) has no \(kAuricleCodecEntryName)")
    }
    let entry = unsafe unsafeBitCast(symbol, to: AuricleCodecEntryProc.self)
    guard let codec = unsafe entry(kAuricleCodecVersion),
      unsafe codec.pointee.version == kAuricleCodecVersion
    else {
      return .failed(
        "the codec \(path) is of another version: install that of this program, or run "
          + "`make codecs` in the source")
    }
    return .loaded(UInt(bitPattern: codec))
  }

  /// The encodings whose packets the codec decodes, and those it encodes, by the names it has for them.
  static let encodings: (decoded: Set<String>, encoded: Set<String>) = {
    guard let codec = unsafe try? load() else { return ([], []) }
    let names = { (list: UnsafePointer<CChar>?) -> Set<String> in
      let text = unsafe list.map { unsafe String(cString: $0) } ?? ""
      return Set(text.split(separator: ",").map(String.init))
    }
    return unsafe (names(codec.pointee.decodable), names(codec.pointee.encodable))
  }()
}
