// Assigns audio ports to channels and buses.
// SPDX-License-Identifier: Apache-2.0

internal import AuricleSDK
internal import CAudioToolbox

/// The buses of a plug-in: its audio ports by direction; those of a side chain are a bus of their own.
struct LADSPABuses {
  /// The ports of each input bus; empty for a plug-in without inputs.
  let inputs: [[Int]]
  /// The ports of the output bus; empty for a plug-in without outputs.
  let output: [Int]

  init(_ description: LADSPADescription) {
    let audio = description.ports.enumerated().filter { $0.element.isAudio }
    let side = audio.filter { $0.element.isInput && $0.element.isOfSideChain }.map(\.offset)
    let main = audio.filter { $0.element.isInput && !$0.element.isOfSideChain }.map(\.offset)
    inputs = [main, side].filter { !$0.isEmpty }
    output = audio.filter { !$0.element.isInput }.map(\.offset)
  }

  /// Whether the plug-in has audio inputs but no outputs: its input passes through.
  var passesThrough: Bool { output.isEmpty && !inputs.isEmpty }

  /// Channels of the unit's output: there is always one bus, silent where the plug-in has none.
  private var outputCount: Int {
    passesThrough ? inputs[0].count : output.isEmpty ? 2 : output.count
  }

  /// The definitions of the unit's input buses.
  var inputDefinitions: [BusDefinition] {
    inputs.enumerated().map { index, ports in
      BusDefinition(
        name: index == 0 ? "Input" : "Side chain", channelCount: ports.count,
        isOptional: index > 0, allowedChannelCounts: [ports.count])
    }
  }

  /// The definition of the unit's output bus.
  var outputDefinitions: [BusDefinition] {
    [
      BusDefinition(
        name: "Output", channelCount: outputCount,
        allowedChannelCounts: output.isEmpty && !passesThrough ? nil : [outputCount])
    ]
  }

  /// The channel counts that bus 0 supports.
  var channelCapabilities: [ChannelCapability] {
    let count = Int16(clamping: inputs.first?.count ?? 0)
    if output.isEmpty, !passesThrough { return [ChannelCapability(0, -1)] }
    return [ChannelCapability(count, Int16(clamping: outputCount))]
  }

  /// The type of the component.
  var componentType: UInt32 {
    inputs.isEmpty ? kAudioUnitType_Generator : kAudioUnitType_Effect
  }
}

extension LADSPAPort {
  /// Whether the port is of a side chain by its name.
  fileprivate var isOfSideChain: Bool {
    let letters = name.lowercased().filter(\.isLetter)
    return letters.contains("sidechain")
  }
}
