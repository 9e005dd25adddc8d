// What the render path has to know of a unit's definition.
// SPDX-License-Identifier: Apache-2.0

/// How a unit wants to be rendered.
struct RenderTraits {
  /// Whether its output may be made in the memory of its input.
  var processesInPlace: Bool
  /// Whether its kernel asks for its input itself.
  var kernelPullsInputs: Bool
  /// The shortest piece of a ramp, in frames.
  var rampGranularity: Int
  /// Whether a cycle is never divided at events.
  var keepsCyclesWhole: Bool
  /// Whether it need not run where its input and its tail are silent.
  var skipsSilence: Bool
}
