// libFuzzer target: any bytes are a manifest or none, and so with messages of workers. Built by Scripts/fuzz.
// SPDX-License-Identifier: Apache-2.0

import FileRendering
import HostSystem
import RunLedgers

/// Reads the bytes as `run.json`, as the setup of a worker, and as a worker's answer.
func fuzzManifest(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  unsafe withinBudget(start, count) { bytes in
    guard let value = JSONValue(bytes) else { return }
    if let manifest = RunManifest(json: value) {
      guard let again = RunManifest(json: manifest.json) else {
        preconditionFailure("a manifest that was written cannot be read")
      }
      precondition(again.json == manifest.json, "a manifest does not come back")
      precondition(again.disagreement(with: manifest) == nil, "a manifest disagrees with itself")
      _ = try? manifest.planRequest()
      _ = manifest.location(of: "a/b.wav", in: "out")
    }
    if let setup = try? WorkerSetup(json: value) {
      let again = try? WorkerSetup(json: setup.json)
      precondition(again?.json == setup.json, "a setup does not come back")
    }
    if let result = FileResult(json: value) {
      _ = JSONValue.members(result.jsonMembers(output: "out")).compactText
    }
    _ = try? JobAnswer(json: value)
  }
}
