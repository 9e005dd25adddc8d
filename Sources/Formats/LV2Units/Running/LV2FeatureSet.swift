// The features a plug-in is given, with the C structs behind them.
// SPDX-License-Identifier: Apache-2.0

internal import CLilv

/// Block lengths a plug-in is promised.
struct LV2BlockLengths: Equatable {
  var minimum: Int32
  var maximum: Int32
  var nominal: Int32
  /// Whether every run has exactly `maximum` frames, a power of two.
  var isFixed: Bool
}

/// The features of one instance: the NULL-terminated array a plug-in is instantiated with, and all it
/// points at, alive as long as this object.
@safe final class LV2FeatureSet {
  /// What `instantiate` and `lv2_lib_descriptor` are given.
  let array: UnsafePointer<UnsafePointer<LV2_Feature>?>
  /// What `save` and `restore` are given: jobs scheduled there are done at once.
  let stateArray: UnsafePointer<UnsafePointer<LV2_Feature>?>
  /// The queue behind worker:schedule.
  let workQueue: UnsafeMutablePointer<LV2WorkQueue>
  /// The options, ended by one that is all zero.
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

  /// URIs of the options a plug-in is told when it is made.
  static let knownOptions: Set<String> = [
    LV2Names.parameters + "sampleRate", LV2Names.bufSize + "minBlockLength",
    LV2Names.bufSize + "maxBlockLength", LV2Names.bufSize + "nominalBlockLength",
    LV2Names.bufSize + "sequenceSize",
  ]

  /// Features that need blocks of one size.
  static let fixedBlockFeatures: Set<String> = [
    LV2Names.bufSize + "fixedBlockLength", LV2Names.bufSize + "powerOf2BlockLength",
    LV2Names.bufSize + "coarseBlockLength",
  ]

  /// Gathers the features for one instance.
  init(sampleRate: Double, blocks: LV2BlockLengths, log: LV2Log, paths: LV2StatePaths) {
    unsafe workQueue = .allocate(capacity: 1)
    unsafe workQueue.initialize(to: LV2WorkQueue())
    var owned: [UnsafeMutableRawPointer] = unsafe []
    func keep<Value>(_ value: Value) -> UnsafeMutablePointer<Value> {
      let pointer = UnsafeMutablePointer<Value>.allocate(capacity: 1)
      unsafe pointer.initialize(to: value)
      unsafe owned.append(UnsafeMutableRawPointer(pointer))
      return unsafe pointer
    }
    func uri(_ text: String) -> UnsafePointer<CChar>? {
      let map = URIDMap.shared
      return unsafe map.text(map.number(text))
    }
    var features: [UnsafeMutablePointer<LV2_Feature>] = unsafe []
    func add(_ name: String, _ data: UnsafeMutableRawPointer? = nil) {
      unsafe features.append(keep(LV2_Feature(URI: uri(name), data: data)))
    }

    unsafe add(LV2Names.urid + "map", URIDMap.cMap.pointer)
    unsafe add(LV2Names.urid + "unmap", URIDMap.cUnmap.pointer)

    // Options: an array ended by one that is all zero.
    let map = URIDMap.shared
    let int = map.number(LV2Names.atom + "Int")
    let float = map.number(LV2Names.atom + "Float")
    func option(_ name: String, _ type: UInt32, _ value: UnsafeRawPointer) -> LV2_Options_Option {
      unsafe LV2_Options_Option(
        context: LV2_OPTIONS_INSTANCE, subject: 0, key: map.number(name), size: 4, type: type,
        value: value)
    }
    let list: [LV2_Options_Option] = unsafe [
      option(LV2Names.parameters + "sampleRate", float, keep(Float(sampleRate))),
      option(LV2Names.bufSize + "minBlockLength", int, keep(blocks.minimum)),
      option(LV2Names.bufSize + "maxBlockLength", int, keep(blocks.maximum)),
      option(LV2Names.bufSize + "nominalBlockLength", int, keep(blocks.nominal)),
      option(LV2Names.bufSize + "sequenceSize", int, keep(Int32(LV2AtomBuffer.standardSize))),
      LV2_Options_Option(),
    ]
    let optionArray = unsafe UnsafeMutablePointer<LV2_Options_Option>.allocate(
      capacity: list.count)
    unsafe list.withUnsafeBufferPointer {
      if let base = $0.baseAddress {
        unsafe optionArray.initialize(from: base, count: list.count)
      }
    }
    unsafe options = unsafe UnsafePointer(optionArray)
    unsafe owned.append(UnsafeMutableRawPointer(optionArray))
    unsafe add(LV2Names.options + "options", optionArray)

    add(LV2Names.bufSize + "boundedBlockLength")
    if blocks.isFixed {
      add(LV2Names.bufSize + "fixedBlockLength")
      add(LV2Names.bufSize + "powerOf2BlockLength")
      add(LV2Names.bufSize + "coarseBlockLength")
    }
    unsafe add(LV2Names.log + "log", log.pointer)
    let handle = unsafe Unmanaged.passUnretained(paths).toOpaque()
    unsafe add(
      LV2Names.state + "makePath",
      keep(LV2_State_Make_Path(handle: handle, path: LV2Paths.make)))
    unsafe add(
      LV2Names.state + "mapPath",
      keep(
        LV2_State_Map_Path(
          handle: handle, abstract_path: LV2Paths.abstract, absolute_path: LV2Paths.absolute)))
    unsafe add(
      LV2Names.state + "freePath", keep(LV2_State_Free_Path(handle: nil, free_path: LV2Paths.free)))
    // Flags without data.
    for flag in ["loadDefaultState", "threadSafeRestore"] { add(LV2Names.state + flag) }
    for flag in ["isLive", "hardRTCapable", "inPlaceBroken"] { add(LV2Names.core + flag) }
    add(LV2Names.portProps + "supportsStrictBounds")
    // What came before URIDs and atoms.
    unsafe add(LV2Names.uriMap, LV2EventExtension.uriMap.pointer)
    unsafe add(LV2Names.event, LV2EventExtension.events.pointer)
    unsafe add(LV2Names.programs + "Host", LV2EventExtension.programsHost.pointer)
    unsafe add(LV2Names.resizePort + "resize", LV2EventExtension.resize.pointer)
    unsafe instanceAccess = keep(LV2_Feature(URI: uri(LV2Names.instanceAccess), data: nil))
    unsafe features.append(instanceAccess)
    unsafe dataAccess = keep(LV2_Extension_Data_Feature(data_access: { _ in nil }))
    unsafe add(LV2Names.dataAccess, dataAccess)

    let queue = unsafe workQueue
    func finished(_ schedule: LV2WorkFunction) -> UnsafePointer<UnsafePointer<LV2_Feature>?> {
      let worker = unsafe keep(
        LV2_Worker_Schedule(handle: queue, schedule_work: schedule))
      let feature = unsafe keep(LV2_Feature(URI: uri(LV2Names.worker + "schedule"), data: worker))
      let array = unsafe UnsafeMutablePointer<UnsafePointer<LV2_Feature>?>.allocate(
        capacity: features.count + 2)
      for index in unsafe features.indices {
        unsafe (array + index).initialize(to: UnsafePointer(features[index]))
      }
      unsafe (array + features.count).initialize(to: UnsafePointer(feature))
      unsafe (array + features.count + 1).initialize(to: nil)
      unsafe owned.append(UnsafeMutableRawPointer(array))
      return unsafe UnsafePointer(array)
    }
    unsafe array = finished(scheduleWork)
    unsafe stateArray = finished(scheduleRestoringWork)
    unsafe allocations = unsafe owned
  }

  /// Completes the features that give access to the instance itself.
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
