// The functions of players.
// SPDX-License-Identifier: Apache-2.0

public import CAudioToolbox
import MacSystem
import MusicSequences
import Synchronization

private let players = Mutex<[UInt: Player]>([:])

func player(_ handle: MusicPlayer?) -> Player? {
  players.withLock { $0[UInt(bitPattern: handle)] }
}

/// Has sequences, tracks, iterators and players printed by `CAShow`; once.
let musicIsShown: Void = ShownObjects.add { address in
  let name = " 0x\(String(address, radix: 16))"
  if players.withLock({ $0[address] }) != nil { return "MusicPlayer\(name)" }
  return MusicObjects.all.withLock { objects -> String? in
    if let sequence = objects.sequences[address] {
      let tracks = sequence.model.tracks.map { "  track of \($0.events.count) events" }
      let tempo = "  tempo track of \(sequence.model.tempoTrack.events.count) events"
      return (["MusicSequence\(name):", tempo] + tracks).joined(separator: "\n")
    }
    if let track = objects.tracks[address] {
      return "MusicTrack\(name): \(track.events.count) events"
    }
    return objects.iterators[address] == nil ? nil : "MusicEventIterator\(name)"
  }
}

/// The players that hold a sequence.
private func players(of sequence: UInt) -> [Player] {
  guard sequence != 0 else { return [] }
  return players.withLock { Array($0.values) }.filter { $0.holds(sequence) }
}

/// Whether a player plays a sequence. Context: under no lock.
func isPlayed(_ sequence: UInt) -> Bool { players(of: sequence).contains { $0.isPlaying } }

/// Notifies the players of a sequence of a change. Context: under no lock.
func sequenceChanged(_ handle: UInt) {
  for player in players(of: handle) { player.refresh() }
}

/// Has players stop, and let a sequence go; false inside of a callback of one of them.
///
/// Context: control, under no lock.
func letGo(of sequence: UInt) -> Bool {
  let holding = players(of: sequence)
  guard !holding.contains(where: \.isCalledBack) else { return false }
  for player in holding {
    player.stop()
    _ = player.setSequence(0)
  }
  return true
}

/// Makes a player.
///
/// Context: control.
@c @implementation
public func NewMusicPlayer(_ outPlayer: UnsafeMutablePointer<MusicPlayer?>?) -> OSStatus {
  guard let outPlayer = unsafe outPlayer else { return kAudio_ParamError }
  _ = musicIsShown
  let made = Player()
  let handle = MusicObjects.handle(of: made)
  players.withLock { $0[handle] = made }
  unsafe outPlayer.pointee = unsafe MusicPlayer(bitPattern: handle)
  return noErr
}

/// Stops a player, and disposes of it.
///
/// - Returns: -10863 inside of a callback of the player.
///
/// Context: control.
@c @implementation
public func DisposeMusicPlayer(_ player: MusicPlayer?) -> OSStatus {
  let handle = UInt(bitPattern: player)
  guard unsafe MusicFunctions.player(player)?.isCalledBack != true else {
    return kAudioToolboxErr_CannotDoInCurrentContext
  }
  guard let gone = players.withLock({ $0.removeValue(forKey: handle) }) else {
    return kAudio_ParamError
  }
  gone.stop()
  return gone.setSequence(0)
}

/// Sets the sequence of a player; null removes it.
///
/// - Returns: -10852 while it plays; -50 for another object.
///
/// Context: control.
@c @implementation
public func MusicPlayerSetSequence(
  _ player: MusicPlayer?, _ sequence: MusicSequence?
) -> OSStatus {
  guard let found = unsafe MusicFunctions.player(player) else { return kAudio_ParamError }
  if unsafe sequence != nil {
    let status = withMusic { (objects) throws(MusicFailure) in
      _ = try unsafe objects.sequence(sequence)
    }
    guard status == noErr else { return status }
  }
  return found.setSequence(UInt(bitPattern: sequence))
}

/// The sequence of a player.
///
/// - Returns: -10854 without one.
///
/// Context: control.
@c @implementation
public func MusicPlayerGetSequence(
  _ player: MusicPlayer?, _ outSequence: UnsafeMutablePointer<MusicSequence?>?
) -> OSStatus {
  guard let found = unsafe MusicFunctions.player(player), let outSequence = unsafe outSequence
  else { return kAudio_ParamError }
  let sequence = found.transport.withLock { $0.sequence }
  unsafe outSequence.pointee = unsafe MusicSequence(bitPattern: sequence)
  return sequence == 0 ? kAudioToolboxErr_NoSequence : noErr
}

/// Goes to a beat, also while playing. Values that earlier events of the sequence set are set.
///
/// - Returns: -50 for a beat below 0.
///
/// Context: control.
@c @implementation
public func MusicPlayerSetTime(_ player: MusicPlayer?, _ time: MusicTimeStamp) -> OSStatus {
  guard let found = unsafe MusicFunctions.player(player), isPlace(time) else {
    return kAudio_ParamError
  }
  found.set(time)
  return noErr
}

/// The beat that was played to.
///
/// Context: control.
@c @implementation
public func MusicPlayerGetTime(
  _ player: MusicPlayer?, _ outTime: UnsafeMutablePointer<MusicTimeStamp>?
) -> OSStatus {
  guard let found = unsafe MusicFunctions.player(player), let outTime = unsafe outTime else {
    return kAudio_ParamError
  }
  unsafe outTime.pointee = found.beat
  return noErr
}

/// The converter between beats and the host's time; throws -10852 where nothing plays.
private func clock(
  _ player: Player
) throws(MusicFailure) -> (hostTime: Double, seconds: Double, rate: Double, map: BeatMap) {
  guard let clock = player.clock else {
    throw MusicFailure(status: kAudioToolboxErr_InvalidPlayerState)
  }
  let (sequence, rate) = player.transport.withLock { ($0.sequence, $0.rate) }
  var map: BeatMap?
  let status = withMusic { (objects) throws(MusicFailure) in
    map = try unsafe objects.sequence(MusicSequence(bitPattern: sequence)).model.map
  }
  guard status == noErr, let map else { throw MusicFailure(status: kAudioToolboxErr_NoSequence) }
  return (Double(clock.hostTime), clock.seconds, rate, map)
}

/// The host's time of a beat.
///
/// - Returns: -10852 while nothing is played; -50 for a beat before that at which it was started.
///
/// Context: control.
@c @implementation
public func MusicPlayerGetHostTimeForBeats(
  _ player: MusicPlayer?, _ beats: MusicTimeStamp, _ outHostTime: UnsafeMutablePointer<UInt64>?
) -> OSStatus {
  guard let found = unsafe MusicFunctions.player(player), let outHostTime = unsafe outHostTime
  else { return kAudio_ParamError }
  do throws(MusicFailure) {
    let now = try clock(found)
    guard isPlace(beats), beats >= found.transport.withLock({ $0.startBeat }) else {
      return kAudio_ParamError
    }
    let distance = (now.map.seconds(atBeat: beats) - now.seconds) / now.rate * 1e9
    unsafe outHostTime.pointee = UInt64(max(0, now.hostTime + distance))
    return noErr
  } catch {
    return error.status
  }
}

/// The beat of a time of the host.
///
/// - Returns: -10852 while nothing is played.
///
/// Context: control.
@c @implementation
public func MusicPlayerGetBeatsForHostTime(
  _ player: MusicPlayer?, _ hostTime: UInt64, _ outBeats: UnsafeMutablePointer<MusicTimeStamp>?
) -> OSStatus {
  guard let found = unsafe MusicFunctions.player(player), let outBeats = unsafe outBeats else {
    return kAudio_ParamError
  }
  do throws(MusicFailure) {
    let now = try clock(found)
    let seconds = now.seconds + (Double(hostTime) - now.hostTime) / 1e9 * now.rate
    unsafe outBeats.pointee = now.map.beat(atSeconds: seconds)
    return noErr
  } catch {
    return error.status
  }
}

/// Makes ready to play: the graph is opened and initialised.
///
/// - Returns: -10854 without a sequence; the graph's error.
///
/// Context: control.
@c @implementation
public func MusicPlayerPreroll(_ player: MusicPlayer?) -> OSStatus {
  unsafe MusicFunctions.player(player)?.preroll() ?? kAudio_ParamError
}

/// Starts to play where it is.
///
/// - Returns: -10854 without a sequence; the graph's error.
///
/// Context: control.
@c @implementation
public func MusicPlayerStart(_ player: MusicPlayer?) -> OSStatus {
  unsafe MusicFunctions.player(player)?.start() ?? kAudio_ParamError
}

/// Stops, ends the notes that sound, and stays where it is.
///
/// Context: control.
@c @implementation
public func MusicPlayerStop(_ player: MusicPlayer?) -> OSStatus {
  guard let found = unsafe MusicFunctions.player(player) else { return kAudio_ParamError }
  found.stop()
  return noErr
}

/// Whether it was started and not stopped: it goes on behind the end of the sequence.
///
/// Context: control.
@c @implementation
public func MusicPlayerIsPlaying(
  _ player: MusicPlayer?, _ outIsPlaying: UnsafeMutablePointer<Bool>?
) -> OSStatus {
  guard let found = unsafe MusicFunctions.player(player), let outIsPlaying = unsafe outIsPlaying
  else { return kAudio_ParamError }
  unsafe outIsPlaying.pointee = found.isPlaying
  return noErr
}

/// Sets the rate of playing, relative to the tempos.
///
/// - Returns: -50 for a rate not above 0.
///
/// Context: control.
@c @implementation
public func MusicPlayerSetPlayRateScalar(
  _ player: MusicPlayer?, _ scaleRate: Float64
) -> OSStatus {
  guard let found = unsafe MusicFunctions.player(player), scaleRate > 0, scaleRate.isFinite else {
    return kAudio_ParamError
  }
  found.set(rate: scaleRate)
  return noErr
}

/// The rate of playing, relative to the tempos.
///
/// Context: control.
@c @implementation
public func MusicPlayerGetPlayRateScalar(
  _ player: MusicPlayer?, _ outScaleRate: UnsafeMutablePointer<Float64>?
) -> OSStatus {
  guard let found = unsafe MusicFunctions.player(player), let outScaleRate = unsafe outScaleRate
  else { return kAudio_ParamError }
  unsafe outScaleRate.pointee = found.transport.withLock { $0.rate }
  return noErr
}
