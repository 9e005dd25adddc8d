// The process that renders live sound for the one that has the device.
// SPDX-License-Identifier: Apache-2.0

import AudioHardware
import AudioTypes
import AuricleHost
import ChainPresets
import DeviceSound
import Glibc
import HostSystem
import IsolatedUnits
import PlugInGuard
import WatchedProcesses
import Workers

/// Renders until the parent asks for the end.
public enum LiveServer {
  /// Does the work of a process that renders live sound and ends the process, if it was started as one; otherwise returns
  /// at once.
  ///
  /// Context: control; the first thing in `main`, before other threads are started.
  public static func serveIfChild() {
    guard ProgramArguments.words == [LiveProcess.command] else {
      return
    }
    // Destructors of plug-ins are skipped.
    _exit(run())
  }

  private static func run() -> Int32 {
    signal(SIGPIPE, SIG_IGN)
    WatchedProcess.keepNoCore()
    WatchedProcess.adoptHeartbeat()
    var parent = ParentSocket()
    do {
      guard let setup = try parent.next().flatMap({ frame in LiveSetup.read(frame.bytes) }) else {
        return 1
      }
      if setup.isRealTime { RealtimePriority.allowDaemon() }
      try serve(setup, &parent)
      return 0
    } catch { return 1 }
  }

  private static func serve(_ setup: LiveSetup, _ parent: inout ParentSocket) throws {
    var refusal: SoundRefusal?
    do {
      var worker = setup.task.worker
      let isolation = try LiveUnits(setup)
      let (preset, registry) = try worker.enterSandbox(reading: [])
      let run = try LiveRun(setup, preset, registry, isolation)
      Heartbeat.enter(.idle, unit: Heartbeat.noUnit)
      try run.start()
      _ = ParentSocket.send(SoundFrame.ready)
      try run.go(&parent)
      run.join()
      isolation?.units.end()
      run.sayNews()
    } catch let error as WorkerRefusal {
      refusal = SoundRefusal(error)
    } catch let error as PresetErrors {
      refusal = SoundRefusal(
        WorkerRefusal(
          text: PresetFailure.text(error), category: error.category, cause: error.cause))
    } catch let error as AuricleError {
      refusal = SoundRefusal(error)
    }
    if let refusal { _ = ParentSocket.send(SoundFrame.refused, refusal.bytes) }
    while refusal != nil, let frame = try parent.next(), frame.kind != SoundFrame.quit {}
    // Every unit is closed.
    _ = ParentSocket.send(SoundFrame.done)
  }
}
