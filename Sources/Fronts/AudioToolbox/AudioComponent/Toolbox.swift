// What this library keeps for the whole process: the components it knows, the instances it opened.
// SPDX-License-Identifier: Apache-2.0

import AudioComponents
import AudioTypes
import AudioUnits
import CAudioToolbox
import CHostSystem
import LV2Units
import NativeUnits
import Synchronization

/// The components of this process, found when first asked for, and the open instances of them.
///
/// A process may hold a host with a registry of its own beside this library; handles of either are
/// then told apart by whose they are, and a foreign component stands for the one of ours with the
/// same identity.
enum Toolbox {
  /// The components: native bundles, those that ship beside this library, LV2 plug-ins.
  static let registry = AudioComponentRegistry(
    sources: [
      NativeComponentSource(
        folders: NativeComponentSource.standardFolders(shipped: shippedFolder())),
      LV2ComponentSource(programs: .here),
    ], blocklist: ComponentBlocklist(folder: CacheFile.standardFolder))

  private static let instances = Mutex(OpenInstances())

  /// The component of ours that a handle stands for; nil for a null or foreign handle without match.
  static func component(_ handle: UnsafeMutablePointer<OpaqueAudioComponent>?) -> AudioComponent? {
    guard let handle = unsafe componentRecord(handle) else { return nil }
    let description = unsafe handle.pointee.description
    return registry.component(
      type: description.componentType, subtype: description.componentSubType,
      manufacturer: description.componentManufacturer)
  }

  /// The handle itself if it is a component's, of whatever host.
  static func componentRecord(
    _ handle: UnsafeMutablePointer<OpaqueAudioComponent>?
  ) -> UnsafeMutablePointer<OpaqueAudioComponent>? {
    guard let handle = unsafe handle,
      unsafe handle.pointee.magic == kAuricleComponentMagic,
      unsafe Int(handle.pointee.recordSize) >= MemoryLayout<OpaqueAudioComponent>.size
    else { return nil }
    return unsafe handle
  }

  /// Keeps a unit until its handle is disposed of.
  static func keep(_ unit: sending AudioUnit) -> UnsafeMutablePointer<ComponentInstanceRecord> {
    let handle = unsafe unit.instance
    let box = OpenInstances.Box(unit: unit)
    instances.withLock { $0.units[UInt(bitPattern: handle)] = box }
    return unsafe handle
  }

  /// Closes a unit that `keep` was given; false for any other handle.
  static func dispose(_ handle: UnsafeMutablePointer<ComponentInstanceRecord>) -> Bool {
    let key = UInt(bitPattern: handle)
    // Closed outside of the lock: a unit may open and close others while it goes.
    let box = instances.withLock { $0.units.removeValue(forKey: key) }
    return box != nil
  }

  /// The folder of components beside this library's file.
  private static func shippedFolder() -> String? { ownFolder.map { $0 + "/Components" } }

  /// The folder that this library's file is in.
  static let ownFolder: String? = {
    var bytes = [CChar](repeating: 0, count: 4097)
    guard unsafe AuricleOwnFile(&bytes, bytes.count) else { return nil }
    let path = String(
      decoding: bytes.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    return path.lastIndex(of: "/").map { String(path[..<$0]) }
  }()
}

/// The units that C code holds handles of, by the handles' addresses.
private struct OpenInstances {
  /// @unchecked Sendable because C code moves handles between threads as it likes, and promises, as
  /// everywhere in this interface, to use one from one thread at a time.
  struct Box: @unchecked Sendable {
    let unit: AudioUnit
  }

  var units: [UInt: Box] = [:]
}

extension AuricleError {
  /// The status that a C function returns for this failure; never 0.
  var statusForC: OSStatus { status != 0 ? status : kAudioUnitErr_FailedInitialization }
}
