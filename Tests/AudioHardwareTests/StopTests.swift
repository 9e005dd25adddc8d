// The end of a device: nothing is played behind the sound of the last client.
// SPDX-License-Identifier: Apache-2.0

import AudioHardware
import CAudioToolbox
import Testing

@Suite struct DeviceStopTests {
  @Test(
    "A device plays no silence behind its last client, which leaves in any of several periods",
    arguments: 0..<8)
  func lastClient(place: Int) throws {
    let clock = VirtualClock()
    // Wakes are so late that a cycle has several periods.
    clock.lateness = { 30_000_000 }
    let end = MemoryEnd()
    let playback = VirtualPort(name: "out", direction: .playback, clock: clock, end: end)
    let engine = DeviceEngine(playback: playback, capture: nil, clock: clock)
    var request = PCMRequest()
    (request.periodFrames, request.periodCount) = (256, 16)
    request.format = .float32Little
    try engine.configure(output: request)
    let client = CountingClient()
    client.beforeCall = {
      guard client.played >= 20_000 + place * 256 else { return }
      engine.requestStop(drains: true)
      engine.clients.remove(number: 1)
    }
    engine.clients.add(client.client)
    try #require(engine.begin() == nil)
    var result: EngineEnd?
    while result == nil { result = engine.cycle() }
    #expect(result == .stopped)
    engine.end()
    let found = end.values(Float.self)
    #expect(found.count == 2 * client.played)
    #expect(found.last == Float(client.played) * CountingClient.unit)
    client.beforeCall = {}
  }
}
