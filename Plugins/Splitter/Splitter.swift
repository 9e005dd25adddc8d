// The splitters: one input, two or any number of outputs with the very same samples.
// SPDX-License-Identifier: Apache-2.0

public import AuricleSDK
public import CAudioToolbox

/// Copies the input to every output, bit for bit.
///
/// The SDK renders once a sample time and keeps the buses, so the input is pulled once however many
/// outputs are asked for.
public struct SplitterKernel: UnitKernel, ~Copyable {
  private let outputCount: Int
  private let channelCount: Int

  /// Makes a kernel for the format. Context: control.
  public init(_ format: RenderFormat) {
    outputCount = format.outputChannelCounts.count
    channelCount = format.inputChannelCount
  }

  /// There is nothing to forget.
  @_noLocks public mutating func reset() {}

  /// Copies one slice. Context: render.
  @_noLocks public mutating func process(_ slice: borrowing RenderSlice) {
    for bus in 0..<outputCount {
      for channel in 0..<channelCount {
        unsafe SampleRun.copy(
          slice.input(bus: 0, channel: channel), to: slice.output(bus: bus, channel: channel),
          slice.frameCount)
      }
    }
    if slice.inputIsSilent { slice.markOutputSilent() }
  }
}

private func definition(outputCounts: ClosedRange<Int>?) -> UnitDefinition {
  var definition = UnitDefinition(
    parameters: [], channelCapabilities: nil, inputs: [BusDefinition(name: "Input")],
    outputs: [BusDefinition(name: "Output 1"), BusDefinition(name: "Output 2")],
    processesInPlace: false)
  definition.outputElementCounts = outputCounts
  return definition
}

private func make(
  _ definition: UnitDefinition, _ description: UnsafePointer<AudioComponentDescription>?
) -> UnsafeMutablePointer<AudioComponentPlugInInterface>? {
  unsafe makeAudioUnit(definition, description) { state, slice in
    unsafe runKernel(SplitterKernel.self, state, slice)
  } makeKernel: { (format) throws(KernelProcedures.Failure) in
    let input = format.inputChannelCount
    guard format.outputChannelCounts.allSatisfy({ $0 == input }) else {
      throw KernelProcedures.Failure(
        status: kAudioUnitErr_FormatNotSupported,
        reason: "every output of a splitter has the channels of its input, \(input)")
    }
    return SplitterKernel(format)
  }
}

/// Makes one splitter; the factory function of the component. Context: control.
@c(AuricleSplitterFactory)
public func splitterFactory(
  _ description: UnsafePointer<AudioComponentDescription>?
) -> UnsafeMutablePointer<AudioComponentPlugInInterface>? {
  unsafe make(definition(outputCounts: nil), description)
}

/// Makes one splitter of any number of outputs; a factory function. Context: control.
@c(AuricleMultiSplitterFactory)
public func multiSplitterFactory(
  _ description: UnsafePointer<AudioComponentDescription>?
) -> UnsafeMutablePointer<AudioComponentPlugInInterface>? {
  unsafe make(definition(outputCounts: 1...1024), description)
}
