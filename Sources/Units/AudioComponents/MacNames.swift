// The names that units of macOS have there.
// SPDX-License-Identifier: Apache-2.0

/// Units by the names of macOS, which people and presets write.
enum MacNames {
  /// The triple of a name in any case, with or without its maker; nil for another.
  static func triple(of name: String) -> String? {
    let maker = "apple: "
    let name = name.lowercased()
    return triples[name.hasPrefix(maker) ? String(name.dropFirst(maker.count)) : name]
  }

  private static let triples = [
    "audelay": "aufx:dely:appl", "audistortion": "aufx:dist:appl",
    "aulowpass": "aufx:lpas:appl", "auhipass": "aufx:hpas:appl", "aubandpass": "aufx:bpas:appl",
    "auhighshelffilter": "aufx:hshf:appl", "aulowshelffilter": "aufx:lshf:appl",
    "auparametriceq": "aufx:pmeq:appl", "augraphiceq": "aufx:greq:appl",
    "aunbandeq": "aufx:nbeq:appl", "aufilter": "aufx:filt:appl",
    "aupeaklimiter": "aufx:lmtr:appl", "audynamicsprocessor": "aufx:dcmp:appl",
    "aumultibandcompressor": "aufx:mcmp:appl", "aumatrixreverb": "aufx:mrev:appl",
    "aureverb2": "aufx:rvb2:appl", "ausampledelay": "aufx:sdly:appl",
    "aupitch": "aufx:tmpt:appl", "aurogerbeep": "aufx:rogr:appl",
    "dlsmusicdevice": "aumu:dls :appl", "ausampler": "aumu:samp:appl",
    "aumidisynth": "aumu:msyn:appl", "auspatialmixer": "aumx:3dem:appl",
    "aumixer3d": "aumx:3dmx:appl", "aumultichannelmixer": "aumx:mcmx:appl",
    "aumatrixmixer": "aumx:mxmx:appl", "auconverter": "aufc:conv:appl",
    "autimepitch": "aufc:tmpt:appl", "auvarispeed": "aufc:vari:appl",
    "auaudiofileplayer": "augn:afpl:appl", "defaultoutputunit": "auou:def :appl",
    "audiodeviceoutput": "auou:ahal:appl",
  ]
}
