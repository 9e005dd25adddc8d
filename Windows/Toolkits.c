// A window of GTK 2 or 3, whose library is loaded when a plug-in's window needs it.
// SPDX-License-Identifier: Apache-2.0
#include <dlfcn.h>
#include <stdlib.h>

#include "Window.h"

static struct {
  void* library;
  void* window;
  int (*init)(int*, char***);
  void* (*make)(int type);
  void (*set_title)(void*, const char*);
  void (*add)(void*, void*);
  void (*show)(void*);
  void (*resize)(void*, int, int);
  void (*size)(void*, int*, int*);
  void (*destroy)(void*);
  unsigned long (*connect)(void*, const char*, void (*)(void), void*, void*, int);
  int (*iterate)(void*, int);
} gtk;

// dlsym returns an untyped pointer; C may make a function of it.
#define FIND(member, name)                                                                           \
  do {                                                                                               \
    *(void**)&gtk.member = dlsym(gtk.library, name);                                                 \
    if (!gtk.member) refuse(kExit_Unavailable, "the library of GTK has no function %s: install it anew", name); \
  } while (0)

// The answer that the window is not to be destroyed yet.
static int note_close(void) {
  is_closed = true;
  return 1;
}

void toolkit_make(int version, const char* title) {
  const char* const name = version == 2 ? "libgtk-x11-2.0.so.0" : "libgtk-3.so.0";
  // Windows in GTK 3 reach for the server directly.
  setenv("GDK_BACKEND", "x11", 1);
  gtk.library = dlopen(name, RTLD_NOW | RTLD_GLOBAL);
  if (!gtk.library)
    refuse(
      kExit_Unavailable, "the window is made with GTK %d, which is not installed (%s): install %s", version, dlerror(),
      version == 2 ? "libgtk2.0-0" : "libgtk-3-0");
  FIND(init, "gtk_init_check");
  FIND(make, "gtk_window_new");
  FIND(set_title, "gtk_window_set_title");
  FIND(add, "gtk_container_add");
  FIND(show, "gtk_widget_show_all");
  FIND(resize, "gtk_window_resize");
  FIND(size, "gtk_window_get_size");
  FIND(destroy, "gtk_widget_destroy");
  FIND(connect, "g_signal_connect_data");
  FIND(iterate, "g_main_context_iteration");
  int count = 1;
  char name_text[] = "auricle-window";
  char* words[] = {name_text, NULL};
  char** arguments = words;
  if (!gtk.init(&count, &arguments)) {
    const char* display = getenv("DISPLAY");
    refuse(
      kExit_Unavailable, "there is no display to show a window on (DISPLAY is %s): start an X server or Xwayland",
      display && *display ? display : "not set");
  }
  gtk.window = gtk.make(0);
  gtk.set_title(gtk.window, title);
  gtk.connect(gtk.window, "delete-event", (void (*)(void))note_close, NULL, NULL, 0);
}

void toolkit_hold(void* widget) {
  gtk.add(gtk.window, widget);
  gtk.show(gtk.window);
  toolkit_turn();
}

void toolkit_resize(int width, int height) {
  if (gtk.window && width > 0 && height > 0 && width <= 16384 && height <= 16384) gtk.resize(gtk.window, width, height);
}

void toolkit_size(int* width, int* height) { gtk.size(gtk.window, width, height); }

void toolkit_turn(void) {
  // Each turn has an end, whatever a window draws.
  for (int i = 0; i < 200 && gtk.iterate(NULL, 0); ++i) {
  }
}

void toolkit_end(void) {
  if (gtk.window) gtk.destroy(gtk.window);
  gtk.window = NULL;
}
