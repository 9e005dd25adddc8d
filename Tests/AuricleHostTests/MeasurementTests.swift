// Files measured without the command line.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import AuricleHost
import FileTestSupport
import TestSupport
import Testing

@Suite struct MeasurementTests {
  @Test func aFileIsMeasured() throws {
    let folder = try TemporaryFolder("auricle-host")
    try Sound([[Float](repeating: 0.5, count: 48_000)]).write(to: folder("a.wav"))
    let figures = try FileMeasurement(of: folder("a.wav"))
    #expect(figures.frames == 48_000 && figures.seconds == 1)
    #expect(abs((figures.peakDecibels ?? 0) + 6.0206) < 0.001)
  }

  @Test func whatIsNoSoundIsAnError() throws {
    let folder = try TemporaryFolder("auricle-host")
    try folder.write("no sound", to: "a.wav")
    #expect(throws: AuricleError.self) { try FileMeasurement(of: folder("a.wav")) }
  }
}
