// A host that renders a published unit: the form of its slices, its song, its commands.
// SPDX-License-Identifier: Apache-2.0

package import CAudioToolbox
import CUnitLink
import Glibc
import RealtimeSupport
package import Synchronization
package import UnitLink

/// A host as the program sees it.
///
/// @unchecked Sendable because the song is used on the render thread alone; the rest never changes, or is atomic.
@safe package final class NodeHost: @unchecked Sendable {
  /// The first question of the host, with the unit that it opened.
  package let hello: NodeHello
  /// The form of its slices.
  package let form: NodeForm
  /// The memory of its slices.
  package let memory: LinkMemory
  /// Whether the host has a listener for remote-control events.
  package let listens = Atomic<Bool>(false)
  /// The unit's object for this host: set before the host renders, and removed after.
  package var attachment: AnyObject?
  private let song: UnsafeMutablePointer<AuricleLinkSong>
  private let sendEvent: @Sendable (UInt32) -> Bool
  private let hammer: Int32

  /// - Parameters:
  ///   - hammer: A descriptor that is written to when the transport changes.
  ///   - sendEvent: Sends a remote-control event; false where nobody receives it.
  init(
    _ hello: NodeHello, _ form: NodeForm, _ memory: LinkMemory, hammer: Int32,
    sendEvent: @escaping @Sendable (UInt32) -> Bool
  ) {
    (self.hello, self.form, self.memory, self.hammer) = (hello, form, memory, hammer)
    self.sendEvent = sendEvent
    unsafe song = .allocate(capacity: 1)
    unsafe song.initialize(to: AuricleLinkSong())
  }

  deinit { unsafe song.deallocate() }

  /// Sends a remote-control event to the host.
  ///
  /// - Returns: `kAudioUnitErr_NoConnection` for a host that has no listener.
  ///
  /// Context: control.
  package func send(_ event: UInt32) -> OSStatus {
    listens.load(ordering: .acquiring) && sendEvent(event) ? 0 : kAudioUnitErr_NoConnection
  }

  /// Keeps the song of a slice for the callbacks. Context: the render thread.
  func begin(_ next: AuricleLinkSong) {
    // The flag of a change is the host's; a transport that turned without it is a change as well.
    let changes: UInt32 = 1 | 4 | 8
    let isChanged = unsafe (song.pointee.flags ^ next.flags) & changes != 0 || next.flags & 2 != 0
    unsafe song.pointee = next
    guard isChanged, next.flags & 64 != 0 else { return }
    var stroke: UInt8 = 1
    _ = unsafe write(hammer, &stroke, 1)
  }

  /// The callbacks by which the unit asks for the host's song, on the render thread alone.
  package var callbacks: HostCallbackInfo {
    unsafe HostCallbackInfo(
      hostUserData: UnsafeMutableRawPointer(song),
      beatAndTempoProc: { data, beat, tempo in
        guard let song = unsafe songOf(data), song.flags & 16 != 0 else { return unknown }
        unsafe beat?.pointee = song.beat
        unsafe tempo?.pointee = song.tempo
        return 0
      },
      musicalTimeLocationProc: { data, delta, numerator, denominator, downBeat in
        guard let song = unsafe songOf(data), song.flags & 32 != 0 else { return unknown }
        unsafe delta?.pointee = song.deltaToNextBeat
        unsafe numerator?.pointee = song.signatureNumerator
        unsafe denominator?.pointee = song.signatureDenominator
        unsafe downBeat?.pointee = song.measureDownBeat
        return 0
      },
      transportStateProc: { data, isPlaying, isChanged, sample, isCycling, start, end in
        unsafe transport(data, isPlaying, nil, isChanged, sample, isCycling, start, end)
      },
      transportStateProc2: {
        data, isPlaying, isRecording, isChanged, sample, isCycling, start, end in
        unsafe transport(data, isPlaying, isRecording, isChanged, sample, isCycling, start, end)
      })
  }
}

private let unknown = kAudioUnitErr_CannotDoInCurrentContext

private func songOf(_ data: UnsafeMutableRawPointer?) -> AuricleLinkSong? {
  unsafe data?.assumingMemoryBound(to: AuricleLinkSong.self).pointee
}

private func transport(
  _ data: UnsafeMutableRawPointer?, _ isPlaying: UnsafeMutablePointer<Bool>?,
  _ isRecording: UnsafeMutablePointer<Bool>?, _ isChanged: UnsafeMutablePointer<Bool>?,
  _ sample: UnsafeMutablePointer<Double>?, _ isCycling: UnsafeMutablePointer<Bool>?,
  _ start: UnsafeMutablePointer<Double>?, _ end: UnsafeMutablePointer<Double>?
) -> OSStatus {
  guard let song = unsafe songOf(data), song.flags & 64 != 0 else { return unknown }
  unsafe isPlaying?.pointee = song.flags & 1 != 0
  unsafe isRecording?.pointee = song.flags & 8 != 0
  unsafe isChanged?.pointee = song.flags & 2 != 0
  unsafe sample?.pointee = song.sampleInTimeline
  unsafe isCycling?.pointee = song.flags & 4 != 0
  unsafe start?.pointee = song.cycleStartBeat
  unsafe end?.pointee = song.cycleEndBeat
  return 0
}
