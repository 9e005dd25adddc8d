// The unit that a window shows: one of this process, or one of a live chain.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes

/// A unit as a window reads and moves it. Context: one control thread.
protocol WindowedUnit: AnyObject {
  /// Frames a second (Hz).
  var sampleRate: Double { get }
  /// The present values of its parameters by their numbers.
  ///
  /// - Throws: `.usage` while it has none, `.unavailable` when it is gone.
  func values() throws(AuricleError) -> [(id: UInt32, value: Float)]
  /// Sets a parameter to a value, or to the next of its range.
  func put(_ id: UInt32, _ value: Float) throws(AuricleError)
  /// The number of a URI, which its process knows from here on.
  func number(of uri: String) throws(AuricleError) -> UInt32
  /// The URI of a number of its process; nil for none.
  func uri(of number: UInt32) throws(AuricleError) -> String?
  /// Sends a message, its bytes in base 64, to an event port.
  func send(_ text: String, type: UInt32, port: UInt32) throws(AuricleError)
  /// The messages of its event ports since the last call: port, type, and bytes in base 64, apart by spaces.
  func messages() throws(AuricleError) -> [String]
  /// Its state beside parameters, as the plug-in reads it, in two halves; nil for none.
  func state() -> (first: [UInt8], second: [UInt8])?
  /// Brings it to a state of the plug-in, in base 64.
  func restore(_ text: String) throws(AuricleError)
  /// Renders the slices that are due.
  func advance() throws(AuricleError)
}
