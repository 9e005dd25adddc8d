// The signal processing of a unit, as its author writes it.
// SPDX-License-Identifier: Apache-2.0

public import CAudioToolbox
public import RealtimeSupport

/// The circumstances of a new kernel: rate, channels, greatest slice, and the parameter values at that time.
///
/// Units of `AuricleUnit` find it in `UnitSetup.format`:
///
/// ```swift
/// init(_ setup: UnitSetup<Self>) {
///   isOffline = setup.format.isOffline
///   side = setup.format.inputChannelCounts.count > 1
///   quality = setup.format.renderQuality
/// }
/// ```
///
/// It is constant from one initialise to the next. Context: control.
public struct RenderFormat {
  /// Frames per second (Hz) of the output, above 0.
  public let sampleRate: Double
  /// Channels of each input bus, in their order; empty for a generator.
  public let inputChannelCounts: [Int]
  /// Channels of each output bus, in their order.
  public let outputChannelCounts: [Int]
  /// Frames per second (Hz) of each input bus; other than `sampleRate` only where the definition
  /// says `allowsDifferentRates`.
  public let inputSampleRates: [Double]
  /// Greatest number of frames in a slice, `kAudioUnitProperty_MaximumFramesPerSlice`; the size for buffers.
  public let maximumFrames: Int
  /// Quality of the sound at the expense of time, 0 to 127; 127 unless a host chose another one.
  ///
  /// The corresponding property is `kAudioUnitProperty_RenderQuality`.
  public let renderQuality: Int
  /// Whether the host renders offline, that is, not against a clock.
  ///
  /// The corresponding property is `kAudioUnitProperty_OfflineRender`.
  public let isOffline: Bool
  /// Parameter values by their place in the definition; stays valid as long as the kernel.
  public let values: ParameterStore
  let table: ParameterTable
  /// The channel layout of output bus 0, for units whose bus declares its `layoutTags`; else 0.
  public let outputLayoutTag: AudioChannelLayoutTag

  /// Channels of output bus 0.
  public var channelCount: Int { outputChannelCounts.first ?? 0 }
  /// Channels of input bus 0.
  public var inputChannelCount: Int { inputChannelCounts.first ?? 0 }

  /// Returns the index in `values` of the first parameter of an element of the input, output or other scope.
  ///
  /// - Parameters:
  ///   - scope: A `kAudioUnitScope_…` code.
  ///   - element: Element, from 0.
  public func firstValue(_ scope: AudioUnitScope, element: Int) -> Int {
    table.firstIndex(scope, element)
  }
}

/// The DSP state of one initialised unit, a non-copyable struct of plain values and pointers.
///
/// Units with declared parameters conform to `AuricleUnit` instead; a kernel is for definitions that are
/// known at run time only. `init` and `deinit` run on a control thread and may allocate. `process` runs on the
/// render thread and must not (mark it `@_noLocks` and the compiler checks it).
///
/// ```swift
/// struct Halver: UnitKernel, ~Copyable {
///   init(_ format: RenderFormat) {}
///   mutating func reset() {}
///   @_noLocks mutating func process(_ slice: borrowing RenderSlice) {
///     for channel in 0..<slice.channelCount {
///       unsafe SampleRun.scale(slice.channel(channel), gain: 0.5, slice.frameCount)
///     }
///   }
/// }
/// ```
public protocol UnitKernel: ~Copyable {
  /// Allocates everything `process` needs. Context: control.
  ///
  /// - Parameter format: Rate, channels and greatest slice until the kernel is freed.
  init(_ format: RenderFormat)
  /// Clears the history: afterwards the kernel sounds like a fresh one. Context: control or render.
  ///
  /// The corresponding Core Audio function is `AudioUnitReset`.
  mutating func reset()
  /// Processes one slice of any number of frames up to the greatest. Context: render.
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
/// The closure that a factory function passes to `makeAudioUnit`:
///
/// ```swift
/// unsafe makeAudioUnit(Halver.self, definition, description) {
///   unsafe runKernel(Halver.self, $0, $1)
/// }
/// ```
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
  /// The reason why a kernel could not be made, or a value was refused: `UnitRefusal` in units.
  ///
  /// ```swift
  /// guard channelCount <= 2 else {
  ///   throw UnitRefusal("The unit has \(channelCount) channels: it works with one or two.")
  /// }
  /// ```
  public struct Failure: Error {
    /// Code for the host, a `kAudioUnitErr_…` or other Core Audio error; not 0.
    public var status: OSStatus
    /// One sentence for a person: failure, place, remedy. Hosts read it after the call that failed.
    public var reason: String
    /// Makes a failure of a code and a sentence.
    public init(status: OSStatus, reason: String) {
      self.status = status
      self.reason = reason
    }
  }

  /// Makes the kernel state; called by Initialize.
  public var create: (RenderFormat) throws(Failure) -> UnsafeMutableRawPointer
  /// Frees the kernel state; called by Uninitialize.
  public var destroy: (UnsafeMutableRawPointer) -> Void
  /// Clears the history of the kernel state.
  public var reset: (UnsafeMutableRawPointer) -> Void
  /// Latency in frames; the state is nil while the unit is not initialised.
  public var latencyFrames: (UnsafeMutableRawPointer?) -> Double
  /// Returns the tail in seconds, or nil if the unit does not know it; the state is nil while not
  /// initialised.
  public var tailSeconds: (UnsafeMutableRawPointer?) -> Double?
  /// Renders one slice. Context: render.
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
