// The file of plug-ins: opens it, and finds descriptors in it.
// SPDX-License-Identifier: Apache-2.0

internal import CForeignPlugIns
internal import ForeignPlugIns
internal import Glibc

/// A plug-in's shared object. It is never closed: many crash when they are unloaded.
@safe struct LADSPALibrary {
  private let get: AuricleLADSPAFunction

  /// A descriptor function may never return null.
  private static let mostPlugIns = UInt(4096)

  /// Opens a file. Call it inside `PlugInLifeCycle.perform`.
  init(path: String) throws(PlugInFailure) {
    // Some are linked without the library of mathematics, and count on the host's.
    _ = unsafe dlopen("libm.so.6", RTLD_NOW | RTLD_GLOBAL)
    let handle = unsafe try PlugInLibrary.open(path)
    guard let get = unsafe auricle_ladspa_function(handle) else {
      throw PlugInFailure(reason: "its file has no symbol ladspa_descriptor")
    }
    unsafe self.get = unsafe get
  }

  /// Returns the descriptors, in their order. Call it inside `PlugInLifeCycle.perform`.
  func descriptors() throws(PlugInFailure) -> [UnsafePointer<AuricleLADSPADescriptor>] {
    var found: [UnsafePointer<AuricleLADSPADescriptor>] = unsafe []
    for index in 0..<Self.mostPlugIns {
      guard let descriptor = unsafe get(index) else { return unsafe found }
      unsafe found.append(descriptor)
    }
    throw PlugInFailure(
      reason: "its ladspa_descriptor returns more than \(Self.mostPlugIns - 1) plug-ins")
  }

  /// The descriptor of a label. Call it inside `PlugInLifeCycle.perform`.
  func descriptor(
    of label: String
  ) throws(PlugInFailure) -> UnsafePointer<AuricleLADSPADescriptor> {
    for index in 0..<Self.mostPlugIns {
      guard let descriptor = unsafe get(index) else { break }
      if unsafe PlugInText.of(descriptor.pointee.label) == label { return unsafe descriptor }
    }
    throw PlugInFailure(reason: "its file does not contain the plug-in \"\(label)\"")
  }
}
