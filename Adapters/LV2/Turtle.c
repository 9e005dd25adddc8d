// The data of a bundle: classes, ports with ranges, units and scale points, groups, presets.
// SPDX-License-Identifier: Apache-2.0
#include <math.h>
#include <strings.h>

#include "../Core/Internal.h"
#include "../Core/Text.h"
#include "Ports.h"

static const char kPrefixes[] =
    "@prefix atom: <http://lv2plug.in/ns/ext/atom#> .\n"
    "@prefix bufsz: <http://lv2plug.in/ns/ext/buf-size#> .\n"
    "@prefix doap: <http://usefulinc.com/ns/doap#> .\n"
    "@prefix foaf: <http://xmlns.com/foaf/0.1/> .\n"
    "@prefix lv2: <http://lv2plug.in/ns/lv2core#> .\n"
    "@prefix midi: <http://lv2plug.in/ns/ext/midi#> .\n"
    "@prefix opts: <http://lv2plug.in/ns/ext/options#> .\n"
    "@prefix pg: <http://lv2plug.in/ns/ext/port-groups#> .\n"
    "@prefix pprops: <http://lv2plug.in/ns/ext/port-props#> .\n"
    "@prefix pset: <http://lv2plug.in/ns/ext/presets#> .\n"
    "@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .\n"
    "@prefix state: <http://lv2plug.in/ns/ext/state#> .\n"
    "@prefix time: <http://lv2plug.in/ns/ext/time#> .\n"
    "@prefix units: <http://lv2plug.in/ns/extensions/units#> .\n"
    "@prefix urid: <http://lv2plug.in/ns/ext/urid#> .\n\n";

// A literal between quotes.
static void printText(struct Page *page, const char *text) {
  print(page, "\"");
  for (; *text != 0; text++) {
    if (*text == '"' || *text == '\\') print(page, "\\%c", *text);
    else if (*text == '\n') print(page, "\\n");
    else if ((unsigned char)*text >= 0x20) print(page, "%c", *text);
  }
  print(page, "\"");
}

// A decimal number, which reads as one in Turtle.
static void printDecimal(struct Page *page, Float32 value) {
  char text[64];
  printNumber(value, text, sizeof text);
  if (strchr(text, 'e') != NULL) {
    // A number with an exponent would be of another type.
    int places = 8 - (int)floor(log10(fabs((double)value)));
    if (places > 45) places = 45;
    snprintf(text, sizeof text, "%.*f", places > 1 ? places : 1, (double)value);
    for (char *place = text; *place != 0; place++)
      if (*place == ',') *place = '.';
    size_t length = strlen(text);
    while (text[length - 1] == '0' && text[length - 2] != '.') text[--length] = 0;
  }
  print(page, strchr(text, '.') == NULL ? "%s.0" : "%s", text);
}

// The class that says most of a unit; null for none but Plugin.
static const char *classOf(const struct Entry *entry) {
  static const struct {
    const char *tag, *name;
  } classes[] = {{"Limiter", "Limiter"},       {"Compressor", "Compressor"}, {"Expander", "Expander"}, {"Gate", "Gate"},
                 {"Reverb", "Reverb"},         {"Delay", "Delay"},           {"Equalizer", "EQ"},      {"EQ", "EQ"},
                 {"Filter", "Filter"},         {"Distortion", "Distortion"}, {"Chorus", "Chorus"},     {"Flanger", "Flanger"},
                 {"Phaser", "Phaser"},         {"Modulation", "Modulator"},  {"Pitch", "Pitch"},       {"Dynamics", "Dynamics"},
                 {"Analyzer", "Analyser"},     {"Analysis", "Analyser"},     {"Meter", "Analyser"},    {"Panner", "Spatial"},
                 {"Spatial", "Spatial"},       {"Restoration", "Utility"},   {"Utility", "Utility"}};
  switch (entry->description.componentType) {
    case kAudioUnitType_MusicDevice: return "Instrument";
    case kAudioUnitType_Generator: return "Generator";
    case kAudioUnitType_MIDIProcessor: return "MIDI";
    case kAudioUnitType_Panner: return "Spatial";
  }
  for (size_t i = 0; i < sizeof classes / sizeof *classes; i++) {
    const size_t count = strlen(classes[i].tag);
    for (const char *tag = entry->tags; tag != NULL && *tag != 0; tag = strchr(tag, ',') ? strchr(tag, ',') + 1 : NULL)
      if (strncasecmp(tag, classes[i].tag, count) == 0 && (tag[count] == 0 || tag[count] == ',')) return classes[i].name;
  }
  return NULL;
}

static const char *knownUnit(AudioUnitParameterUnit unit) {
  switch (unit) {
    case kAudioUnitParameterUnit_Percent: return "pc";
    case kAudioUnitParameterUnit_Seconds: return "s";
    case kAudioUnitParameterUnit_SampleFrames: return "frame";
    case kAudioUnitParameterUnit_Phase: case kAudioUnitParameterUnit_Degrees: return "degree";
    case kAudioUnitParameterUnit_Hertz: return "hz";
    case kAudioUnitParameterUnit_Cents: case kAudioUnitParameterUnit_AbsoluteCents: return "cent";
    case kAudioUnitParameterUnit_RelativeSemiTones: return "semitone12TET";
    case kAudioUnitParameterUnit_MIDINoteNumber: return "midiNote";
    case kAudioUnitParameterUnit_Decibels: return "db";
    case kAudioUnitParameterUnit_LinearGain: return "coef";
    case kAudioUnitParameterUnit_Meters: return "m";
    case kAudioUnitParameterUnit_Octaves: return "oct";
    case kAudioUnitParameterUnit_BPM: return "bpm";
    case kAudioUnitParameterUnit_Beats: return "beat";
    case kAudioUnitParameterUnit_Milliseconds: return "ms";
    default: return NULL;
  }
}

static void printUnit(struct Page *page, const struct Parameter *parameter) {
  const char *known = knownUnit(parameter->unit);
  if (known != NULL) {
    print(page, " ;\n\t\tunits:unit units:%s", known);
  } else if (parameter->unitName[0] != 0 && !parameter->isStepped) {
    char text[160];
    print(page, " ;\n\t\tunits:unit [\n\t\t\ta units:Unit ;\n\t\t\trdfs:label ");
    printText(page, parameter->unitName);
    print(page, " ;\n\t\t\tunits:symbol ");
    printText(page, parameter->unitName);
    // A percent sign in a format is written twice.
    size_t used = (size_t)snprintf(text, sizeof text, "%%f ");
    for (const char *place = parameter->unitName; *place != 0 && used + 3 < sizeof text; place++) {
      if (*place == '%') text[used++] = '%';
      text[used++] = *place;
    }
    text[used] = 0;
    print(page, " ;\n\t\t\tunits:render ");
    printText(page, text);
    print(page, "\n\t\t]");
  }
}

// The number of the group that a parameter is in, from 1; 0 for none.
static UInt32 groupOf(const struct Unit *unit, UInt32 index) {
  UInt32 number = 0;
  for (UInt32 i = 0; i <= index; i++) {
    const char *group = unit->parameters[i].group;
    bool isFirst = group[0] != 0;
    for (UInt32 other = 0; other < i && isFirst; other++) isFirst = strcmp(unit->parameters[other].group, group) != 0;
    number += isFirst;
    if (group[0] != 0 && strcmp(group, unit->parameters[index].group) == 0) return number;
  }
  return 0;
}

static void printParameter(struct Page *page, const struct Unit *unit, UInt32 index, const char *uri) {
  const struct Parameter *parameter = &unit->parameters[index];
  print(page, "a lv2:%sPort , lv2:ControlPort ;\n\t\tlv2:symbol \"%s\" ;\n\t\tlv2:name ", parameter->isMeter ? "Output" : "Input", parameter->symbol);
  printText(page, parameter->name);
  print(page, " ;\n\t\tlv2:default ");
  printDecimal(page, parameter->initial);
  print(page, " ;\n\t\tlv2:minimum ");
  printDecimal(page, parameter->minimum);
  print(page, " ;\n\t\tlv2:maximum ");
  printDecimal(page, parameter->maximum);
  if (parameter->isSwitch) print(page, " ;\n\t\tlv2:portProperty lv2:toggled");
  else if (parameter->isStepped) print(page, " ;\n\t\tlv2:portProperty lv2:integer%s", parameter->pointCount > 0 ? " , lv2:enumeration" : "");
  if (parameter->isLogarithmic) print(page, " ;\n\t\tlv2:portProperty pprops:logarithmic");
  if (parameter->isHidden) print(page, " ;\n\t\tlv2:portProperty pprops:notOnGUI");
  if (!parameter->isMeter && !parameter->isAutomatable) print(page, " ;\n\t\tlv2:portProperty pprops:notAutomatic , pprops:expensive");
  printUnit(page, parameter);
  const UInt32 group = groupOf(unit, index);
  if (group > 0) print(page, " ;\n\t\tpg:group <%s#group-%u>", uri, group);
  for (UInt32 i = 0; i < parameter->pointCount; i++) {
    print(page, i == 0 ? " ;\n\t\tlv2:scalePoint [\n\t\t\trdfs:label " : " , [\n\t\t\trdfs:label ");
    printText(page, parameter->points[i].name);
    print(page, " ;\n\t\t\trdf:value ");
    printDecimal(page, parameter->points[i].value);
    print(page, "\n\t\t]");
  }
}

static void printAudioPort(struct Page *page, const struct Unit *unit, const struct Port *port, const char *uri) {
  const struct Bus *bus = &unit->buses[port->isOutput][port->bus];
  const char *side = port->isOutput ? "out" : "in";
  const char *designation = bus->channels == 2 ? (port->channel == 0 ? "left" : "right") : NULL;
  print(page, "a lv2:%sPort , lv2:AudioPort ;\n\t\tlv2:symbol \"%s%u_%u\" ;\n\t\tlv2:name ", port->isOutput ? "Output" : "Input", side, port->bus + 1, port->channel + 1);
  char name[kTextSize + 16];
  if (bus->channels == 1) snprintf(name, sizeof name, "%s", bus->name);
  else if (designation != NULL) snprintf(name, sizeof name, "%s %s", bus->name, port->channel == 0 ? "Left" : "Right");
  else snprintf(name, sizeof name, "%s %u", bus->name, port->channel + 1);
  printText(page, name);
  print(page, " ;\n\t\tpg:group <%s#%s-%u>", uri, side, port->bus + 1);
  if (designation != NULL) print(page, " ;\n\t\tlv2:designation pg:%s", designation);
  else if (bus->channels == 1) print(page, " ;\n\t\tlv2:designation pg:center");
  if (bus->isSideChain) print(page, " ;\n\t\tlv2:portProperty lv2:isSideChain , lv2:connectionOptional");
}

static void printPort(struct Page *page, const struct Unit *unit, const struct Port *port, const char *uri) {
  switch (port->kind) {
    case kAudioPort: printAudioPort(page, unit, port, uri); break;
    case kEventsIn:
      print(
          page,
          "a lv2:InputPort , atom:AtomPort ;\n\t\tlv2:symbol \"events\" ;\n\t\tlv2:name \"Events\" ;\n"
          "\t\tatom:bufferType atom:Sequence ;\n\t\tatom:supports %stime:Position ;\n\t\tlv2:designation lv2:control ;\n"
          "\t\tlv2:portProperty lv2:connectionOptional",
          unit->takesMIDI ? "midi:MidiEvent , " : "");
      break;
    case kEventsOut:
      print(
          page,
          "a lv2:OutputPort , atom:AtomPort ;\n\t\tlv2:symbol \"midi_out\" ;\n\t\tlv2:name \"MIDI Out\" ;\n"
          "\t\tatom:bufferType atom:Sequence ;\n\t\tatom:supports midi:MidiEvent ;\n\t\tlv2:designation lv2:control ;\n"
          "\t\tlv2:portProperty lv2:connectionOptional");
      break;
    case kEnabledPort:
      print(
          page,
          "a lv2:InputPort , lv2:ControlPort ;\n\t\tlv2:symbol \"lv2_enabled\" ;\n\t\tlv2:name \"Enabled\" ;\n"
          "\t\tlv2:default 1 ;\n\t\tlv2:minimum 0 ;\n\t\tlv2:maximum 1 ;\n\t\tlv2:designation lv2:enabled ;\n"
          "\t\tlv2:portProperty lv2:toggled , pprops:notOnGUI");
      break;
    case kFreePort:
      print(
          page,
          "a lv2:InputPort , lv2:ControlPort ;\n\t\tlv2:symbol \"lv2_freewheel\" ;\n\t\tlv2:name \"Offline\" ;\n"
          "\t\tlv2:default 0 ;\n\t\tlv2:minimum 0 ;\n\t\tlv2:maximum 1 ;\n\t\tlv2:designation lv2:freeWheeling ;\n"
          "\t\tlv2:portProperty lv2:toggled , pprops:notOnGUI");
      break;
    case kLatencyPort:
      // Without a maximum: some hosts reserve memory for as many frames.
      print(
          page,
          "a lv2:OutputPort , lv2:ControlPort ;\n\t\tlv2:symbol \"lv2_latency\" ;\n\t\tlv2:name \"Latency\" ;\n"
          "\t\tlv2:default 0 ;\n\t\tlv2:minimum 0 ;\n\t\tlv2:designation lv2:latency ;\n"
          "\t\tlv2:portProperty lv2:reportsLatency , lv2:integer , pprops:notOnGUI ;\n\t\tunits:unit units:frame");
      break;
    case kControlPort: printParameter(page, unit, port->parameter, uri); break;
  }
}

// The groups that ports are in: a bus each, and the groups of parameters.
static void printGroups(struct Page *page, const struct Unit *unit, const char *uri) {
  const bool isMIDI = unit->entry->description.componentType == kAudioUnitType_MIDIProcessor;
  for (int side = 0; side < 2; side++)
    for (UInt32 bus = 0; bus < unit->busCounts[side] && !isMIDI; bus++) {
      const struct Bus *known = &unit->buses[side][bus];
      const char *kind = side ? "out" : "in";
      print(
          page, "<%s#%s-%u>\n\ta pg:%sGroup , pg:%sGroup ;\n\tlv2:symbol \"%s_%u\" ;\n\tlv2:name ", uri, kind, bus + 1, side ? "Output" : "Input",
          known->channels == 1 ? "Mono" : known->channels == 2 ? "Stereo" : "Discrete", kind, bus + 1);
      printText(page, known->name);
      if (known->isSideChain) print(page, " ;\n\tpg:sideChainOf <%s#in-1>", uri);
      if (side == 1 && bus == 0 && unit->busCounts[0] > 0 && unit->buses[0][0].channels == known->channels) print(page, " ;\n\tpg:source <%s#in-1>", uri);
      print(page, " .\n\n");
    }
  UInt32 done = 0;
  for (UInt32 i = 0; i < unit->parameterCount; i++) {
    if (groupOf(unit, i) <= done) continue;
    done = groupOf(unit, i);
    print(page, "<%s#group-%u>\n\ta pg:Group ;\n\tlv2:symbol \"group_%u\" ;\n\tlv2:name ", uri, done, done);
    printText(page, unit->parameters[i].group);
    print(page, " .\n\n");
  }
}

static void printPlugin(struct Page *page, struct Unit *unit, const char *uri) {
  const struct Entry *entry = unit->entry;
  const char *kind = classOf(entry);
  const bool isMIDI = entry->description.componentType == kAudioUnitType_MIDIProcessor;
  UInt32 count;
  struct Port *ports = makePorts(unit, &count);
  if (kind != NULL) print(page, "<%s>\n\ta lv2:Plugin , lv2:%sPlugin , doap:Project ;\n\tdoap:name ", uri, kind);
  else print(page, "<%s>\n\ta lv2:Plugin , doap:Project ;\n\tdoap:name ", uri);
  printText(page, entry->title);
  if (entry->maker[0] != 0) {
    print(page, " ;\n\tdoap:maintainer [\n\t\ta foaf:Person ;\n\t\tfoaf:name ");
    printText(page, entry->maker);
    print(page, "\n\t]");
  }
  if (entry->summary[0] != 0) {
    print(page, " ;\n\trdfs:comment ");
    printText(page, entry->summary);
  }
  // Even numbers are releases.
  print(page, " ;\n\tlv2:minorVersion %u ;\n\tlv2:microVersion %u", 2 * (entry->version >> 16 & 0xFFFF), 2 * (entry->version >> 8 & 0xFF));
  print(
      page,
      " ;\n\tlv2:requiredFeature urid:map ;\n\tlv2:optionalFeature lv2:hardRTCapable , opts:options ;\n"
      "\topts:supportedOption bufsz:maxBlockLength ;\n\tlv2:extensionData state:interface");
  if (unit->busCounts[0] > 0 && !isMIDI) print(page, " ;\n\tpg:mainInput <%s#in-1>", uri);
  if (unit->busCounts[1] > 0 && !isMIDI) print(page, " ;\n\tpg:mainOutput <%s#out-1>", uri);
  for (UInt32 i = 0; i < count && ports != NULL; i++) {
    print(page, i == 0 ? " ;\n\tlv2:port [\n\t\tlv2:index %u ;\n\t\t" : " , [\n\t\tlv2:index %u ;\n\t\t", i);
    printPort(page, unit, &ports[i], uri);
    print(page, "\n\t]");
  }
  print(page, " .\n\n");
  printGroups(page, unit, uri);
  free(ports);
}

// The presets that come with a unit: chosen one by one, and read.
static void printPresets(struct Page *page, struct Unit *unit, const char *uri) {
  for (UInt32 i = 0; i < unit->presetCount; i++) {
    if (!choosePreset(unit, unit->presets[i].number)) continue;
    print(page, "<%s#preset-%d>\n\ta pset:Preset ;\n\tlv2:appliesTo <%s> ;\n\trdfs:label ", uri, unit->presets[i].number, uri);
    printText(page, unit->presets[i].name);
    bool isFirst = true;
    for (UInt32 parameter = 0; parameter < unit->parameterCount; parameter++) {
      if (unit->parameters[parameter].isMeter) continue;
      print(page, isFirst ? " ;\n\tlv2:port [\n\t\tlv2:symbol \"%s\" ;\n\t\tpset:value " : " , [\n\t\tlv2:symbol \"%s\" ;\n\t\tpset:value ", unit->parameters[parameter].symbol);
      printDecimal(page, readValue(unit, parameter));
      print(page, "\n\t]");
      isFirst = false;
    }
    size_t length = 0;
    char *state = hasOwnState(unit) ? saveState(unit, &length) : NULL;
    if (state != NULL) {
      print(page, " ;\n\tstate:state [\n\t\t<" kStateKey "> ");
      printText(page, state);
      print(page, "\n\t]");
      free(state);
    }
    print(page, " .\n\n");
  }
}

// Writes the files of a bundle. Exported for the program that makes bundles.
__attribute__((visibility("default"))) int auricle_describe(EmitFile emit, void *context, char *reason, size_t size) {
  const struct Bundle *bundle = adapterBundle();
  struct Page manifest = {0};
  bool isDone = bundle->problem[0] == 0;
  const char *slash = strrchr(bundle->folder, '/');
  const char *dot = strrchr(bundle->folder, '.');
  const int stem = dot > slash ? (int)(dot - slash - 1) : (int)strlen(slash + 1);
  if (!isDone) snprintf(reason, size, "%s", bundle->problem);
  print(&manifest, "%s", kPrefixes);
  for (UInt32 i = 0; i < bundle->count && isDone; i++) {
    char uri[kTextSize], file[64];
    struct Page data = {0}, presets = {0};
    struct Unit *unit = makeUnit(bundle, &bundle->entries[i], reason, size);
    isDone = unit != NULL;
    if (!isDone) break;
    writeURI(unit->entry, uri, sizeof uri);
    print(&manifest, "<%s>\n\ta lv2:Plugin ;\n\tlv2:binary <%.*s.so> ;\n\trdfs:seeAlso <plugin-%u.ttl> .\n\n", uri, stem, slash + 1, i + 1);
    print(&data, "%s@prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .\n\n", kPrefixes);
    printPlugin(&data, unit, uri);
    snprintf(file, sizeof file, "plugin-%u.ttl", i + 1);
    emit(context, file, data.bytes, data.length);
    print(
        &presets, "%s@prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .\n\n<" kStateKey ">\n\ta rdf:Property ;\n\trdfs:label \"ClassInfo\" ;\n"
        "\trdfs:comment \"The state of an audio unit, the text of an .aupreset file.\" .\n\n", kPrefixes);
    const size_t before = presets.length;
    printPresets(&presets, unit, uri);
    if (presets.length > before) {
      snprintf(file, sizeof file, "presets-%u.ttl", i + 1);
      emit(context, file, presets.bytes, presets.length);
      for (UInt32 preset = 0; preset < unit->presetCount; preset++)
        print(
            &manifest, "<%s#preset-%d>\n\ta pset:Preset ;\n\tlv2:appliesTo <%s> ;\n\trdfs:seeAlso <%s> .\n\n", uri, unit->presets[preset].number, uri,
            file);
    }
    free(data.bytes);
    free(presets.bytes);
    freeUnit(unit);
  }
  if (isDone) emit(context, "manifest.ttl", manifest.bytes, manifest.length);
  free(manifest.bytes);
  return isDone ? 0 : 1;
}
