// The steps that render units, and which memory each bus uses.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import AudioUnits
import CAudioToolbox

/// A bus while its plan is compiled: its remaining readers, and whether its memory can be used again.
@safe final class BusDraft {
  let bus: UnsafeMutablePointer<GraphBus>
  var readers: Int
  /// Bytes of each buffer.
  let size: Int

  init(_ bus: UnsafeMutablePointer<GraphBus>, readers: Int, size: Int) {
    unsafe self.bus = unsafe bus
    self.readers = readers
    self.size = size
  }
}

/// An output bus of a node.
struct OutputKey: Hashable {
  let node: ObjectIdentifier
  let bus: UInt32
}

extension GraphCompiler {
  /// Adds the rendering of a node's unit.
  func addUnit(
    _ node: GraphNode, _ domain: Int, _ read: [(bus: UInt32, draft: BusDraft)]
  ) throws(AuricleError) {
    nodes.append(node)
    guard let unit = node.unit else {
      throw AuricleError(.software, status: kAUGraphErr_InvalidAudioUnit, "\(node.name) is closed")
    }
    let key = ObjectIdentifier(node)
    let outputs = readers.keys.filter { $0.node == key }.map(\.bus).sorted()
    let buses = unsafe arena.room(for: outputs.count, of: GraphBus.self)
    var inherited: BusDraft?
    for (index, bus) in outputs.enumerated() {
      let format = try node.format(kAudioUnitScope_Output, bus)
      // A unit that works in place gets its input's memory for its output: nothing is copied.
      if outputs.count == 1, node.processesInPlace, let first = read.first,
        first.bus == 0, case let source = first.draft, source.readers == 1,
        unsafe source.bus.pointee.bufferCount == format.bufferCount,
        source.size == limits[domain] * Int(format.asbd.mBytesPerFrame)
      {
        inherited = source
      }
      let draft = unsafe makeBus(
        buses + index, format, bus, domain,
        readers: readers[OutputKey(node: key, bus: bus)] ?? 0,
        memory: inherited?.bus.pointee.memory)
      made[OutputKey(node: key, bus: bus)] = draft
    }
    for (_, source) in read where source !== inherited { release(source) }
    var step = unsafe GraphStep(
      kind: .unit, node: node.number, busCount: UInt32(outputs.count), buses: buses,
      render: unit.instance.pointee.render,
      plugIn: UnsafeMutableRawPointer(unit.instance.pointee.plugIn))
    step.checksFiniteness = checksFiniteness
    step.workNumber = unit.workNumber
    step.toleratesNoConnection = node.isLatecomer
    if let direct = unsafe node.direct, outputs == [0] {
      unsafe step.direct = makeDirect(node, direct, read, inherited)
    }
    steps[domain].append(step)
  }

  /// Passes a unit its input rather than asking it to fetch it, where it has one bus that is fed.
  private func makeDirect(
    _ node: GraphNode, _ direct: AuricleDirectRender,
    _ read: [(bus: UInt32, draft: BusDraft)], _ inherited: BusDraft?
  ) -> UnsafeMutablePointer<GraphDirect>? {
    guard let entry = topology[node], entry.ports.count == 1, entry.ports[0].bus == 0,
      let bus = ports.last, unsafe bus.port.slot == slots.last?.state, node.has(slots.last, for: 0),
      (try? node.format(kAudioUnitScope_Input, 0).isCanonical) == true,
      (try? node.format(kAudioUnitScope_Output, 0).isCanonical) == true
    else { return nil }
    // A unit that works in place does so in its source's memory, or in its own after a copy. Any
    // other needs memory of a source, or of a callback that lends it.
    let source = read.first?.draft
    let lends = unsafe bus.port.callback?.pointee.lendsMemory == true
    let isFed =
      node.processesInPlace ? source == nil || inherited === source : source != nil || lends
    guard isFed, unsafe source != nil || bus.port.callback != nil else { return nil }
    let made = unsafe arena.room(for: 1, of: GraphDirect.self)
    unsafe made.initialize(
      to: GraphDirect(unit: direct, source: source?.bus, callback: bus.port.callback))
    if source == nil, !node.processesInPlace,
      let count = try? node.format(kAudioUnitScope_Input, 0).channelCount
    {
      let size = AudioBufferList.byteSize(bufferCount: max(1, count))
      unsafe made.pointee.list = unsafe arena.bytes(size, alignment: 16)
        .bindMemory(to: AudioBufferList.self, capacity: 1)
      unsafe made.pointee.lent = unsafe arena.room(for: count, of: UnsafeMutableRawPointer.self)
      unsafe made.pointee.lentCount = count
    }
    return unsafe made
  }

  func makeBus(
    _ bus: UnsafeMutablePointer<GraphBus>, _ format: AudioStreamFormat, _ element: UInt32,
    _ domain: Int, readers: Int, memory: UnsafeMutablePointer<UnsafeMutableRawPointer>?
  ) -> BusDraft {
    let count = format.bufferCount
    let size = limits[domain] * Int(format.asbd.mBytesPerFrame)
    let listBytes = AudioBufferList.byteSize(bufferCount: max(1, count))
    let list = unsafe arena.bytes(listBytes, alignment: 16)
      .bindMemory(to: AudioBufferList.self, capacity: 1)
    let pointers = unsafe memory ?? arena.room(for: 2 * count, of: UnsafeMutableRawPointer.self)
    if unsafe memory == nil {
      for index in 0..<count {
        let samples = unsafe pool[size]?.popLast() ?? arena.samples(size)
        unsafe (pointers + index).initialize(to: samples)
        unsafe (pointers + count + index).initialize(to: samples)
      }
    }
    unsafe bus.initialize(
      to: GraphBus(
        list: list, memory: pointers, bufferCount: count, capacity: size,
        bytesPerFrame: Int(format.asbd.mBytesPerFrame),
        channelsPerBuffer: format.isPlanar ? 1 : format.asbd.mChannelsPerFrame, element: element))
    return unsafe BusDraft(bus, readers: readers, size: size)
  }

  /// One reader less; after the last one the memory is free for the steps that follow.
  func release(_ draft: BusDraft) {
    draft.readers -= 1
    guard draft.readers <= 0 else { return }
    for index in 0..<(unsafe draft.bus.pointee.bufferCount) {
      unsafe pool[draft.size, default: []].append(draft.bus.pointee.memory[index])
    }
  }
}
