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
    Py_ssize_t *token;
    long *memory;
} Side;

static void
free_side(Side *side)
{
    PyMem_Free(side->chunk);
    PyMem_Free(side->token);
    PyMem_Free(side->memory);
}

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

/* The position of a token, or -1 and an exception. */
static Py_ssize_t
position_of(PyObject *token, PyObject *pieces)
{
    Py_ssize_t at = PyNumber_AsSsize_t(token, PyExc_IndexError); /* also one of numpy */
    if (at == -1 && PyErr_Occurred())
        return -1;
    if (at < 0 || at >= PyList_GET_SIZE(pieces) || !PyList_Check(PyList_GET_ITEM(pieces, at))) {
        PyErr_SetString(PyExc_IndexError, "a chunk with a token that does not exist");
        return -1;
    }
    return at;
}

/* `token`: the positions of the chunk's tokens. */
static int
see_chunk(Seen *seen, const Py_ssize_t *token, Py_ssize_t tokens, PyObject *pieces,
          PyObject *wordless, long **memory)
{
    seen->pieces = *memory;
    seen->count = 0;
    seen->wordless = 1;
    for (Py_ssize_t t = 0; t < tokens; t++) {
        PyObject *own = PyList_GET_ITEM(pieces, token[t]);
        seen->wordless = seen->wordless && PyList_GET_ITEM(wordless, token[t]) == Py_True;
        seen->last = PyList_GET_SIZE(own);
        if (t == 0)
            seen->first = seen->last;
        for (Py_ssize_t p = 0; p < seen->last; p++)
            seen->pieces[seen->count++] = PyLong_AsLong(PyList_GET_ITEM(own, p));
    }
    if (PyErr_Occurred())
        return 0;
    if (seen->count == 0) {
        PyErr_SetString(PyExc_ValueError, "a chunk without word pieces");
        return 0;
    }
    seen->kinds = seen->pieces + seen->count;
    *memory = seen->kinds + seen->count;
    sort_kinds(seen);
    seen->length = log((double)tokens);
    return 1;
}

static int
see(Side *side, PyObject *chunks, PyObject *pieces, PyObject *wordless)
{
    Py_ssize_t tokens = 0, total = 0;
    side->count = PyTuple_GET_SIZE(chunks);
    for (Py_ssize_t k = 0; k < side->count; k++) {
        PyObject *chunk = PyTuple_GET_ITEM(chunks, k);
        if (!PyTuple_Check(chunk) || PyTuple_GET_SIZE(chunk) == 0) {
            PyErr_SetString(PyExc_TypeError, "expected tuples of positions as chunks");
            return 0;
        }
        tokens += PyTuple_GET_SIZE(chunk);
    }
    side->chunk = PyMem_Malloc((side->count + 1) * sizeof(Seen));
    /* Each is converted once: a second conversion might give another position. */
    Py_ssize_t *token = side->token = PyMem_Malloc((tokens + 1) * sizeof(Py_ssize_t));
    if (side->chunk == NULL || token == NULL) {
        PyErr_NoMemory();
        return 0;
    }
    for (Py_ssize_t k = 0; k < side->count; k++) {
        PyObject *chunk = PyTuple_GET_ITEM(chunks, k);
        for (Py_ssize_t t = 0; t < PyTuple_GET_SIZE(chunk); t++) {
            Py_ssize_t at = *token++ = position_of(PyTuple_GET_ITEM(chunk, t), pieces);
            if (at < 0)
                return 0;
            total += PyList_GET_SIZE(PyList_GET_ITEM(pieces, at));
        }
    }
    long *memory = side->memory = PyMem_Malloc((2 * total + 1) * sizeof(long));
    if (memory == NULL) {
        PyErr_NoMemory();
        return 0;
    }
    token = side->token;
    for (Py_ssize_t k = 0; k < side->count; k++) {
        Seen *seen = &side->chunk[k];
        Py_ssize_t size = PyTuple_GET_SIZE(PyTuple_GET_ITEM(chunks, k));
        if (!see_chunk(seen, token, size, pieces, wordless, &memory))
            return 0;
        token += size;
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
    Side one = {.count = 0}, two = {.count = 0};
    int succeeded = see(&one, args[0], args[1], args[2]) && see(&two, args[3], args[4], args[5]);
    if (succeeded && view.len / 4 != one.count * two.count * FEATURES) {
        PyErr_SetString(PyExc_ValueError, "a result of the wrong size");
        succeeded = 0;
    }
    float *out = view.buf;
    float log1 = (float)log((double)one.count), log2 = (float)log((double)two.count);
    for (Py_ssize_t i = 0; succeeded && i < one.count; i++) {
        for (Py_ssize_t j = 0; j < two.count; j++, out += FEATURES) {
            compare(&one.chunk[i], &two.chunk[j], out);
            out[9] = (float)(i == 0 && j == 0);
            out[10] = (float)(i == one.count - 1 && j == two.count - 1);
            out[13] = log1;
            out[14] = log2;
        }
    }
    free_side(&one);
    free_side(&two);
    PyBuffer_Release(&view);
    if (!succeeded)
        return NULL;
    Py_RETURN_NONE;
}

PyMethodDef surface_functions[] = {
    {"surface", (PyCFunction)(void (*)(void))surface, METH_FASTCALL,
     "Compute the surface features of all chunk pairs."},
    {NULL, NULL, 0, NULL},
};
