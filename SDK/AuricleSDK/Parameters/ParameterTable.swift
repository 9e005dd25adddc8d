// The places of all parameters of all scopes and elements, found without a lock or a dictionary.
// SPDX-License-Identifier: Apache-2.0

import CAudioToolbox
import RealtimeSupport
import Synchronization

/// The data of one parameter for finding and checking a value.
struct ParameterEntry: BitwiseCopyable {
  var id: AudioUnitParameterID
  /// Its place among the parameters of its scope.
  var place: Int
  var minimum: Float
  var maximum: Float
  var isScaledBySampleRate: Bool
  var maximumIsNyquist: Bool
  var isMeter: Bool
  var isRampedByKernel: Bool
  var openEnds: UInt32 = 0
  /// Place of the parameter that is another view of this one; −1 for none.
  var otherView = -1
  /// Whether this one is the cents of that one, which is a ratio.
  var isCents = false

  @_noLocks init() {
    id = 0
    place = 0
    minimum = 0
    maximum = 0
    isScaledBySampleRate = false
    maximumIsNyquist = false
    isMeter = false
    isRampedByKernel = false
  }

  init(_ definition: ParameterDefinition, place: Int) {
    id = definition.id
    self.place = place
    minimum = definition.minimum
    maximum = definition.maximum
    isScaledBySampleRate = definition.isScaledBySampleRate
    maximumIsNyquist = definition.maximumIsNyquist
    isMeter = definition.isMeter
    isRampedByKernel = definition.isRampedByKernel
    openEnds = definition.openEnds
  }

  /// Brings a value into the range at a sample rate (Hz).
  @_noLocks func bounded(_ value: Float, atSampleRate sampleRate: Double) -> Float {
    var least = minimum
    var greatest = maximum
    if isScaledBySampleRate {
      least *= Float(sampleRate)
      greatest *= Float(sampleRate)
    } else if maximumIsNyquist {
      least = min(least, Float(sampleRate / 4))
      greatest = Float(sampleRate / 2)
    }
    if openEnds & kAuricleOpenEnd_Below != 0 { least = -.greatestFiniteMagnitude }
    if openEnds & kAuricleOpenEnd_Above != 0 { greatest = .greatestFiniteMagnitude }
    return min(max(value, least), greatest)
  }
}

/// One scope: its parameters by id, and how many elements it has.
@safe struct ParameterScope: BitwiseCopyable {
  /// Sorted by id.
  var entries: UnsafeMutablePointer<ParameterEntry>
  var count: Int
  /// Index of the first value of element 0 in the store.
  var base: Int
  /// Elements there is room for.
  var capacity: Int
  /// Sets of values there is room for: one an element, unless the unit is a matrix.
  var rows: Int
  /// Whether the unit has the scope.
  var exists: Bool

  /// Returns the index of the entry of an id; -1 for none.
  @_noLocks func index(of id: AudioUnitParameterID) -> Int {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if unsafe entries[middle].id < id { low = middle + 1 } else { high = middle }
    }
    return unsafe low < count && entries[low].id == id ? low : -1
  }
}

/// A parameter of an element that exists.
struct ParameterAddress: BitwiseCopyable {
  var entry: ParameterEntry
  /// Index of its value in the store.
  var index: Int

  @_noLocks init() {
    entry = ParameterEntry()
    index = 0
  }

  @_noLocks init(entry: ParameterEntry, index: Int) {
    self.entry = entry
    self.index = index
  }
}

/// The parameters of all scopes of a unit: global first, then element by element.
///
/// The struct is a handful of pointers; the code that made it deallocates it. Any thread may read
/// and write values at any time: room for the highest number of elements is allocated at the start.
/// Context: any.
@safe struct ParameterTable: @unchecked Sendable {
  // @unchecked Sendable because the scopes never change and all else is atomic.
  static let scopeCount = 6
  let values: ParameterStore
  private let scopes: UnsafeMutablePointer<ParameterScope>
  private let elementCounts: UnsafeMutablePointer<Atomic<Int>>
  private let rate: UnsafeMutablePointer<Atomic<Double>>
  private let matrix: ChannelMatrix?
  /// Channels of all inputs and of all outputs, for a matrix.
  private let channels: UnsafeMutablePointer<Atomic<Int>>

  /// Allocates the table for the elements of each scope; nil for a scope that there is not. Context: control.
  init(
    matrix: ChannelMatrix? = nil, elements elementsOfScope: (AudioUnitScope) -> ElementDefinition?
  ) {
    self.matrix = matrix
    unsafe channels = .allocate(capacity: 2)
    for side in 0..<2 { unsafe (channels + side).initialize(to: Atomic(0)) }
    unsafe scopes = .allocate(capacity: Self.scopeCount)
    unsafe elementCounts = .allocate(capacity: Self.scopeCount)
    unsafe rate = .allocate(capacity: 1)
    unsafe rate.initialize(to: Atomic(44100))
    var base = 0
    for scope in 0..<Self.scopeCount {
      let elements = elementsOfScope(AudioUnitScope(scope))
      let list = elements?.parameters ?? []
      let sorted = list.enumerated().map { ParameterEntry($0.element, place: $0.offset) }
        .sorted { $0.id < $1.id }
      let entries = UnsafeMutablePointer<ParameterEntry>.allocate(capacity: max(list.count, 1))
      for (index, entry) in Self.linked(sorted, list).enumerated() {
        unsafe (entries + index).initialize(to: entry)
      }
      let capacity = elements?.counts.upperBound ?? 0
      let rows = matrix?.rowCount(AudioUnitScope(scope)) ?? capacity
      unsafe (scopes + scope).initialize(
        to: ParameterScope(
          entries: entries, count: list.count, base: base, capacity: capacity,
          rows: rows, exists: elements != nil))
      unsafe (elementCounts + scope).initialize(to: Atomic(elements?.initialCount ?? 0))
      base += list.count * rows
    }
    values = ParameterStore(count: base)
  }

  /// Returns the entries, with references between the ones that are two views of one value.
  private static func linked(
    _ entries: [ParameterEntry], _ list: [ParameterDefinition]
  ) -> [ParameterEntry] {
    var entries = entries
    for cents in entries.indices {
      guard let id = list[entries[cents].place].centsOf,
        let ratio = entries.firstIndex(where: { $0.id == id })
      else { continue }
      entries[cents].otherView = entries[ratio].place
      entries[cents].isCents = true
      entries[ratio].otherView = entries[cents].place
    }
    return entries
  }

  /// Frees the memory; no copy may be used afterwards. Context: control.
  func deallocate() {
    for scope in 0..<Self.scopeCount { unsafe scopes[scope].entries.deallocate() }
    unsafe scopes.deallocate()
    unsafe elementCounts.deinitialize(count: Self.scopeCount)
    unsafe elementCounts.deallocate()
    unsafe rate.deallocate()
    unsafe channels.deallocate()
    values.deallocate()
  }

  /// Sample rate by which ranges are computed (Hz).
  var sampleRate: Double {
    @_noLocks get { unsafe rate.pointee.load(ordering: .relaxed) }
    nonmutating set { unsafe rate.pointee.store(newValue, ordering: .relaxed) }
  }

  /// Returns the number of elements of a scope, or -1 for a scope that the unit does not have.
  @_noLocks func elementCount(_ scope: AudioUnitScope) -> Int {
    guard scope < UInt32(Self.scopeCount), unsafe scopes[Int(scope)].exists else { return -1 }
    return unsafe elementCounts[Int(scope)].load(ordering: .relaxed)
  }

  /// Sets the number of elements of a scope. Context: control.
  func setElementCount(_ count: Int, of scope: AudioUnitScope) {
    unsafe elementCounts[Int(scope)].store(count, ordering: .relaxed)
  }

  /// Elements of a scope there is room for.
  func capacity(_ scope: AudioUnitScope) -> Int { unsafe scopes[Int(scope)].capacity }

  /// Sets the numbers of channels of a matrix. Context: control.
  func setChannelCounts(inputs: Int, outputs: Int) {
    guard let matrix else { return }
    unsafe channels[0].store(min(inputs, matrix.maximumInputs), ordering: .relaxed)
    unsafe channels[1].store(min(outputs, matrix.maximumOutputs), ordering: .relaxed)
  }

  /// Returns the place of an element's values among those of its scope; -1 for one that does not exist.
  @_noLocks func row(_ scope: AudioUnitScope, _ element: AudioUnitElement) -> Int {
    guard let matrix else { return Int(element) < elementCount(scope) ? Int(element) : -1 }
    return matrix.row(
      scope, element, inputs: unsafe channels[0].load(ordering: .relaxed),
      outputs: unsafe channels[1].load(ordering: .relaxed))
  }

  /// Returns the elements of a scope that have values, with the place of each. Context: control.
  func rows(_ scope: AudioUnitScope) -> [(element: AudioUnitElement, row: Int)] {
    guard let matrix else {
      return (0..<max(0, elementCount(scope))).map { (AudioUnitElement($0), $0) }
    }
    let inputs = unsafe channels[0].load(ordering: .relaxed)
    let outputs = unsafe channels[1].load(ordering: .relaxed)
    switch scope {
    case kAudioUnitScope_Global:
      let crossings = (0..<inputs).flatMap { input in
        (0..<outputs).map { output in
          (
            ChannelMatrix.crossing(input: input, output: output),
            matrix.row(input: input, output: output)
          )
        }
      }
      return [(ChannelMatrix.whole, 0)] + crossings
    case kAudioUnitScope_Input: return (0..<inputs).map { (AudioUnitElement($0), $0) }
    case kAudioUnitScope_Output: return (0..<outputs).map { (AudioUnitElement($0), $0) }
    default: return []
    }
  }

  /// Places of a scope that need values from the start: all those of a matrix, else of its elements.
  func initialRowCount(_ scope: AudioUnitScope) -> Int {
    matrix == nil ? max(0, elementCount(scope)) : unsafe scopes[Int(scope)].rows
  }

  /// Index in the store of the first value of an element of a scope (of a matrix, of a place).
  @_noLocks func firstIndex(_ scope: AudioUnitScope, _ element: Int) -> Int {
    let entry = unsafe scopes[Int(scope)]
    return entry.base + element * entry.count
  }

  /// Returns the number of parameters of each element of a scope that exists.
  @_noLocks func parameterCount(_ scope: AudioUnitScope) -> Int {
    unsafe scopes[Int(scope)].count
  }

  /// Finds a parameter.
  ///
  /// - Returns: 0, or `kAudioUnitErr_InvalidScope`, `kAudioUnitErr_InvalidElement` or
  ///   `kAudioUnitErr_InvalidParameter`, in this order.
  @_noLocks func find(
    _ id: AudioUnitParameterID, _ scope: AudioUnitScope, _ element: AudioUnitElement,
    _ found: inout ParameterAddress
  ) -> OSStatus {
    guard elementCount(scope) >= 0 else { return kAudioUnitErr_InvalidScope }
    let row = row(scope, element)
    guard row >= 0 else { return kAudioUnitErr_InvalidElement }
    let table = unsafe scopes[Int(scope)]
    let entryIndex = table.index(of: id)
    guard entryIndex >= 0 else { return kAudioUnitErr_InvalidParameter }
    let entry = unsafe table.entries[entryIndex]
    found = ParameterAddress(
      entry: entry, index: table.base + row * table.count + entry.place)
    return 0
  }

  /// Returns the place of a parameter among those of its scope; nil if the scope has none of that id.
  func place(_ id: AudioUnitParameterID, _ scope: AudioUnitScope) -> Int? {
    guard elementCount(scope) >= 0 else { return nil }
    let table = unsafe scopes[Int(scope)]
    let index = table.index(of: id)
    return index < 0 ? nil : unsafe table.entries[index].place
  }

  /// Value of a parameter.
  @_noLocks func get(
    _ id: AudioUnitParameterID, _ scope: AudioUnitScope, _ element: AudioUnitElement,
    _ value: UnsafeMutablePointer<AudioUnitParameterValue>
  ) -> OSStatus {
    var address = ParameterAddress()
    let status = find(id, scope, element, &address)
    if status == 0 { unsafe value.pointee = values.value(at: address.index) }
    return status
  }

  /// Sets a parameter that a host may write, brought into its range.
  @_noLocks func set(
    _ id: AudioUnitParameterID, _ scope: AudioUnitScope, _ element: AudioUnitElement,
    _ value: AudioUnitParameterValue
  ) -> OSStatus {
    var address = ParameterAddress()
    let status = find(id, scope, element, &address)
    guard status == 0 else { return status }
    guard value.isFinite else { return kAudioUnitErr_InvalidParameterValue }
    guard !address.entry.isMeter else { return kAudioUnitErr_InvalidParameter }
    let bounded = address.entry.bounded(value, atSampleRate: sampleRate)
    values.setValue(bounded, at: address.index)
    if address.entry.otherView >= 0 {
      values.setValue(
        address.entry.isCents
          ? RealtimeMath.exp2(bounded / 1200) : RealtimeMath.log2(max(bounded, 1e-9)) * 1200,
        at: address.index - address.entry.place + address.entry.otherView)
    }
    return 0
  }
}
