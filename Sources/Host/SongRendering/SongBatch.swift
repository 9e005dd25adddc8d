// Several songs, each in a process of its own: one whose instrument crashes is tried again, then left out.
// SPDX-License-Identifier: Apache-2.0

public import AudioTypes
import Glibc
import HostSystem
import WatchedProcesses

/// What became of a song of a batch.
public enum SongEnd: Sendable, Equatable {
  /// It is done, or was refused by its process, which told why.
  case exited(Int32)
  /// Its process was ended by a signal, twice; with the unit that was at work.
  case crashed(unit: String?, signal: String)
}

/// Runs songs in child processes.
public struct SongBatch {
  /// What one child renders.
  public struct Item: Sendable, Equatable {
    /// The MIDI file.
    public var song: String
    /// The audio file.
    public var output: String
    /// The track that is played alone, from 1; nil for all.
    public var track: Int?

    /// Names a song, its result, and its track.
    public init(song: String, output: String, track: Int? = nil) {
      self.song = song
      self.output = output
      self.track = track
    }

    /// As a child is told: three texts, each with a 0 behind it, which no path has.
    fileprivate var message: [UInt8] {
      [song, output, track.map(String.init) ?? ""].flatMap { Array($0.utf8) + [0] }
    }
  }

  private struct Running {
    var item: Item
    var process: WatchedProcess
    var attempts: Int
    /// What it told so far.
    var said: [UInt8] = []
  }

  /// Renders all songs, so many at once.
  ///
  /// - Parameters:
  ///   - arguments: The words behind the program's name for every child, which calls `beginChild`.
  ///   - jobs: How many at once, at least 1.
  ///   - shouldStop: Asked often; true asks all children to end.
  ///   - onRetry: Told of a song that is tried again, with the unit that crashed.
  ///   - onEnd: Told what became of each, with the text of its `tell`.
  /// - Throws: `.temporary` where no process can be started.
  ///
  /// Context: control; returns when all have ended.
  public static func run(
    _ items: [Item], arguments: [String], jobs: Int, shouldStop: () -> Bool,
    onRetry: (Item, String?) -> Void,
    onEnd: (Item, SongEnd, String) -> Void
  ) throws(AuricleError) {
    var waiting = items[...]
    var running: [Running] = []
    var hasAsked = false
    while !waiting.isEmpty || !running.isEmpty {
      if shouldStop() {
        waiting = []
        if !hasAsked { for entry in running { entry.process.ask() } }
        hasAsked = true
        if running.isEmpty { break }
      }
      while running.count < max(1, jobs), let item = waiting.popFirst() {
        running.append(
          Running(item: item, process: try start(item, arguments), attempts: 1))
      }
      // A child closes its end of the socket when it ends.
      var polls = running.map { pollfd(fd: $0.process.socket, events: Int16(POLLIN), revents: 0) }
      guard unsafe poll(&polls, nfds_t(polls.count), 100) > 0 else { continue }
      for index in running.indices.reversed() where polls[index].revents != 0 {
        var block = [UInt8](repeating: 0, count: 1024)
        let count = unsafe read(running[index].process.socket, &block, block.count)
        if count > 0 { running[index].said += block[0..<count] }
        guard count == 0 || (count < 0 && errno != EINTR) else { continue }
        var entry = running.remove(at: index)
        let signal: String
        let end = entry.process.wait()
        let said = String(decoding: entry.said, as: UTF8.self)
        switch end {
        case .exited(let code):
          onEnd(entry.item, .exited(code), said)
          continue
        case .crashed(let words): signal = words
        }
        let unit = entry.process.unitAtWork
        guard entry.attempts > 1 || shouldStop() else {
          onRetry(entry.item, unit)
          entry.process = try start(entry.item, arguments)
          entry.attempts += 1
          entry.said = []
          running.append(entry)
          continue
        }
        removeUnfinished(entry.item.output)
        onEnd(entry.item, .crashed(unit: unit, signal: signal), said)
      }
    }
  }

  private static func start(
    _ item: Item, _ arguments: [String]
  ) throws(AuricleError) -> WatchedProcess {
    let process = try WatchedProcess(arguments: arguments)
    _ = FileTransfer.writeAll(item.message, to: process.socket)
    return process
  }

  /// Removes what a process that crashed left of a result.
  private static func removeUnfinished(_ path: String) {
    let (folder, name) = AtomicFile.split(path)
    unsafe unlink("\(folder)/\(AtomicFile.partName(name))")
  }

  /// Lets the parent see which unit is at work; what it wants rendered, nil where it is gone.
  ///
  /// Context: control, in a child, first.
  public static func beginChild() -> Item? {
    WatchedProcess.adoptHeartbeat()
    let texts = (0..<3).map { _ in WatchedProcess.readText(upTo: 0) }
    guard let song = texts[0], let output = texts[1], let track = texts[2] else { return nil }
    return Item(song: song, output: output, track: Int(track))
  }

  /// Gives the parent a line about a song that is done. Context: control, in a child.
  public static func tell(_ text: String) {
    _ = FileTransfer.writeAll(Array(text.utf8), to: WatchedProcess.socketDescriptor)
  }
}
