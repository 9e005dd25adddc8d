// The merger: two inputs become one output.
// SPDX-License-Identifier: Apache-2.0

public import AuricleSDK
public import CAudioToolbox

/// Puts the channels of the second input behind those of the first, or adds the two.
///
/// Side by side when the output has as many channels as both inputs together, as with two mono
/// inputs and a stereo output; added when all three have the same number. An input without a source
/// is silence.
public struct MergerKernel: UnitKernel, ~Copyable {
  private let first: Int
  private let second: Int
  private let isSum: Bool

  /// Makes a kernel for the format; any other than the named ones fails.
  init(checking format: RenderFormat) throws(KernelProcedures.Failure) {
    first = format.inputChannelCounts[0]
    second = format.inputChannelCounts[1]
    isSum = first == second && format.channelCount == first
    guard isSum || format.channelCount == first + second else {
      throw KernelProcedures.Failure(
        status: kAudioUnitErr_FormatNotSupported,
        reason: "a merger of \(first) and \(second) channels gives \(first + second), "
          + "not \(format.channelCount)")
    }
  }

  /// Makes a kernel for two mono inputs at any format. Context: control.
  public init(_ format: RenderFormat) {
    first = 1
    second = 1
    isSum = false
  }

  /// There is nothing to forget.
  @_noLocks public mutating func reset() {}

  /// Merges one slice. Context: render.
  @_noLocks public mutating func process(_ slice: borrowing RenderSlice) {
    for channel in 0..<first {
      unsafe SampleRun.copy(
        slice.input(bus: 0, channel: channel), to: slice.channel(channel), slice.frameCount)
    }
    for channel in 0..<second {
      let source = unsafe slice.input(bus: 1, channel: channel)
      if isSum {
        unsafe SampleRun.add(source, gain: 1, to: slice.channel(channel), slice.frameCount)
      } else {
        unsafe SampleRun.copy(source, to: slice.channel(first + channel), slice.frameCount)
      }
    }
    if slice.inputIsSilent { slice.markOutputSilent() }
  }
}

private let definition = UnitDefinition(
  parameters: [], channelCapabilities: [ChannelCapability(-1, -2)],
  inputs: [
    BusDefinition(name: "Input 1", channelCount: 1, isOptional: true),
    BusDefinition(name: "Input 2", channelCount: 1, isOptional: true),
  ], processesInPlace: false)

/// Makes one merger; the factory function of the component. Context: control.
@c(AuricleMergerFactory)
public func mergerFactory(
  _ description: UnsafePointer<AudioComponentDescription>?
) -> UnsafeMutablePointer<AudioComponentPlugInInterface>? {
  unsafe makeAudioUnit(definition, description) { state, slice in
    unsafe runKernel(MergerKernel.self, state, slice)
  } makeKernel: { (format) throws(KernelProcedures.Failure) in
    try MergerKernel(checking: format)
  }
}
