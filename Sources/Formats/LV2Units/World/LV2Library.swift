// Opening a plug-in's binary and finding its descriptor.
// SPDX-License-Identifier: Apache-2.0

internal import CLilv
internal import ForeignPlugIns
internal import Glibc
internal import HostSystem
internal import LV2Bundles
internal import PlugInGuard
internal import RealtimeSupport

/// A plug-in's shared object. It is never closed: many crash when they are unloaded.
@safe struct LV2Library {
  private let handle: UnsafeMutableRawPointer

  /// Opens a binary. Call it inside `PlugInLifeCycle.perform`.
  init(path: String) throws(LV2Failure) {
    guard unsafe access(path, F_OK) == 0 else {
      throw LV2Failure(reason: "its binary \(path) is missing", isOfBinary: true)
    }
    do throws(ForeignLibrary.Refusal) {
      unsafe handle = try ForeignLibrary.open(path)
    } catch {
      throw LV2Failure(
        reason: "its binary cannot be loaded: \(LV2Text.line(error.reason, limit: 400))",
        isOfBinary: !error.isForbidden)
    }
  }

  /// The descriptor of a plug-in in this library.
  func descriptor(
    of uri: String, bundlePath: String, features: UnsafePointer<UnsafePointer<LV2_Feature>?>
  ) throws(LV2Failure) -> UnsafePointer<LV2_Descriptor> {
    if let open = unsafe auricle_lv2_lib_descriptor_function(handle) {
      let library = unsafe (bundlePath + "/").withFileName { unsafe open($0, features) }
      guard let library = unsafe library else {
        throw LV2Failure(
          reason: "its binary's lv2_lib_descriptor returned nothing", isOfBinary: true)
      }
      if let found = unsafe LV2Library.find(
        uri, { unsafe library.pointee.get_plugin(library.pointee.handle, $0) })
      {
        return unsafe found
      }
    } else if let get = unsafe auricle_lv2_descriptor_function(handle) {
      if let found = unsafe LV2Library.find(uri, { unsafe get($0) }) { return unsafe found }
    } else {
      throw LV2Failure(reason: "its binary has no symbol lv2_descriptor", isOfBinary: true)
    }
    throw LV2Failure(reason: "its binary does not contain <\(uri)>", isOfBinary: true)
  }

  private static func find(
    _ uri: String, _ get: (UInt32) -> UnsafePointer<LV2_Descriptor>?
  ) -> UnsafePointer<LV2_Descriptor>? {
    // Bounded, because a descriptor function may never return null.
    for index in UInt32(0)..<65_536 {
      guard let descriptor = unsafe get(index) else { return nil }
      if let name = unsafe descriptor.pointee.URI, unsafe String(cString: name) == uri {
        return unsafe descriptor
      }
    }
    return nil
  }
}
