// Functions that are called for one node each, on arrays of any shape. They check every number that says where to read or
// write, and return 0, or something else where the kernel on NumPy is to look at what is wrong. Read by cffi too.
int oc_segments(int how, int kind, int64_t rows, int64_t width, const char *data, int64_t data_rows, const char *ids, int id_bytes,
                const char *indices, int index_bytes, int64_t count, char *out);
int oc_unsorted_segments(int how, int kind, int64_t rows, int64_t width, const char *data, const char *ids, int id_bytes,
                         int64_t count, char *out);
int oc_in_top_k(const float *predictions, int64_t rows, int64_t classes, const char *targets, int bytes, int64_t k, uint8_t *out);
