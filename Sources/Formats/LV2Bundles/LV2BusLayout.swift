// Assigns ports to channels and buses.
// SPDX-License-Identifier: Apache-2.0

package import AuricleSDK
internal import CAudioToolbox

/// The buses of a plug-in, made of its audio and CV ports.
///
/// Side chains, and groups other than the main one, are buses of their own; so are inputs without a group, if
/// the data declares a main one. All other audio ports of a direction are bus 0. Each CV port is a bus of one
/// channel after those; CV inputs of a plug-in without audio inputs are parameters only.
package struct LV2BusLayout: Equatable, Sendable {
  /// One bus: a name, the port of each channel, and the roles of the channels.
  package struct Bus: Equatable, Sendable {
    /// The name of the bus.
    package var name: String
    /// The port of each channel.
    package var ports: [Int]
    /// The roles of the channels, a kAudioChannelLayoutTag_… code.
    package var layoutTag: UInt32 = 0
    /// Whether it is a control voltage.
    package var isCV = false
  }

  /// Input buses; empty for a plug-in without inputs.
  package var inputs: [Bus]
  /// Output buses; empty for a plug-in without outputs.
  package var outputs: [Bus]
  /// Whether the plug-in has audio inputs but no outputs: an analyser, whose input passes through.
  package var passesThrough: Bool

  /// Sorts the ports of a plug-in.
  package init(_ plugin: LV2PluginDescription) {
    func audio(_ isInput: Bool) -> [LV2Port] {
      plugin.ports.filter { $0.kind == .audio && $0.isInput == isInput }
    }
    func voltages(_ isInput: Bool) -> [Bus] {
      plugin.ports.filter { $0.kind == .cv && $0.isInput == isInput }.map {
        Bus(
          name: $0.name, ports: [$0.index], layoutTag: kAudioChannelLayoutTag_DiscreteInOrder | 1,
          isCV: true)
      }
    }
    inputs = LV2BusLayout.buses(
      plugin, audio(true), main: plugin.mainInputGroup, mainName: "Input")
    if !inputs.isEmpty { inputs += voltages(true) }
    outputs = LV2BusLayout.buses(
      plugin, audio(false), main: plugin.mainOutputGroup, mainName: "Output")
    passesThrough = outputs.isEmpty && !inputs.isEmpty
    outputs += voltages(false)
  }

  private static func buses(
    _ plugin: LV2PluginDescription, _ ports: [LV2Port], main: String?, mainName: String
  ) -> [Bus] {
    guard !ports.isEmpty else { return [] }
    var mainPorts: [LV2Port] = []
    var others: [(key: String, name: String, ports: [LV2Port])] = []
    func isSideChain(_ port: LV2Port) -> Bool {
      let group = plugin.groups.first { $0.uri == port.group }
      return port.isInput && (port.isSideChain || group?.isSideChain == true)
    }
    let declaresMain = main != nil
    let main = main ?? firstOfSeveral(ports.filter { !isSideChain($0) })
    let hasMain = ports.contains { $0.group != nil && $0.group == main }
    for port in ports {
      let group = plugin.groups.first { $0.uri == port.group }
      let isApart =
        if port.group == nil {
          hasMain && declaresMain && port.isInput
        } else {
          hasMain && port.group != main
        }
      guard isSideChain(port) || isApart else {
        mainPorts.append(port)
        continue
      }
      let key = group?.uri ?? "side chain"
      if let place = others.firstIndex(where: { $0.key == key }) {
        others[place].ports.append(port)
      } else {
        others.append((key, group?.name ?? "Side chain", [port]))
      }
    }
    func bus(_ name: String, _ ports: [LV2Port]) -> Bus {
      let uris = Set(ports.map(\.group))
      let group = uris.count == 1 ? plugin.groups.first { $0.uri == ports[0].group } : nil
      let (tag, order) = LV2ChannelLayout.arrange(ports, group)
      return Bus(name: name, ports: order, layoutTag: tag)
    }
    let apart = others.map { bus($0.name, $0.ports) }
    // A plug-in with side-chain inputs only uses them as its main input.
    return mainPorts.isEmpty ? apart : [bus(mainName, mainPorts)] + apart
  }

  /// The first group of ports that are in several groups of more than one channel each; nil for others.
  private static func firstOfSeveral(_ ports: [LV2Port]) -> String? {
    let groups = Dictionary(grouping: ports, by: \.group)
    guard groups.count > 1, groups[nil] == nil, groups.values.allSatisfy({ $0.count > 1 }) else {
      return nil
    }
    return ports.first?.group
  }

  /// The definitions of the unit's input buses.
  package var inputDefinitions: [BusDefinition] {
    inputs.enumerated().map { index, bus in
      BusDefinition(
        name: bus.name, channelCount: bus.ports.count, isOptional: index > 0,
        allowedChannelCounts: [bus.ports.count])
    }
  }

  /// The definitions of the unit's output buses; there is always one, silent if the plug-in has none.
  package var outputDefinitions: [BusDefinition] {
    let real = outputs.map { bus in
      BusDefinition(
        name: bus.name, channelCount: bus.ports.count, allowedChannelCounts: [bus.ports.count])
    }
    if passesThrough {
      let count = inputs[0].ports.count
      let through = BusDefinition(
        name: "Output", channelCount: count, allowedChannelCounts: [count])
      return [through] + real
    }
    return real.isEmpty ? [BusDefinition(name: "Output", channelCount: 2)] : real
  }

  /// The bus of the unit that the first of `outputs` is.
  package var firstOutputBus: Int { passesThrough ? 1 : 0 }

  /// The layout of the channels of a bus of the unit; 0 when there is no such bus.
  package func layoutTag(isInput: Bool, bus: Int) -> UInt32 {
    if isInput { return inputs.indices.contains(bus) ? inputs[bus].layoutTag : 0 }
    if passesThrough, bus == 0 { return inputs[0].layoutTag }
    let place = bus - firstOutputBus
    if outputs.indices.contains(place) { return outputs[place].layoutTag }
    return bus == 0 ? kAudioChannelLayoutTag_Stereo : 0
  }

  /// The channel counts that bus 0 supports.
  package var channelCapabilities: [ChannelCapability] {
    let count = Int16(clamping: inputs.first?.ports.count ?? 0)
    if passesThrough { return [ChannelCapability(count, count)] }
    guard let output = outputs.first else { return [ChannelCapability(0, -1)] }
    return [ChannelCapability(count, Int16(clamping: output.ports.count))]
  }
}
