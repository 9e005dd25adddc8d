// From a resolved preset to the net of stages that becomes a graph.
// SPDX-License-Identifier: Apache-2.0

public import AudioGraph
import AudioTypes
import AudioUnits
import Glibc

extension ResolvedChain {
  /// What hears what, with every unit made and set anew when the net is built.
  ///
  /// - Parameters:
  ///   - sampleRate: Frames per second (Hz): breakpoints fall on frames.
  ///   - length: Frames of the file, for breakpoints in percent; those of a minute if not told.
  ///
  /// Context: control.
  public func net(sampleRate: Double, length: Int? = nil) -> ChainNet {
    let length = length ?? Int(60 * sampleRate)
    let structure = ChainStructure(preset)
    let nodes = structure.nodes
    let places = nodes.map { node -> ChainNet.Place in
      switch node.role {
      case .input: return .input
      case .branch: return .same(source: node.sources[0])
      case .sum:
        if node.isBypassed { return .same(source: node.sources[0]) }
        let branches = node.sources.map { place in
          ChainNet.Branch(
            place: place, gain: factor(nodes[place].gainDecibels), pan: Float(nodes[place].pan))
        }
        return .sum(label: node.label?.value ?? "sum of branches", branches: branches)
      case .unit(let number):
        let stage = stages[number]
        let sides = zip(stage.sideChains, node.sideSources).map { side, place in
          side.described(place: place)
        }
        return .stage(
          stage.chainStage(sampleRate: sampleRate, length: length), source: node.sources[0],
          sideChains: sides)
      }
    }
    return ChainNet(places: places, end: structure.end)
  }
}

extension ResolvedChain {
  /// Whether the chain is another for every length of a file: breakpoints are told in percent.
  ///
  /// Context: any.
  public var dependsOnLength: Bool {
    stages.contains { stage in
      stage.automation.contains { curve in
        curve.points.contains { if case .part = $0.time { true } else { false } }
      }
    }
  }
}

extension ResolvedSideChain {
  fileprivate func described(place: Int?) -> ChainNet.SideChain {
    let source: ChainNet.SideChain.Source
    if case .file(let path) = self.source {
      source = .file(path, loops: loops)
    } else {
      source = .place(ChainNet.Signal(place: place ?? 0, output: output))
    }
    return ChainNet.SideChain(bus: bus, source: source, gain: factor(gainDecibels))
  }
}

/// A gain in dB as a factor; 0 dB is exactly 1.
private func factor(_ decibels: Double) -> Float {
  decibels == 0 ? 1 : Float(pow(10, decibels / 20))
}

extension ResolvedStage {
  /// The stage as a chain is made of it.
  func chainStage(sampleRate: Double, length: Int) -> ChainStage {
    var stage = ChainStage(
      label: label, mix: Float(mix), isBypassed: isBypassed,
      makeUnit: { () throws(AuricleError) in try makeUnit() },
      configure: { unit throws(AuricleError) in
        do throws(AuricleError) {
          try configure(unit)
        } catch {
          // The chain puts the label in front, too.
          var error = error
          if error.message.hasPrefix(label + ": ") { error.message.removeFirst(label.count + 2) }
          throw error
        }
      })
    stage.outputBus = outputBus
    stage.curves = automation.map { $0.curve(sampleRate: sampleRate, length: length) }
    return stage
  }
}

extension ResolvedAutomation {
  /// The breakpoints on the frames of a sample rate; of several on one frame the last counts.
  fileprivate func curve(sampleRate: Double, length: Int) -> ParameterCurve {
    var found: [ParameterCurve.Point] = []
    for point in points {
      let frame = Int(point.time.frames(sampleRate: sampleRate, of: length).rounded())
      if found.last?.frame == frame { found.removeLast() }
      let shape: ParameterCurve.Shape =
        switch point.curve {
        case .linear: .linear
        case .exponential: .exponential
        case .step: .step
        }
      found.append(ParameterCurve.Point(frame: frame, value: point.value, shape: shape))
    }
    return ParameterCurve(
      parameter: parameter.id, scope: parameter.scope, element: parameter.element, points: found)
  }
}
