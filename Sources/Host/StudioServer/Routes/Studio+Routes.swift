// All routes: what a page can ask for, and where it is answered.
// SPDX-License-Identifier: Apache-2.0

import AuricleHost
import Glibc
import HostSystem

extension Studio {
  /// The table of routes.
  var router: Router {
    var router = Router()
    router.add("GET", "studio") { [self] _, _ in .json(about) }
    addFinding(&router)
    addFiles(&router)
    addChains(&router)
    addViews(&router)
    addSounds(&router)
    addLoops(&router)
    addRuns(&router)
    addLive(&router)
    addWindows(&router)
    return router
  }

  /// The facts of the studio.
  private var about: JSONValue {
    .members([
      ("version", .string(AuricleVersion.text)), ("readOnly", .boolean(isReadOnly)),
      (
        "folders",
        .array(
          folders.paths.enumerated().map { number, path in
            .members([
              ("id", JSONValue(number)), ("name", .string(Path.lastComponent(path))),
              ("path", .string(path)),
            ])
          })
      ), ("formats", .array(AuricleInstallation.formatNames.map(JSONValue.string))),
      ("instance", .string(instance)), ("pid", JSONValue(Int(getpid()))),
      ("canOpenWindows", .boolean(UnitWindows.canOpen)),
    ])
  }
}
