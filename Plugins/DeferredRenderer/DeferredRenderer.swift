// The deferred renderer: pulls its input ahead, on a thread of lower priority, in pieces of one size.
// SPDX-License-Identifier: Apache-2.0

import AuricleSDK
public import CAudioToolbox
import RealtimeSupport

/// Slow or uneven work upstream is done beside the render thread, for a constant latency. Where it is slower than
/// that, the output is silent: the render thread waits for nobody.
///
/// Offline, and with input from the caller, there is no thread: the same blocks are pulled in the render call.
@safe struct DeferredKernel: UnitKernel, ~Copyable {
  private let line: UnsafeMutablePointer<DeferredLine>
  private let puller: UnsafeMutablePointer<PullThread>
  private let hasThread: Bool

  /// Context: control.
  init(_ format: RenderFormat) { self.init(format, DeferredSettings()) }

  init(_ format: RenderFormat, _ settings: DeferredSettings) {
    unsafe line = .allocate(capacity: 1)
    unsafe line.initialize(to: DeferredLine(format, settings))
    unsafe puller = .allocate(capacity: 1)
    unsafe puller.initialize(to: PullThread(line))
    // Without a thread all is done in the render call.
    hasThread = unsafe !format.isOffline && PullThread.start(puller)
  }

  deinit {
    unsafe puller.pointee.end()
    unsafe puller.deinitialize(count: 1)
    unsafe puller.deallocate()
    unsafe line.deinitialize(count: 1)
    unsafe line.deallocate()
  }

  /// Begins anew. Context: control.
  mutating func reset() { unsafe line.pointee.reset() }

  /// Frames that are pulled at once, and the frames of the two other settings. Context: control.
  var latencyFrames: Int { unsafe line.pointee.latency }

  @_noLocks mutating func process(_ slice: borrowing RenderSlice) {
    unsafe line.pointee.play(slice)
    if hasThread, unsafe line.pointee.isDue { unsafe puller.pointee.post() }
  }
}

/// Makes one deferred renderer; the factory function of the component. Context: control.
@c(AuricleDeferredRendererFactory)
public func deferredRendererFactory(
  _ description: UnsafePointer<AudioComponentDescription>?
) -> UnsafeMutablePointer<AudioComponentPlugInInterface>? {
  let settings = DeferredSettings()
  var definition = UnitDefinition(
    parameters: [], channelCapabilities: [.same], properties: settings.properties,
    processesInPlace: false)
  definition.kernelPullsInputs = true
  return unsafe makeAudioUnit(definition, description) { state, slice in
    unsafe runKernel(DeferredKernel.self, state, slice)
  } makeKernel: { format in
    DeferredKernel(format, settings)
  }
}
