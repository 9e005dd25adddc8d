// Cleans names for one line, and extracts readable parts of URIs.
// SPDX-License-Identifier: Apache-2.0

internal import ForeignPlugIns
internal import HostSystem

/// Text from data files, tidied.
package enum LV2Text {
  /// As `PlugInText.line`.
  package static func line(_ text: String, limit: Int = 120) -> String {
    PlugInText.line(text, limit: limit)
  }

  /// A text as a literal of Turtle.
  package static func literal(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\":
        result.unicodeScalars.append("\\")
        result.unicodeScalars.append(scalar)
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      case "\t": result += "\\t"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }

  /// The last part of a URI.
  package static func tail(ofURI uri: String) -> String {
    let parts = uri.split { $0 == "/" || $0 == "#" || $0 == ":" }
    return parts.last.map(String.init) ?? uri
  }

  /// The host of a URI, or its equivalent.
  package static func host(ofURI uri: String) -> String {
    let parts = uri.split { $0 == "/" || $0 == "#" || $0 == ":" }
    return parts.count > 1 ? String(parts[1]) : uri
  }
}

/// File URIs and paths.
package enum LV2Path {
  /// The path a file URI names; nil for any other URI.
  package static func local(_ uri: String) -> String? {
    guard uri.hasPrefix("file://") else { return nil }
    let rest = uri.dropFirst("file://".count)
    guard let slash = rest.firstIndex(of: "/") else { return nil }
    var bytes: [UInt8] = []
    var escape: [UInt8] = []
    var isEscape = false
    for byte in rest[slash...].utf8 {
      if isEscape {
        // lilv writes a path's own percent sign twice.
        if byte == 0x25, escape.isEmpty {
          bytes.append(byte)
          isEscape = false
          continue
        }
        escape.append(byte)
        if escape.count == 2 {
          guard let value = UInt8(String(decoding: escape, as: UTF8.self), radix: 16), value != 0
          else { return nil }
          bytes.append(value)
          isEscape = false
        }
      } else if byte == 0x25 {
        isEscape = true
        escape = []
      } else {
        bytes.append(byte)
      }
    }
    return isEscape ? nil : FileNameText.text(bytes)
  }
}
