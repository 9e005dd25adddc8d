// A VST3 plug-in: its component, processor and controller, and the order in which they are made, run and ended.
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "VST3Host.h"

// All interfaces of one plug-in, null for the missing ones. [main-thread]
typedef struct {
  AuricleVST3Component* component;
  AuricleVST3Processor* processor;
  AuricleVST3Controller* controller;
  bool is_joined;  // Whether the component is the controller as well.
  AuricleVST3Requirements* requirements;
  AuricleVST3ProgramData* program_data;
  AuricleVST3Mapping* mapping;
  AuricleVST3UnitInfo* units;
  AuricleVST3Expression* expression;
  AuricleVST3Physical* physical;
  AuricleVST3Connection *component_point, *controller_point;
  AuricleVST3Application* application;
  AuricleVST3Handler* handler;
  bool is_initialised, is_controller_initialised, is_active, is_processing;
} AuricleVST3PlugIn;

// The reasons why a plug-in could not be made.
enum {
  kVST3Fault_Class = 1,
  kVST3Fault_Memory,
  kVST3Fault_Initialise,
  kVST3Fault_Processor,
  kVST3Fault_Controller,
  kVST3Fault_ControllerInitialise,
};

// The state of the component; null without one. The caller has the reference.
static inline AuricleVST3Memory* auricle_vst3_component_state(AuricleVST3PlugIn* plugin) {
  AuricleVST3Memory* memory = auricle_vst3_make_memory(NULL, 0, "Project");
  if (!memory) return NULL;
  if (plugin->component->table->get_state(plugin->component, auricle_vst3_stream(memory)) == kVST3_OK) return memory;
  auricle_vst3_memory_drop(memory);
  return NULL;
}

// The state of the component, written in pieces of a few bytes; null without one. The caller has the reference.
static inline AuricleVST3Memory* auricle_vst3_state_in_pieces(AuricleVST3PlugIn* plugin, int32_t piece) {
  AuricleVST3Memory* memory = auricle_vst3_make_memory(NULL, 0, "Project");
  if (!memory) return NULL;
  memory->piece = piece;
  if (plugin->component->table->get_state(plugin->component, auricle_vst3_stream(memory)) == kVST3_OK) return memory;
  auricle_vst3_memory_drop(memory);
  return NULL;
}

// What the component answers to a state that it reads in pieces of a few bytes; 0 pieces for any number at once.
static inline AuricleVST3Result auricle_vst3_load_in_pieces(
  AuricleVST3PlugIn* plugin, const void* bytes, int64_t count, int32_t piece) {
  AuricleVST3Memory* memory = auricle_vst3_make_memory(bytes, count, "Project");
  if (!memory) return kVST3_OutOfMemory;
  memory->piece = piece;
  const AuricleVST3Result result =
    plugin->component->table->set_state(plugin->component, auricle_vst3_stream(memory));
  auricle_vst3_memory_drop(memory);
  return result;
}

// Whether an object answers an interface that no standard has.
static inline bool auricle_vst3_answers_any(void* object) {
  AURICLE_VST3_ID(unknown, 0x41757269, 0x636C6500, 0x4E6F5375, 0x63684944);
  void* found = NULL;
  AuricleVST3Unknown* asked = (AuricleVST3Unknown*)object;
  if (!asked) return false;
  return asked->table->query(asked, &unknown, &found) == kVST3_OK || found != NULL;
}

// Whether a factory makes a class that it does not list.
static inline bool auricle_vst3_makes_any(AuricleVST3Factory* factory) {
  AURICLE_VST3_ID(unknown, 0x41757269, 0x636C6500, 0x4E6F5375, 0x63684944);
  void* made = NULL;
  return factory->table->make(factory, &unknown, &kVST3ID_Component, &made) == kVST3_OK && made != NULL;
}

// The state of a controller apart; null without one. The caller has the reference.
static inline AuricleVST3Memory* auricle_vst3_controller_state(AuricleVST3PlugIn* plugin) {
  if (!plugin->controller || plugin->is_joined) return NULL;
  AuricleVST3Memory* memory = auricle_vst3_make_memory(NULL, 0, "Project");
  if (!memory) return NULL;
  if (plugin->controller->table->get_state(plugin->controller, auricle_vst3_stream(memory)) == kVST3_OK &&
      memory->size > 0)
    return memory;
  auricle_vst3_memory_drop(memory);
  return NULL;
}

// Makes the controller read a component's state, from its start. Its answer decides nothing: many return that
// they implement nothing, and have read it.
static inline void auricle_vst3_inform_controller(AuricleVST3PlugIn* plugin, const void* bytes, int64_t count) {
  if (!plugin->controller) return;
  AuricleVST3Memory* memory = auricle_vst3_make_memory(bytes, count, "Project");
  if (!memory) return;
  plugin->controller->table->set_component_state(plugin->controller, auricle_vst3_stream(memory));
  auricle_vst3_memory_drop(memory);
}

// Restores the state of the component, informs the controller, and restores that of the controller where there is
// one. False when the component refused it.
static inline bool auricle_vst3_restore(
  AuricleVST3PlugIn* plugin, const void* bytes, int64_t count, const void* controller, int64_t controller_count,
  const char* kind) {
  AuricleVST3Memory* memory = auricle_vst3_make_memory(bytes, count, kind);
  if (!memory) return false;
  const AuricleVST3Result result =
    plugin->component->table->set_state(plugin->component, auricle_vst3_stream(memory));
  auricle_vst3_memory_drop(memory);
  if (result != kVST3_OK && result != kVST3_NotImplemented) return false;
  auricle_vst3_inform_controller(plugin, bytes, count);
  if (controller_count > 0 && plugin->controller && !plugin->is_joined) {
    AuricleVST3Memory* own = auricle_vst3_make_memory(controller, controller_count, kind);
    if (own) {
      plugin->controller->table->set_state(plugin->controller, auricle_vst3_stream(own));
      auricle_vst3_memory_drop(own);
    }
  }
  return true;
}

// Connects the halves by links, which pass messages on in the main thread.
static inline void auricle_vst3_connect(AuricleVST3PlugIn* plugin) {
  if (!plugin->controller || plugin->is_joined) return;
  plugin->component_point = (AuricleVST3Connection*)auricle_vst3_query(plugin->component, &kVST3ID_Connection);
  plugin->controller_point = (AuricleVST3Connection*)auricle_vst3_query(plugin->controller, &kVST3ID_Connection);
  if (!plugin->component_point || !plugin->controller_point) return;
  AuricleVST3Handler* handler = plugin->handler;
  handler->to_controller.target = plugin->controller_point;
  handler->to_component.target = plugin->component_point;
  plugin->component_point->table->connect(
    plugin->component_point, (AuricleVST3Connection*)&handler->to_controller);
  plugin->controller_point->table->connect(
    plugin->controller_point, (AuricleVST3Connection*)&handler->to_component);
}

static inline int auricle_vst3_make_controller(AuricleVST3PlugIn* plugin, AuricleVST3Factory* factory) {
  plugin->controller = (AuricleVST3Controller*)auricle_vst3_query(plugin->component, &kVST3ID_Controller);
  plugin->is_joined = plugin->controller != NULL;
  if (plugin->is_joined) return 0;
  static const AuricleVST3ID none;
  AuricleVST3ID id = none;
  if (plugin->component->table->controller_class(plugin->component, &id) != kVST3_OK ||
      auricle_vst3_same(&none, &id))
    return 0;
  void* made = NULL;
  if (factory->table->make(factory, &id, &kVST3ID_Controller, &made) != kVST3_OK || !made)
    return kVST3Fault_Controller;
  plugin->controller = (AuricleVST3Controller*)made;
  if (plugin->controller->table->initialise(plugin->controller, &plugin->application->application) != kVST3_OK)
    return kVST3Fault_ControllerInitialise;
  plugin->is_controller_initialised = true;
  return 0;
}

// Makes and initialises a plug-in, connects its halves, and has them agree on the first state. Returns 0, or the
// failed step; `auricle_vst3_close` is to be called in either case.
static inline int auricle_vst3_open(
  AuricleVST3PlugIn* plugin, AuricleVST3Factory* factory, const AuricleVST3ID* class_id) {
  void* made = NULL;
  if (!plugin->application || !plugin->handler) return kVST3Fault_Memory;
  if (factory->table->make(factory, class_id, &kVST3ID_Component, &made) != kVST3_OK || !made)
    return kVST3Fault_Class;
  plugin->component = (AuricleVST3Component*)made;
  if (plugin->component->table->initialise(plugin->component, &plugin->application->application) != kVST3_OK)
    return kVST3Fault_Initialise;
  plugin->is_initialised = true;
  plugin->processor = (AuricleVST3Processor*)auricle_vst3_query(plugin->component, &kVST3ID_Processor);
  if (!plugin->processor) return kVST3Fault_Processor;
  const int fault = auricle_vst3_make_controller(plugin, factory);
  if (fault) return fault;
  plugin->requirements =
    (AuricleVST3Requirements*)auricle_vst3_query(plugin->component, &kVST3ID_ContextRequirements);
  plugin->program_data =
    (AuricleVST3ProgramData*)auricle_vst3_query(plugin->component, &kVST3ID_ProgramListData);
  if (!plugin->controller) return 0;
  plugin->controller->table->set_handler(plugin->controller, &plugin->handler->handler);
  auricle_vst3_connect(plugin);
  AuricleVST3Memory* state = plugin->is_joined ? NULL : auricle_vst3_component_state(plugin);
  if (state) {
    auricle_vst3_inform_controller(plugin, state->bytes, state->size);
    auricle_vst3_memory_drop(state);
  }
  plugin->mapping = (AuricleVST3Mapping*)auricle_vst3_query(plugin->controller, &kVST3ID_MIDIMapping);
  plugin->units = (AuricleVST3UnitInfo*)auricle_vst3_query(plugin->controller, &kVST3ID_UnitInfo);
  plugin->expression = (AuricleVST3Expression*)auricle_vst3_query(plugin->controller, &kVST3ID_NoteExpression);
  plugin->physical = (AuricleVST3Physical*)auricle_vst3_query(plugin->controller, &kVST3ID_PhysicalMapping);
  return 0;
}

// Stops and deactivates the processor, if it is active.
static inline void auricle_vst3_deactivate(AuricleVST3PlugIn* plugin) {
  if (plugin->is_processing) plugin->processor->table->set_processing(plugin->processor, 0);
  plugin->is_processing = false;
  if (plugin->is_active) plugin->component->table->set_active(plugin->component, 0);
  plugin->is_active = false;
}

// Activates and starts an inactive processor; false when it refuses.
static inline bool auricle_vst3_activate(AuricleVST3PlugIn* plugin) {
  if (plugin->component->table->set_active(plugin->component, 1) != kVST3_OK) return false;
  plugin->is_active = true;
  // Many good ones return that they implement nothing.
  plugin->processor->table->set_processing(plugin->processor, 1);
  plugin->is_processing = true;
  return true;
}

// Activates each bus, those of events as well. An inactive processor.
static inline void auricle_vst3_activate_buses(AuricleVST3PlugIn* plugin) {
  AuricleVST3Component* component = plugin->component;
  for (int32_t media = kVST3_Audio; media <= kVST3_Event; ++media)
    for (int32_t direction = kVST3_Input; direction <= kVST3_Output; ++direction) {
      const int32_t count = component->table->bus_count(component, media, direction);
      for (int32_t i = 0; i < count && i < 1024; ++i)
        component->table->activate_bus(component, media, direction, i, 1);
    }
}

// Ends and releases all objects. The plug-in's remaining references to the host stay valid.
static inline void auricle_vst3_close(AuricleVST3PlugIn* plugin) {
  if (plugin->component && plugin->processor) auricle_vst3_deactivate(plugin);
  if (plugin->application) auricle_vst3_clear_loop(plugin->application);
  if (plugin->component_point && plugin->controller_point) {
    plugin->component_point->table->disconnect(
      plugin->component_point, (AuricleVST3Connection*)&plugin->handler->to_controller);
    plugin->controller_point->table->disconnect(
      plugin->controller_point, (AuricleVST3Connection*)&plugin->handler->to_component);
  }
  if (plugin->handler) auricle_vst3_drop_posts(plugin->handler);
  if (plugin->controller && (plugin->is_joined || plugin->is_controller_initialised))
    plugin->controller->table->set_handler(plugin->controller, NULL);
  if (plugin->is_controller_initialised) plugin->controller->table->terminate(plugin->controller);
  if (plugin->is_initialised) plugin->component->table->terminate(plugin->component);
  void* const interfaces[] = {
    plugin->component_point, plugin->controller_point, plugin->mapping,   plugin->units,
    plugin->expression,      plugin->physical,         plugin->requirements, plugin->program_data,
    plugin->controller,      plugin->processor,        plugin->component,
  };
  for (size_t i = 0; i < sizeof interfaces / sizeof *interfaces; ++i) auricle_vst3_release(interfaces[i]);
  if (plugin->application) auricle_vst3_clear_loop(plugin->application);
  if (plugin->handler) auricle_vst3_handler_drop(plugin->handler);
}

// Fills the parameters that controllers of MIDI move, of the first event bus, and their present values.
static inline void auricle_vst3_fill_assignments(
  AuricleVST3PlugIn* plugin, uint32_t* assignments, double* positions) {
  for (int16_t channel = 0; channel < 16; ++channel)
    for (int16_t controller = 0; controller < kVST3Controller_Count; ++controller) {
      uint32_t parameter = 0xFFFFFFFFu;
      if (!plugin->mapping ||
          plugin->mapping->table->assignment(plugin->mapping, 0, channel, controller, &parameter) != kVST3_OK)
        parameter = 0xFFFFFFFFu;
      assignments[channel * kVST3Controller_Count + controller] = parameter;
      if (!positions || !plugin->controller || parameter == 0xFFFFFFFFu) continue;
      positions[channel * kVST3Controller_Count + controller] =
        plugin->controller->table->value(plugin->controller, parameter);
    }
}

// The type of expression of a physical movement, of the first channel; 0xFFFFFFFF for none.
static inline uint32_t auricle_vst3_expression_of(AuricleVST3PlugIn* plugin, uint32_t control) {
  AuricleVST3PhysicalMap map = {control, 0xFFFFFFFFu};
  AuricleVST3PhysicalMaps maps = {1, &map};
  if (!plugin->physical || plugin->physical->table->mapping(plugin->physical, 0, 0, &maps) != kVST3_OK)
    return 0xFFFFFFFFu;
  return map.expression;
}

// Whether the first channel has a type of expression.
static inline bool auricle_vst3_has_expression(AuricleVST3PlugIn* plugin, uint32_t type) {
  if (!plugin->expression) return false;
  const int32_t count = plugin->expression->table->count(plugin->expression, 0, 0);
  for (int32_t i = 0; i < count && i < 4096; ++i) {
    AuricleVST3ExpressionType info;
    memset(&info, 0, sizeof info);
    if (plugin->expression->table->info(plugin->expression, 0, 0, i, &info) == kVST3_OK && info.type == type)
      return true;
  }
  return false;
}

// Calls the factory's newest function that describes a class; false where it has none that does.
static inline bool auricle_vst3_class(AuricleVST3Factory* factory, int32_t index, AuricleVST3Class2* info) {
  memset(info, 0, sizeof *info);
  AuricleVST3Factory* second = (AuricleVST3Factory*)auricle_vst3_query(factory, &kVST3ID_Factory2);
  if (second) {
    const AuricleVST3Result result = second->table->class_info2(second, index, info);
    second->table->release(second);
    if (result == kVST3_OK) return true;
  }
  AuricleVST3Class first;
  memset(&first, 0, sizeof first);
  if (factory->table->class_info(factory, index, &first) != kVST3_OK) return false;
  info->id = first.id;
  memcpy(info->category, first.category, sizeof first.category);
  memcpy(info->name, first.name, sizeof first.name);
  return true;
}

// The UTF-16 description of a class; false for factories before version 3.
static inline bool auricle_vst3_class_unicode(
  AuricleVST3Factory* factory, int32_t index, AuricleVST3ClassUnicode* info) {
  memset(info, 0, sizeof *info);
  AuricleVST3Factory* third = (AuricleVST3Factory*)auricle_vst3_query(factory, &kVST3ID_Factory3);
  if (!third) return false;
  const AuricleVST3Result result = third->table->class_info_unicode(third, index, info);
  third->table->release(third);
  return result == kVST3_OK;
}

// Shows the factory its host, where it is of version 3.
static inline void auricle_vst3_set_factory_context(AuricleVST3Factory* factory, AuricleVST3Application* application) {
  AuricleVST3Factory* third = (AuricleVST3Factory*)auricle_vst3_query(factory, &kVST3ID_Factory3);
  if (!third) return;
  third->table->set_context(third, &application->application);
  third->table->release(third);
}
