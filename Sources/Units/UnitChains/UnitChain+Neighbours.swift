// Units of a chain between which nothing changes the sound.
// SPDX-License-Identifier: Apache-2.0

import AudioGraph
package import AudioUnits
import CAudioToolbox

extension UnitChain {
  /// Two units, of which the first one's sound is all of the second one's input.
  package struct Neighbours {
    /// The unit that makes the sound.
    package var front: AudioUnit
    /// The unit that receives it as it is.
    package var back: AudioUnit
  }

  /// An instance of a unit in a node, and the chain's channels of its inputs and outputs, in their order. Nil: some are
  /// not channels of the chain.
  private struct Place {
    var unit: AudioUnit
    var inputs: [Int]?
    var outputs: [Int]?
  }

  /// The pairs of units with no mix, no adapted channels and no delay between them.
  ///
  /// Context: control.
  package var neighbours: [Neighbours] {
    var found: [Neighbours] = []
    for case .connection(let source, 0, let destination, 0) in graph.interactions
    where graph.alignmentFrames(of: destination) == 0 {
      let backs = places(of: destination)
      for front in places(of: source) {
        guard let outputs = front.outputs, !outputs.isEmpty,
          let back = backs.first(where: { $0.inputs == outputs })
        else { continue }
        found.append(Neighbours(front: front.unit, back: back.unit))
      }
    }
    return found
  }

  private func places(of node: AudioUnitGraph.Node) -> [Place] {
    if let stage = stageNodes[node] { return stage.units.indices.map { place(stage, $0) } }
    guard let unit = (try? graph.unit(of: node)) ?? nil else { return [] }
    let channels = Array(0..<channelCount)
    return [Place(unit: unit, inputs: channels, outputs: channels)]
  }

  private func place(_ stage: StageNode, _ index: Int) -> Place {
    let state = unsafe stage.state.pointee
    let instance = unsafe state.instances[index]
    let taps = (0..<instance.inputCount).map { unsafe instance.taps[$0] }
    var outputs: [Int]? = unsafe state.dry == nil ? [] : nil
    for output in 0..<instance.outputCount {
      let channel = (0..<state.channelCount).first { channel in
        let first = unsafe state.firstSource[channel]
        guard unsafe state.firstSource[channel + 1] - first == 1 else { return false }
        let source = unsafe state.sources[first]
        return source.instance == index && source.channel == output
      }
      if let channel { outputs?.append(channel) } else { outputs = nil }
    }
    return Place(
      unit: stage.units[index], inputs: taps.allSatisfy { $0 >= 0 } ? taps : nil, outputs: outputs)
  }
}
