// The properties of a matrix mixer: how many channels it has, and all its volumes at once.
// SPDX-License-Identifier: Apache-2.0

import AuricleSDK
import CAudioToolbox

/// The properties `kAudioUnitProperty_MatrixDimensions` and `kAudioUnitProperty_MatrixLevels`.
enum MatrixLevels {
  /// Channels of all inputs, and of all outputs: two UInt32.
  static let dimensions = unsafe PropertyDefinition(
    id: kAudioUnitProperty_MatrixDimensions, size: 8,
    read: { unit, _, data in
      let (inputs, outputs) = size(unit)
      unsafe data.storeBytes(of: UInt32(inputs), as: UInt32.self)
      unsafe data.storeBytes(of: UInt32(outputs), toByteOffset: 4, as: UInt32.self)
      return 0
    })

  /// All volumes, a Float32 each, in rows of an input channel: its crossings, then its own; in the
  /// last row those of the output channels, then that of the whole.
  static let levels: PropertyDefinition = {
    var property = unsafe PropertyDefinition(
      id: kAudioUnitProperty_MatrixLevels, size: 4,
      read: { unit, _, data in
        for (place, index) in indices(unit).enumerated() {
          unsafe data.storeBytes(
            of: unit.values.value(at: index), toByteOffset: 4 * place, as: Float.self)
        }
        return 0
      },
      write: { unit, _, data, size in
        let all = indices(unit)
        guard let data = unsafe data, Int(size) == 4 * all.count else {
          return kAudioUnitErr_InvalidPropertyValue
        }
        let levels = all.indices.map {
          unsafe data.loadUnaligned(fromByteOffset: 4 * $0, as: Float.self)
        }
        guard levels.allSatisfy(\.isFinite) else { return kAudioUnitErr_InvalidPropertyValue }
        for (index, level) in zip(all, levels) {
          unit.values.setValue(min(max(level, 0), 1), at: index)
        }
        return 0
      })
    property.currentSize = { unit, _ in UInt32(4 * indices(unit).count) }
    return property
  }()

  /// Channels of all inputs, and of all outputs.
  private static func size(_ unit: UnitInstance) -> (inputs: Int, outputs: Int) {
    func count(_ scope: AudioUnitScope, _ most: Int) -> Int {
      (0..<most).first {
        unit.valueIndex(kMatrixMixerParam_Volume, scope, element: AudioUnitElement($0)) == nil
      } ?? most
    }
    return (
      count(kAudioUnitScope_Input, matrixSize.maximumInputs),
      count(kAudioUnitScope_Output, matrixSize.maximumOutputs)
    )
  }

  /// Places of the volumes in the unit's values, in the order of the property.
  private static func indices(_ unit: UnitInstance) -> [Int] {
    let (inputs, outputs) = size(unit)
    func index(_ scope: AudioUnitScope, _ element: AudioUnitElement) -> Int {
      unit.valueIndex(kMatrixMixerParam_Volume, scope, element: element) ?? -1
    }
    var all: [Int] = []
    for input in 0..<inputs {
      for output in 0..<outputs {
        all.append(
          index(kAudioUnitScope_Global, ChannelMatrix.crossing(input: input, output: output)))
      }
      all.append(index(kAudioUnitScope_Input, AudioUnitElement(input)))
    }
    for output in 0..<outputs {
      all.append(index(kAudioUnitScope_Output, AudioUnitElement(output)))
    }
    return all + [index(kAudioUnitScope_Global, ChannelMatrix.whole)]
  }
}
