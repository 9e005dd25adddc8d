// The ports of a plug-in as buses of a unit, and the layout for a host's formats.
// SPDX-License-Identifier: Apache-2.0

internal import AuricleSDK
internal import CAudioToolbox
internal import CForeignPlugIns

extension CLAPDescription {
  /// All layouts of ports; first the one of a fresh instance.
  var layouts: [CLAPPorts] {
    [ports] + configurations.filter { $0.id != ports.id }
  }

  /// The type of the component.
  var componentType: UInt32 {
    let receivesNotes = !noteInputs.isEmpty
    if ports.outputs.isEmpty, ports.inputs.isEmpty { return kAudioUnitType_MIDIProcessor }
    if features.contains("instrument") { return kAudioUnitType_MusicDevice }
    if ports.inputs.isEmpty {
      return receivesNotes ? kAudioUnitType_MusicDevice : kAudioUnitType_Generator
    }
    return receivesNotes ? kAudioUnitType_MusicEffect : kAudioUnitType_Effect
  }

  /// The definitions of the unit's input buses: those of all layouts.
  var inputDefinitions: [BusDefinition] { buses(\.inputs, areOptional: true) }

  /// The definitions of the unit's output buses; there is always one, silent if the plug-in has none.
  var outputDefinitions: [BusDefinition] {
    let buses = buses(\.outputs, areOptional: false)
    return buses.isEmpty ? [BusDefinition(name: "Output", channelCount: 2)] : buses
  }

  private func buses(
    _ direction: KeyPath<CLAPPorts, [CLAPBus]>, areOptional: Bool
  ) -> [BusDefinition] {
    let sides = layouts.map { $0[keyPath: direction] }
    return (0..<(sides.map(\.count).max() ?? 0)).map { index in
      let known = sides.filter { index < $0.count }.map { $0[index] }
      let counts = Set(known.map { Int($0.channelCount) }).sorted()
      var bus = BusDefinition(
        name: known[0].name, channelCount: Int(known[0].channelCount),
        isOptional: areOptional && index > 0, allowedChannelCounts: counts)
      var tags: [UInt32] = []
      for tag in known.map(\.layoutTag) where tag != 0 && !tags.contains(tag) { tags.append(tag) }
      if !tags.isEmpty { bus.layoutTags = tags }
      return bus
    }
  }

  /// The channel counts that bus 0 supports.
  var channelCapabilities: [ChannelCapability] {
    var capabilities: [ChannelCapability] = []
    for layout in layouts {
      let count = Int16(clamping: layout.inputs.first?.channelCount ?? 0)
      let output = layout.outputs.first.map { Int16(clamping: $0.channelCount) } ?? -1
      let capability = ChannelCapability(count, output)
      if !capabilities.contains(capability) { capabilities.append(capability) }
    }
    return capabilities
  }

  /// The layout whose buses have the channels of a host's formats; nil when there is none.
  ///
  /// Buses beyond those of a layout stay silent.
  func layout(inputs: [Int], outputs: [Int]) -> CLAPPorts? {
    func fits(_ buses: [CLAPBus], _ counts: [Int]) -> Bool {
      buses.count <= counts.count
        && zip(buses, counts).allSatisfy { Int($0.channelCount) == $1 }
    }
    let fitting = layouts.filter {
      fits($0.inputs, inputs) && (fits($0.outputs, outputs) || $0.outputs.isEmpty)
    }
    // The one with the most buses uses most of the host's buses.
    return fitting.max {
      ($0.inputs.count + $0.outputs.count) < ($1.inputs.count + $1.outputs.count)
    }
  }

  /// Whether input and output may be the same memory: the only ports of each direction name each other.
  var processesInPlace: Bool {
    guard configurations.isEmpty, ports.inputs.count == 1, ports.outputs.count == 1 else {
      return false
    }
    let (input, output) = (ports.inputs[0], ports.outputs[0])
    return input.pair == output.id && output.pair == input.id
      && input.channelCount == output.channelCount
  }

  /// The dialects in which messages are sent: notes in the one that the first port prefers, of CLAP and MIDI.
  var dialects: (sendsNotes: Bool, sendsMIDI: Bool) {
    guard let port = noteInputs.first else { return (false, false) }
    let knowsNotes = port.dialects & UInt32(kCLAPDialect_CLAP) != 0
    let knowsMIDI = port.dialects & UInt32(kCLAPDialect_MIDI) != 0
    let prefersMIDI = port.preferred != UInt32(kCLAPDialect_CLAP)
    return (knowsNotes && !(knowsMIDI && prefersMIDI), knowsMIDI)
  }
}
