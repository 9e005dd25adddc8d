// A chain for a program that loads a module of ours, such as ALSA's: in a process apart, under the sandbox.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import AuricleHost
import CUnitLink
import ChainPresets
import FileRendering
import Glibc
import HostSystem
import PlugInGuard
import ResultSettings
import RunLedgers
import UnitChains
import UnitLink
import Workers

/// Serves slices through a chain until the program ends.
///
/// Its standard input is a socket. The first message, of kind 1, has the rate (Hz, a double), the form of slices
/// (`AuricleLinkForm`) and the preset's name or path behind its length. The memory of the slices comes with it. The answer, of
/// kind 101, has a status, a sentence behind its length, and the frames by which the chain delays sound.
public enum ChainServer {
  /// The word that starts it.
  static let command = "serve-chain"

  /// Does the work of a process that serves a chain and ends the process, if it was started as one; otherwise returns at
  /// once.
  ///
  /// Context: control; the first thing in `main`, before other threads are started.
  public static func serveIfChild() {
    guard ProgramArguments.words == [command] else { return }
    // Destructors of plug-ins are skipped.
    _exit(run())
  }

  private static func run() -> Int32 {
    signal(SIGPIPE, SIG_IGN)
    let socket = LinkSocket(owning: dup(STDIN_FILENO))
    guard let message = try? socket.receive(milliseconds: 10_000), message.kind == 1,
      let file = message.files.first, let setup = ChainServerSetup(message.bytes)
    else { return 1 }
    let (chain, settings, memory): (UnitChain, JobSettings, LinkMemory)
    do {
      memory = try LinkMemory(received: file, setup.form)
      (chain, settings) = try makeChain(setup)
    } catch {
      var writer = MessageWriter()
      writer.add(Int32(-1))
      writer.add(text(of: error))
      writer.add(UInt32(0))
      try? socket.send(LinkMessage(101, writer.bytes), milliseconds: 5000)
      return 1
    }
    var writer = MessageWriter()
    writer.add(Int32(0))
    writer.add("")
    writer.add(UInt32(clamping: chain.latencyFrames))
    guard (try? socket.send(LinkMessage(101, writer.bytes), milliseconds: 5000)) != nil else {
      return 1
    }
    endWithProgram(socket)
    ServedChain(chain, settings, memory, setup.form).serve()
    return 0
  }

  private static func text(of error: any Error) -> String {
    if let refusal = error as? WorkerRefusal { return refusal.text }
    if let error = error as? AuricleError { return error.message }
    return "\(error)"
  }

  /// Ends this process when the program goes, whatever a unit does meanwhile.
  private static func endWithProgram(_ socket: LinkSocket) {
    let descriptor = socket.descriptor
    let thread = startThread {
      var byte: UInt8 = 0
      while retrying({ unsafe read(descriptor, &byte, 1) }) > 0 {}
      _exit(0)
    }
    if let thread { pthread_detach(thread) }
  }

  /// Makes the chain in the sandbox, by the rules of live sound, with the settings of its end.
  private static func makeChain(
    _ setup: ChainServerSetup
  ) throws -> (UnitChain, JobSettings) {
    var worker = ChainWorker(
      setup: WorkerSetup(
        chain: .preset(setup.preset), settings: JobSettings(), sandbox: SandboxRequest()))
    let preset = try worker.enterSandbox(reading: []).preset
    let maker = try worker.arrivingChainMaker().maker
    let chain = try maker(
      ChainSpecification(
        sampleRate: setup.sampleRate, channelCount: Int(setup.form.inputChannels),
        maximumFrameCount: Int(setup.form.frameCapacity)))
    try chain.refuseWholeSounds()
    var settings = JobSettings()
    settings.tail = preset.output.tail
    return (chain, settings)
  }
}

/// The request of a program.
struct ChainServerSetup {
  let sampleRate: Double
  let form: AuricleLinkForm
  let preset: String

  /// Reads a question; nil for other bytes, and for numbers that no sound has.
  init?(_ bytes: [UInt8]) {
    var reader = MessageReader(bytes)
    guard let rate = reader.next(Double.self), let form = reader.next(AuricleLinkForm.self),
      let preset = reader.nextText(), rate.isFinite, (1000...1_000_000).contains(rate),
      AuricleLinkFormIsValid(form, .max), form.inputChannels == form.outputChannels,
      form.inputChannels > 0
    else { return nil }
    (sampleRate, self.form, self.preset) = (rate, form, preset)
  }
}
