// The channels of this process by their handles.
// SPDX-License-Identifier: Apache-2.0

import CAudioToolbox
import Synchronization

/// All channels that were made or asked for.
enum Channels {
  private static let all = Mutex<[UInt: Channel]>([:])
  /// The numbers of units whose channels were disposed of: a thread that ends may hold one for a moment longer.
  private static let disposed = Mutex<Set<UInt64>>([])
  /// The channel of SpeakString.
  private static let common = Mutex<Channel?>(nil)

  /// The channel of a handle: one that was made here, or that of a program's speech unit.
  ///
  /// - Throws: -50 for another handle.
  static func find(_ handle: SpeechChannel?) throws(SpeechFailure) -> Channel {
    let key = UInt(bitPattern: handle)
    let known = all.withLock { $0[key] }
    if let known, known.output != nil { return known }
    guard let pointer = unsafe AudioUnitHandle(bitPattern: key) else { throw .parameter }
    let unit = unsafe SpeechUnit(handle: pointer)
    guard unit.speaks, let number = unit.clock()?.unit else { throw .parameter }
    if let known, known.number == number { return known }
    guard !disposed.withLock({ $0.contains(number) }) else { throw .parameter }
    let made = Channel(of: unit, number: number)
    all.withLock { $0[key] = made }
    return made
  }

  /// Keeps a channel that was made.
  static func keep(_ channel: Channel) {
    all.withLock { unsafe $0[UInt(bitPattern: channel.unit.handle)] = channel }
  }

  /// Forgets a channel; one that was made here is never found again.
  static func forget(_ channel: Channel) {
    if channel.output != nil { disposed.withLock { _ = $0.insert(channel.number) } }
    _ = all.withLock { unsafe $0.removeValue(forKey: UInt(bitPattern: channel.unit.handle)) }
  }

  /// The channel of SpeakString, made when it is first wanted.
  static func ofStrings() throws(SpeechFailure) -> Channel {
    try common.withLock { (common) throws(SpeechFailure) in
      if let common { return common }
      let made = try Channel()
      common = made
      keep(made)
      return made
    }
  }

  /// The number of channels that speak.
  static var busyCount: Int { all.withLock { Array($0.values) }.count { $0.isBusy } }
}
