// Functions that are called for one node each, on arrays of any shape. They check every number that says where to read or
// write: those of a vector are the call's own, or read once (index.h). They return 0, or something else where the kernel on
// NumPy is to look at what is wrong. Read by cffi too.
int oc_segments(int how, int kind, int64_t rows, int64_t width, const char *data, int64_t data_rows, const char *ids, int id_bytes,
                const char *indices, int index_bytes, int64_t count, char *out);
int oc_unsorted_segments(int how, int kind, int64_t rows, int64_t width, const char *data, const char *ids, int id_bytes,
                         int64_t count, char *out);
int oc_in_top_k(const float *predictions, int64_t rows, int64_t classes, const char *targets, int bytes, int64_t k, uint8_t *out);
int oc_lu(int kind, int64_t count, int64_t n, char *packed, int64_t *order);
int oc_tridiagonal(int kind, int exchanges, int64_t count, int64_t n, int64_t columns, const char *diagonals, const char *rhs,
                   char *scratch, char *out);
typedef struct { const uint8_t *at; int64_t size; } oc_text;  // a byte string: where it lies, or NULL for none
int oc_texts(int64_t count, void *const *objects, oc_text *texts);
int oc_strings(int64_t count, const oc_text *texts, void **objects);
int oc_numbers(int kind, int64_t count, const oc_text *texts, char *out);
int oc_hashes(int how, int64_t count, const oc_text *texts, uint64_t key0, uint64_t key1, uint64_t *out);
int oc_join(int64_t rows, const int64_t *ends, int64_t count, const oc_text *pieces, oc_text separator, int only_between, int64_t room,
            uint8_t *out, oc_text *made);
int oc_base64(int decoding, int64_t count, const oc_text *texts, int64_t room, uint8_t *out, oc_text *made);
int oc_csv_fields(int64_t count, const oc_text *records, int delimiter, int quotes, oc_text missing, int64_t columns,
                  const int64_t *selected, int64_t room, uint8_t *out, oc_text *fields);
int oc_permutation(int64_t count, const uint32_t *words, int64_t *order);
int oc_largest_in_windows(const float *x, const int64_t *sizes, int with_batch, float *out, int64_t *places);
int oc_example_lists(int of_sequences, int64_t records, const uint8_t *text, const int64_t *sizes, int64_t key_count, const uint8_t *key_text,
                     const int64_t *key_ends, int64_t *found);
int oc_example_steps(const uint8_t *text, int64_t records, const int64_t *lists, int64_t stride, int64_t *steps);
int oc_example_values(int kind, const uint8_t *text, int64_t records, const int64_t *facts, int64_t stride, const int64_t *places, char *out);
int oc_rejection(int gamma, int kind, const uint64_t *position, int64_t each, int64_t parameters, const double *of, double largest,
                 int threads, char *out);
int oc_normal_doubles(const uint64_t *position, int64_t count, int threads, double *out);
int oc_gamma_slopes(int of, int doubles, int64_t count, const char *a, int64_t a_step, const char *x, int64_t x_step, int threads, char *out);
int oc_ctc(int doubles, const char *inputs, const int64_t *sizes, const int32_t *labels, const int64_t *starts, const int64_t *lengths, int merge,
           int threads, char *loss, char *gradient);
int oc_sparse_product(int doubles, int64_t count, const char *indices, int index_bytes, int turned, const char *values, const char *b, int64_t rows,
                      int64_t inner, int64_t columns, char *out);
int oc_fractional_pool(int how, const float *x, const int64_t *sizes, const int64_t *rows, const int64_t *columns, int overlapping,
                       float *line, float *out);
int oc_fractional_max_gradient(const float *x, const float *y, const float *gradients, const int64_t *sizes, const int64_t *rows,
                               const int64_t *columns, float *out);
int oc_fractional_mean_gradient(const float *gradients, const int64_t *sizes, const int64_t *rows, const int64_t *columns, int overlapping,
                                double *line, double *image, float *out);
int oc_triangular(int doubles, int lower, int transposed, int64_t count, int64_t n, int64_t columns, const char *matrices, char *x);
int oc_to_steps(int64_t count, const float *x, float lower, float upper, float step, float by, int product, float *out);
int oc_draws(int how, const uint64_t *position, int64_t count, int threads, char *out);
int oc_integer_draws(int bytes, const uint64_t *position, int64_t count, uint64_t low, uint64_t span, int threads, char *out);
int oc_largest(int kind, int64_t rows, int64_t width, int64_t k, const char *x, int threads, char *values, int32_t *places);
int oc_beam_search(const double *rows, const int64_t *sizes, const int64_t *lengths, int merge, int threads, int64_t *labels, int64_t *counts,
                   double *scores);
int oc_characters(int64_t count, const oc_text *texts, int32_t *out);
int64_t oc_record_spans(const uint8_t *text, int64_t size, int64_t most, oc_text *records, int64_t *used, int *fault);
int64_t oc_frame_records(int64_t count, const oc_text *records, int64_t room, uint8_t *out);
uint32_t oc_masked_crc(const uint8_t *text, int64_t size);
int64_t oc_shuffle(int64_t count, int64_t size, int64_t *buffer, int64_t *places, int one_pass, int64_t first, int64_t arrivals,
                   const uint32_t *words, int64_t *out);
int oc_resize(int how, int corners, int half, int gradient, const float *x, const int64_t *sizes, int threads, float *out);
int oc_colours(int how, int64_t count, const float *x, float by, int threads, float *out);
int oc_crops(int nearest, const float *images, const int64_t *sizes, const float *boxes, const int32_t *of, float outside, int threads,
             float *out);
int64_t oc_suppress(const float *boxes, int64_t count, const int64_t *order, int64_t ordered, int64_t limit, float threshold, int32_t *chosen);
int oc_requantize(int doubles, int is_unsigned, int64_t rows, int64_t channels, const char *total, const int32_t *bias, const int32_t *fraction,
                  const int32_t *shift, const int32_t *range, char *out);
int oc_depthwise_floats(const int64_t *sizes, const float *image, const float *weights, const float *bias, const float *range, float *out);
int oc_depthwise_integers(int is_unsigned, const int64_t *sizes, float zero, const char *image, const float *weights, const int32_t *bias,
                          const int32_t *fraction, const int32_t *shift, const int32_t *range, int to_unsigned, float *line, char *out);
int oc_bias_and_clamp(int64_t rows, int64_t channels, const float *bias, const float *range, float *x);
int oc_panels(int64_t rows, int64_t depth, int64_t columns, const float *x, const float *weights, float *out);
