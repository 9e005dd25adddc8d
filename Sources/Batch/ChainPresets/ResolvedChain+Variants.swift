// Variants of a chain: random values that are the same for the same seed.
// SPDX-License-Identifier: Apache-2.0

import AudioUnits
import Glibc
import ResultSettings

/// A value that was drawn for a variant.
public struct DrawnValue: Sendable, Equatable {
  /// The index of the stage, from 0.
  public let stage: Int
  /// The stage's label.
  public let stageLabel: String
  /// The parameter's name.
  public let parameter: String
  /// The value, in the parameter's own unit.
  public let value: Float
  /// The value as text: `412.5 Hz`.
  public let text: String
}

extension ResolvedRandom.Source {
  /// The value at a fraction of the range, 0 up to but not including 1.
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
  /// Whether the chain has random values.
  ///
  /// Context: any.
  public var hasRandomValues: Bool { preset.hasRandomValues }

  /// The chain with values drawn for a variant; without random values it stays as it is.
  ///
  /// The values depend only on the arguments, on which parameters are random, and on their ranges; not on
  /// their order in the preset, on other files, or on the machine.
  ///
  /// - Parameters:
  ///   - index: The variant's number.
  ///   - seed: The seed of the whole run.
  ///   - key: The key of the input, such as its path within its folder.
  ///   - sampleRate: The rate of the input (Hz), which frequencies are drawn within; nil for any.
  ///
  /// Context: any.
  public func variant(
    _ index: Int, seed: UInt64, key: String = "", sampleRate: Double? = nil
  ) -> ResolvedChain {
    var generator = DrawGenerator(seed: seed, variant: index, key: key)
    var chain = self
    chain.drawnValues = []
    for place in stages.indices {
      for random in stages[place].randoms {
        let parameter = stages[place].parameters[random.index].parameter
        let source = random.source.within(parameter, sampleRate)
        let value = source.value(at: generator.unit(), isWhole: parameter.isDrawnWhole)
        chain.stages[place].parameters[random.index].value = value
        chain.drawnValues.append(
          DrawnValue(
            stage: place, stageLabel: stages[place].label, parameter: parameter.name,
            value: value, text: parameter.text(for: value)))
      }
    }
    chain.draw(VariantDraws(seed: seed, variant: index, key: key))
    return chain
  }

  /// The audio files of side chains, each once.
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
