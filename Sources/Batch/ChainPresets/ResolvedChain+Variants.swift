// Variants of a chain: random values drawn so that the same seed gives the same values again.
// SPDX-License-Identifier: Apache-2.0

import AudioUnits
import Glibc

/// A value that was drawn for a variant.
public struct DrawnValue: Sendable, Equatable {
  /// The place of the stage among the chain's, from 0.
  public let stage: Int
  /// What the stage is called.
  public let stageLabel: String
  /// What the parameter is called.
  public let parameter: String
  /// The value, in the parameter's own unit.
  public let value: Float
  /// The value as people write it: `412.5 Hz`.
  public let text: String
}

extension ResolvedRandom.Source {
  /// The value at a part of the way, 0 up to but not including 1.
  func value(at part: Double, isWhole: Bool) -> Float {
    switch self {
    case .choices(let values):
      let index = Int(part * Double(values.count))
      return values.isEmpty ? 0 : values[min(index, values.count - 1)]
    case .range(let low, let high, let isLogarithmic):
      let (first, last) = (Double(low), Double(high))
      if isWhole {
        let place =
          isLogarithmic
          ? first * pow((last + 1) / first, part) : first + part * (last - first + 1)
        return Float(min(max(floor(place), first.rounded(.up)), last))
      }
      let value =
        isLogarithmic ? first * pow(last / first, part) : first + part * (last - first)
      return min(max(Float(value), low), high)
    }
  }
}

extension ResolvedChain {
  /// Whether some value is drawn anew for each variant.
  ///
  /// Context: any.
  public var hasRandomValues: Bool { stages.contains { !$0.randoms.isEmpty } }

  /// The chain with values drawn for a variant; without random values it stays as it is.
  ///
  /// The values depend on the arguments, on which parameters of which stages are random, and on their
  /// ranges alone: not on the order in which a preset names them, on other files, or the machine.
  ///
  /// - Parameters:
  ///   - index: The variant's number.
  ///   - seed: The seed of the whole run.
  ///   - key: What else tells this variant from others, such as the input's path within its folder.
  ///
  /// Context: any.
  public func variant(_ index: Int, seed: UInt64, key: String = "") -> ResolvedChain {
    var generator = DrawGenerator(seed: seed, variant: index, key: key)
    var chain = self
    chain.drawnValues = []
    for place in stages.indices {
      for random in stages[place].randoms {
        let parameter = stages[place].parameters[random.index].parameter
        let value = random.source.value(at: generator.unit(), isWhole: parameter.isDrawnWhole)
        chain.stages[place].parameters[random.index].value = value
        chain.drawnValues.append(
          DrawnValue(
            stage: place, stageLabel: stages[place].label, parameter: parameter.name,
            value: value, text: parameter.text(for: value)))
      }
    }
    return chain
  }

  /// The audio files that side chains come from, each once.
  ///
  /// Context: any.
  public var sideFiles: [String] {
    var paths: [String] = []
    for stage in stages {
      for case .file(let path) in stage.sideChains.map(\.source) where !paths.contains(path) {
        paths.append(path)
      }
    }
    return paths
  }
}
