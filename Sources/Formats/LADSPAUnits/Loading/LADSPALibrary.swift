// The file of plug-ins: opens it, and finds descriptors in it.
// SPDX-License-Identifier: Apache-2.0

internal import CForeignPlugIns
internal import ForeignPlugIns
internal import Glibc
internal import PlugInGuard

/// Why a file or a plug-in cannot be used.
struct LADSPAFailure: Error {
  /// The rest of a sentence that begins with the plug-in's name.
  var reason: String
  /// Whether its file is missing, cannot be loaded, or does not contain it.
  var isOfBinary = true
}

/// A plug-in's shared object. It is never closed: many crash when they are unloaded.
@safe struct LADSPALibrary {
  private let get: AuricleLADSPAFunction

  /// A descriptor function may never return null.
  private static let mostPlugIns = UInt(65_536)

  /// Opens a file. Call it inside `PlugInLifeCycle.perform`.
  init(path: String) throws(LADSPAFailure) {
    if let obstacle = BinaryHeader.obstacle(path) { throw LADSPAFailure(reason: obstacle) }
    // Some are linked without the library of mathematics, and count on the host's.
    _ = unsafe dlopen("libm.so.6", RTLD_NOW | RTLD_GLOBAL)
    let handle: UnsafeMutableRawPointer
    do throws(ForeignLibrary.Refusal) {
      unsafe handle = try ForeignLibrary.open(path)
    } catch {
      throw LADSPAFailure(
        reason: "its file cannot be loaded: \(PlugInText.line(error.reason, limit: 400))",
        isOfBinary: !error.isForbidden)
    }
    guard let get = unsafe auricle_ladspa_function(handle) else {
      throw LADSPAFailure(reason: "its file has no symbol ladspa_descriptor")
    }
    unsafe self.get = unsafe get
  }

  /// The descriptors, in their order. Call it inside `PlugInLifeCycle.perform`.
  var descriptors: [UnsafePointer<AuricleLADSPADescriptor>] {
    var found: [UnsafePointer<AuricleLADSPADescriptor>] = unsafe []
    for index in 0..<Self.mostPlugIns {
      guard let descriptor = unsafe get(index) else { break }
      unsafe found.append(descriptor)
    }
    return unsafe found
  }

  /// The descriptor of a label. Call it inside `PlugInLifeCycle.perform`.
  func descriptor(
    of label: String
  ) throws(LADSPAFailure) -> UnsafePointer<AuricleLADSPADescriptor> {
    for index in 0..<Self.mostPlugIns {
      guard let descriptor = unsafe get(index) else { break }
      if unsafe LADSPAText.of(descriptor.pointee.label) == label { return unsafe descriptor }
    }
    throw LADSPAFailure(reason: "its file does not contain the plug-in \"\(label)\"")
  }
}

/// Texts of descriptors.
enum LADSPAText {
  /// The text at an address; empty for none.
  static func of(_ text: UnsafePointer<CChar>?) -> String {
    guard let text = unsafe text else { return "" }
    let count = unsafe strnlen(text, 4096)
    return unsafe text.withMemoryRebound(to: UInt8.self, capacity: count) {
      unsafe PlugInText.decoded(UnsafeBufferPointer(start: $0, count: count))
    }
  }
}
