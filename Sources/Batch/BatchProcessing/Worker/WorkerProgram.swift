// The life of a worker process: set up, sandboxed, then file after file until nobody asks any more.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import CHostSystem
import Glibc
import PlugInGuard
import RealtimeSupport

/// What only the program knows: what is installed, and how a chain is made of it.
public protocol WorkerHost {
  /// Lists what is installed and finds the units of the chain; opens none.
  mutating func units() throws(WorkerRefusal) -> [UnitIdentity]

  /// Files that the preset names: impulse responses, models, side chains.
  var sideFiles: [String] { get }

  /// Files and folders that the units need to be loaded.
  var readablePaths: [String] { get }

  /// Opens the units, checks their settings, and tells how chains are made. Called in the sandbox.
  mutating func chainMaker() throws(WorkerRefusal) -> BatchRun.ChainMaker

  /// Whether chains are others for files of other lengths; called after `chainMaker`.
  var chainsDependOnLength: Bool { get }

  /// The values that are drawn for a variant; called after `chainMaker`.
  func drawnValues(_ variant: VariantRequest) -> [DrawnFigure]
}

/// A worker process.
///
/// It is started with a socket to its supervisor and the memory for signs of life as open files, and
/// ends when the socket closes.
public enum WorkerProgram {
  /// The number of the socket in a worker.
  public static let socketDescriptor: Int32 = 3
  /// The number of the shared memory in a worker.
  public static let beaconDescriptor: Int32 = 4

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
    _ = fcntl(socketDescriptor, F_SETFD, FD_CLOEXEC)
    let channel = WorkerChannel(descriptor: socketDescriptor)
    LibraryMemory.begin()
    Heartbeat.enter(.prepare, unit: Heartbeat.noUnit)
    guard let first = try? channel.receive(waits: true, takesFiles: true), first.kind == .setup,
      let setup = WorkerSetup(json: first.body)
    else { return }
    var host = makeHost(setup)
    do throws(WorkerRefusal) {
      let units = try host.units()
      guard
        channel.send(
          WorkerMessage(
            kind: .units,
            body: .members([
              ("units", .array(units.map(\.json))),
              (
                "files",
                setup.tellsSideFiles
                  ? .array(host.sideFiles.compactMap(PresetFile.init(path:)).map(\.message)) : nil
              ),
            ])))
      else { return }
      let sandbox = WorkerSandbox.enter(setup.sandbox, readablePaths: host.readablePaths)
      // A plug-in that reads memory it never set would hear the files before.
      ZeroedMemory.beginForGood()
      let maker = try host.chainMaker()
      let pool = ChainPool(makeChain: maker, makesOneForEach: host.chainsDependOnLength)
      let figures = setup.tellsChain ? try ChainFigures(trying: maker, seed: setup.seed) : nil
      guard
        channel.send(
          WorkerMessage(
            kind: .ready,
            body: .members([("sandbox", .string(sandbox)), ("chain", figures?.json)])))
      else { return }
      var loop = WorkerLoop(
        channel: channel, settings: setup.settings, seed: setup.seed, pool: pool,
        mayStay: setup.mayStay, memoryLimit: setup.sandbox.memoryLimit,
        usualThreads: setup.usualThreads)
      loop.pictures = setup.pictures
      Heartbeat.enter(.idle, unit: Heartbeat.noUnit)
      let program = host
      loop.run(drawnValues: { program.drawnValues($0) })
    } catch {
      _ = channel.send(
        WorkerMessage(
          kind: .refused,
          body: .members([
            ("text", .string(error.text)), ("code", JSONValue(Int(error.category.rawValue))),
          ])))
    }
  }

  private static func adoptBeacon() -> Bool {
    let memory = unsafe mmap(
      nil, AuricleHeartbeatSize(), PROT_READ | PROT_WRITE, MAP_SHARED, beaconDescriptor, 0)
    guard let memory = unsafe memory, unsafe memory != MAP_FAILED else { return false }
    unsafe AuricleHeartbeatUse(memory)
    // Mapped for good: as an open file a unit could take it for a result.
    close(beaconDescriptor)
    return true
  }
}
