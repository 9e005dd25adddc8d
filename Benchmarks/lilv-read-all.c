// Cost of reading all LV2 data in the customary way: lilv_world_load_all, then everything once, in one process.
// SPDX-License-Identifier: Apache-2.0
//
//   cc -O2 -o lilv-read-all lilv-read-all.c $(pkg-config --cflags --libs lilv-0)
//   lilv-read-all
//
// Reads the data that a host shows of a plug-in: names, classes, features, ports with their ranges, units
// and scale points, groups, user interfaces and presets. Prints how many of each there were.

#include <lilv/lilv.h>
#include <stdio.h>
#include <stdlib.h>

static size_t characters;

static void take(const LilvNode* node) {
  if (node == NULL) return;
  const char* text = lilv_node_as_string(node);
  while (text != NULL && *text++ != 0) ++characters;
}

static void take_all(LilvNodes* nodes) {
  LILV_FOREACH (nodes, i, nodes) take(lilv_nodes_get(nodes, i));
  lilv_nodes_free(nodes);
}

int main(void) {
  LilvWorld* world = lilv_world_new();
  lilv_world_load_all(world);
#define LV2 "http://lv2plug.in/ns/"
  LilvNode* group = lilv_new_uri(world, LV2 "ext/port-groups#group");
  LilvNode* unit = lilv_new_uri(world, LV2 "extensions/units#unit");
  LilvNode* designation = lilv_new_uri(world, LV2 "lv2core#designation");
  LilvNode* minimum_size = lilv_new_uri(world, LV2 "ext/resize-port#minimumSize");
  LilvNode* preset = lilv_new_uri(world, LV2 "ext/presets#Preset");
  LilvNode* bank = lilv_new_uri(world, LV2 "ext/presets#bank");
  LilvNode* label = lilv_new_uri(world, "http://www.w3.org/2000/01/rdf-schema#label");
  size_t plugin_count = 0, port_count = 0, preset_count = 0;
  const LilvPlugins* plugins = lilv_world_get_all_plugins(world);
  LILV_FOREACH (plugins, at, plugins) {
    const LilvPlugin* plugin = lilv_plugins_get(plugins, at);
    ++plugin_count;
    LilvNode* name = lilv_plugin_get_name(plugin);
    LilvNode* author = lilv_plugin_get_author_name(plugin);
    take(name), take(author), lilv_node_free(name), lilv_node_free(author);
    take(lilv_plugin_class_get_uri(lilv_plugin_get_class(plugin)));
    take(lilv_plugin_get_library_uri(plugin));
    take_all(lilv_plugin_get_required_features(plugin));
    take_all(lilv_plugin_get_optional_features(plugin));
    LilvUIs* uis = lilv_plugin_get_uis(plugin);
    lilv_uis_free(uis);
    const uint32_t count = lilv_plugin_get_num_ports(plugin);
    float* ranges = calloc(3 * (size_t)count + 1, sizeof(float));
    lilv_plugin_get_port_ranges_float(plugin, ranges, ranges + count, ranges + 2 * count);
    free(ranges);
    for (uint32_t i = 0; i < count; ++i) {
      const LilvPort* port = lilv_plugin_get_port_by_index(plugin, i);
      ++port_count;
      take(lilv_port_get_symbol(plugin, port));
      LilvNode* port_name = lilv_port_get_name(plugin, port);
      take(port_name), lilv_node_free(port_name);
      LILV_FOREACH (nodes, c, lilv_port_get_classes(plugin, port))
        take(lilv_nodes_get(lilv_port_get_classes(plugin, port), c));
      take_all(lilv_port_get_properties(plugin, port));
      take_all(lilv_port_get_value(plugin, port, group));
      take_all(lilv_port_get_value(plugin, port, unit));
      take_all(lilv_port_get_value(plugin, port, designation));
      take_all(lilv_port_get_value(plugin, port, minimum_size));
      LilvScalePoints* points = lilv_port_get_scale_points(plugin, port);
      LILV_FOREACH (scale_points, p, points) {
        const LilvScalePoint* point = lilv_scale_points_get(points, p);
        take(lilv_scale_point_get_label(point)), take(lilv_scale_point_get_value(point));
      }
      lilv_scale_points_free(points);
    }
    LilvNodes* presets = lilv_plugin_get_related(plugin, preset);
    LILV_FOREACH (nodes, p, presets) {
      const LilvNode* node = lilv_nodes_get(presets, p);
      ++preset_count;
      lilv_world_load_resource(world, node);
      LilvNode* text = lilv_world_get(world, node, label, NULL);
      LilvNode* in = lilv_world_get(world, node, bank, NULL);
      take(text), take(in), lilv_node_free(text), lilv_node_free(in);
    }
    lilv_nodes_free(presets);
  }
  printf("%zu plug-ins, %zu ports, %zu presets, %zu characters\n", plugin_count, port_count,
         preset_count, characters);
  return 0;
}
