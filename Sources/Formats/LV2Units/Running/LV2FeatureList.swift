// Builds the C structs of features.
// SPDX-License-Identifier: Apache-2.0

internal import CLilv
internal import LV2Bundles

/// Makes features and their data, in memory listed in `owned`.
@safe struct LV2FeatureList {
  /// All allocated memory; the owner of the features frees it.
  private(set) var owned: [UnsafeMutableRawPointer] = unsafe []
  private var features: [UnsafeMutablePointer<LV2_Feature>] = unsafe []

  /// Moves a value to memory that stays.
  mutating func keep<Value>(_ value: Value) -> UnsafeMutablePointer<Value> {
    let pointer = UnsafeMutablePointer<Value>.allocate(capacity: 1)
    unsafe pointer.initialize(to: value)
    unsafe owned.append(UnsafeMutableRawPointer(pointer))
    return unsafe pointer
  }

  /// Adds a feature without data.
  mutating func addFlag(_ name: String) { unsafe add(name, nil) }

  /// Adds a feature with its data.
  mutating func add(_ name: String, _ data: UnsafeMutableRawPointer?) {
    unsafe features.append(keep(LV2_Feature(URI: Self.uri(name), data: data)))
  }

  /// Adds a feature whose data is set later.
  mutating func addUnfinished(_ name: String) -> UnsafeMutablePointer<LV2_Feature> {
    let feature = unsafe keep(LV2_Feature(URI: Self.uri(name), data: nil))
    unsafe features.append(feature)
    return unsafe feature
  }

  /// Adds the options: an array ended by one that is all zero.
  mutating func addOptions(
    sampleRate: Double, _ blocks: LV2BlockLengths
  ) -> UnsafePointer<LV2_Options_Option> {
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
    let options = unsafe UnsafeMutablePointer<LV2_Options_Option>.allocate(capacity: list.count)
    unsafe list.withUnsafeBufferPointer {
      if let base = $0.baseAddress { unsafe options.initialize(from: base, count: list.count) }
    }
    unsafe owned.append(UnsafeMutableRawPointer(options))
    unsafe add(LV2Names.options + "options", options)
    return unsafe UnsafePointer(options)
  }

  /// Adds the features that name files of a state.
  mutating func addPaths(_ paths: LV2StatePaths) {
    let handle = unsafe Unmanaged.passUnretained(paths).toOpaque()
    let make = unsafe keep(LV2_State_Make_Path(handle: handle, path: LV2Paths.make))
    let map = unsafe keep(
      LV2_State_Map_Path(
        handle: handle, abstract_path: LV2Paths.abstract, absolute_path: LV2Paths.absolute))
    let free = unsafe keep(LV2_State_Free_Path(handle: nil, free_path: LV2Paths.free))
    unsafe add(LV2Names.state + "makePath", make)
    unsafe add(LV2Names.state + "mapPath", map)
    unsafe add(LV2Names.state + "freePath", free)
  }

  /// All features and a way to schedule work, ended by NULL.
  mutating func array(
    _ queue: UnsafeMutablePointer<LV2WorkQueue>, _ schedule: LV2WorkFunction
  ) -> UnsafePointer<UnsafePointer<LV2_Feature>?> {
    let worker = unsafe keep(LV2_Worker_Schedule(handle: queue, schedule_work: schedule))
    let feature = unsafe keep(
      LV2_Feature(URI: Self.uri(LV2Names.worker + "schedule"), data: worker))
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

  private static func uri(_ text: String) -> UnsafePointer<CChar>? {
    let map = URIDMap.shared
    return unsafe map.text(map.number(text))
  }
}
