/* Surface features of chunk pairs: the counterpart of `surface_features` in
   `ists/aligner/surface.py`. */

#include "kernels.h"
#include <math.h>
#include <string.h>

#define FEATURES 17

/* A chunk's word pieces, in their order and sorted without repetition. */
typedef struct {
    long *pieces, *kinds;
    Py_ssize_t count, different;
    Py_ssize_t first, last; /* number of pieces of its first and its last token */
    double place, length;
    int wordless;
} Seen;

typedef struct {
    Seen *chunk;
    Py_ssize_t count;
    long *memory;
} Side;

static void
sort_kinds(Seen *seen)
{
    seen->different = 0;
    for (Py_ssize_t k = 0; k < seen->count; k++) {
        long piece = seen->pieces[k];
        Py_ssize_t at = seen->different;
        while (at > 0 && seen->kinds[at - 1] > piece)
            at--;
        if (at > 0 && seen->kinds[at - 1] == piece)
            continue;
        memmove(seen->kinds + at + 1, seen->kinds + at, (seen->different - at) * sizeof(long));
        seen->kinds[at] = piece;
        seen->different++;
    }
}

/* The pieces of a token, or NULL and an exception. */
static PyObject *
pieces_of(PyObject *pieces, PyObject *token)
{
    Py_ssize_t at = PyLong_AsSsize_t(token);
    if (at == -1 && PyErr_Occurred())
        return NULL;
    PyObject *own = at >= 0 && at < PyList_GET_SIZE(pieces) ? PyList_GET_ITEM(pieces, at) : NULL;
    if (own == NULL || !PyList_Check(own)) {
        PyErr_SetString(PyExc_IndexError, "a chunk with a token that does not exist");
        return NULL;
    }
    return own;
}

static int
see_chunk(Seen *seen, PyObject *chunk, PyObject *pieces, PyObject *wordless, long **memory)
{
    Py_ssize_t tokens = PyTuple_GET_SIZE(chunk);
    seen->pieces = *memory;
    seen->count = 0;
    seen->wordless = 1;
    for (Py_ssize_t t = 0; t < tokens; t++) {
        PyObject *own = pieces_of(pieces, PyTuple_GET_ITEM(chunk, t));
        if (own == NULL)
            return 0;
        Py_ssize_t token = PyLong_AsSsize_t(PyTuple_GET_ITEM(chunk, t));
        seen->wordless = seen->wordless && PyList_GET_ITEM(wordless, token) == Py_True;
        seen->last = PyList_GET_SIZE(own);
        if (t == 0)
            seen->first = seen->last;
        for (Py_ssize_t p = 0; p < seen->last; p++)
            seen->pieces[seen->count++] = PyLong_AsLong(PyList_GET_ITEM(own, p));
    }
    seen->kinds = seen->pieces + seen->count;
    *memory = seen->kinds + seen->count;
    sort_kinds(seen);
    seen->length = log((double)tokens);
    return !PyErr_Occurred();
}

static int
see(Side *side, PyObject *chunks, PyObject *pieces, PyObject *wordless)
{
    Py_ssize_t total = 0;
    side->count = PyTuple_GET_SIZE(chunks);
    for (Py_ssize_t k = 0; k < side->count; k++) {
        PyObject *chunk = PyTuple_GET_ITEM(chunks, k);
        if (!PyTuple_Check(chunk) || PyTuple_GET_SIZE(chunk) == 0) {
            PyErr_SetString(PyExc_TypeError, "expected tuples of positions as chunks");
            return 0;
        }
        for (Py_ssize_t t = 0; t < PyTuple_GET_SIZE(chunk); t++) {
            PyObject *own = pieces_of(pieces, PyTuple_GET_ITEM(chunk, t));
            if (own == NULL)
                return 0;
            total += PyList_GET_SIZE(own);
        }
    }
    side->chunk = PyMem_Malloc((side->count + 1) * sizeof(Seen));
    long *memory = side->memory = PyMem_Malloc((2 * total + 1) * sizeof(long));
    if (side->chunk == NULL || memory == NULL) {
        PyErr_NoMemory();
        return 0;
    }
    for (Py_ssize_t k = 0; k < side->count; k++) {
        Seen *seen = &side->chunk[k];
        if (!see_chunk(seen, PyTuple_GET_ITEM(chunks, k), pieces, wordless, &memory))
            return 0;
        seen->place = ((double)k + 0.5) / (double)side->count;
    }
    return 1;
}

static Py_ssize_t
common_kinds(const Seen *a, const Seen *b)
{
    Py_ssize_t i = 0, j = 0, common = 0;
    while (i < a->different && j < b->different) {
        long x = a->kinds[i], y = b->kinds[j];
        common += x == y;
        i += x <= y;
        j += y <= x;
    }
    return common;
}

static int
same(const long *a, Py_ssize_t as, const long *b, Py_ssize_t bs)
{
    return as == bs && memcmp(a, b, as * sizeof(long)) == 0;
}

static void
compare(const Seen *a, const Seen *b, float *out)
{
    double common = (double)common_kinds(a, b), apart = a->place - b->place;
    out[0] = (float)(common / (double)a->different);
    out[1] = (float)(common / (double)b->different);
    out[2] = (float)same(a->pieces, a->count, b->pieces, b->count);
    out[3] = (float)same(a->pieces + a->count - a->last, a->last,
                         b->pieces + b->count - b->last, b->last);
    out[4] = (float)same(a->pieces, a->first, b->pieces, b->first);
    out[5] = (float)a->place;
    out[6] = (float)b->place;
    out[7] = (float)apart;
    out[8] = (float)fabs(apart);
    out[11] = (float)a->length;
    out[12] = (float)b->length;
    out[15] = (float)a->wordless;
    out[16] = (float)b->wordless;
}

static int
are_lists(PyObject *const *args)
{
    for (int k = 0; k < 6; k++) {
        int sound = k % 3 == 0 ? PyTuple_Check(args[k]) : PyList_Check(args[k]);
        if (!sound || (k % 3 == 2 && PyList_GET_SIZE(args[k]) != PyList_GET_SIZE(args[k - 1]))) {
            PyErr_SetString(PyExc_TypeError, "expected chunks, pieces and flags of both sides");
            return 0;
        }
    }
    return 1;
}

/* Arguments: for both sides the chunks, the pieces of each token, and whether it is wordless; the
   result, zeros. */
static PyObject *
surface(PyObject *module, PyObject *const *args, Py_ssize_t nargs)
{
    if (nargs != 7) {
        PyErr_SetString(PyExc_TypeError, "expected seven arguments");
        return NULL;
    }
    Py_buffer view;
    if (!are_lists(args) || !array_of(args[6], &view, 4, PyBUF_WRITABLE))
        return NULL;
    Side one = {NULL, 0, NULL}, two = {NULL, 0, NULL};
    int sound = see(&one, args[0], args[1], args[2]) && see(&two, args[3], args[4], args[5]);
    if (sound && view.len / 4 != one.count * two.count * FEATURES) {
        PyErr_SetString(PyExc_ValueError, "a result of the wrong size");
        sound = 0;
    }
    float *out = view.buf;
    float log1 = (float)log((double)one.count), log2 = (float)log((double)two.count);
    for (Py_ssize_t i = 0; sound && i < one.count; i++) {
        for (Py_ssize_t j = 0; j < two.count; j++, out += FEATURES) {
            compare(&one.chunk[i], &two.chunk[j], out);
            out[9] = (float)(i == 0 && j == 0);
            out[10] = (float)(i == one.count - 1 && j == two.count - 1);
            out[13] = log1;
            out[14] = log2;
        }
    }
    PyMem_Free(one.chunk);
    PyMem_Free(one.memory);
    PyMem_Free(two.chunk);
    PyMem_Free(two.memory);
    PyBuffer_Release(&view);
    if (!sound)
        return NULL;
    Py_RETURN_NONE;
}

PyMethodDef surface_functions[] = {
    {"surface", (PyCFunction)(void (*)(void))surface, METH_FASTCALL,
     "Compute the surface features of all chunk pairs."},
    {NULL, NULL, 0, NULL},
};
