// The life of a worker process: set up, sandboxed, then file after file until nobody asks any more.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import CHostSystem
public import FileRendering
import Glibc
import PlugInGuard
import RealtimeSupport
import ResultSettings
public import RunLedgers

/// What only the program knows: what is installed, and how a chain is made of it.
public protocol WorkerHost {
  /// Lists what is installed and finds the units of the chain; opens none.
  mutating func units() throws(WorkerRefusal) -> [UnitIdentity]

  /// Files that the preset names: impulse responses, models, side chains.
  var sideFiles: [String] { get }

  /// Files and folders that the units need to be loaded.
  var readablePaths: [String] { get }

  /// Opens the units, checks their settings, and tells how chains are made. Called in the sandbox.
  mutating func chainMaker() throws(WorkerRefusal) -> ChainMaker

  /// The values that are drawn for a variant; called after `chainMaker`.
  func drawnValues(_ variant: VariantRequest) -> [DrawnFigure]
}

/// A worker process.
///
/// It is started with a socket to its supervisor and the memory for signs of life as open files, and
/// ends when the socket closes.
public enum WorkerProgram {
  /// Does all work that comes, then returns.
  ///
  /// - Parameters:
  ///   - supervisor: The process that started this one.
  ///   - makeHost: Told the work to do.
  ///
  /// Context: control; call it first thing, before other threads are started.
  public static func run(
    supervisor: Int32, makeHost: (WorkerSetup) -> any WorkerHost
  ) {
    guard AuricleDieWithParent(supervisor), adoptBeacon() else { return }
    _ = fcntl(WorkerChannel.socketDescriptor, F_SETFD, FD_CLOEXEC)
    let channel = WorkerChannel(descriptor: WorkerChannel.socketDescriptor)
    LibraryMemory.begin()
    Heartbeat.enter(.prepare, unit: Heartbeat.noUnit)
    let setup: WorkerSetup
    do throws(WorkerChannel.Failure) {
      guard case .setup(let first) = try channel.receive(waits: true, takesFiles: true).0 else {
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

  /// Finds the units, gives up rights, makes the chain, and works.
  private static func work(
    _ setup: WorkerSetup, _ host: any WorkerHost, _ channel: WorkerChannel
  ) throws(WorkerRefusal) {
    var host = host
    let units = try host.units()
    let files = setup.tellsSideFiles ? host.sideFiles.compactMap(PresetFile.init(path:)) : []
    guard channel.send(.units(units, sideFiles: files)) else { return }
    let sandbox = WorkerSandbox.enter(setup.sandbox, readablePaths: host.readablePaths)
    // A plug-in that reads memory it never set would hear the files before.
    ZeroedMemory.beginForGood()
    let maker = try host.chainMaker()
    let pool = ChainPool(makeChain: maker)
    let figures = setup.tellsChain ? try ChainFigures(trying: maker, seed: setup.seed) : nil
    guard channel.send(.ready(sandbox: sandbox, figures: figures)) else { return }
    var loop = WorkerLoop(channel: channel, setup: setup, pool: pool)
    Heartbeat.enter(.idle, unit: Heartbeat.noUnit)
    let program = host
    loop.run(drawnValues: { program.drawnValues($0) })
  }

  /// Says that a message cannot be read: supervisor and worker are not of the same build.
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
            + "install the program anew, as a whole",
          category: .software)))
  }

  private static func adoptBeacon() -> Bool {
    let memory = unsafe mmap(
      nil, AuricleHeartbeatSize(), PROT_READ | PROT_WRITE, MAP_SHARED,
      WorkerChannel.beaconDescriptor, 0)
    guard let memory = unsafe memory, unsafe memory != MAP_FAILED else { return false }
    unsafe AuricleHeartbeatUse(memory)
    // Mapped for good: as an open file a unit could take it for a result.
    close(WorkerChannel.beaconDescriptor)
    return true
  }
}
