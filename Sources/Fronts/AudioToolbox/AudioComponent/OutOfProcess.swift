// Units of C programs that run in other processes, of the `auricle` program.
// SPDX-License-Identifier: Apache-2.0

import AudioComponents
import AudioTypes
import AudioUnits
import CAudioToolbox
import Glibc
import IsolatedUnits
import MacSystem
import Synchronization
import UnitLink

/// The processes for units of a C program.
enum OutOfProcess {
  private static let units = Mutex<IsolatedUnits?>(nil)

  /// Opens an instance in another process; in this one where there is no program for it, and for a component of this process.
  ///
  /// - Throws: As `AudioComponent.instantiate`.
  ///
  /// Context: control.
  static func instantiate(_ component: AudioComponent) throws(AuricleError) -> AudioUnit {
    guard component.location != .process, let program = Toolbox.program else {
      return try component.instantiate()
    }
    let host = try units.withLock { units throws(AuricleError) in
      if let units { return units }
      var options = IsolationOptions()
      options.grouping = .unit
      options.restarts = false
      options.hangSeconds = 10
      options.onInvalidation = { report($0, process: $1, program: program) }
      let made = IsolatedUnits(try starter(program), options)
      units = made
      return made
    }
    return try host.instantiate(component)
  }

  /// Posts that an instance is invalid, because the process of its unit has ended.
  private static func report(_ instance: UInt, process: Int32, program: String) {
    func number(_ value: Int32) -> UnsafeRawPointer? {
      var value = value
      return unsafe UnsafeRawPointer(CFNumberCreate(nil, kCFNumberSInt32Type, &value))
    }
    let info = unsafe makeCFDictionary(takingOver: [
      "Service PID": number(process), "Host PID": number(getpid()),
      "Executable Path": UnsafeRawPointer(makeCFString(program)),
    ])
    unsafe LocalNotifications.post(
      "kAudioComponentInstanceInvalidationNotification", UnsafeRawPointer(bitPattern: instance),
      info)
    if let info = unsafe info { unsafe CFRelease(UnsafeRawPointer(info)) }
  }

  /// Begins the starter on a thread that lives as long as the process: it ends with that.
  private static func starter(_ program: String) throws(AuricleError) -> UnitStarter {
    let result = Made()
    LinkMonitor.shared.run {
      do throws(AuricleError) {
        result.set(.success(try UnitStarter(program: program, task: [])))
      } catch { result.set(.failure(error)) }
    }
    return try result.wait().get()
  }

  /// A starter that another thread makes.
  private final class Made: Sendable {
    private let result = Mutex<Result<UnitStarter, AuricleError>?>(nil)
    private let signal = ThreadSignal()

    func set(_ value: Result<UnitStarter, AuricleError>) {
      result.withLock { $0 = value }
      signal.ring()
    }

    func wait() -> Result<UnitStarter, AuricleError> {
      while true {
        let mark = signal.mark
        if let found = result.withLock({ $0 }) { return found }
        signal.wait(since: mark, milliseconds: 60_000)
      }
    }
  }
}
