// Units that pull one another without a host in between.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import AudioUnits
import CAudioToolbox
import TestUnits
import Testing

@Suite struct ConnectionTests {
  @Test func aConnectedUnitPullsItsSource() throws {
    let first = try TestUnits.gain()
    let source = try UnitPlayer(first)
    try first.setParameter(0, 0.5)
    let second = try TestUnits.gain()
    let player = try UnitPlayer(second)
    try second.setParameter(0, 3)
    try second.connectInput(element: 0, to: first, outputElement: 0)
    let (output, status) = player.play([[9, 9], [9, 9]])
    #expect(status == 0)
    // The first unit's callback has no signal here: silence comes through.
    #expect(output == [[0, 0], [0, 0]])
    #expect(source.pulls == 1)
  }

  @Test func aDisconnectedInputHasNoSource() throws {
    let first = try TestUnits.gain()
    _ = try UnitPlayer(first)
    let second = try TestUnits.gain()
    let player = try UnitPlayer(second)
    try second.connectInput(element: 0, to: first, outputElement: 0)
    try second.disconnectInput(element: 0)
    #expect(player.play([[1], [1]]).status == kAudioUnitErr_NoConnection)
  }

  @Test func anOptionalInputThatNothingFeedsHasTheRateOfTheUnit() throws {
    let unit = try TestUnits.sideChained()
    // The player sets 48 kHz on the first input and the output alone.
    let player = try UnitPlayer(unit, sampleRate: 48_000)
    #expect(player.play([[0.5], [0.25]]).output == [[0.5], [0.25]])
    let format = try unit.streamFormat(scope: kAudioUnitScope_Input, element: 1)
    #expect(format.sampleRate == 48_000)
  }

  @Test func anOptionalInputWithASourceMustHaveTheRateOfTheUnit() throws {
    let unit = try TestUnits.sideChained()
    try unsafe unit.setInputCallback(element: 1, { _, _, _, _, _, _ in noErr }, refCon: nil)
    #expect(throws: AuricleError.self) { _ = try UnitPlayer(unit, sampleRate: 48_000) }
  }
}
