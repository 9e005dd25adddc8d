int auricle_sample_delay_placeholder(void);
int auricle_sample_delay_placeholder(void) { return 0; }
