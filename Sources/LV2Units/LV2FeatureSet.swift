// The features a plug-in is given, with the C structs behind them.
// SPDX-License-Identifier: Apache-2.0

internal import CLilv
internal import Glibc

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
  /// What `instantiate`, `lv2_lib_descriptor` and `restore` are given.
  let array: UnsafePointer<UnsafePointer<LV2_Feature>?>
  /// The queue behind worker:schedule.
  let workQueue: UnsafeMutablePointer<LV2WorkQueue>
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
  ]

  /// Features that need blocks of one size.
  static let fixedBlockFeatures: Set<String> = [
    LV2Names.bufSize + "fixedBlockLength", LV2Names.bufSize + "powerOf2BlockLength",
    LV2Names.bufSize + "coarseBlockLength",
  ]

  /// Gathers the features for one instance.
  init(sampleRate: Double, blocks: LV2BlockLengths, log: LV2Log) {
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
    var features: [UnsafePointer<LV2_Feature>?] = unsafe []
    func add(_ name: String, _ data: UnsafeMutableRawPointer? = nil) {
      unsafe features.append(UnsafePointer(keep(LV2_Feature(URI: uri(name), data: data))))
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
    let options: [LV2_Options_Option] = unsafe [
      option(LV2Names.parameters + "sampleRate", float, keep(Float(sampleRate))),
      option(LV2Names.bufSize + "minBlockLength", int, keep(blocks.minimum)),
      option(LV2Names.bufSize + "maxBlockLength", int, keep(blocks.maximum)),
      option(LV2Names.bufSize + "nominalBlockLength", int, keep(blocks.nominal)),
      option(LV2Names.bufSize + "sequenceSize", int, keep(Int32(LV2AtomBuffer.standardSize))),
      LV2_Options_Option(),
    ]
    let optionArray = unsafe UnsafeMutablePointer<LV2_Options_Option>.allocate(
      capacity: options.count)
    unsafe options.withUnsafeBufferPointer {
      if let base = $0.baseAddress {
        unsafe optionArray.initialize(from: base, count: options.count)
      }
    }
    unsafe owned.append(UnsafeMutableRawPointer(optionArray))
    unsafe add(LV2Names.options + "options", optionArray)

    add(LV2Names.bufSize + "boundedBlockLength")
    if blocks.isFixed {
      add(LV2Names.bufSize + "fixedBlockLength")
      add(LV2Names.bufSize + "powerOf2BlockLength")
      add(LV2Names.bufSize + "coarseBlockLength")
    }
    unsafe add(
      LV2Names.worker + "schedule",
      keep(LV2_Worker_Schedule(handle: workQueue, schedule_work: scheduleWork)))
    unsafe add(LV2Names.log + "log", log.pointer)
    unsafe add(
      LV2Names.state + "makePath", keep(LV2_State_Make_Path(handle: nil, path: LV2Paths.make)))
    unsafe add(
      LV2Names.state + "mapPath",
      keep(
        LV2_State_Map_Path(
          handle: nil, abstract_path: LV2Paths.copy, absolute_path: LV2Paths.copy)))
    unsafe add(
      LV2Names.state + "freePath", keep(LV2_State_Free_Path(handle: nil, free_path: LV2Paths.free)))
    // Flags without data. State is restored only while nothing runs, which all of them allow.
    for flag in ["loadDefaultState", "threadSafeRestore"] { add(LV2Names.state + flag) }
    for flag in ["isLive", "hardRTCapable", "inPlaceBroken"] { add(LV2Names.core + flag) }

    unsafe features.append(nil)
    let array = unsafe UnsafeMutablePointer<UnsafePointer<LV2_Feature>?>.allocate(
      capacity: features.count)
    unsafe features.withUnsafeBufferPointer {
      if let base = $0.baseAddress {
        unsafe array.initialize(from: base, count: features.count)
      }
    }
    unsafe owned.append(UnsafeMutableRawPointer(array))
    unsafe self.array = unsafe UnsafePointer(array)
    unsafe allocations = unsafe owned
  }

  deinit {
    unsafe allocations.forEach { unsafe $0.deallocate() }
    unsafe workQueue.pointee.free()
    unsafe workQueue.deallocate()
  }
}

/// Paths of plug-ins' state, as they are: state is read from bundles, where lilv maps paths itself.
enum LV2Paths {
  /// Answers a copy of the path.
  static let copy:
    @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<CChar>?) -> UnsafeMutablePointer<CChar>? =
      { _, path in unsafe path.flatMap { unsafe strdup($0) } }

  /// There is no folder to make new state files in while nothing is saved: refuses.
  static let make:
    @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<CChar>?) -> UnsafeMutablePointer<CChar>? =
      { _, _ in nil }

  /// Frees a path given out.
  static let free: @convention(c) (UnsafeMutableRawPointer?, UnsafeMutablePointer<CChar>?) -> Void =
    { _, path in unsafe Glibc.free(path) }
}
