// Measures for a picture in a child process, so that a unit that crashes or hangs costs the picture alone.
// SPDX-License-Identifier: Apache-2.0

public import AudioTypes
public import AuricleHost
import ChainPresets
import Foundation
import Glibc
import HostSystem
import PlugInGuard
import WatchedProcesses

/// The two processes of a picture.
public enum PlotProcess {
  /// A unit that is at work for longer hangs.
  private static let timeLimit = Duration.seconds(120)

  /// Has a child measure.
  ///
  /// - Parameters:
  ///   - arguments: The words behind the program's name for the child, which calls `serve`.
  ///   - shouldStop: Asked often.
  /// - Returns: The figure, or the exit code of a child that reported why there is none.
  /// - Throws: `.software` with the unit's name where one crashed or hung, `.interrupted`.
  ///
  /// Context: control.
  public static func measure(
    arguments: [String], shouldStop: () -> Bool
  ) throws(AuricleError) -> Result<PlotFigure, PlotRefusal> {
    let child = try WatchedProcess(arguments: arguments)
    let deadline = ContinuousClock.now + timeLimit
    var received: [UInt8] = []
    var block = [UInt8](repeating: 0, count: 65_536)
    while true {
      if shouldStop() { throw AuricleError(.interrupted, "no picture was made") }
      guard ContinuousClock.now < deadline else {
        throw AuricleError(
          .software,
          "\(child.unitAtWork ?? "the chain") was at work for \(timeLimit.components.seconds) seconds: no picture was made"
        )
      }
      var entry = pollfd(fd: child.socket, events: Int16(POLLIN), revents: 0)
      guard unsafe poll(&entry, 1, 100) > 0 else { continue }
      let count = unsafe read(child.socket, &block, block.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { break }
      received += block[0..<count]
    }
    // A plug-in may have closed the socket and be at work.
    guard child.hasEnded(by: deadline, shouldStop: shouldStop) else {
      if shouldStop() { throw AuricleError(.interrupted, "no picture was made") }
      throw AuricleError(
        .software, "\(child.unitAtWork ?? "the chain") does not end: no picture was made")
    }
    let end = child.wait()
    guard case .exited(let code) = end else {
      throw AuricleError(
        .software, "\(child.unitAtWork ?? "the chain") \(end.text): no picture was made")
    }
    // A child that measured says so.
    guard code != 0 || !received.isEmpty else {
      throw AuricleError(
        .software, "\(child.unitAtWork ?? "the chain") ended its process: no picture was made")
    }
    guard code == 0, let figure = try? JSONDecoder().decode(PlotFigure.self, from: Data(received))
    else {
      return .failure(
        PlotRefusal(exitCode: code == 0 ? AuricleError.Category.software.rawValue : code))
    }
    return .success(figure)
  }

  /// Measures, and sends the parent the figure. Context: control, in the child, first.
  public static func serve(
    _ request: PlotRequest, in installation: AuricleInstallation
  ) throws {
    WatchedProcess.adoptHeartbeat()
    let settings = request.sources.flatMap { $0.settings + $0.variant }
    installation.host.enterSandboxAtFirstPlugIn(
      PlugInProcessFiles(
        presets: request.sources.map(\.name), texts: settings.map(\.value.value)))
    let figure = try PlotMeasurement(request, installation.host).figure()
    Heartbeat.enter(.idle, unit: Heartbeat.noUnit)
    let data = try JSONEncoder().encode(figure)
    _ = FileTransfer.writeAll(Array(data), to: WatchedProcess.socketDescriptor)
  }
}

/// The end of a child that reported why there is no figure.
public struct PlotRefusal: Error, Equatable {
  /// The exit code.
  public let exitCode: Int32
}
