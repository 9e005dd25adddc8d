// A unit whose parameters belong to channels and to the crossings of channels: a matrix mixer.
// SPDX-License-Identifier: Apache-2.0

public import CAudioToolbox

/// The numbering of parameter elements in a unit that mixes every channel into every other.
///
/// The elements of input and output parameters are then channels, counted over all buses of the
/// scope. A global parameter has a value for each crossing of an input and an output channel, at the
/// element `crossing(input:output:)`. Its value for the whole is at the element `whole`. Buses keep
/// their elements in properties.
///
/// ```swift
/// static func configure(_ definition: inout UnitDefinition) {
///   definition.channelMatrix = ChannelMatrix(maximumInputs: 16, maximumOutputs: 8)
/// }
/// ```
///
/// A host sets the gain from input 2 to output 0, both from 0:
///
/// ```swift
/// let element = ChannelMatrix.crossing(input: 2, output: 0)
/// unsafe AudioUnitSetParameter(
///   unit, kMatrixMixerParam_Volume, kAudioUnitScope_Global, element, 0.5, 0)
/// ```
///
/// Context: any.
public struct ChannelMatrix: BitwiseCopyable, Sendable {
  /// The most channels of all inputs together, 1 to 1024.
  public let maximumInputs: Int
  /// The most channels of all outputs together, 1 to 1024.
  public let maximumOutputs: Int

  /// Declares a matrix; there are at most 1024 channels on a side.
  ///
  /// - Parameters:
  ///   - maximumInputs: The most input channels; brought into 1 to 1024.
  ///   - maximumOutputs: The most output channels; brought into 1 to 1024.
  @_noLocks public init(maximumInputs: Int, maximumOutputs: Int) {
    self.maximumInputs = min(max(maximumInputs, 1), 1024)
    self.maximumOutputs = min(max(maximumOutputs, 1), 1024)
  }

  /// The element of the global scope that means the whole, 0xFFFFFFFF, as in Core Audio's matrix mixer.
  public static var whole: AudioUnitElement { @_noLocks get { 0xFFFF_FFFF } }

  /// Returns the element of the global scope for an input and an output channel.
  ///
  /// - Parameters:
  ///   - input: Channel from 0, counted over all input buses.
  ///   - output: Channel from 0, counted over all output buses.
  /// - Returns: The input in the upper 16 bits, the output in the lower ones.
  @_noLocks public static func crossing(input: Int, output: Int) -> AudioUnitElement {
    AudioUnitElement(truncatingIfNeeded: input << 16 | (output & 0xFFFF))
  }

  /// Returns the place of a crossing among the elements of the global scope as a kernel counts them: the
  /// whole is 0, crossings follow, by input.
  ///
  /// A kernel reads `slice.parameter(0, scope: kAudioUnitScope_Global, element: matrix.row(input: 2, output: 0))`.
  @_noLocks public func row(input: Int, output: Int) -> Int {
    1 + input * maximumOutputs + output
  }

  /// Places of a scope: of channels, or of the whole and all crossings.
  func rowCount(_ scope: AudioUnitScope) -> Int {
    switch scope {
    case kAudioUnitScope_Global: 1 + maximumInputs * maximumOutputs
    case kAudioUnitScope_Input: maximumInputs
    case kAudioUnitScope_Output: maximumOutputs
    default: 0
    }
  }

  /// Returns the place of an element where there are so many channels; -1 for one that there is not.
  @_noLocks func row(
    _ scope: AudioUnitScope, _ element: AudioUnitElement, inputs: Int, outputs: Int
  ) -> Int {
    switch scope {
    case kAudioUnitScope_Global:
      if element == Self.whole { return 0 }
      let input = Int(element >> 16)
      let output = Int(element & 0xFFFF)
      return input < inputs && output < outputs ? row(input: input, output: output) : -1
    case kAudioUnitScope_Input: return Int(element) < inputs ? Int(element) : -1
    case kAudioUnitScope_Output: return Int(element) < outputs ? Int(element) : -1
    default: return -1
    }
  }
}
