// What this library keeps for the whole process: the components it knows, the instances it opened.
// SPDX-License-Identifier: Apache-2.0

import AudioComponents
import AudioTypes
import AudioUnits
import CAudioToolbox
import CHostSystem
import Glibc
import HostSystem
import InstalledComponents
import LV2Units
import NativeUnits
import Synchronization

/// The components of this process, found when first asked for, and the open instances of them.
///
/// A process may hold a host with a registry of its own beside this library; handles of either are
/// then told apart by whose they are, and a foreign component stands for the one of ours with the
/// same identity.
enum Toolbox {
  /// All components of all formats, those that ship beside this library among them. Bundles that have
  /// changed are read in processes of `program`; where there is no such program, in this one.
  static let registry = InstalledFormats(shippedFolder: ownFolder.map { $0 + "/Components" })
    .catalogs(CatalogRequest(reader: program.map(ChildReader.init), runsCode: true))
    .makeRegistry(blocklist: ComponentBlocklist(folder: CacheFile.standardFolder))

  /// The `auricle` program that reads and tries plug-ins for this library: AURICLE_PROGRAM, or the one of
  /// the library's build or installation; nil where there is none.
  static let program: String? = {
    var candidates: [String] = []
    if let named = unsafe getenv("AURICLE_PROGRAM") {
      candidates.append(unsafe String(cString: named))
    }
    if let folder = ownFolder {
      candidates += ["\(folder)/auricle", "\(folder)/../../bin/auricle"]
    }
    return candidates.first { unsafe access($0, X_OK) == 0 }
  }()

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
    instances.withLock {
      $0.count += 1
      $0.units[UInt(bitPattern: handle)] = ($0.count, box)
    }
    return unsafe handle
  }

  /// The how manieth of the units that C code opened this is; nil for one that it did not open.
  static func number(of handle: UnsafeMutablePointer<ComponentInstanceRecord>) -> Int? {
    let key = UInt(bitPattern: handle)
    return instances.withLock { $0.units[key]?.number }
  }

  /// Closes a unit that `keep` was given; false for any other handle.
  static func dispose(_ handle: UnsafeMutablePointer<ComponentInstanceRecord>) -> Bool {
    let key = UInt(bitPattern: handle)
    // Closed outside of the lock: a unit may open and close others while it goes.
    let entry = instances.withLock { $0.units.removeValue(forKey: key) }
    return entry != nil
  }

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

  /// With the numbers they were given, from 1 on.
  var units: [UInt: (number: Int, box: Box)] = [:]
  var count = 0
}

extension AuricleError {
  /// The status that a C function returns for this failure; never 0.
  var statusForC: OSStatus { status != 0 ? status : kAudioUnitErr_FailedInitialization }
}
