// The parts of a unit's definition for the render path.
// SPDX-License-Identifier: Apache-2.0

/// The traits of a unit that determine its rendering.
struct RenderTraits {
  /// Whether it processes in place.
  var processesInPlace: Bool
  /// Whether its kernel pulls its input itself.
  var kernelPullsInputs: Bool
  /// Whether a cycle is never divided at events.
  var keepsCyclesWhole: Bool
  /// Whether it need not run while its input is silent and its tail is over.
  var skipsSilence: Bool
  /// Whether it is run over the whole of its input, in passes.
  var runsOffline: Bool
  /// Whether it must analyse its input before it renders so.
  var needsPreflight: Bool
}
