// Which audio port is which channel of which bus.
// SPDX-License-Identifier: Apache-2.0

internal import AuricleSDK

/// The buses of a plug-in, made of its audio ports.
///
/// Side chains, and groups that the data sets apart from the main one, are buses of their own; all
/// other ports of a direction are bus 0.
struct LV2BusLayout: Equatable, Sendable {
  /// One bus: a name and the port of each channel.
  struct Bus: Equatable, Sendable {
    var name: String
    var ports: [Int]
  }

  /// Input buses; empty when the plug-in hears nothing.
  var inputs: [Bus]
  /// Output buses; empty when the plug-in makes no audio.
  var outputs: [Bus]

  init(_ plugin: LV2PluginDescription) {
    inputs = LV2BusLayout.buses(
      plugin, plugin.ports.filter { $0.kind == .audio && $0.isInput },
      main: plugin.mainInputGroup, mainName: "Input")
    outputs = LV2BusLayout.buses(
      plugin, plugin.ports.filter { $0.kind == .audio && !$0.isInput },
      main: plugin.mainOutputGroup, mainName: "Output")
  }

  private static func buses(
    _ plugin: LV2PluginDescription, _ ports: [LV2Port], main: String?, mainName: String
  ) -> [Bus] {
    guard !ports.isEmpty else { return [] }
    var mainPorts: [Int] = []
    var others: [(key: String, bus: Bus)] = []
    let hasMain = ports.contains { $0.group != nil && $0.group == main }
    for port in ports {
      let group = plugin.groups.first { $0.uri == port.group }
      let isSideChain = port.isInput && (port.isSideChain || group?.isSideChain == true)
      let isApart = hasMain && port.group != nil && port.group != main
      guard isSideChain || isApart else {
        mainPorts.append(port.index)
        continue
      }
      let key = group?.uri ?? "side chain"
      if let place = others.firstIndex(where: { $0.key == key }) {
        others[place].bus.ports.append(port.index)
      } else {
        others.append((key, Bus(name: group?.name ?? "Side chain", ports: [port.index])))
      }
    }
    // A plug-in whose every port is a side chain listens with it.
    if mainPorts.isEmpty { return others.map(\.bus) }
    return [Bus(name: mainName, ports: mainPorts)] + others.map(\.bus)
  }

  /// Whether the plug-in hears but makes no audio: an analyser, through which its input passes.
  var passesThrough: Bool { outputs.isEmpty && !inputs.isEmpty }

  /// What the unit says of its input buses.
  var inputDefinitions: [BusDefinition] {
    inputs.enumerated().map { index, bus in
      BusDefinition(
        name: bus.name, channelCount: bus.ports.count, isOptional: index > 0,
        allowedChannelCounts: [bus.ports.count])
    }
  }

  /// What the unit says of its output buses; there is always one, silent where the plug-in has none.
  var outputDefinitions: [BusDefinition] {
    if passesThrough {
      let count = inputs[0].ports.count
      return [BusDefinition(name: "Output", channelCount: count, allowedChannelCounts: [count])]
    }
    if outputs.isEmpty { return [BusDefinition(name: "Output", channelCount: 2)] }
    return outputs.map { bus in
      BusDefinition(
        name: bus.name, channelCount: bus.ports.count, allowedChannelCounts: [bus.ports.count])
    }
  }

  /// Exactly what works on bus 0.
  var channelCapabilities: [ChannelCapability] {
    let count = Int16(clamping: inputs.first?.ports.count ?? 0)
    if passesThrough { return [ChannelCapability(count, count)] }
    guard let output = outputs.first else { return [ChannelCapability(0, -1)] }
    return [ChannelCapability(count, Int16(clamping: output.ports.count))]
  }
}
