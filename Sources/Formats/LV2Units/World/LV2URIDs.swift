// The numbers of the URIDs that render code writes and reads, mapped before it runs.
// SPDX-License-Identifier: Apache-2.0

internal import LV2Bundles

/// Numbers of well-known URIs.
struct LV2URIDs: Sendable {
  /// The one table of the process.
  static let shared = LV2URIDs()

  let sequence: UInt32
  let chunk: UInt32
  let object: UInt32
  let float: UInt32
  let double: UInt32
  let int: UInt32
  let long: UInt32
  let bool: UInt32
  let string: UInt32
  let path: UInt32
  let uri: UInt32
  let urid: UInt32
  let midiEvent: UInt32
  let patchGet: UInt32
  let patchSet: UInt32
  let patchPut: UInt32
  let patchBody: UInt32
  let patchProperty: UInt32
  let patchValue: UInt32
  let stateChanged: UInt32
  let timePosition: UInt32
  let timeFrame: UInt32
  let timeSpeed: UInt32
  let timeBar: UInt32
  let timeBarBeat: UInt32
  let timeBeat: UInt32
  let timeBeatUnit: UInt32
  let timeBeatsPerBar: UInt32
  let timeBeatsPerMinute: UInt32

  private init() {
    let map = URIDMap.shared
    func atom(_ name: String) -> UInt32 { map.number(LV2Names.atom + name) }
    func patch(_ name: String) -> UInt32 { map.number(LV2Names.patch + name) }
    func time(_ name: String) -> UInt32 { map.number(LV2Names.time + name) }
    sequence = atom("Sequence")
    chunk = atom("Chunk")
    object = atom("Object")
    float = atom("Float")
    double = atom("Double")
    int = atom("Int")
    long = atom("Long")
    bool = atom("Bool")
    string = atom("String")
    path = atom("Path")
    uri = atom("URI")
    urid = atom("URID")
    midiEvent = map.number(LV2Names.midiEvent)
    patchGet = patch("Get")
    patchSet = patch("Set")
    patchPut = patch("Put")
    patchBody = patch("body")
    patchProperty = patch("property")
    patchValue = patch("value")
    stateChanged = map.number(LV2Names.state + "StateChanged")
    timePosition = time("Position")
    timeFrame = time("frame")
    timeSpeed = time("speed")
    timeBar = time("bar")
    timeBarBeat = time("barBeat")
    timeBeat = time("beat")
    timeBeatUnit = time("beatUnit")
    timeBeatsPerBar = time("beatsPerBar")
    timeBeatsPerMinute = time("beatsPerMinute")
  }
}
