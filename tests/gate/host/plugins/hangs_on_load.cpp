[[gnu::constructor]] static void on_load() {
  for (volatile bool on = true; on;) {
  }
}
