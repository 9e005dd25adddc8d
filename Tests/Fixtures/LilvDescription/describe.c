// Prints lilv's data of a plug-in's control inputs and presets, a line each, parted by tabs.
// SPDX-License-Identifier: Apache-2.0
#include <lilv/lilv.h>
#include <math.h>
#include <stdio.h>

static double number(const LilvNode* node) {
  return node && (lilv_node_is_float(node) || lilv_node_is_int(node)) ? lilv_node_as_float(node) : NAN;
}

int main(int count, char** arguments) {
  if (count < 2) return 2;
  LilvWorld* world = lilv_world_new();
  lilv_world_load_all(world);
  LilvNode* uri = lilv_new_uri(world, arguments[1]);
  const LilvPlugin* plugin = lilv_plugins_get_by_uri(lilv_world_get_all_plugins(world), uri);
  if (!plugin) return 1;
  LilvNode* control = lilv_new_uri(world, LILV_URI_CONTROL_PORT);
  LilvNode* input = lilv_new_uri(world, LILV_URI_INPUT_PORT);
  LilvNode* scaled = lilv_new_uri(world, "http://lv2plug.in/ns/lv2core#sampleRate");
  for (uint32_t index = 0; index < lilv_plugin_get_num_ports(plugin); ++index) {
    const LilvPort* port = lilv_plugin_get_port_by_index(plugin, index);
    if (!lilv_port_is_a(plugin, port, control) || !lilv_port_is_a(plugin, port, input)) continue;
    // Ranges in parts of the sample rate depend on that.
    if (lilv_port_has_property(plugin, port, scaled)) continue;
    LilvNode *start, *least, *most;
    lilv_port_get_range(plugin, port, &start, &least, &most);
    LilvNode* name = lilv_port_get_name(plugin, port);
    printf(
      "control\t%s\t%s\t%.9g\t%.9g\t%.9g\n", lilv_node_as_string(lilv_port_get_symbol(plugin, port)),
      lilv_node_as_string(name), number(least), number(most), number(start));
  }
  LilvNode* preset = lilv_new_uri(world, "http://lv2plug.in/ns/ext/presets#Preset");
  LilvNodes* presets = lilv_plugin_get_related(plugin, preset);
  LILV_FOREACH(nodes, place, presets)
    printf("preset\t%s\n", lilv_node_as_uri(lilv_nodes_get(presets, place)));
  return 0;
}
