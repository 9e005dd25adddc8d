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
  ///   - length: Frames of the sound, for breakpoints in percent; those of a minute if not told.
  ///   - start: The frame of the file that the sound begins with: other breakpoints count in the file,
  ///     and so do the files of side chains.
  ///
  /// Context: control.
  public func net(sampleRate: Double, length: Int? = nil, start: Int = 0) -> ChainNet {
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
          stage.chainStage(sampleRate: sampleRate, length: length, start: start),
          source: node.sources[0], sideChains: sides)
      }
    }
    var net = ChainNet(places: places, end: structure.end)
    net.sideFileStart = start
    return net
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
  func chainStage(sampleRate: Double, length: Int, start: Int = 0) -> ChainStage {
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
    stage.curves = automation.map {
      $0.curve(sampleRate: sampleRate, length: length, start: start)
    }
    return stage
  }
}

extension ResolvedAutomation {
  /// The breakpoints on the frames of a sample rate; of several on one frame the last counts.
  ///
  /// Seconds and frames count in the file, of which `start` frames are left out; parts are those of
  /// what is left.
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

  /// Without the breakpoints before the sound, but for the last of them, whose value it begins with.
  private static func fromTheStart(_ points: [ParameterCurve.Point]) -> [ParameterCurve.Point] {
    guard let last = points.lastIndex(where: { $0.frame < 0 }) else { return points }
    var left = Array(points[last...])
    // Ramps begin where they did; what holds has to be told.
    if left.count == 1 || left[1].shape == .step { left[0].frame = 0 }
    if left.count > 1, left[1].frame == 0 { left.removeFirst() }
    return left
  }
}
