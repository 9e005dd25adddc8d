// A sequence and its player, and the delivery of the user events that it plays.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A sequence of C with its player. They exist for as long as anything plays them or edits their tracks.
final class SequenceMusic: Sendable {
  nonisolated(unsafe) let sequence: MusicSequence
  nonisolated(unsafe) let player: MusicPlayer
  let userEvents = UserEvents()

  init() {
    var sequence: MusicSequence?
    var player: MusicPlayer?
    NewMusicSequence(&sequence)
    NewMusicPlayer(&player)
    guard let sequence, let player else { auricleRaise("memory for a sequence") }
    (self.sequence, self.player) = (sequence, player)
    MusicSequenceSetUserCallback(
      sequence, receiveUserEvent, Unmanaged.passUnretained(userEvents).toOpaque())
    MusicPlayerSetSequence(player, sequence)
  }
  deinit {
    MusicPlayerStop(player)
    MusicPlayerSetSequence(player, nil)
    DisposeMusicPlayer(player)
    DisposeMusicSequence(sequence)
  }

  /// The track of the tempo.
  var tempoTrack: MusicTrack? {
    var track: MusicTrack?
    MusicSequenceGetTempoTrack(sequence, &track)
    return track
  }
  func seconds(forBeats beats: AVMusicTimeStamp) -> TimeInterval {
    var seconds = 0.0
    MusicSequenceGetSecondsForBeats(sequence, beats, &seconds)
    return seconds
  }
  func beats(forSeconds seconds: TimeInterval) -> AVMusicTimeStamp {
    var beats = 0.0
    MusicSequenceGetBeatsForSeconds(sequence, seconds, &beats)
    return beats
  }
}

/// User events on their way from the thread that plays to a program's callback, on a queue.
final class UserEvents: @unchecked Sendable {
  /// Called with the track of C, the bytes and the beat of an event.
  typealias Handler = (MusicTrack, Data, MusicTimeStamp) -> Void

  private struct Played {
    let track: MusicTrack
    let beat: MusicTimeStamp
    let bytes: Range<Int>
  }
  private struct Batch {
    var events: [Played] = []
    var bytes: [UInt8] = []
    init() {
      events.reserveCapacity(1_024)
      bytes.reserveCapacity(65_536)
    }
  }
  private let lock = RenderLock()
  private var handler: Handler?
  /// The events that wait, and the memory of those that were delivered last.
  private var (waiting, spare) = (Batch(), Batch())
  private let queue = DispatchQueue(label: "org.auricle.user-events")
  private let inQueue = DispatchSpecificKey<Bool>()
  private let wake: any DispatchSourceUserDataAdd

  init() {
    wake = DispatchSource.makeUserDataAddSource(queue: queue)
    queue.setSpecific(key: inQueue, value: true)
    wake.setEventHandler { [weak self] in self?.deliver() }
    wake.resume()
  }
  deinit { wake.cancel() }

  /// Sets the callback; nil for none, which also drops what waits.
  func set(_ new: Handler?) {
    var old = new
    lock {
      swap(&handler, &old)
      guard new == nil else { return }
      waiting.events.removeAll(keepingCapacity: true)
      waiting.bytes.removeAll(keepingCapacity: true)
    }
    withExtendedLifetime(old) {}
  }
  /// Adds an event. The thread that plays; it allocates only where the callback is slower than the events.
  func put(_ track: MusicTrack, _ beat: MusicTimeStamp, _ data: UnsafeRawBufferPointer) {
    let isAwaited = lock {
      guard handler != nil else { return false }
      let start = waiting.bytes.count
      waiting.bytes.append(contentsOf: data)
      waiting.events.append(Played(track: track, beat: beat, bytes: start..<waiting.bytes.count))
      return true
    }
    if isAwaited { wake.add(data: 1) }
  }
  /// Returns when the callback has been called for all events; in the callback itself at once.
  func deliverAll() {
    guard DispatchQueue.getSpecific(key: inQueue) == nil else { return }
    queue.sync { deliver() }
  }
  private func deliver() {
    let called = lock {
      swap(&waiting, &spare)
      return handler
    }
    for event in spare.events { called?(event.track, Data(spare.bytes[event.bytes]), event.beat) }
    spare.events.removeAll(keepingCapacity: true)
    spare.bytes.removeAll(keepingCapacity: true)
  }
}

private func receiveUserEvent(
  _ clientData: UnsafeMutableRawPointer?, _ sequence: MusicSequence, _ track: MusicTrack,
  _ beat: MusicTimeStamp, _ data: UnsafePointer<MusicEventUserData>, _ start: MusicTimeStamp,
  _ end: MusicTimeStamp
) {
  guard let clientData else { return }
  let bytes = UnsafeRawBufferPointer(
    start: UnsafeRawPointer(data) + 4, count: Int(data.pointee.length))
  Unmanaged<UserEvents>.fromOpaque(clientData)._withUnsafeGuaranteedRef {
    $0.put(track, beat, bytes)
  }
}
