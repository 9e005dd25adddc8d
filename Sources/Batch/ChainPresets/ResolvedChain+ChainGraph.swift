// Converts a resolved preset to the stages and connections of a chain.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import AudioUnits
import Glibc
public import UnitChains

extension ResolvedChain {
  /// The stages and their connections; every unit is made and set when a chain is built.
  ///
  /// - Parameters:
  ///   - sampleRate: Frames per second (Hz): breakpoints fall on frames.
  ///   - length: Frames of the sound, for breakpoints in percent; nil for a minute.
  ///   - start: The frame of the file that the sound begins with: other breakpoints and side-chain files are
  ///     relative to the file's start.
  ///
  /// Context: control.
  public func chainGraph(
    sampleRate: Double, length: Int? = nil, start: Int = 0
  ) -> ChainGraph {
    let (chain, notes) = fitted(to: sampleRate)
    var graph = chain.graph(sampleRate, length: length ?? Int(60 * sampleRate), start: start)
    graph.notes = notes
    return graph
  }

  /// The same, of a chain whose values fit the rate.
  private func graph(_ sampleRate: Double, length: Int, start: Int) -> ChainGraph {
    let structure = structure
    let sources = structure.nodes
    let nodes = sources.map { node -> ChainGraph.Node in
      switch node.role {
      case .input: return .input
      case .branch: return .same(source: node.sources[0])
      case .sum:
        if node.isBypassed { return .same(source: node.sources[0]) }
        let branches = node.sources.map { index in
          ChainGraph.Branch(
            node: index, gain: factor(sources[index].gainDecibels), pan: Float(sources[index].pan))
        }
        return .sum(label: node.label?.value ?? "sum of branches", branches: branches)
      case .noise(let number):
        let noise = noises[number]
        if noise.isBypassed { return .same(source: node.sources[0]) }
        return .noise(
          ChainGraph.Noise(
            label: noise.label, path: noise.file, start: noise.start,
            ratioDecibels: noise.ratioDecibels), source: node.sources[0])
      case .unit(let number):
        let stage = stages[number]
        let sides = zip(stage.sideChains, node.sideSources).map { side, index in
          side.described(node: index)
        }
        var made = stage.chainStage(sampleRate: sampleRate, length: length, start: start)
        made.number = number
        return .stage(made, source: node.sources[0], sideChains: sides)
      }
    }
    var graph = ChainGraph(nodes: nodes, outputNode: structure.end)
    graph.sideFileStart = start
    graph.tappedSum = structure.tappedSum
    return graph
  }
}

extension ResolvedChain {
  /// Whether the chain depends on the length of a file: it has breakpoints in percent.
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
  fileprivate func described(node: Int?) -> ChainGraph.SideChain {
    let source: ChainGraph.SideChain.Source
    if case .file(let path) = self.source {
      source = .file(path, loops: loops)
    } else {
      source = .node(ChainGraph.Signal(node: node ?? 0, output: output))
    }
    return ChainGraph.SideChain(bus: bus, source: source, gain: factor(gainDecibels))
  }
}

/// A gain in dB as a factor; 0 dB is exactly 1.
private func factor(_ decibels: Double) -> Float {
  decibels == 0 ? 1 : Float(pow(10, decibels / 20))
}

extension ResolvedStage {
  /// The stage for building a chain.
  func chainStage(sampleRate: Double, length: Int, start: Int = 0) -> ChainStage {
    var stage = ChainStage(
      label: label, mix: Float(mix), isBypassed: isBypassed,
      makeUnit: { () throws(AuricleError) in try makeUnit() },
      configure: { unit throws(AuricleError) in try configure(unit) })
    stage.outputBus = outputBus
    stage.curves = automation.map {
      $0.curve(sampleRate: sampleRate, length: length, start: start)
    }
    return stage
  }
}

extension ResolvedAutomation {
  /// The breakpoints in frames at a sample rate; of several on one frame the last counts.
  ///
  /// Seconds and frames are relative to the file's start, of which `start` frames are skipped; fractions are
  /// relative to the rest.
  fileprivate func curve(sampleRate: Double, length: Int, start: Int) -> ParameterCurve {
    var found: [ParameterCurve.Point] = []
    for point in points {
      let time = point.time.frames(sampleRate: sampleRate, of: length)
      let isPart = if case .part = point.time { true } else { false }
      let frame = Int(time.rounded()) - (isPart ? 0 : start)
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
      parameter: parameter.id, scope: parameter.scope, element: parameter.element,
      points: Self.fromTheStart(found))
  }

  /// Drops the breakpoints before the sound except the last, whose value it begins with.
  private static func fromTheStart(_ points: [ParameterCurve.Point]) -> [ParameterCurve.Point] {
    guard let last = points.lastIndex(where: { $0.frame < 0 }) else { return points }
    var left = Array(points[last...])
    // Ramps keep their start; a held value needs a separate point.
    if left.count == 1 || left[1].shape == .step { left[0].frame = 0 }
    if left.count > 1, left[1].frame == 0 { left.removeFirst() }
    return left
  }
}
