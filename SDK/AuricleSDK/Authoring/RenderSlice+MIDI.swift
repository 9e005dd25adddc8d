// The MIDI of a slice as messages, received and sent.
// SPDX-License-Identifier: Apache-2.0

/// A message and the frame of the slice at which it is due.
///
/// ```swift
/// for event in slice.midi {
///   if case .noteOn(_, let key, let velocity) = event.message {
///     lastKey = key
///     level = Float(velocity) / 127
///     startFrame = event.frame
///   }
/// }
/// ```
public struct TimedMIDIMessage: Equatable, Sendable {
  /// Frame of the slice, in `0..<slice.frameCount`.
  public let frame: Int
  /// The message.
  public let message: MIDIMessage
}

/// The messages of a slice, sorted by frame: `for event in slice.midi`.
///
/// A unit that acts at the frame of each message:
///
/// ```swift
/// var frame = 0
/// for event in slice.midi {
///   pass(slice, frame..<event.frame)
///   frame = event.frame
///   receive(event.message)
/// }
/// pass(slice, frame..<slice.frameCount)
/// ```
///
/// Here `pass` and `receive` are methods of the unit. Context: render.
public struct MIDIMessages: Sequence, IteratorProtocol {
  private let slice: RenderSlice
  private var index = 0

  @_noLocks init(_ slice: RenderSlice) { self.slice = slice }

  /// Returns the next message; nil after the last.
  @_noLocks public mutating func next() -> TimedMIDIMessage? {
    guard index < slice.midiEventCount else { return nil }
    let record = slice.midiEvent(index)
    index += 1
    return TimedMIDIMessage(frame: record.frame, message: MIDIMessage(record))
  }

  /// Itself.
  @_noLocks public func makeIterator() -> MIDIMessages { self }
}

extension RenderSlice {
  /// The MIDI messages that came in for this slice, sorted by frame.
  public var midi: MIDIMessages { @_noLocks get { MIDIMessages(self) } }

  /// Sends a message to the host, which gets it when the cycle is done.
  ///
  /// ```swift
  /// slice.send(.controlChange(channel: 0, controller: 7, value: 100), at: 0)
  /// ```
  ///
  /// - Parameters:
  ///   - message: The message to send; `.other` is not sent.
  ///   - frame: Frame of this slice at which it is due.
  ///   - output: Index of the MIDI output.
  /// - Returns: False if there is no such output, or no room for it in this cycle.
  @discardableResult
  @_noLocks public func send(_ message: MIDIMessage, at frame: Int, output: Int = 0) -> Bool {
    var bytes: (UInt8, UInt8, UInt8) = (0, 0, 0)
    let count = message.bytes(&bytes)
    guard count > 0 else { return false }
    return unsafe withUnsafePointer(to: &bytes) { all in
      unsafe all.withMemoryRebound(to: UInt8.self, capacity: 3) { first in
        unsafe sendMIDI(output: output, frame: frame, first, count: count)
      }
    }
  }
}
