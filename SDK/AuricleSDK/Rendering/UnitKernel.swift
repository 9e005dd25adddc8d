// The signal processing of a unit, as its author writes it.
// SPDX-License-Identifier: Apache-2.0

public import CAudioToolbox
public import RealtimeSupport

/// The circumstances of a new kernel: rate, channels, greatest slice, and the parameter values at that time.
public struct RenderFormat {
  /// Frames per second (Hz).
  public let sampleRate: Double
  /// Channels of each input bus.
  public let inputChannelCounts: [Int]
  /// Channels of each output bus.
  public let outputChannelCounts: [Int]
  /// Frames per second (Hz) of each input bus; other than `sampleRate` only where the definition
  /// says `allowsDifferentRates`.
  public let inputSampleRates: [Double]
  /// Greatest number of frames in a slice.
  public let maximumFrames: Int
  /// Quality of the sound at the expense of time, 0 to 127.
  public let renderQuality: Int
  /// Whether the host renders offline, that is, not against a clock.
  public let isOffline: Bool
  /// Parameter values by their place in the definition; stays valid as long as the kernel.
  public let values: ParameterStore
  let table: ParameterTable
  /// The channel layout of output bus 0, for units whose bus declares its `layoutTags`.
  public let outputLayoutTag: AudioChannelLayoutTag

  /// Channels of output bus 0.
  public var channelCount: Int { outputChannelCounts.first ?? 0 }
  /// Channels of input bus 0.
  public var inputChannelCount: Int { inputChannelCounts.first ?? 0 }

  /// Index in `values` of the first parameter of an element of the input, output or other scope.
  public func firstValue(_ scope: AudioUnitScope, element: Int) -> Int {
    table.firstIndex(scope, element)
  }
}

/// The DSP state of one initialised unit, a non-copyable struct of plain values and pointers.
///
/// `init` and `deinit` run on a control thread and may allocate; `process` runs on the render thread
/// and must not (mark it `@_noLocks` and the compiler checks it).
public protocol UnitKernel: ~Copyable {
  /// Allocates everything `process` needs. Context: control.
  init(_ format: RenderFormat)
  /// Forgets the past: after it the kernel sounds like a fresh one. Context: control or render.
  mutating func reset()
  /// Processes one slice. Context: render.
  mutating func process(_ slice: borrowing RenderSlice)
  /// Frames by which the output lags the input. Context: control.
  var latencyFrames: Int { get }
  /// Seconds the output may ring on after the input ended; may be infinite. Context: control.
  var tailSeconds: Double { get }
  /// Seconds of further silence after which the rest in the kernel is inaudible, at any later
  /// values of its parameters. Context: render.
  var restSeconds: Double { get }
}

extension UnitKernel where Self: ~Copyable {
  /// No latency.
  public var latencyFrames: Int { 0 }
  /// No tail.
  public var tailSeconds: Double { 0 }
  /// The tail.
  public var restSeconds: Double { tailSeconds }
}

/// The C function that runs a kernel on a slice: kernel state, pointer to a `RenderSlice`.
///
/// Context: render.
public typealias KernelProcess = @convention(c) (UnsafeMutableRawPointer, UnsafeRawPointer) -> Void

/// Runs a kernel on a slice, as a `KernelProcess` does for a kernel of a known type.
///
/// Context: render.
@inlinable @_transparent
public func runKernel<Kernel: UnitKernel & ~Copyable>(
  _ kernel: Kernel.Type, _ state: UnsafeMutableRawPointer, _ slice: UnsafeRawPointer
) {
  unsafe state.assumingMemoryBound(to: Kernel.self).pointee.process(
    slice.assumingMemoryBound(to: RenderSlice.self).pointee)
  if unsafe slice.assumingMemoryBound(to: RenderSlice.self).pointee.wantsTail {
    unsafe slice.assumingMemoryBound(to: RenderSlice.self).pointee.reportTail(
      seconds: state.assumingMemoryBound(to: Kernel.self).pointee.restSeconds)
  }
}

/// The functions of a kernel whose type the SDK does not know: closures for the control thread, one
/// C function for the render thread.
@safe public struct KernelProcedures {
  /// The reason why a kernel could not be made.
  public struct Failure: Error {
    /// Code for the host.
    public var status: OSStatus
    /// One sentence for a person: failure, place, remedy.
    public var reason: String
    /// Describes a failure.
    public init(status: OSStatus, reason: String) {
      self.status = status
      self.reason = reason
    }
  }

  /// Makes the kernel state.
  public var create: (RenderFormat) throws(Failure) -> UnsafeMutableRawPointer
  /// Frees the kernel state.
  public var destroy: (UnsafeMutableRawPointer) -> Void
  /// Forgets the past.
  public var reset: (UnsafeMutableRawPointer) -> Void
  /// Latency in frames; the state is nil while the unit is not initialised.
  public var latencyFrames: (UnsafeMutableRawPointer?) -> Double
  /// Returns the tail in seconds, or nil if the unit does not know it; the state is nil while not
  /// initialised.
  public var tailSeconds: (UnsafeMutableRawPointer?) -> Double?
  /// Renders.
  public var process: KernelProcess

  /// Gathers the procedures.
  public init(
    create: @escaping (RenderFormat) throws(Failure) -> UnsafeMutableRawPointer,
    destroy: @escaping (UnsafeMutableRawPointer) -> Void,
    reset: @escaping (UnsafeMutableRawPointer) -> Void,
    latencyFrames: @escaping (UnsafeMutableRawPointer?) -> Double,
    tailSeconds: @escaping (UnsafeMutableRawPointer?) -> Double?, process: KernelProcess
  ) {
    unsafe self.create = unsafe create
    unsafe self.destroy = unsafe destroy
    unsafe self.reset = unsafe reset
    unsafe self.latencyFrames = unsafe latencyFrames
    unsafe self.tailSeconds = unsafe tailSeconds
    unsafe self.process = unsafe process
  }
}
