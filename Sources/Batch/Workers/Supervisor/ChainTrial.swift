// Has a worker make the chain and nothing else, for dry runs and checks of presets.
// SPDX-License-Identifier: Apache-2.0

public import AudioTypes
import CHostSystem
public import FileRendering
import Glibc
import HostSystem
public import RunLedgers

/// Whether a chain can be made here.
public struct ChainTrial: Sendable {
  /// The units that were found.
  public var units: [UnitIdentity] = []
  /// The files that the preset names.
  public var sideFiles: [PresetFile] = []
  /// The sandbox in force; nil when the chain could not be made.
  public var sandbox: String?
  /// Its latency and tail; nil if not measured.
  public var figures: ChainFigures?
  /// Why it cannot be made; nil when it can.
  public var refusal: WorkerRefusal?

  /// Tries it in a worker, for at most a minute.
  ///
  /// - Parameters:
  ///   - asksFigures: Whether latency and tail are measured.
  ///   - shouldStop: Asked several times a second; true ends it.
  /// - Throws: `.interrupted` when `shouldStop` returned true.
  ///
  /// Context: control.
  public init(
    options: SupervisorOptions, asksFigures: Bool = false, shouldStop: () -> Bool = { false }
  ) throws(AuricleError) {
    let reaper = OrphanReaper()
    let worker = try WorkerProcess(
      program: options.program, arguments: options.arguments + ["\(getpid())"])
    defer {
      worker.end(afterWaiting: .zero)
      reaper.reap(sparing: [])
    }
    var setup = options.setup
    setup.wantsFigures = asksFigures
    worker.send(.setup(setup), descriptors: [])
    let deadline = ContinuousClock.now + .seconds(60)
    waiting: while ContinuousClock.now < deadline {
      if shouldStop() {
        throw AuricleError(
          .interrupted,
          "interrupted while the chain was being tried: nothing was begun; give the command again")
      }
      var wait = pollfd(fd: worker.channel.descriptor, events: Int16(POLLIN), revents: 0)
      _ = unsafe poll(&wait, 1, 200)
      _ = worker.readOutput()
      switch worker.receive() {
      case .message(let message): if handle(message) { return }
      case .nothing: continue
      case .closed, .senseless: break waiting
      }
    }
    let unit = worker.unitName(worker.reading.unit) ?? "a unit"
    let end = worker.end(afterWaiting: .milliseconds(200))
    let how = end == .closedFiles ? nil : end?.name
    refusal = WorkerRefusal(
      text: "auricle: \(unit) ended the process that opened it (\(how ?? "no answer"))",
      category: .software)
  }

  /// Handles an answer; true when it is the last.
  private mutating func handle(_ message: WorkerMessage) -> Bool {
    switch message {
    case .units(let found, let files): (units, sideFiles) = (found, files)
    case .ready(let sandbox, let figures):
      self.sandbox = sandbox.text
      self.figures = figures
      return true
    case .refused(let refusal):
      self.refusal = refusal
      return true
    default: break
    }
    return false
  }
}
