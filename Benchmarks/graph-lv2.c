// Chains of an LV2 plug-in beside bare LV2 calls, for `graph.c`.
// SPDX-License-Identifier: Apache-2.0
#ifdef LV2
#include "graph-nodes.h"

#include <lilv/lilv.h>
#include <stdio.h>
#include <string.h>

// The component whose LV2 URI is wanted.
static AudioComponent findLV2(const char *uri) {
  const AudioComponentDescription any = {0, 0, 0, 0, 0};
  AudioComponent component = NULL;
  while ((component = AudioComponentFindNext(component, &any)) != NULL) {
    AudioComponentDescription description;
    AudioComponentGetDescription(component, &description);
    CFStringRef name = NULL;
    char text[256] = "";
    AudioComponentCopyName(component, &name);
    if (name != NULL) {
      CFStringGetCString(name, text, sizeof text, kCFStringEncodingUTF8);
      CFRelease(name);
    }
    if (strstr(text, uri) != NULL) return component;
  }
  return NULL;
}

static LilvInstance *instances[kMaximumNodes];
static Float32 control = 0;

static void runBare(int nodes, UInt32 frames, int slices) {
  for (int slice = 0; slice < slices; ++slice) {
    memcpy(memory[0], sound, frames * 4);
    for (int index = 0; index < nodes - 1; ++index) lilv_instance_run(instances[index], frames);
    // The output unit is a gain.
    bareGain(memory[0], frames, unity);
  }
}

// Prints a table of chains of a plug-in, as many instances beside them.
void lv2Table(Rows rows, const char *uri, const char *name) {
  AudioComponent component = findLV2(name);
  if (component == NULL) {
    printf("\n%s is not installed.\n", name);
    return;
  }
  AudioComponentDescription description;
  AudioComponentGetDescription(component, &description);
  LilvWorld *world = lilv_world_new();
  lilv_world_load_all(world);
  LilvNode *node = lilv_new_uri(world, uri);
  LilvNode *audio = lilv_new_uri(world, LILV_URI_AUDIO_PORT);
  const LilvPlugin *plugin =
      lilv_plugins_get_by_uri(lilv_world_get_all_plugins(world), node);
  for (int index = 0; index < kMaximumNodes; ++index) {
    instances[index] = lilv_plugin_instantiate(plugin, 48000, NULL);
    for (uint32_t port = 0; port < lilv_plugin_get_num_ports(plugin); ++port) {
      const Boolean isAudio =
          lilv_port_is_a(plugin, lilv_plugin_get_port_by_index(plugin, port), audio);
      lilv_instance_connect_port(instances[index], port, isAudio ? (void *)memory[0] : &control);
    }
    lilv_instance_activate(instances[index]);
  }
  printf("\n### Chains of %s, 1 channel\n\n", name);
  printRows(rows, 2, false, &description, runBare);
}
#endif
