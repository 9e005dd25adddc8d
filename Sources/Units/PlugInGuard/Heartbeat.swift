// The present work of this process and its unit, for a parent that watches over it.
// SPDX-License-Identifier: Apache-2.0

internal import CHostSystem

/// The step of work that a process is in.
public enum WorkPhase: Int32, Sendable, CaseIterable {
  /// Nothing is to be done.
  case idle
  /// The installed components are being listed.
  case prepare
  /// A plug-in's binary is being loaded.
  case load
  /// An instance is being made.
  case instantiate
  /// An instance is being initialised for a format.
  case initialize
  /// An instance renders.
  case render
  /// An instance forgets its past.
  case reset
  /// An instance is being closed.
  case close
  /// An input is being decoded.
  case read
  /// A result is being encoded.
  case write
  /// A result is being read back.
  case verify

  /// Whether code of a plug-in runs in it.
  public var isOfUnit: Bool {
    switch self {
    case .load, .instantiate, .initialize, .render, .reset, .close: true
    case .idle, .prepare, .read, .write, .verify: false
    }
  }
}

/// Reports of this process's work to its parent, through shared memory.
///
/// When a worker dies or hangs, its parent knows the unit and the step by them. In a process
/// without a parent that watches, they go nowhere and cost next to nothing.
public enum Heartbeat {
  /// The number for no unit.
  public static let noUnit: Int32 = -1

  /// Assigns a number to a unit's name; the same name has the same one.
  ///
  /// - Parameters:
  ///   - name: `Maker: Unit (type:subtype:manufacturer)`.
  ///   - isInternal: Whether the host itself puts it between the units of a chain.
  ///
  /// Context: control.
  public static func register(_ name: String, isInternal: Bool = false) -> Int32 {
    unsafe AuricleHeartbeatRegister(name, isInternal)
  }

  /// Reports the phase that begins now.
  ///
  /// Context: any.
  @_noLocks
  public static func enter(_ phase: WorkPhase, unit: Int32) {
    AuricleHeartbeatEnter(phase.rawValue, unit)
  }

  /// Reports that a unit renders from here on.
  ///
  /// Context: render.
  @_noLocks
  public static func enterRender(unit: Int32) {
    AuricleHeartbeatEnter(WorkPhase.render.rawValue, unit)
  }

  /// Names the unit whose result is bad, at the step that was reported last.
  ///
  /// Context: any, render included.
  @_noLocks
  public static func blame(unit: Int32) {
    AuricleHeartbeatBlame(unit)
  }

  /// Withdraws the naming of a unit: another attempt with it went well.
  ///
  /// Context: control.
  public static func forgive(unit: Int32) {
    AuricleHeartbeatForgive(unit)
  }

  /// The phase that this thread reported last.
  ///
  /// Context: control.
  public static var phase: WorkPhase {
    WorkPhase(rawValue: AuricleHeartbeatPhase()) ?? .idle
  }

  /// The unit of the last step of this thread.
  ///
  /// Context: control.
  public static var unit: Int32 { AuricleHeartbeatUnit() }

  /// Reports a phase and runs a body in it; afterwards the former phase holds again.
  ///
  /// Context: control.
  public static func during<Result: ~Copyable, Failure: Error>(
    _ phase: WorkPhase, unit: Int32, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let phaseBefore = AuricleHeartbeatPhase()
    let unitBefore = AuricleHeartbeatUnit()
    AuricleHeartbeatEnter(phase.rawValue, unit)
    defer { AuricleHeartbeatEnter(phaseBefore, unitBefore) }
    return try body()
  }

  /// Runs a body with the unit that this thread reported last.
  ///
  /// Context: control.
  public static func during<Result: ~Copyable, Failure: Error>(
    _ phase: WorkPhase, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try during(phase, unit: AuricleHeartbeatUnit(), body)
  }
}
