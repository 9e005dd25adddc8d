// A sequence in the form for a player: a plan with the units its tracks play into.
// SPDX-License-Identifier: Apache-2.0

import CAudioToolbox
import MusicSequences

/// The music of a player.
@safe struct Score {
  /// The plans by the unit whose frames are their clock; one with 0 for all that have none of their own.
  let plans: [(unit: UInt, plan: PlayPlan)]
  let sequence: UInt
  let callback: MusicSequenceUserCallback?
  let callbackData: UnsafeMutableRawPointer?
  /// Whether a track plays to an endpoint.
  let usesEndpoints: Bool

  /// A sequence as it is now; nil where it is gone. Context: control, not under the lock of all sequences.
  init?(_ transport: Player.Transport) {
    let graph = unsafe AUGraph(bitPattern: transport.graph)
    // The graph first: its lock is not acquired under that of the sequences.
    let fallback = transport.graph == 0 ? nil : unsafe SequenceGraph.instrument(of: graph)
    var found: [(track: SequenceTrack, destination: TrackDestination)] = []
    _ = withMusic { (objects) throws(MusicFailure) in
      let kept = try unsafe objects.sequence(MusicSequence(bitPattern: transport.sequence))
      found = kept.model.tracks.map { ($0, $0.destination) }
    }
    var places: [PlayDestination] = []
    for (track, destination) in found {
      var place = PlayDestination(
        track: MusicObjects.handle(of: track), unit: 0, endpoint: 0, frameRatio: 1)
      switch destination {
      case .endpoint(let endpoint):
        place.endpoint = transport.isStepped && !transport.playsEndpoints ? 0 : endpoint
      case .unit(let unit): place.unit = transport.isStepped ? unit : 0
      case .node(let node):
        unsafe SequenceGraph.fill(&place, graph, node, transport.sampleRate)
      case .none:
        if let fallback {
          unsafe SequenceGraph.fill(&place, graph, fallback, transport.sampleRate)
        }
      }
      places.append(place)
    }
    var made: Score?
    _ = withMusic { (objects) throws(MusicFailure) in
      let kept = try unsafe objects.sequence(MusicSequence(bitPattern: transport.sequence))
      let hasSolo = kept.model.tracks.contains { $0.isSolo }
      let tracks = zip(found, places).filter { kept.model.index(of: $0.0.track) != nil }
      let played = tracks.map { one, place in
        PlayPlan.Track(
          one.track, to: place, isAudible: !one.track.isMuted && (!hasSolo || one.track.isSolo))
      }
      let clocks = Dictionary(grouping: played) { transport.isStepped ? $0.destination.unit : 0 }
      made = unsafe Score(
        plans: Set(clocks.keys).union([0]).sorted().map {
          ($0, PlayPlan(clocks[$0] ?? [], map: kept.model.map))
        },
        sequence: transport.sequence, callback: kept.callback, callbackData: kept.callbackData,
        usesEndpoints: places.contains { $0.endpoint != 0 })
    }
    guard let made = made else { return nil }
    self = made
  }

  private init(
    plans: [(unit: UInt, plan: PlayPlan)], sequence: UInt, callback: MusicSequenceUserCallback?,
    callbackData: UnsafeMutableRawPointer?, usesEndpoints: Bool
  ) {
    self.plans = plans
    self.sequence = sequence
    unsafe self.callback = unsafe callback
    unsafe self.callbackData = unsafe callbackData
    self.usesEndpoints = usesEndpoints
  }
}

extension SequenceGraph {
  /// The frames a second of a unit; 0 where they are unknown.
  static func sampleRate(of unit: AudioUnitHandle?) -> Double {
    for scope in [kAudioUnitScope_Output, kAudioUnitScope_Input] {
      var format = AudioStreamBasicDescription()
      var size = UInt32(MemoryLayout<AudioStreamBasicDescription>.size)
      if unsafe AudioUnitGetProperty(
        unit, kAudioUnitProperty_StreamFormat, scope, 0, &format, &size) == noErr,
        format.mSampleRate > 0
      {
        return format.mSampleRate
      }
    }
    return 0
  }

  /// Finds the unit of a node, and how many frames it makes of one of the output.
  static func fill(
    _ place: inout PlayDestination, _ graph: AUGraph?, _ node: AUNode, _ sampleRate: Double
  ) {
    var unit: AudioUnitHandle?
    guard unsafe AUGraphNodeInfo(graph, node, nil, &unit) == noErr else { return }
    place.unit = UInt(bitPattern: unit)
    let rate = unsafe self.sampleRate(of: unit)
    if rate > 0, sampleRate > 0 { place.frameRatio = rate / sampleRate }
  }
}
