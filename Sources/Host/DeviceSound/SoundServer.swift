// The process that renders sound for one that has the device: a file through a chain, or samples through it.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import AuricleHost
import FileRendering
import Glibc
import HostSystem
import PlugInGuard
import UnitChains
import WatchedProcesses
import Workers

/// Renders until the parent asks for the end.
public enum SoundServer {
  /// The word that starts it.
  static let command = "render-sound"

  /// Does the work of a process that renders sound and ends the process, if it was started as one; otherwise returns at
  /// once.
  ///
  /// Context: control; the first thing in `main`, before other threads are started.
  public static func serveIfChild() {
    guard ProgramArguments.words == [command] else { return }
    // Destructors of plug-ins are skipped.
    _exit(run())
  }

  private static func run() -> Int32 {
    signal(SIGPIPE, SIG_IGN)
    WatchedProcess.keepNoCore()
    WatchedProcess.adoptHeartbeat()
    var parent = ParentSocket()
    do {
      guard let task = try parent.next().flatMap({ SoundTask($0.bytes) }) else { return 1 }
      try serve(task, &parent)
      return 0
    } catch { return 1 }
  }

  private static func serve(_ task: SoundTask, _ parent: inout ParentSocket) throws {
    var refusal: SoundRefusal?
    do {
      var worker = task.worker
      let (preset, _) = try worker.enterSandbox(reading: [task.file].compactMap(\.self))
      let maker: ChainMaker
      if !task.hasChain {
        maker = emptyChain
      } else if task.file == nil {
        maker = try worker.arrivingChainMaker().maker
      } else {
        maker = try worker.chainMaker()
      }
      Heartbeat.enter(.idle, unit: Heartbeat.noUnit)
      if let file = task.file {
        let settings = PlayedFileSettings(task.hasChain ? preset : nil)
        var server = FileServer(file, settings, maker)
        try server.serve(&parent)
      } else {
        try feed(task, maker, &parent)
      }
    } catch let error as WorkerRefusal {
      refusal = SoundRefusal(error)
    } catch let error as AuricleError {
      refusal = SoundRefusal(error)
    }
    if let refusal { _ = ParentSocket.send(SoundFrame.refused, refusal.bytes) }
    while refusal != nil, let frame = try parent.next(), frame.kind != SoundFrame.quit {}
    // Every unit is closed.
    _ = ParentSocket.send(SoundFrame.done)
  }

  private static func emptyChain(
    _ wanted: ChainSpecification
  ) throws(AuricleError) -> UnitChain {
    try UnitChain(
      stages: [], sampleRate: wanted.sampleRate, channelCount: wanted.channelCount,
      maximumFrames: wanted.maximumFrameCount)
  }

  /// Sends samples through a chain, as many as come.
  private static func feed(
    _ task: SoundTask, _ maker: ChainMaker, _ parent: inout ParentSocket
  ) throws {
    let chain = try maker(
      ChainSpecification(
        sampleRate: task.sampleRate, channelCount: task.channelCount,
        maximumFrameCount: task.frameCapacity))
    try chain.refuseWholeSounds()
    let rows = PlanarBuffer(
      channelCount: task.channelCount, frameCapacity: task.frameCapacity)
    Heartbeat.enter(.idle, unit: Heartbeat.noUnit)
    _ = ParentSocket.send(
      SoundFrame.ready, SoundHeader(latencyFrames: chain.latencyFrames).bytes)
    while let frame = try parent.next(), frame.kind == SoundFrame.samples {
      let count = PlanarBytes.read(frame.bytes, into: rows, channelCount: task.channelCount)
      let made = try unsafe chain.render(input: UnsafePointer(rows.rows), frameCount: count)
      Heartbeat.enter(.idle, unit: Heartbeat.noUnit)
      _ = ParentSocket.send(
        SoundFrame.rendered,
        unsafe PlanarBytes.bytes(of: made, channelCount: task.channelCount, frameCount: count))
    }
  }
}

/// A file for a player: opened at a place as often as that is asked for.
private struct FileServer {
  private let path: String
  private let settings: PlayedFileSettings
  private let maker: ChainMaker
  /// The gain in front of the chain; nil until the file was measured.
  private var inputFactor: Float?

  init(_ path: String, _ settings: PlayedFileSettings, _ maker: @escaping ChainMaker) {
    self.path = path
    self.settings = settings
    self.maker = maker
  }

  mutating func serve(_ parent: inout ParentSocket) throws {
    var file: PlayedFile?
    while true {
      guard let frame = try parent.next(milliseconds: file == nil ? -1 : 0) else {
        file = rendered(file)
        continue
      }
      guard frame.kind == SoundFrame.open, let place = SoundPlace(frame.bytes) else { return }
      file = nil
      do throws(AuricleError) {
        let made = try open(place)
        Heartbeat.enter(.idle, unit: Heartbeat.noUnit)
        file = made
        _ = ParentSocket.send(SoundFrame.ready, SoundHeader(of: made).bytes)
      } catch {
        _ = ParentSocket.send(SoundFrame.refused, SoundRefusal(error).bytes)
      }
    }
  }

  private mutating func open(_ place: SoundPlace) throws(AuricleError) -> PlayedFile {
    guard !place.isBypassed else {
      return try PlayedFile(path, settings: settings.job(at: place), makeChain: Self.bypass)
    }
    let factor: Float
    if let inputFactor {
      factor = inputFactor
    } else {
      factor = try PlayedFile.inputFactor(of: path, settings.whole)
      inputFactor = factor
    }
    return try PlayedFile(
      path, settings: settings.job(at: place), inputFactor: factor, makeChain: maker)
  }

  private static func bypass(_ wanted: ChainSpecification) throws(AuricleError) -> UnitChain {
    try UnitChain(
      stages: [], sampleRate: wanted.sampleRate, channelCount: wanted.channelCount,
      maximumFrames: wanted.maximumFrameCount)
  }

  /// Sends the next slice; nil when there are no more.
  private func rendered(_ file: PlayedFile?) -> PlayedFile? {
    guard let file else { return nil }
    do throws(AuricleError) {
      let goesOn = try unsafe file.step { (rows, count) throws(AuricleError) in
        for first in stride(from: 0, to: count, by: PlanarBytes.mostFrames) {
          let frameCount = min(count - first, PlanarBytes.mostFrames)
          _ = ParentSocket.send(
            SoundFrame.rendered,
            unsafe PlanarBytes.bytes(
              of: rows, channelCount: file.channelCount, from: first, frameCount: frameCount))
        }
      }
      Heartbeat.enter(.idle, unit: Heartbeat.noUnit)
      if goesOn { return file }
      _ = ParentSocket.send(SoundFrame.over)
    } catch {
      _ = ParentSocket.send(SoundFrame.refused, SoundRefusal(error).bytes)
    }
    return nil
  }
}
