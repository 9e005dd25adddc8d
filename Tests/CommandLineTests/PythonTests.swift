// The Python package with the program that was built: its own tests, in a process of Python's.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// A Python with the needs of the package and its tests; nil if there is none.
private let python: String? = ["python3", "/usr/bin/python3"].first { name in
  let words = [name, "-c", "import numpy, pytest"]
  return (try? runProcess("/usr/bin/env", words))?.exitCode == 0
}

@Suite(
  .enabled(
    if: python != nil, "there is no Python with numpy and pytest (python3-numpy, python3-pytest)"))
struct PythonTests {
  @Test func thePackagePassesItsTests() throws {
    let box = try Sandbox()
    let result = try runProcess(
      "/usr/bin/env",
      [
        python ?? "", "-m", "pytest", "-q", "-p", "no:cacheprovider", "--rootdir",
        Places.packageRoot + "/Python", "--basetemp", box("temporary"),
        Places.packageRoot + "/Python/tests",
      ],
      environment: box.environment.merging([
        "AURICLE_PROGRAM": Places.auricle, "PYTHONPATH": Places.packageRoot + "/Python/src",
        "PYTHONDONTWRITEBYTECODE": "1",
      ]) { $1 }, in: box.folder.path)
    #expect(result.exitCode == 0, "\(result.summary)")
  }
}
