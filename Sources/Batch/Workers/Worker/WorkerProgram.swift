// A worker process: receives its setup, enters the sandbox, and does jobs until its socket closes.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import CHostSystem
public import FileRendering
import Glibc
import PlugInGuard
import RealtimeSupport
import ResultSettings
public import RunLedgers

/// The program's part: the list of installed units, and the maker of a chain.
public protocol WorkerHost {
  /// Lists the installed units and finds those of the chain; opens none.
  mutating func units() throws(WorkerRefusal) -> [UnitIdentity]

  /// The files that the preset names: impulse responses, models, side chains.
  var sideFiles: [String] { get }

  /// Files and folders that are needed to load the units.
  var readablePaths: [String] { get }

  /// Opens the units, checks their settings, and returns how chains are made. Called in the sandbox.
  mutating func chainMaker() throws(WorkerRefusal) -> ChainMaker

  /// The opener of inputs that are no audio files; nil for audio files. Called after `chainMaker`.
  var soundOpener: SoundOpener? { get }

  /// The values that are drawn for a variant; called after `chainMaker`.
  func drawnValues(_ variant: VariantRequest) -> [DrawnFigure]
}

extension WorkerHost {
  /// Most read audio files.
  public var soundOpener: SoundOpener? { nil }
}

/// A worker process.
///
/// It is started with a socket to its supervisor and the heartbeat memory as open files, and ends when the
/// socket closes.
public enum WorkerProgram {
  /// Does all jobs until the socket closes.
  ///
  /// - Parameters:
  ///   - supervisor: The process that started this one.
  ///   - makeHost: Makes the host for a setup.
  ///
  /// Context: control; call it first thing, before other threads are started.
  public static func run(
    supervisor: Int32, makeHost: (WorkerSetup) -> any WorkerHost
  ) {
    guard AuricleDieWithParent(supervisor), adoptHeartbeat() else { return }
    _ = fcntl(WorkerChannel.socketDescriptor, F_SETFD, FD_CLOEXEC)
    let channel = WorkerChannel(descriptor: WorkerChannel.socketDescriptor)
    LibraryMemory.begin()
    Heartbeat.enter(.prepare, unit: Heartbeat.noUnit)
    let setup: WorkerSetup
    do throws(WorkerChannel.Failure) {
      guard case .setup(let first) = try channel.receive(waits: true, acceptsFiles: true).0 else {
        return
      }
      setup = first
    } catch {
      refuse(error, on: channel)
      return
    }
    do throws(WorkerRefusal) {
      try work(setup, makeHost(setup), channel)
    } catch {
      _ = channel.send(.refused(error))
    }
  }

  /// Finds the units, enters the sandbox, makes the chain, and does jobs.
  private static func work(
    _ setup: WorkerSetup, _ host: any WorkerHost, _ channel: WorkerChannel
  ) throws(WorkerRefusal) {
    var host = host
    let units = try host.units()
    let files = setup.wantsSideFiles ? host.sideFiles.compactMap(PresetFile.init(path:)) : []
    guard channel.send(.units(units, sideFiles: files)) else { return }
    let sandbox = WorkerSandbox.enter(setup.sandbox, readablePaths: host.readablePaths)
    // A plug-in that reads uninitialized memory would get samples of earlier files.
    ZeroedMemory.beginForGood()
    let maker = try host.chainMaker()
    let pool = ChainPool(hasUnits: !units.isEmpty, makeChain: maker)
    let figures = setup.wantsFigures ? try ChainFigures(trying: maker, seed: setup.seed) : nil
    guard channel.send(.ready(sandbox: sandbox, figures: figures)) else { return }
    var loop = WorkerLoop(
      channel: channel, setup: setup, pool: pool, openSound: host.soundOpener)
    Heartbeat.enter(.idle, unit: Heartbeat.noUnit)
    let program = host
    loop.run(drawnValues: { program.drawnValues($0) })
  }

  /// Reports that a message cannot be read: supervisor and worker are of different builds.
  static func refuse(_ failure: WorkerChannel.Failure, on channel: WorkerChannel) {
    let what: String
    switch failure {
    case .closed, .empty: return
    case .garbled: what = "it is none"
    case .malformed(let key): what = "'\(key.rawValue)' is missing or makes no sense"
    }
    _ = channel.send(
      .refused(
        WorkerRefusal(
          text: "auricle: a worker cannot read a message of its supervisor (\(what)): "
            + "install the whole program again",
          category: .software)))
  }

  private static func adoptHeartbeat() -> Bool {
    let memory = unsafe mmap(
      nil, AuricleHeartbeatSize(), PROT_READ | PROT_WRITE, MAP_SHARED,
      WorkerChannel.heartbeatDescriptor, 0)
    guard let memory = unsafe memory, unsafe memory != MAP_FAILED else { return false }
    unsafe AuricleHeartbeatUse(memory)
    AuricleNoteCrashes()
    // Stays mapped, but closed: a unit could mistake the open file for a result.
    close(WorkerChannel.heartbeatDescriptor)
    return true
  }
}
