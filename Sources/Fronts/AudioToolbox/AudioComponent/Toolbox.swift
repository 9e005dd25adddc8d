// The state of this library in a process: the registry and the open instances.
// SPDX-License-Identifier: Apache-2.0

import AudioComponents
import AudioTypes
import AudioUnits
import CAudioToolbox
import CHostSystem
import CodecComponents
import Glibc
import HostSystem
import InstalledComponents
import LV2Units
import NativeUnits
import OutputUnits
import ProgramUnits
import PublishedUnits
import Synchronization

/// The components of this process, found when first needed, and their open instances.
///
/// A process may have a host with a separate registry beside this library; handles are then
/// distinguished by owner, and a foreign component is mapped to ours with the same identity.
enum Toolbox {
  /// All components of all formats, including shipped ones beside this library. Changed bundles are read
  /// in child processes of `program`, or in this process without one.
  static let registry = InstalledFormats(shippedFolder: ownFolder.map { $0 + "/Components" })
    .makeRegistry(
      CatalogRequest(reader: program.map(ChildReader.init), runsCode: true),
      blocklist: ComponentBlocklist(folder: CacheFile.standardFolder),
      adding: [OutputComponentSource(), CodecComponentSource()])

  /// The `auricle` program that reads and probes plug-ins for this library: AURICLE_PROGRAM, or the one of
  /// the library's build or installation; nil if there is none.
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

  /// Adds the units that programs have published since the registry was read, where a search may find them.
  static func refreshPrograms(matching wanted: AudioComponentDescription) {
    guard wanted.componentType == 0 || ProgramEntry.types.contains(wanted.componentType) else {
      return
    }
    for component in ProgramFormat().catalog(CatalogRequest()).discover().components
    where component.description.matches(wanted) {
      let known = component.description
      let isKnown =
        registry.component(
          type: known.componentType, subtype: known.componentSubType,
          manufacturer: known.componentManufacturer) != nil
      // One that another thread adds meanwhile is there as well.
      if !isKnown { _ = try? registry.register(component) }
    }
  }

  /// Our component for a handle; nil for a null handle, or a foreign one without match.
  static func component(_ handle: UnsafeMutablePointer<OpaqueAudioComponent>?) -> AudioComponent? {
    guard let handle = unsafe componentRecord(handle) else { return nil }
    let description = unsafe handle.pointee.description
    return registry.component(
      type: description.componentType, subtype: description.componentSubType,
      manufacturer: description.componentManufacturer)
  }

  /// The handle itself if it is a component's, of any host.
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

  /// The ordinal of a unit among all that C code opened; nil for other units.
  static func number(of handle: UnsafeMutablePointer<ComponentInstanceRecord>) -> Int? {
    let key = UInt(bitPattern: handle)
    return instances.withLock { $0.units[key]?.number }
  }

  /// Closes a unit passed to `keep`; false for any other handle.
  static func dispose(_ handle: UnsafeMutablePointer<ComponentInstanceRecord>) -> Bool {
    let key = UInt(bitPattern: handle)
    // Closed outside of the lock: a unit may open and close others while it is closed.
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

/// The units that C code has handles of, by the handles' addresses.
private struct OpenInstances {
  /// @unchecked Sendable because C code moves handles between threads, and uses each from one thread at a
  /// time, as this interface requires.
  struct Box: @unchecked Sendable {
    let unit: AudioUnit
  }

  /// With their ordinals, from 1.
  var units: [UInt: (number: Int, box: Box)] = [:]
  var count = 0
}

extension AuricleError {
  /// The status that a C function returns for this failure; never 0.
  var statusForC: OSStatus { status != 0 ? status : kAudioUnitErr_FailedInitialization }
}
