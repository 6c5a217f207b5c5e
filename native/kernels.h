/* What the sources of the extension module `ists._kernels` share.

   Every function that computes has a counterpart in Python that gives the same result, to the last
   bit: sums are taken in the same order and with the same precision. The others, `build_quickly`,
   `Key` and `use_one_heap`, only save time or memory: Python does the same without them. */

#ifndef ISTS_KERNELS_H
#define ISTS_KERNELS_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <float.h>
#include <math.h>
#include <stdint.h>

#if FLT_EVAL_METHOD != 0 || defined(__FAST_MATH__)
#error "sums would be rounded differently: use the Python code"
#endif

/* A contiguous array of items of one size, or 0 and an exception. `flags` is PyBUF_SIMPLE or
   PyBUF_WRITABLE. */
int array_of(PyObject *source, Py_buffer *view, Py_ssize_t item, int flags);

/* Several arrays, the first `inputs` of them only read; either all or none. */
int arrays_of(PyObject *const *sources, Py_buffer *views, const Py_ssize_t *items, int inputs,
              int count);
void release_arrays(Py_buffer *views, int count);

/* Whether there are no keyword arguments, or 0 and an exception. */
int no_keywords(PyObject *kwargs);

/* Added and subtracted, it rounds a double below 2^51 to an integer, halves to even. */
#define ROUNDER 6755399441055744.0

/* As `np.rint`, which also keeps the sign of zero. */
static inline double
rounded(double value)
{
    return copysign((value + ROUNDER) - ROUNDER, value);
}

/* A number of a row as an integer on the grid; see `ists/aligner/exact.py`. */
static inline double
on_row_grid(float number, double scale, double limit)
{
    double value = (double)number * scale;
    value = limit < value ? limit : value;
    value = -limit > value ? -limit : value;
    return rounded(value);
}

/* As `_INTERFACE` in `ists/compiled.py`: larger whenever arguments or results change. */
#define INTERFACE 14

extern PyMethodDef tree_functions[], head_functions[], surface_functions[], word_functions[],
    record_functions[], row_functions[], product_functions[], block_functions[],
    link_functions[];

int add_wordnet_types(PyObject *module);
int add_key_type(PyObject *module);
int add_chunk_type(PyObject *module);
int add_row_names(void); /* whether it succeeded */

/* Profiles of words in WordNet: whether an object is one, with an exception if it is not; whether
   two are related; the information content of their most specific common hypernym. */
int is_profile(PyObject *other);
int are_related(PyObject *a, PyObject *b);
double shared_information(PyObject *a, PyObject *b);

/* Keys of words: whether an object is one, whether two words certainly have no relation, and the
   profile of a word, borrowed; NULL for a function word. */
int is_key(PyObject *object);
int are_unrelated(PyObject *a, PyObject *b);
PyObject *profile_of_key(PyObject *key);

#endif
