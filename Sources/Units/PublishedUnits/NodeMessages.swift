// What a host and a program say to each other besides sound, as messages of their socket.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
package import CAudioToolbox
package import CUnitLink
import UnitLink

/// The kinds of messages between a host and a program that publishes a unit.
package enum NodeMessage {
  /// To the program: which unit, the form of slices with its memory, the end of rendering; each is answered.
  package static let (hello, prepare, release) = (UInt16(1), UInt16(2), UInt16(3))
  /// To the program: a remote-control event, whether the host has a listener for them, another connection.
  package static let (event, listens, open) = (UInt16(4), UInt16(5), UInt16(6))
  /// From the program: the answer to a question of the same number, a remote-control event.
  package static let (answer, eventToHost) = (UInt16(101), UInt16(102))
  /// The version on which both sides have to agree.
  package static let version: UInt32 = 3
}

/// The first question of a host.
package struct NodeHello: Equatable {
  /// The unit that it opens.
  package var description: AudioComponentDescription
  /// The name of the host, the file of its icon, and the URL that brings it to the front; empty for none.
  package var hostName: String
  package var hostIcon: String
  package var hostURL: String

  package init(
    _ description: AudioComponentDescription, hostName: String, hostIcon: String, hostURL: String
  ) {
    (self.description, self.hostName) = (description, hostName)
    (self.hostIcon, self.hostURL) = (hostIcon, hostURL)
  }

  /// Reads a question; nil for other bytes, and for another version.
  package init?(_ bytes: [UInt8]) {
    var reader = MessageReader(bytes)
    guard reader.next(UInt32.self) == NodeMessage.version, let type = reader.next(UInt32.self),
      let subtype = reader.next(UInt32.self), let manufacturer = reader.next(UInt32.self),
      let name = reader.nextText(), let icon = reader.nextText(), let url = reader.nextText()
    else { return nil }
    self.init(
      AudioComponentDescription(
        componentType: type, componentSubType: subtype, componentManufacturer: manufacturer,
        componentFlags: 0, componentFlagsMask: 0), hostName: name, hostIcon: icon, hostURL: url)
  }

  /// The question as it is sent.
  package var bytes: [UInt8] {
    var writer = MessageWriter()
    writer.add(NodeMessage.version)
    writer.add(description.componentType)
    writer.add(description.componentSubType)
    writer.add(description.componentManufacturer)
    writer.add(hostName)
    writer.add(hostIcon)
    writer.add(hostURL)
    return writer.bytes
  }

  package static func == (left: NodeHello, right: NodeHello) -> Bool { left.bytes == right.bytes }
}

/// The form in which a host renders a unit.
package struct NodeForm {
  /// Frames a second.
  package var sampleRate: Double
  /// The form of slices.
  package var link: AuricleLinkForm

  package init(sampleRate: Double, _ link: AuricleLinkForm) {
    (self.sampleRate, self.link) = (sampleRate, link)
  }

  /// Reads a form; nil for other bytes, and for numbers that no sound has.
  package init?(_ bytes: [UInt8]) {
    var reader = MessageReader(bytes)
    guard let rate = reader.next(Double.self), let form = reader.next(AuricleLinkForm.self),
      rate.isFinite, (1000...1_000_000).contains(rate), AuricleLinkFormIsValid(form, .max)
    else { return nil }
    self.init(sampleRate: rate, form)
  }

  /// The form as it is sent.
  package var bytes: [UInt8] {
    var writer = MessageWriter()
    writer.add(sampleRate)
    writer.add(link)
    return writer.bytes
  }
}

/// The answer of a program.
package struct NodeAnswer {
  /// 0, or why not.
  package var status: OSStatus
  /// Why not, in a sentence.
  package var reason = ""

  package init(_ status: OSStatus, _ reason: String = "") {
    (self.status, self.reason) = (status, reason)
  }

  /// Reads an answer; one that is none is an error.
  package init(_ bytes: [UInt8]) {
    var reader = MessageReader(bytes)
    guard let status = reader.next(Int32.self), let reason = reader.nextText() else {
      self.init(kAudioComponentErr_InstanceInvalidated, "its answer makes no sense")
      return
    }
    self.init(status, String(reason.prefix(1000)))
  }

  /// The answer as it is sent.
  package var bytes: [UInt8] {
    var writer = MessageWriter()
    writer.add(status)
    writer.add(reason)
    return writer.bytes
  }
}
