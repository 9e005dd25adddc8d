// Starting and stopping: units that have a clock of their own.
// SPDX-License-Identifier: Apache-2.0

public import CAudioToolbox

/// The start and stop functions of a unit of the output type.
///
/// ```swift
/// definition.output = OutputProcedures(
///   start: { _ in
///     device.start()
///     return 0
///   },
///   stop: { _ in
///     device.stop()
///     return 0
///   })
/// ```
///
/// Here `device` is an object of the instance, which runs the thread that renders.
/// The corresponding Core Audio functions are `AudioOutputUnitStart` and `AudioOutputUnitStop`. Context of the
/// closures: control, under the instance's lock.
public struct OutputProcedures: Sendable {
  /// Starts rendering; called only on an initialised unit that does not run.
  public var start: @Sendable (UnitInstance) -> OSStatus
  /// Stops; when it returns, nothing renders any more. Called only on a unit that runs.
  public var stop: @Sendable (UnitInstance) -> OSStatus

  /// Makes the procedures.
  ///
  /// - Parameters:
  ///   - start: Starts rendering; returns 0 or an error for the host.
  ///   - stop: Stops rendering, and waits until nothing renders any more.
  public init(
    start: @escaping @Sendable (UnitInstance) -> OSStatus,
    stop: @escaping @Sendable (UnitInstance) -> OSStatus
  ) {
    self.start = start
    self.stop = stop
  }
}

extension UnitInstance {
  /// Starts a unit of the output type. The corresponding selector is `kAudioOutputUnitStartSelect`.
  func start() -> OSStatus {
    let (status, changed) = locked { () -> (OSStatus, Bool) in
      guard isInitialized else { return (kAudioUnitErr_Uninitialized, false) }
      guard !isRunning else { return (0, false) }
      let status = definition.output?.start(self) ?? 0
      isRunning = status == 0
      return (status, isRunning)
    }
    if changed { propertyChanged(kAudioOutputUnitProperty_IsRunning) }
    return status
  }

  /// Stops a unit of the output type. The corresponding selector is `kAudioOutputUnitStopSelect`.
  func stop() -> OSStatus {
    let (status, changed) = locked { () -> (OSStatus, Bool) in
      guard isRunning else { return (0, false) }
      let status = definition.output?.stop(self) ?? 0
      if status == 0 { isRunning = false }
      return (status, status == 0)
    }
    if changed { propertyChanged(kAudioOutputUnitProperty_IsRunning) }
    return status
  }
}
