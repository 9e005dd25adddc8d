// The files of a plug-in: the folder of a bundle, or a single file.
// SPDX-License-Identifier: Apache-2.0

internal import ForeignPlugIns
internal import Glibc
internal import HostSystem

/// A bundle `NAME.vst3`, or a shared object of that name.
struct VST3Bundle {
  let path: String

  /// The name of the folder with binaries for this machine.
  private static var architecture: String {
    #if arch(arm64)
      "aarch64-linux"
    #else
      "x86_64-linux"
    #endif
  }

  private var isFolder: Bool { SearchFolders.isFolder(path) }

  /// The name without folder and ending.
  private var stem: String {
    let name = path.split(separator: "/").last.map(String.init) ?? path
    return name.hasSuffix(".vst3") ? String(name.dropLast(5)) : name
  }

  /// The shared object, which need not be there.
  var binary: String {
    isFolder ? "\(path)/Contents/\(Self.architecture)/\(stem).so" : path
  }

  /// The folder of presets and pictures; nil for a single file.
  var resources: String? { isFolder ? path + "/Contents/Resources" : nil }

  /// The places of the description in data, the newer one first.
  private var informationPaths: [String] {
    isFolder
      ? [path + "/Contents/Resources/moduleinfo.json", path + "/Contents/moduleinfo.json"] : []
  }

  /// The paths whose change makes the description of the bundle stale.
  var stampedPaths: [String] { isFolder ? [path, binary] + informationPaths : [path] }

  /// The reason why there is no binary for this machine, as a sentence; nil if there is one.
  var obstacle: String? {
    guard isFolder, !PathStamp(of: binary).exists else { return nil }
    let contents = path + "/Contents"
    guard SearchFolders.isFolder(contents) else {
      return "it holds no plug-in: it has no folder Contents"
    }
    let others = SearchFolders.names(in: contents).filter { $0.hasSuffix("-linux") }
    if others.contains(Self.architecture) {
      return "its folder Contents/\(Self.architecture) has no file \(stem).so"
    }
    let known =
      others + SearchFolders.names(in: contents).filter { $0 == "MacOS" || $0.hasSuffix("-win") }
    return known.isEmpty
      ? "it has no folder Contents/\(Self.architecture)"
      : "it is built for \(known.joined(separator: ", ")) only: install the one for \(Self.architecture)"
  }

  /// The description in data; nil without it.
  ///
  /// - Parameter problem: A sentence where the data cannot be read.
  func information(problem: (String) -> Void) -> VST3Information? {
    guard let file = informationPaths.first(where: { PathStamp(of: $0).exists }) else { return nil }
    let descriptor = FileDescriptor(ifReadable: file, O_RDONLY | O_NONBLOCK)
    guard let descriptor, let bytes = FileTransfer.readAll(descriptor.number, limit: 4 << 20) else {
      problem("its moduleinfo.json cannot be read")
      return nil
    }
    do throws(LenientJSON.Defect) {
      return VST3Information(try LenientJSON.value(of: bytes))
    } catch {
      problem("its moduleinfo.json is malformed in line \(error.line): \(error.reason)")
      return nil
    }
  }
}

/// The description of a module in data.
struct VST3Information {
  /// Identifiers of its classes, 32 hexadecimal digits.
  private(set) var classes: [String] = []
  /// Classes whose states a newer one reads, by that one.
  private(set) var former: [String: [String]] = [:]

  init(_ json: LenientJSON) {
    for entry in json["Classes"]?.elements ?? [] {
      if let id = entry["CID"]?.text { classes.append(VST3ClassID.plain(id)) }
    }
    for entry in json["Compatibility"]?.elements ?? [] {
      guard let new = entry["New"]?.text else { continue }
      let old = (entry["Old"]?.elements ?? []).compactMap(\.text).map(VST3ClassID.plain)
      former[VST3ClassID.plain(new), default: []] += old
    }
  }
}

/// Identifiers of classes as text.
enum VST3ClassID {
  /// The beginning of an identifier; the class of the component follows.
  static let scheme = "vst3:"

  /// The text without dashes and braces, in capitals.
  static func plain(_ text: String) -> String {
    String(text.filter { $0.isHexDigit }).uppercased()
  }

  /// The text of bytes.
  static func text(_ bytes: some Sequence<UInt8>) -> String {
    bytes.map { byte in
      let digits = String(byte, radix: 16, uppercase: true)
      return digits.count < 2 ? "0" + digits : digits
    }.joined()
  }

  /// The bytes of a text; nil for one that is not 32 digits.
  static func bytes(_ text: String) -> [UInt8]? {
    let digits = Array(text)
    guard digits.count == 32 else { return nil }
    let bytes = stride(from: 0, to: 32, by: 2).compactMap {
      UInt8(String(digits[$0...$0 + 1]), radix: 16)
    }
    return bytes.count == 16 ? bytes : nil
  }
}
