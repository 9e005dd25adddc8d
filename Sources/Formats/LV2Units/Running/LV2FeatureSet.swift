// The features passed to a plug-in, with their C structs.
// SPDX-License-Identifier: Apache-2.0

internal import CLilv
internal import LV2Bundles

/// Block lengths promised to a plug-in.
struct LV2BlockLengths: Equatable {
  var minimum: Int32
  var maximum: Int32
  var nominal: Int32
  /// Whether every run has exactly `maximum` frames, a power of two.
  var isFixed: Bool
}

/// The features of one instance: the NULL-terminated array for `instantiate`, and all it points at, valid as
/// long as this object.
@safe final class LV2FeatureSet {
  /// The features for `instantiate` and `lv2_lib_descriptor`.
  let array: UnsafePointer<UnsafePointer<LV2_Feature>?>
  /// The features for `save` and `restore`: jobs scheduled there are done at once.
  let stateArray: UnsafePointer<UnsafePointer<LV2_Feature>?>
  /// The queue behind worker:schedule.
  let workQueue: UnsafeMutablePointer<LV2WorkQueue>
  /// The options, terminated by one of zeros.
  let options: UnsafePointer<LV2_Options_Option>
  private let instanceAccess: UnsafeMutablePointer<LV2_Feature>
  private let dataAccess: UnsafeMutablePointer<LV2_Extension_Data_Feature>
  private var allocations: [UnsafeMutableRawPointer] = unsafe []

  /// URIs of the features a plug-in may require.
  static let known: Set<String> = [
    LV2Names.urid + "map", LV2Names.urid + "unmap", LV2Names.options + "options",
    LV2Names.bufSize + "boundedBlockLength", LV2Names.bufSize + "fixedBlockLength",
    LV2Names.bufSize + "powerOf2BlockLength", LV2Names.bufSize + "coarseBlockLength",
    LV2Names.worker + "schedule", LV2Names.state + "loadDefaultState",
    LV2Names.state + "mapPath", LV2Names.state + "makePath", LV2Names.state + "freePath",
    LV2Names.state + "threadSafeRestore", LV2Names.log + "log", LV2Names.core + "isLive",
    LV2Names.core + "hardRTCapable", LV2Names.core + "inPlaceBroken",
    LV2Names.portProps + "supportsStrictBounds", LV2Names.resizePort + "resize",
    LV2Names.uriMap, LV2Names.event, LV2Names.instanceAccess, LV2Names.dataAccess,
    LV2Names.programs + "Host",
  ]

  /// URIs of the options passed to a new plug-in.
  static let knownOptions: Set<String> = [
    LV2Names.parameters + "sampleRate", LV2Names.bufSize + "minBlockLength",
    LV2Names.bufSize + "maxBlockLength", LV2Names.bufSize + "nominalBlockLength",
    LV2Names.bufSize + "sequenceSize",
  ]

  /// Makes the features for one instance.
  init(sampleRate: Double, blocks: LV2BlockLengths, log: LV2Log, paths: LV2StatePaths) {
    unsafe workQueue = .allocate(capacity: 1)
    unsafe workQueue.initialize(to: LV2WorkQueue())
    var list = LV2FeatureList()
    unsafe list.add(LV2Names.urid + "map", URIDMap.cMap.pointer)
    unsafe list.add(LV2Names.urid + "unmap", URIDMap.cUnmap.pointer)
    unsafe options = unsafe list.addOptions(sampleRate: sampleRate, blocks)
    list.addFlag(LV2Names.bufSize + "boundedBlockLength")
    if blocks.isFixed {
      list.addFlag(LV2Names.bufSize + "fixedBlockLength")
      list.addFlag(LV2Names.bufSize + "powerOf2BlockLength")
      list.addFlag(LV2Names.bufSize + "coarseBlockLength")
    }
    unsafe list.add(LV2Names.log + "log", log.pointer)
    list.addPaths(paths)
    // Flags without data.
    for flag in ["loadDefaultState", "threadSafeRestore"] { list.addFlag(LV2Names.state + flag) }
    for flag in ["isLive", "hardRTCapable", "inPlaceBroken"] { list.addFlag(LV2Names.core + flag) }
    list.addFlag(LV2Names.portProps + "supportsStrictBounds")
    // Features older than URIDs and atoms.
    unsafe list.add(LV2Names.uriMap, LV2EventExtension.uriMap.pointer)
    unsafe list.add(LV2Names.event, LV2EventExtension.events.pointer)
    unsafe list.add(LV2Names.programs + "Host", LV2EventExtension.programsHost.pointer)
    unsafe list.add(LV2Names.resizePort + "resize", LV2EventExtension.resize.pointer)
    unsafe instanceAccess = list.addUnfinished(LV2Names.instanceAccess)
    unsafe dataAccess = list.keep(LV2_Extension_Data_Feature(data_access: { _ in nil }))
    unsafe list.add(LV2Names.dataAccess, dataAccess)
    unsafe array = list.array(workQueue, scheduleWork)
    unsafe stateArray = list.array(workQueue, scheduleRestoringWork)
    unsafe allocations = unsafe list.owned
  }

  /// Completes the features for access to the instance itself.
  func setInstance(_ descriptor: UnsafePointer<LV2_Descriptor>, _ handle: LV2_Handle) {
    unsafe instanceAccess.pointee.data = unsafe handle
    if let access = unsafe descriptor.pointee.extension_data {
      unsafe dataAccess.pointee.data_access = unsafe access
    }
  }

  deinit {
    unsafe allocations.forEach { unsafe $0.deallocate() }
    unsafe workQueue.pointee.free()
    unsafe workQueue.deinitialize(count: 1)
    unsafe workQueue.deallocate()
  }
}
