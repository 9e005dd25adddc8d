// The memory of the buses of a unit: made for its formats, freed when they change.
// SPDX-License-Identifier: Apache-2.0

import CAudioToolbox
import RealtimeSupport
import Synchronization

extension RenderState {
  /// Allocates the memory of the buses. Context: control, uninitialised.
  ///
  /// - Parameters:
  ///   - latency: The current latency of the kernel's output in frames.
  ///   - maximumLatency: The highest latency while rendering, in frames.
  mutating func allocateBuses(
    inputFormats: [SampleFormat], outputFormats: [SampleFormat], optionalInputs: [Bool],
    maximumFrames: Int, sampleRate: Double, latency: Int, maximumLatency: Int
  ) {
    freeBuses()
    self.maximumFrames = maximumFrames
    // A multiple of 16 floats keeps every channel on its own cache line.
    strideFrames = (maximumFrames + 15) / 16 * 16
    unsafe inputChannels = allocate(inputs, firstInputChannel, inputFormats, optionalInputs)
    unsafe outputChannels = allocate(
      outputs, firstOutputChannel, outputFormats,
      Array(repeating: false, count: outputFormats.count))
    canProcessInPlace =
      inputFormats.first != nil && outputFormats.first != nil
      && inputFormats.first == outputFormats.first
    dryPath = DryPath(
      channelCount: inputFormats.first?.channelCount ?? 0, latency: latency,
      maximumLatency: maximumLatency, maximumFrames: maximumFrames, sampleRate: sampleRate,
      isBypassed: isBypassed.load(ordering: .relaxed))
    unsafe report.pointee = SliceReport()
    reportedLatency = latency
    lastSampleTime.store(-1, ordering: .relaxed)
    // Slices check the host's control word themselves: it may be rendering other units now.
    unsafe side.pointee = inputSide(isGuarded: false)
    prepareFastSlice()
    forgetPast()
  }

  /// Clears the history, except the kernel's own state. Context: control, not rendering.
  mutating func forgetPast() {
    hasRendered = false
    silentFrames = 0
    dryPath.reset()
    pass = OfflinePass()
  }

  /// Frees the memory of `allocateBuses`. Context: control, uninitialised.
  mutating func freeBuses() {
    for bus in 0..<inputCapacity { unsafe inputs[bus].deallocate() }
    for bus in 0..<outputCapacity { unsafe outputs[bus].deallocate() }
    unsafe inputChannels?.deallocate()
    unsafe outputChannels?.deallocate()
    suitsFastPath = false
    dryPath.deallocate()
    unsafe inputChannels = nil
    unsafe outputChannels = nil
  }

  private func allocate(
    _ buses: UnsafeMutablePointer<BusState>, _ firstChannel: UnsafeMutablePointer<Int>,
    _ formats: [SampleFormat], _ optional: [Bool]
  ) -> UnsafeMutablePointer<UnsafeMutablePointer<Float>> {
    let total = formats.reduce(0) { $0 + $1.channelCount }
    let pointers = UnsafeMutablePointer<UnsafeMutablePointer<Float>>.allocate(
      capacity: max(total, 1))
    var first = 0
    for (index, format) in formats.enumerated() {
      unsafe buses[index] = BusState(
        format, firstChannel: first, isOptional: optional[index], maximumFrames: maximumFrames,
        stride: strideFrames)
      for channel in 0..<format.channelCount {
        unsafe (pointers + first + channel).initialize(
          to: buses[index].own(channel, stride: strideFrames))
      }
      unsafe firstChannel[index] = first
      first += format.channelCount
    }
    return unsafe pointers
  }
}
