// The plug-in whose window is shown, as the program that shows it has to know it.
// SPDX-License-Identifier: Apache-2.0

import AudioComponents
import AudioTypes
import AuricleHost
import HostSystem
import InstalledComponents

/// A plug-in with a window.
struct WindowSubject {
  /// The format: `lv2`, `clap` or `vst3`.
  let format: String
  /// The bundle of an LV2 plug-in, the binary of another.
  let path: String
  /// The plug-in in it: a URI, an identifier, or 32 hexadecimal digits.
  let identifier: String
  /// The unit's name, which is the window's title.
  let title: String

  /// The words for another way to the parameters.
  static let otherWay = "auricle studio shows its parameters in a browser"

  /// Finds what shows the window of a component.
  ///
  /// - Throws: `.unavailable` for a component without one.
  init(_ component: AudioComponent, _ host: HostPlaces) throws(AuricleError) {
    title = component.name
    format = component.origin.format
    let catalogs = host.formats.catalogs(host.catalogRequest())
    guard ["lv2", "clap", "vst3"].contains(format), let name = component.location.identifier,
      let facts = catalogs.catalog(of: component)?.metadata(of: component)?.facts,
      format == "vst3" || !facts.userInterfaces.isEmpty
    else {
      throw AuricleError(
        .unavailable, "\(component.name) has no window; \(Self.otherWay)")
    }
    path = format == "lv2" ? facts.bundle : facts.binary
    switch format {
    case "clap": identifier = String(name.dropFirst("clap:".count))
    case "vst3": identifier = name.dropFirst("vst3:".count).filter { $0 != "-" }
    default: identifier = name
    }
  }
}

extension HostPlaces {
  /// The program that shows windows.
  ///
  /// - Throws: `.unavailable` where it is not installed, or there is no display.
  func windowProgram() throws(AuricleError) -> String {
    let folder = Path.folder(of: executable)
    let places = [folder + "/Windows", Path.folder(of: folder) + "/lib/auricle/Windows"]
    let found = places.map { $0 + "/auricle-window" }.first { FileIdentity.of($0)?.kind == .file }
    guard let found else {
      throw AuricleError(
        .unavailable,
        "windows of plug-ins need the program auricle-window, which is not in \(places[0]): install the package "
          + "auricle-windows, or run make window; \(WindowSubject.otherWay)")
    }
    return found
  }
}
